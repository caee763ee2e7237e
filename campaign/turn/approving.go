package turn

import (
	"fmt"
	"maps"
	"runtime/debug"
	"slices"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/internal/answer"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn/internal/stage"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
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
	opened  *bench                       // before the calls; nil if nobody will be asked
	asked   *bench                       // when they were asked
}

// bench is what the calls of an output change in a run, so that they can be judged again.
type bench struct {
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
func (t *run) keep() *bench {
	return &bench{
		staged: t.stage.Staged.Clone(), before: maps.Clone(t.court.refused), calling: t.calling,
		unsettled: t.unsettled, findings: t.findings, blocking: t.blocking,
		attempt: t.attempts[len(t.attempts)-1], calls: t.consent.calls,
		decided: maps.Clone(t.consent.decided), approvals: len(t.approvals),
	}
}

// restore goes back there, but for what people have decided.
func (t *run) restore(b *bench) {
	t.stage.Staged, t.court.refused, t.calling = b.staged.Clone(), maps.Clone(b.before), b.calling
	t.unsettled, t.findings, t.blocking = b.unsettled, b.findings, b.blocking
	t.attempts = append(slices.Clone(t.attempts[:len(t.attempts)-1]), b.attempt)
	t.consent.calls = b.calls
}

// watched reports whether people may be asked about calls of the output.
func (t *run) watched() bool {
	switch t.values.Text(setting.ToolApproval) {
	case "off":
		return false
	case "all":
		return len(t.last.Calls) > 0
	}
	return slices.ContainsFunc(t.last.Calls, func(c answer.RawCall) bool {
		asked, known := t.game.Tools().Get(c.Tool)
		return known && asked.Approval != nil
	})
}

// asksPeople reports whether people are asked about a call that is accepted.
func (t *run) asksPeople(call tool.Call) (asks bool) {
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
	view := tool.View{State: t.stage.Staged.State.Clone(), ActorID: t.in.ActorID, MaxHPDelta: t.court.maxDelta, Life: t.court.life}
	if t.calling.answer != nil {
		view.Answer = t.calling.answer.Value
	}
	return asked.Approval(call, view)
}

// ask notes an accepted call about which people are to be asked.
func (c *consent) ask(r ruling, affects []string) {
	effects, _ := stage.Readable("", r.judgement.Effects)
	c.calls = append(c.calls, approval.Call{ID: r.call.ID, Tool: r.call.Tool, Args: r.call.Args, Reason: r.call.Reason,
		Result: r.judgement.Result, Effects: effects, Affects: affects})
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

// denial is the ruling about a call that people have denied, nil if they have not.
func (t *run) denial(call answer.RawCall) *state.FailedCall {
	d, decided := t.consent.decided[call.ID]
	if !decided || d.Verdict != approval.Deny {
		return nil
	}
	failed := &state.FailedCall{ID: call.ID, Tool: call.Tool, Status: state.CallRejected, Reason: tool.CallDenied,
		Message: t.game.Reason(tool.CallDenied)}
	if d.Reason != "" {
		failed.Message += ": " + utf8text.Cut(d.Reason, stage.MaxText/2)
	}
	return failed
}

// seekApproval writes down that people are asked, if they are to be.
func (m *Machine) seekApproval() Stop {
	t := m.turn
	open := t.consent.open()
	if len(open) == 0 {
		return atPassed
	}
	t.consent.asked = t.keep()
	next := m.base.Clone()
	p := &approval.Pending{Question: t.question(open, m.base.Version+1), Records: 1}
	if before := m.base.PendingApproval; before != nil {
		p.Records += before.Records
	}
	if t.in.ClientTurnID != "" {
		p.Fingerprint = t.ticket.By(t.asked.ActorID)
	}
	if !t.intercepted() && t.last.Text != "" {
		p.Provisional = len(t.attempts)
	}
	journal, err := openjson.Marshal(m.journal)
	if err == nil {
		p.Journal, err = tree.ParseValue(journal)
	}
	if err != nil {
		return m.unstorable(err)
	}
	next.PendingApproval = p
	if to := m.commit(kindPending, t.in.At, next, nil, Todo{}); to != atCommit {
		return to
	}
	m.pending.record.Draws = nil // the record of the turn will have them
	return onward
}

// kindPending is the record of a turn that waits for people.
const kindPending = "approval_pending"

// question is what people are asked.
func (t *run) question(open []approval.Call, version int64) approval.Question {
	q := approval.Question{
		ID: fmt.Sprintf("approval_%04d", version), CampaignID: t.next.ID, ActorID: t.in.ActorID, UserInput: t.asked.Text,
		ClientTurnID: t.in.ClientTurnID, Attempt: len(t.attempts), Narration: t.judgedText(),
		Calls: open, Refused: t.consent.refused,
	}
	for i, a := range t.stage.Staged.Applied {
		if i < len(t.stage.Settled.Applied) || !slices.ContainsFunc(open, func(c approval.Call) bool { return c.ID == a.ID }) {
			q.Settled = append(q.Settled, approval.Call{ID: a.ID, Tool: a.Tool, Args: a.Args, Reason: a.Reason, Result: a.Result})
		}
	}
	return q
}

// waiting takes over that the question is stored. From now on the turn has to be dropped by a
// record, too.
func (m *Machine) waiting(Committed) Stop {
	m.base, m.head, m.pending = m.pending.next, m.pending.head, commitment{}
	m.logged = len(m.journal)
	m.turn.headChanged = true
	return onward
}

// whatToApprove asks people.
func (m *Machine) whatToApprove() (Todo, bool) {
	return Todo{Approve: &m.base.PendingApproval.Question}, true
}

// approved goes on as people have decided.
func (m *Machine) approved(in Approve) Stop {
	t := m.turn
	c := &t.consent
	q := m.base.PendingApproval.Question
	c.refused = nil
	if c.decided == nil {
		c.decided = map[string]approval.Decision{}
	}
	all := true // as it is
	denied := false
	for _, call := range q.Calls {
		d := in.about(call.ID)
		c.decided[call.ID] = d
		all, denied = all && d.Verdict == approval.Approve, denied || d.Verdict == approval.Deny
		t.approvals = append(t.approvals, approval.Given{QuestionID: q.ID, Attempt: q.Attempt, CallID: call.ID,
			Tool: call.Tool, Asked: call.Args, Verdict: d.Verdict, Args: d.Args, Reason: d.Reason, By: in.By, At: in.At})
	}
	switch {
	case all:
		return onward
	case denied && t.denials < t.values.Int(setting.MaxDenials):
		t.denials++
		return atDenied
	}
	c.spent = c.spent || denied
	t.restore(c.opened)
	return atCalls
}

// deniedCalls tells the model what people denied, and asks again.
func (m *Machine) deniedCalls() Stop {
	t := m.turn
	t.unsettled = slices.Clip(t.unsettled)
	for _, call := range t.last.Calls {
		if failed := t.denial(call); failed != nil {
			t.unsettled = append(t.unsettled, *failed)
		}
	}
	last := &t.attempts[len(t.attempts)-1]
	last.FailedCalls = t.unsettled
	*last = t.forPeople(*last)
	t.feedback(nil, t.values.Int(setting.MaxRetries)+t.casting.retries-t.retries)
	t.retryWhy = "denied_calls"
	t.stage.Undo()
	return m.askModel()
}

// askAgain goes back to the people if an output cannot be carried out as they decided. What
// fails because something else was denied does not count.
func (t *run) askAgain() bool {
	c := &t.consent
	if c.decided == nil {
		return false
	}
	var refused []approval.Refused
	for _, f := range t.unsettled {
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
	t.restore(c.asked)
	c.decided, c.refused, c.spent = maps.Clone(c.asked.decided), refused, false
	t.approvals = t.approvals[:c.asked.approvals:c.asked.approvals]
	return true
}

// edits reports whether people have decided about the output, and not denied in vain: what its
// text then contradicts is theirs to say.
func (c *consent) edits() bool { return c.decided != nil && !c.spent }

// passed goes on with an output that counts.
func (m *Machine) passed() Stop {
	t := m.turn
	switch {
	case t.scenery().planning():
		return atNarrate
	case t.last.Text == "" && len(t.last.Calls) > 0:
		return atContinue
	}
	return onward
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
	return call.ID + " " + callKey(tool.Call{Tool: call.Tool, Args: call.Args})
}
