package state

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// ApprovalQuestion is what people are asked in the middle of a turn.
type ApprovalQuestion struct {
	// ID is another one for each question of a campaign. Whoever answers names it, so that
	// nobody approves what he has not seen.
	ID string `json:"id"`

	CampaignID   string `json:"campaign_id"`
	ActorID      string `json:"actor_id"`
	UserInput    string `json:"user_input"`
	ClientTurnID string `json:"client_turn_id,omitempty"` // of the submission
	// Audience are those who hear the turn; empty: everybody.
	Audience []string `json:"audience,omitempty"`

	// Attempt counts the outputs of the turn, from 1. Narration is the text of this one, for
	// whoever decides; players have not seen it unless the setting conflict.intercept_output
	// is off, and it counts only with the turn. It may be empty: calls come first.
	Attempt   int    `json:"attempt"`
	Narration string `json:"narration,omitempty"`

	// Settled are the calls of this turn that count if the question is answered: those of
	// earlier outputs, and those of this one about which nobody is asked.
	Settled []ApprovalCall `json:"settled,omitempty"`
	// Calls are those that wait for a [ApprovalDecision], in their order; each would be carried out on
	// the state that the ones before it left.
	Calls []ApprovalCall `json:"calls"`
	// Refused are the calls that could not be carried out as somebody had decided about this
	// output: the question is asked again.
	Refused []ApprovalRefused `json:"refused,omitempty"`
}

// ApprovalCall is a call that has passed adjudication.
type ApprovalCall struct {
	ID     string     `json:"id"`
	Tool   string     `json:"tool"`
	Args   tree.Value `json:"args,omitzero"` // an object
	Reason string     `json:"reason,omitempty"`
	// Result is what the model would be told, Effects what would happen, and Affects the
	// fields of the state that the tool changes, see tool.Tool.Affects.
	Result  tree.Value  `json:"result,omitzero"`
	Effects effect.List `json:"effects,omitempty"`
	Affects []string    `json:"affects,omitempty"`
}

// ApprovalRefused is a call that could not be carried out as somebody had edited it, or beside what
// somebody had edited.
type ApprovalRefused struct {
	ID         string     `json:"id"`
	Tool       string     `json:"tool"`
	Reason     string     `json:"reason"` // a CallCode
	Message    string     `json:"message,omitempty"`
	Violations []string   `json:"violations,omitempty"` // of the arguments
	Expected   tree.Value `json:"expected,omitzero"`
	Hint       tree.Value `json:"hint,omitzero"`
}

// ForPlayers is the question without what only those who decide may read: the narration,
// which may never be told.
func (q ApprovalQuestion) ForPlayers() ApprovalQuestion {
	q.Narration = ""
	return q
}

// PendingApproval is a question that waits in a campaign, with all that a process needs to go on.
type PendingApproval struct {
	Question ApprovalQuestion `json:"question"`
	// Fingerprint tells the submission from another one with the same client turn id.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Provisional is the attempt of which players may have seen the text already, 0 if none:
	// it is taken back if the turn is dropped.
	Provisional int `json:"provisional,omitempty"`
	// Journal is what the machine was told in this turn, a list of inputs, and Records how many
	// records of the log hold it: leaving them out gives the campaign before the turn.
	Journal tree.Value `json:"journal"`
	Records int64      `json:"records"`
}
