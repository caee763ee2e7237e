package memory

import "slices"

// MaxItems is the maximum number of items of an answer.
const MaxItems = 64

// maxQueryBytes is the number of bytes that are read of the texts of a query, the newest first.
const maxQueryBytes = 16 << 10

// Query asks for the memories that belong to the newest texts of a campaign.
type Query struct {
	Campaign string `json:"campaign"`
	// Branch is the branch that is played.
	Branch string `json:"branch,omitempty"`
	// Head is the newest turn of the story. Only turns that lead to it, including itself, are
	// found. If it was never added, no turn is found. "" means all turns of all branches.
	Head string `json:"head,omitempty"`
	// Before, if positive, excludes turns with this index and above: the prompt shows them anyway.
	Before int `json:"before,omitempty"`
	// Viewer is the character who asks: turns that this character did not witness are excluded. ""
	// means a viewer who knows everything.
	Viewer string `json:"viewer,omitempty"`
	// Hearers are further characters who will know the answer: turns that one of them did not
	// witness are excluded. Public excludes all turns with a list of witnesses.
	Hearers []string `json:"hearers,omitempty"`
	Public  bool     `json:"public,omitempty"`
	// Texts are the texts to search for, newest first.
	Texts []string `json:"texts"`
	// Limit is the maximum total size of the texts of the answer, in estimated tokens. 0 or less
	// asks for nothing.
	Limit int `json:"limit"`
}

// mayFind reports whether the query may find a turn with these witnesses. Everybody witnessed a turn
// without a list.
func (q *Query) mayFind(witnesses []string) bool {
	if len(witnesses) == 0 {
		return true
	}
	missed := func(id string) bool { return !slices.Contains(witnesses, id) }
	return !q.Public && (q.Viewer == "" || !missed(q.Viewer)) && !slices.ContainsFunc(q.Hearers, missed)
}

// Item is a memory: a piece of a turn or of a summary.
type Item struct {
	ID     string `json:"id"`      // the ID of the item
	TurnID string `json:"turn_id"` // the ID of its turn
	// Hash is the [Turn.Hash] of the turn when it was added.
	Hash string `json:"hash"`
	Text string `json:"text"`
	// Score measures how well it fits; the items of an answer are ordered by it. Scores of
	// different answers are not comparable.
	Score     float64  `json:"score"`
	Witnesses []string `json:"witnesses,omitempty"` // of the turn
}
