package state

import (
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// This file and approval_question.go hold the questions that people answer before calls of a model
// take effect, and their answers.
//
// A tool declares whether its calls need approval, see tool.Tool.Approval. The setting
// tools.approval decides whether that applies:
//
//	off       no call needs approval
//	declared  a call needs approval if its tool says so; the default
//	all       every call needs approval
//
// The question comes last, after an output of the model has passed all other checks. So people
// never approve a call that would be refused anyway. An [ApprovalQuestion] lists the calls that
// wait, with their effects. One [ApprovalDecision] for each of them must be given together. A
// decision approves the call, edits its arguments or denies it. After a denial the model gets the
// reason and answers again, at most tools.max_denials times a turn.
//
// A question is stored in the campaign, as [PendingApproval], until it is answered. That may be
// days later, and in any process. Until then the state does not change and the text is not shown.
// If the setting conflict.intercept_output is off, the provisional text stays on the screen until
// people have answered.
//
// Values are plain data. They are safe to share; do not modify them.

// ApprovalVerdict is the decision of a person about a call.
type ApprovalVerdict string

// The verdicts.
const (
	Approve ApprovalVerdict = "approve" // the call takes effect as it is
	Edit    ApprovalVerdict = "edit"    // the call takes effect with different arguments
	Deny    ApprovalVerdict = "deny"    // the call has no effect, and the model gets the reason
)

// ApprovalDecision is the answer for one call.
type ApprovalDecision struct {
	CallID  string          `json:"call_id"`
	Verdict ApprovalVerdict `json:"verdict"`
	// Args are the complete arguments of an edit, as an object. The call is adjudicated again with
	// them. If it is refused, the question is asked again.
	Args tree.Value `json:"args,omitzero"`
	// Reason says why a call is denied, in words for the model.
	Reason string `json:"reason,omitempty"`
}

// All returns a decision with the given verdict and reason for each call of a question.
func (q ApprovalQuestion) All(v ApprovalVerdict, reason string) []ApprovalDecision {
	out := make([]ApprovalDecision, len(q.Calls))
	for i, c := range q.Calls {
		out[i] = ApprovalDecision{CallID: c.ID, Verdict: v, Reason: reason}
	}
	return out
}

// ApprovalGiven is a decision as the turn stores it: who decided what about which call.
type ApprovalGiven struct {
	QuestionID string          `json:"question_id"`
	Attempt    int             `json:"attempt"`
	CallID     string          `json:"call_id"`
	Tool       string          `json:"tool"`
	Asked      tree.Value      `json:"asked,omitzero"` // the arguments that the model gave
	Verdict    ApprovalVerdict `json:"verdict"`
	Args       tree.Value      `json:"args,omitzero"` // of an edit
	Reason     string          `json:"reason,omitempty"`
	By         string          `json:"by,omitempty"` // the host's name for the person
	At         time.Time       `json:"at,omitzero"`
}
