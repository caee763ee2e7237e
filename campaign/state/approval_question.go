package state

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// ApprovalQuestion is a question to people in the middle of a turn.
type ApprovalQuestion struct {
	// ID is unique within the campaign. An answer names it, so that a person cannot approve a
	// question that they have not seen.
	ID string `json:"id"`

	CampaignID   string `json:"campaign_id"`
	ActorID      string `json:"actor_id"`
	UserInput    string `json:"user_input"`
	ClientTurnID string `json:"client_turn_id,omitempty"` // of the submission
	// Audience lists the characters who hear the turn; empty means everybody.
	Audience []string `json:"audience,omitempty"`

	// Attempt counts the outputs of the turn, from 1. Narration is the text of this output, for the
	// people who decide. Players have not seen it unless the setting conflict.intercept_output is
	// off. It becomes part of the story only with the turn. It may be empty, because calls come
	// first.
	Attempt   int    `json:"attempt"`
	Narration string `json:"narration,omitempty"`

	// Settled lists the calls that need no answer: calls of earlier outputs, and calls of this output
	// that need no approval. If a call is denied, the calls of this output have no effect: the model
	// answers again. The calls of earlier outputs take effect with any answer.
	Settled []ApprovalCall `json:"settled,omitempty"`
	// Calls lists the calls that wait for an [ApprovalDecision], in order. Each is applied on the
	// state that the calls before it left.
	Calls []ApprovalCall `json:"calls"`
	// Refused lists the calls that could not be applied as an earlier answer to this output
	// decided. The question is then asked again.
	Refused []ApprovalRefused `json:"refused,omitempty"`
}

// ApprovalCall is a call that was adjudicated and accepted.
type ApprovalCall struct {
	ID     string     `json:"id"`
	Tool   string     `json:"tool"`
	Args   tree.Value `json:"args,omitzero"` // an object
	Reason string     `json:"reason,omitempty"`
	// Result is the result for the model. Effects lists the effects of the call. Neither has
	// happened yet. Affects lists the fields of the state that the tool changes, see
	// tool.Tool.Affects.
	Result  tree.Value  `json:"result,omitzero"`
	Effects effect.List `json:"effects,omitempty"`
	Affects []string    `json:"affects,omitempty"`
}

// ApprovalRefused is a call that could not be applied with the edited arguments, or together with
// other calls that were edited.
type ApprovalRefused struct {
	ID         string     `json:"id"`
	Tool       string     `json:"tool"`
	Reason     string     `json:"reason"` // a CallCode
	Message    string     `json:"message,omitempty"`
	Violations []string   `json:"violations,omitempty"` // of the arguments
	Expected   tree.Value `json:"expected,omitzero"`
	Hint       tree.Value `json:"hint,omitzero"`
}

// ForPlayers returns the question without the narration, which only the people who decide may read:
// it may never become part of the story.
func (q ApprovalQuestion) ForPlayers() ApprovalQuestion {
	q.Narration = ""
	return q
}

// PendingApproval is a question that waits in a campaign, with everything that a process needs to
// continue the turn.
type PendingApproval struct {
	Question ApprovalQuestion `json:"question"`
	// Fingerprint distinguishes the submission from a different one with the same client turn ID.
	Fingerprint string `json:"fingerprint,omitempty"`
	// Provisional is the attempt whose text players may already have seen, or 0 if there is none.
	// The text is retracted if the turn is dropped.
	Provisional int `json:"provisional,omitempty"`
	// Journal is the list of inputs that the machine got in this turn. Records is the number of log
	// records that hold it: without these records the log gives the campaign before the turn.
	Journal tree.Value `json:"journal"`
	Records int64      `json:"records"`
	// Programs are the programs of templates that the turn has run, see [TurnTrace].
	Programs []tree.Value `json:"programs,omitempty"`
}
