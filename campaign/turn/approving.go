package turn

import (
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/adjudicate"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/campaign/turn/internal/verdict"
	"github.com/talewright/talewright/internal/utf8text"
)

// People are asked about calls when an output has passed everything else. What they edit or
// deny is judged by the same rows of the course as the calls of the model.

// consent is what people are asked, and have said, about the calls of one output.
type consent struct {
	calls   []approval.Call              // accepted ones about which people are to be asked
	decided map[string]approval.Decision // what they said, by the id of the call; nil before
	heard   map[string]tool.Answer       // from outside the game, by id, tool and arguments
	refused []approval.Refused           // what could not be carried out as they decided
	spent   bool                         // they denied something, and the model is not asked again
	opened  *snapshot                    // before the calls; nil if nobody will be asked
	asked   *snapshot                    // when they were asked
}

// snapshot is what the calls of an output change in a run, so that they can be judged again.
type snapshot struct {
	staged             stage.Progress
	before             map[string]state.CallCode // what had been refused, by tool and arguments
	calling            calling
	unsettled          []state.FailedCall
	findings, blocking []conflict.Conflict
	attempt            state.Attempt
	calls              []approval.Call
	decided            map[string]approval.Decision
	approvals          int
}

// keep remembers where the judging of the calls stands.
func keep(t *run) *snapshot {
	return &snapshot{
		staged: t.stage.Staged.Clone(), before: maps.Clone(t.calls.Refused), calling: t.out.calling,
		unsettled: t.out.unsettled, findings: t.out.findings, blocking: t.out.blocking,
		attempt: t.attempts[len(t.attempts)-1], calls: t.people.consent.calls,
		decided: maps.Clone(t.people.consent.decided), approvals: len(t.people.given),
	}
}

// restore goes back there, but for what people have decided.
func restore(t *run, b *snapshot) {
	t.stage.Staged, t.calls.Refused, t.out.calling = b.staged.Clone(), maps.Clone(b.before), b.calling
	t.out.unsettled, t.out.findings, t.out.blocking = b.unsettled, b.findings, b.blocking
	t.attempts = append(slices.Clone(t.attempts[:len(t.attempts)-1]), b.attempt)
	t.people.consent.calls = b.calls
}

// watched reports whether people may be asked about calls of the output.
func watched(tools tool.Set, approval string, calls []answer.RawCall) bool {
	switch approval {
	case "off":
		return false
	case "all":
		return len(calls) > 0
	}
	return slices.ContainsFunc(calls, func(c answer.RawCall) bool {
		asked, known := tools.Get(c.Tool)
		return known && asked.Approval != nil
	})
}

// asksPeople reports whether people are asked about a call that is accepted.
func asksPeople(t *run, call tool.Call) (asks bool) {
	switch t.values.Text(setting.ToolApproval) {
	case "off":
		return false
	case "all":
		return true
	}
	asked, _ := t.game.Tools().Get(call.Tool)
	if asked.Approval == nil {
		return false
	}
	defer func() {
		if what := recover(); what != nil {
			asks = true
			t.panics = append(t.panics, tool.Panic{Tool: call.Tool, Value: what, Stack: debug.Stack()})
		}
	}()
	view := tool.View{State: t.stage.Staged.State.Clone(), ActorID: t.order.in.ActorID, MaxHPDelta: t.calls.MaxDelta, Life: t.calls.Life}
	if t.out.calling.answer != nil {
		view.Answer = t.out.calling.answer.Value
	}
	return asked.Approval(call, view)
}

// denial is the ruling about a call that people have denied, nil if they have not.
func (c *consent) denial(call answer.RawCall, text string) *state.FailedCall {
	d, decided := c.decided[call.ID]
	if !decided || d.Verdict != approval.Deny {
		return nil
	}
	failed := &state.FailedCall{ID: call.ID, Tool: call.Tool, Status: state.CallRejected, Reason: tool.CallDenied,
		Message: text}
	if d.Reason != "" {
		failed.Message += ": " + utf8text.Cut(d.Reason, stage.MaxText/2)
	}
	return failed
}

// questionTo is what people are asked.
func questionTo(t *run, open []approval.Call, version int64) approval.Question {
	q := approval.Question{
		ID: fmt.Sprintf("approval_%04d", version), CampaignID: t.next.ID, ActorID: t.order.in.ActorID, UserInput: t.order.asked.Text,
		ClientTurnID: t.order.in.ClientTurnID, Attempt: len(t.attempts), Narration: t.judgedText(),
		Calls: open, Refused: t.people.consent.refused,
	}
	for i, a := range t.stage.Staged.Applied {
		if i < len(t.stage.Settled.Applied) || !slices.ContainsFunc(open, func(c approval.Call) bool { return c.ID == a.ID }) {
			q.Settled = append(q.Settled, approval.Call{ID: a.ID, Tool: a.Tool, Args: a.Args, Reason: a.Reason, Result: a.Result})
		}
	}
	return q
}

