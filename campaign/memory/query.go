package memory

// MaxItems is how many items an answer has at most.
const MaxItems = 64

// MaxQueryBytes is what is read of the texts of a query, the newest first.
const MaxQueryBytes = 16 << 10

// Query asks what belongs to the newest texts of a campaign.
type Query struct {
	Campaign string `json:"campaign"`
	// Branch is the branch that is played.
	Branch string `json:"branch,omitempty"`
	// Head is the newest turn of the story: only turns that lead to it are wanted, itself
	// included; to one that was never remembered none leads. "" stands for all turns of all
	// branches.
	Head string `json:"head,omitempty"`
	// Before, if it is positive, leaves out turns of this index and above: the prompt shows
	// them anyway.
	Before int `json:"before,omitempty"`
	// Viewer is the character for whom it is asked: what they did not witness is not
	// wanted. "" stands for somebody who knows everything.
	Viewer string `json:"viewer,omitempty"`
	// Texts are what to look for, newest first.
	Texts []string `json:"texts"`
	// Limit bounds the texts of the answer together, in estimated tokens; 0 and less ask for
	// nothing.
	Limit int `json:"limit"`
}

// Item is something remembered.
type Item struct {
	ID     string `json:"id"`      // its own
	TurnID string `json:"turn_id"` // of the turn that it tells of
	// Hash is [Turn.Hash] of the turn as it was remembered.
	Hash string `json:"hash"`
	Text string `json:"text"`
	// Score says how well it fits, the best of an answer first; scores of two answers
	// cannot be compared.
	Score     float64  `json:"score"`
	Witnesses []string `json:"witnesses,omitempty"` // of the turn
}
