package state

import (
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// The approval part holds what people are asked before calls of a model count, and what
// they answer: the words between a campaign and whoever watches over it.
//
// A tool says whether people are asked about a call of it, see tool.Tool.Approval; the
// setting tools.approval says whether that counts:
//
//	off       nobody is asked
//	declared  people are asked where tools say so; the default
//	all       people are asked about every call
//
// They are asked last, when an output of the model has passed everything else, so that
// nobody approves what would be refused anyway. A [ApprovalQuestion] lists the calls that wait, with
// what they would do; a [ApprovalDecision] for each of them is given together. It approves the call,
// edits its arguments, or denies it, and then the model hears why and answers again, at most
// tools.max_denials times a turn.
//
// A question waits in the campaign, as [PendingApproval], until somebody answers it: days later, in
// any process. Nothing has changed by then. Nobody has seen the text, unless the
// setting conflict.intercept_output is off: then provisional text stays on the screen until people have answered.
//
// Values are plain data; whoever holds one may share it, and does not change it.

// ApprovalVerdict is what somebody has decided about a call.
type ApprovalVerdict string

// The verdicts.
const (
	Approve ApprovalVerdict = "approve" // it counts as it is
	Edit    ApprovalVerdict = "edit"    // it counts with other arguments
	Deny    ApprovalVerdict = "deny"    // it does not count, and the model hears why
)

// ApprovalDecision is the answer about one call.
type ApprovalDecision struct {
	CallID  string          `json:"call_id"`
	Verdict ApprovalVerdict `json:"verdict"`
	// Args are the arguments of an edit, all of them, as an object. The call is judged again
	// with them; if it is refused, the question is asked again.
	Args tree.Value `json:"args,omitzero"`
	// Reason says why a call is denied, in words for the model.
	Reason string `json:"reason,omitempty"`
}

// All returns one decision for each call of a question.
func (q ApprovalQuestion) All(v ApprovalVerdict, reason string) []ApprovalDecision {
	out := make([]ApprovalDecision, len(q.Calls))
	for i, c := range q.Calls {
		out[i] = ApprovalDecision{CallID: c.ID, Verdict: v, Reason: reason}
	}
	return out
}

// ApprovalGiven is a decision as the turn keeps it: who decided what about which call.
type ApprovalGiven struct {
	QuestionID string          `json:"question_id"`
	Attempt    int             `json:"attempt"`
	CallID     string          `json:"call_id"`
	Tool       string          `json:"tool"`
	Asked      tree.Value      `json:"asked,omitzero"` // the arguments that the model had given
	Verdict    ApprovalVerdict `json:"verdict"`
	Args       tree.Value      `json:"args,omitzero"` // of an edit
	Reason     string          `json:"reason,omitempty"`
	By         string          `json:"by,omitempty"` // the host's name for the person
	At         time.Time       `json:"at,omitzero"`
}