// ask notes an accepted call about which people are to be asked.
func (c *consent) ask(r adjudicate.Ruling, affects []string) {
	effects, _ := stage.Readable("", r.Judgement.Effects)
	c.calls = append(c.calls, approval.Call{ID: r.Call.ID, Tool: r.Call.Tool, Args: r.Call.Args, Reason: r.Call.Reason,
		Result: r.Judgement.Result, Effects: effects, Affects: affects})
}

// open lists the calls that nobody has decided about.
func (c *consent) open() []approval.Call {
	return slices.DeleteFunc(slices.Clone(c.calls), func(call approval.Call) bool {
		_, decided := c.decided[call.ID]
		return decided
	})
}

// revised is a call as people want it.
func (c *consent) revised(call answer.RawCall) answer.RawCall {
	if d, decided := c.decided[call.ID]; decided && d.Verdict == approval.Edit {
		call.Args = d.Args
	}
	return call
}

// pendingFor is what people are asked about an output that passes otherwise, in a campaign of a
// version, nil if they are not asked.
func pendingFor(t *run, version int64) *approval.Pending {
	open := t.people.consent.open()
	if len(open) == 0 {
		return nil
	}
	t.people.consent.asked = keep(t)
	p := &approval.Pending{Question: questionTo(t, open, version), Records: 1}
	if t.order.in.ClientTurnID != "" {
		p.Fingerprint = t.order.fingerprint
	}
	if !intercepted(t) && t.out.last.Text != "" {
		p.Provisional = len(t.attempts)
	}
	return p
}

// decided goes on as somebody has decided about the calls of a question, at a time.
func decided(t *run, q approval.Question, about func(call string) approval.Decision, by string, at time.Time) next {
	c := &t.people.consent
	c.refused = nil
	if c.decided == nil {
		c.decided = map[string]approval.Decision{}
	}
	all := true // as it is
	denied := false
	for _, call := range q.Calls {
		d := about(call.ID)
		c.decided[call.ID] = d
		all, denied = all && d.Verdict == approval.Approve, denied || d.Verdict == approval.Deny
		t.people.given = append(t.people.given, approval.Given{QuestionID: q.ID, Attempt: q.Attempt, CallID: call.ID,
			Tool: call.Tool, Asked: call.Args, Verdict: d.Verdict, Args: d.Args, Reason: d.Reason, By: by, At: at})
	}
	switch {
	case all:
		return toNext
	case denied && t.people.denials < t.values.Int(setting.MaxDenials):
		t.people.denials++
		return toDenied
	}
	c.spent = c.spent || denied
	restore(t, c.opened)
	return toCalls
}

// deniedCalls tells the model what people denied, and asks again.
func deniedCalls(t *run) next {
	t.out.unsettled = slices.Clip(t.out.unsettled)
	for _, call := range t.out.last.Calls {
		if failed := t.people.consent.denial(call, t.game.Reason(tool.CallDenied)); failed != nil {
			t.out.unsettled = append(t.out.unsettled, *failed)
		}
	}
	last := &t.attempts[len(t.attempts)-1]
	last.FailedCalls = t.out.unsettled
	*last = verdict.ForPeople(t.next.Goal, t.out.last, *last)
	reject(t, nil, t.values.Int(setting.MaxRetries)+t.casting.retries-t.retries)
	t.talk.why = "denied_calls"
	t.stage.Undo()
	return askModel(t)
}

// askAgain goes back to the people if an output cannot be carried out as they decided. What
// fails because something else was denied does not count.
func askAgain(t *run) bool {
	c := &t.people.consent
	if c.decided == nil {
		return false
	}
	var refused []approval.Refused
	for _, f := range t.out.unsettled {
		verdict := c.decided[f.ID].Verdict
		known := slices.ContainsFunc(c.asked.unsettled, func(b state.FailedCall) bool { return b.ID == f.ID })
		if known || verdict == approval.Deny || c.spent && verdict != approval.Edit {
			continue
		}
		refused = append(refused, approval.Refused{ID: f.ID, Tool: f.Tool, Reason: string(f.Reason), Message: f.Message,
			Violations: f.Violations, Expected: f.Expected, Hint: f.Hint})
	}
	if len(refused) == 0 {
		return false
	}
	restore(t, c.asked)
	c.decided, c.refused, c.spent = maps.Clone(c.asked.decided), refused, false
	t.people.given = t.people.given[:c.asked.approvals:c.asked.approvals]
	return true
}

// edits reports whether people have decided about the output, and not denied in vain: what its
// text then contradicts is theirs to say.
func (c *consent) edits() bool { return c.decided != nil && !c.spent }

// passed goes on with an output that counts.
func passed(t *run) next {
	switch {
	case viewOf(t).Planning():
		return toNarrate
	case t.out.last.Text == "" && len(t.out.last.Calls) > 0:
		return toContinue
	}
	return toNext
}

// hear remembers what was found outside the game, so that nobody is asked twice.
func (c *consent) hear(call answer.RawCall, found tool.Answer) {
	if c.opened == nil {
		return
	}
	if c.heard == nil {
		c.heard = map[string]tool.Answer{}
	}
	c.heard[heardKey(call)] = found
}

func heardKey(call answer.RawCall) string {
	return call.ID + " " + adjudicate.CallKey(tool.Call{Tool: call.Tool, Args: call.Args})
}
