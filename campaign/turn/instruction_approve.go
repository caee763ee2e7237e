package turn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// Approve answers the question of a turn that waits for people, see [Todo.Approve], with one
// decision for each call. It is refused with no_pending_approval if Question is not the present
// question, and with invalid_approval if the decisions do not fit it. After a refusal the question
// stays. If an edited call cannot be applied, people are asked again, and the question says why. An
// edit keeps the narration. What contradicts the edited call is then in Overridden of [state.Turn].
// Deny the call if the narration must change.
type Approve struct {
	// Question is the ID of the question.
	Question  string                   `json:"question"`
	Decisions []state.ApprovalDecision `json:"decisions"`
	By        string                   `json:"by,omitempty"` // the host's name for the person
	At        time.Time                `json:"at,omitzero"`
}

func (Approve) inputType() string { return "approve" }

// apply refuses the instruction, because no turn waits.
func (in Approve) apply(*Machine) (Stop, error) {
	return idle, refusal(state.NoPendingApproval)
}

// refusalWhileWaiting compares the decisions with the question.
func (in Approve) refusalWhileWaiting(m *Machine) error {
	q := m.base.PendingApproval.Question
	switch {
	case in.Question != q.ID:
		return &state.Refusal{Code: state.NoPendingApproval, Detail: fmt.Sprintf("the question is %s, not %q", q.ID, in.Question)}
	case m.phase == Idle:
		return refusal(state.ApprovalOutdated)
	}
	var wrong []string
	for i, d := range in.Decisions {
		at := fmt.Sprintf("decisions[%d]", i)
		waits := slices.ContainsFunc(q.Calls, func(c state.ApprovalCall) bool { return c.ID == d.CallID })
		switch earlier := slices.IndexFunc(in.Decisions, func(e state.ApprovalDecision) bool { return e.CallID == d.CallID }); {
		case !waits:
			wrong = append(wrong, fmt.Sprintf("%s: no call %q waits", at, d.CallID))
		case earlier < i:
			wrong = append(wrong, fmt.Sprintf("%s: decisions[%d] is about %s too", at, earlier, d.CallID))
		case !slices.Contains([]state.ApprovalVerdict{state.Approve, state.Edit, state.Deny}, d.Verdict):
			wrong = append(wrong, fmt.Sprintf("%s: the verdict %q must be approve, edit or deny", at, d.Verdict))
		case (d.Verdict == state.Edit) != d.Args.IsObject():
			wrong = append(wrong, at+": an edit, and nothing else, has args, an object")
		case nestedDeeper(d.Args, maxAnswerDepth):
			wrong = append(wrong, fmt.Sprintf("%s: args are nested deeper than %d levels", at, maxAnswerDepth))
		}
	}
	for _, c := range q.Calls {
		if in.about(c.ID).Verdict == "" {
			wrong = append(wrong, fmt.Sprintf("nothing is decided about %s", c.ID))
		}
	}
	if len(wrong) > 0 {
		return &state.Refusal{Code: state.InvalidApproval, Detail: strings.Join(wrong, "; ")}
	}
	return nil
}

// about returns the decision about a call.
func (in Approve) about(id string) state.ApprovalDecision {
	for _, d := range in.Decisions {
		if d.CallID == id {
			return d
		}
	}
	return state.ApprovalDecision{}
}
