package approval

import (
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// Verdict is what somebody has decided about a call.
type Verdict string

// The verdicts.
const (
	Approve Verdict = "approve" // it counts as it is
	Edit    Verdict = "edit"    // it counts with other arguments
	Deny    Verdict = "deny"    // it does not count, and the model hears why
)

// Decision is the answer about one call.
type Decision struct {
	CallID  string  `json:"call_id"`
	Verdict Verdict `json:"verdict"`
	// Args are the arguments of an edit, all of them, as an object. The call is judged again
	// with them; if it is refused, the question is asked again.
	Args tree.Value `json:"args,omitzero"`
	// Reason says why a call is denied, in words for the model.
	Reason string `json:"reason,omitempty"`
}

// All returns one decision for each call of a question.
func (q Question) All(v Verdict, reason string) []Decision {
	out := make([]Decision, len(q.Calls))
	for i, c := range q.Calls {
		out[i] = Decision{CallID: c.ID, Verdict: v, Reason: reason}
	}
	return out
}

// Given is a decision as the turn keeps it: who decided what about which call.
type Given struct {
	QuestionID string     `json:"question_id"`
	Attempt    int        `json:"attempt"`
	CallID     string     `json:"call_id"`
	Tool       string     `json:"tool"`
	Asked      tree.Value `json:"asked,omitzero"` // the arguments that the model had given
	Verdict    Verdict    `json:"verdict"`
	Args       tree.Value `json:"args,omitzero"` // of an edit
	Reason     string     `json:"reason,omitempty"`
	By         string     `json:"by,omitempty"` // the host's name for the person
	At         time.Time  `json:"at,omitzero"`
}
