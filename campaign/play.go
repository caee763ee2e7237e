package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules/effect"
)

// Turn plays a turn to its end. A refusal, a conflict and a failure of the model are outcomes, see
// [turn.Outcome.Err]. The error is an error of the store: [ErrNotFound] for an unknown campaign,
// [ErrDeleted], or [ErrUnavailable]. After the last one a retry helps.
func (e *Engine) Turn(ctx context.Context, id string, in turn.Submit) (turn.Outcome, error) {
	return e.Do(ctx, id, in)
}

// Do runs any instruction of package turn and returns its outcome. Some of them are:
//
//	turn.Submit      a line of the player, as by [Engine.Turn]
//	turn.Proceed     a turn without a line
//	turn.Regenerate  a different answer to the newest line; turn.NextAnswer, turn.PreviousAnswer and
//	                 turn.Choose switch between the answers
//	turn.Undo        takes back the newest turn; turn.Redo restores it
//	turn.Continue    more of the newest answer
//	turn.EditText    a different text for a turn
//	turn.RollBack    back to a checkpoint; turn.UndoRollBack returns, turn.SwitchBranch switches branches
//	turn.Approve     the answer to a question of [Engine.Pending]; turn.Discard drops the turn
//
// Wrap any of them in a [turn.Once] to make it repeatable: a host that has lost the answer sends it
// again.
//
// For instructions that ask the model ([turn.ModelInstruction]) a refusal, a conflict and a failure
// are outcomes. Any other instruction that is not run returns a [*state.Refusal], and nothing has
// changed. Other errors are errors of the store, see [Engine.Turn].
func (e *Engine) Do(ctx context.Context, id string, in turn.Input) (turn.Outcome, error) {
	var out turn.Outcome
	var host []effect.Attributed
	for p, err := range e.Stream(ctx, id, in) {
		if err != nil {
			out.Host = host // the delivered effects are the host's, also before an error
			return out, err
		}
		switch p := p.(type) {
		case HostEffect:
			host = append(host, effect.Attributed{Source: p.By, Effect: p.Effect})
		case Finished:
			out = p.Outcome
		}
	}
	out.Host = host
	return out, nil
}

// Stream runs an instruction while it is ranged over, and yields what happens. The sequence is
// single-use and ends with [Finished] or an error. A consumer that stops early cancels a turn that
// is not committed yet.
//
// The text comes as [Narration], after the commit, so no player reads text that may still be
// refused. With the setting conflict.intercept_output off it also comes before the commit, piece by
// piece as the model writes it, as [Provisional].
func (e *Engine) Stream(ctx context.Context, id string, in turn.Input) iter.Seq2[Progress, error] {
	var used atomic.Bool
	return func(yield func(Progress, error) bool) {
		if used.Swap(true) {
			yield(nil, errors.New("campaign: a stream is ranged over once"))
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := newRunner(e, ctx, cancel, id, yield)
		r.watch = watch.Begin(ctx, e.observers, observe.Place{Campaign: id, Run: e.runs.Add(1)}, in)
		if err := r.watched(func() error { return r.run(in) }); err != nil && !r.stopped {
			yield(nil, err)
		}
	}
}

// Suggest asks the model what the player could do or say next. It may return fewer suggestions than
// requested, or none. It changes nothing and writes no record. If the store is a [Cluster], an
// instruction that is repeated with its client turn ID gets the same answer. The error is the error
// of the outcome, see [turn.Outcome.Err], or an error of the store.
func (e *Engine) Suggest(ctx context.Context, id string, in turn.Suggest) ([]string, error) {
	outcome, err := e.Do(ctx, id, in)
	return outcome.Suggestions, cmp.Or(err, outcome.Err())
}

// Impersonate writes what the player could say or do next, or returns "" if the answer is not
// usable. It is [Engine.Suggest] for one line.
func (e *Engine) Impersonate(ctx context.Context, id, instructions string) (string, error) {
	list, err := e.Suggest(ctx, id, turn.Suggest{N: 1, Kind: state.SuggestLines, Instructions: instructions})
	if len(list) == 0 {
		return "", err
	}
	return list[0], nil
}

// Pending returns the question with which a turn of the campaign waits for people, or nil if no
// turn waits. Any process may show it. [turn.Approve], with [Engine.Do], answers it, and
// [turn.Discard] drops the turn. It is for the people who decide: it contains the text, which
// players have not seen.
func (e *Engine) Pending(ctx context.Context, id string) (*state.ApprovalQuestion, error) {
	c, err := e.Campaign(ctx, id)
	if err != nil || c.PendingApproval == nil {
		return nil, err
	}
	q := c.PendingApproval.Question
	return &q, nil
}

// runner runs one instruction: it answers the questions of the machine until the machine is idle.
type runner struct {
	*task
	*screen
	calls    calls
	followUp bool // a follow-up is running; the outcome of the instruction is already emitted
	repeated bool // the instruction was sent before, and still waits for people
}

func newRunner(e *Engine, ctx context.Context, cancel context.CancelFunc, id string, yield func(Progress, error) bool) *runner {
	t, s := &task{engine: e, id: id, ctx: ctx}, &screen{yield: yield, cancel: cancel}
	return &runner{task: t, screen: s, calls: calls{task: t, screen: s}}
}

var errUnfinished = errors.New("campaign: the instruction did not come to its end")

// watched runs do, and reports its end to the observers, also after a panic.
func (r *runner) watched(do func() error) (err error) {
	err = errUnfinished
	defer func() { r.watch.End(r.outcome, "", err) }()
	err = whyEnded(r.ctx, r.id, do())
	return err
}

// run waits until the campaign is free, or refuses, and then plays.
func (r *runner) run(in turn.Input) error {
	s := r.engine.sessions.hold(r.id)
	defer r.engine.sessions.release(s)
	return r.guarded(s, func() error { return r.admitted(s, in) })
}

// admitted runs an instruction once the campaign is free.
func (r *runner) admitted(s *session, in turn.Input) error {
	normal, err := turn.Normalize(in)
	if refusal, ok := errors.AsType[*state.Refusal](err); ok {
		if _, asks := turn.NeedsModel(in); asks {
			r.emit(Finished{Outcome: turn.Outcome{Status: turn.Refused, Reason: string(refusal.Code), Detail: refusal.Detail}})
			return nil
		}
	}
	if err != nil {
		return err
	}
	in = s.times.Stamp(normal, r.engine.cfg.Now().UTC())
	if asking, ok := turn.NeedsModel(in); ok {
		in = asking.Remembering(r.engine.cfg.Services.Memory != nil)
	}
	if outcome, err := r.enter(s, in); err != nil || outcome != nil {
		return r.notAdmitted(in, outcome, err)
	}
	defer s.queue.Leave(&s.mu)
	defer r.release()
	if outcome, err := r.awaitLease(in); err != nil || outcome != nil {
		return r.notAdmitted(in, outcome, err)
	}
	r.watch.Admitted(r.fence())
	if err := r.load(s); err != nil {
		return err
	}
	return r.runLeased(s, in)
}

// notAdmitted ends an instruction that does not begin. A refusal is an outcome for instructions
// that ask the model, and an error for all others.
func (r *runner) notAdmitted(in turn.Input, outcome *turn.Outcome, err error) error {
	if err != nil || outcome == nil {
		return err
	}
	if _, asks := turn.NeedsModel(in); !asks && outcome.Status == turn.Refused {
		return outcome.Err()
	}
	r.emit(Finished{Outcome: *outcome})
	return nil
}

// runLeased runs an instruction on a campaign that is loaded and leased.
func (r *runner) runLeased(s *session, in turn.Input) error {
	defer r.watch.Watches(s.machine)()
	r.calls.instruction(in)
	if o, known, err := r.longKnown(s.machine, in); known || err != nil {
		if _, asks := turn.NeedsModel(in); known && !asks && o.Status == turn.Refused {
			return o.Err()
		}
		if known {
			r.finish(turn.Todo{Outcome: &o}, s.machine.Campaign().Version)
		}
		return err
	}
	m := s.machine
	outcome, err := r.begin(s, m, in)
	if err == nil && outcome != nil {
		r.emit(Finished{Outcome: *outcome})
		return nil
	}
	if err == nil {
		err = r.play(s)
	}
	return r.afterPanic(m, err)
}

// begin gives the machine an instruction, or returns the outcome that ends it. While a turn waits
// for people, only the instruction that began this turn continues, without a new step.
func (r *runner) begin(s *session, m *turn.Machine, in turn.Input) (*turn.Outcome, error) {
	if p := m.Campaign().PendingApproval; p != nil {
		r.shown = p.Provisional
	}
	asking, ok := turn.NeedsModel(in)
	if !ok || m.Phase() != turn.Approving {
		err := r.step(s, m, in)
		r.logPanics(m, 0)
		return nil, err
	}
	outcome, known := m.Known(asking)
	if !known {
		outcome = *refusedOutcome(state.AwaitingApproval)
	}
	if r.repeated = outcome.Status == turn.Waiting; r.repeated {
		return nil, nil
	}
	outcome.Version = m.Campaign().Version
	return &outcome, nil
}

// play does what the machine asks for until it is idle.
func (r *runner) play(s *session) error {
	logged := len(s.machine.Panics())
	for {
		m := s.machine
		todo := m.Todo()
		begun := r.watch.Now()
		answer := r.answerTo(s, m, todo)
		switch {
		case answer != nil:
		case todo.Approve != nil:
			r.watch.Waiting(todo)
			r.wait(m)
			return nil
		default:
			r.end(s, todo)
			return nil
		}
		r.watch.Answered(todo, answer, begun)
		if err := r.step(s, m, answer); err != nil {
			if r.asksAgain(m, todo, err) {
				r.wait(m)
				return nil
			}
			s.forget() // the machine stopped in the middle
			return err
		}
		logged = r.logPanics(m, logged)
		switch failed := answer.(type) {
		case turn.Committed:
			s.played.Take(todo.Commit.Version, turn.Behaviour, todo.Commit.Inputs)
			c := m.Campaign()
			s.last.Store(&c)
			r.watch.Committed(todo.Commit, begun)
		case turn.CommitFailed:
			s.forget()
			if failed.Reason != turn.VersionConflict && failed.Reason != turn.LeaseLost {
				return fmt.Errorf("campaign: commit %q: %w", r.id, r.cause)
			}
			r.end(s, m.Todo())
			return nil
		}
	}
}

// asksAgain reports whether the question to people stays after an error of an answer: the approver's
// answer does not fit, or the content panics after people have answered and before the turn is
// committed. It logs the error.
func (r *runner) asksAgain(m *turn.Machine, todo turn.Todo, err error) bool {
	switch {
	case todo.Approve != nil:
		r.engine.cfg.Logger.Warn("campaign: the approver's answer does not fit", "campaign", r.id, "error", err)
	case todo.Commit == nil && contentPanic(err) != nil && m.Campaign().PendingApproval != nil:
		r.engine.cfg.Logger.Warn("campaign: the turn waits for people again", "campaign", r.id, "error", err)
	default:
		return false
	}
	return true
}

// logPanics logs the panics of tools. It skips the first told panics, which are already logged. It
// returns the number of all panics.
func (r *runner) logPanics(m *turn.Machine, logged int) int {
	all := m.Panics()
	for _, p := range all[min(logged, len(all)):] {
		r.logPanic(p)
	}
	return len(all)
}

// wait ends an instruction whose turn waits for people. The provisional text that players have seen
// stays on the screen.
func (r *runner) wait(m *turn.Machine) {
	c := m.Campaign()
	q := c.PendingApproval.Question.ForPlayers()
	r.emit(Finished{Outcome: turn.Outcome{
		Status: turn.Waiting, Replayed: r.repeated, Approval: &q, Audience: q.Audience, Version: c.Version,
	}})
}

// finish emits the outcome.
func (r *runner) finish(todo turn.Todo, version int64) {
	o := *todo.Outcome
	// The commit of a conflict has already removed its answers.
	if o.Status == turn.Cancelled || o.Status == turn.Failed && o.Failure != nil && o.Failure.Kind != turn.FailureStore {
		r.calls.forget(version + 1) // the version at which the next answer is looked up
	}
	if o.Version = version; todo.Show != nil {
		o.Messages = todo.Show.Messages
	}
	r.emit(Finished{Outcome: o, Messages: o.Messages})
}

// end emits the results of an instruction.
func (r *runner) end(s *session, todo turn.Todo) {
	r.watch.Logged(todo.Host)
	r.show(todo)
	for _, a := range todo.Announce {
		r.follow(s, a)
	}
	if o := todo.Outcome; o != nil && o.Trace != nil && r.followUp { // nobody gets this outcome
		for _, warning := range o.Trace.Warnings {
			r.engine.cfg.Logger.Warn("campaign: "+warning, "campaign", r.id)
		}
	}
	if o := todo.Outcome; o != nil && !r.followUp {
		if o.Status != turn.Completed {
			r.retract()
		}
		if o.Failure != nil && o.Failure.Err == nil {
			o.Failure.Err = r.cause
		}
		version := int64(0)
		if s.machine != nil {
			version = s.machine.Campaign().Version
		}
		r.finish(todo, version)
	}
	if s.machine != nil {
		r.memory(s).committed(context.WithoutCancel(r.inner()), s.machine.Campaign())
	}
	r.summarize(s, todo.Summarize)
}

// follow runs a follow-up of a finished instruction. If it fails, that instruction is not affected:
// announcements are lost, or the old summary stays.
func (r *runner) follow(s *session, in turn.Input) {
	if s.machine == nil {
		return
	}
	err := r.guarded(s, func() error {
		if err := r.step(s, s.machine, in); err != nil {
			return err
		}
		outer := r.followUp
		r.followUp = true
		defer func() { r.followUp = outer }()
		return r.play(s) // a store that fails shows with the next instruction
	})
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: lost what follows from an instruction", "campaign", r.id,
			"what", fmt.Sprintf("%T", in), "error", err)
	}
}

// ticketOf returns the ticket of an instruction. It is empty for instructions that neither ask the
// model nor have an ID.
func ticketOf(in turn.Input) turn.Ticket {
	if named, ok := in.(interface{ Ticket() turn.Ticket }); ok {
		return named.Ticket()
	}
	return turn.Ticket{}
}

// enter locks the campaign for an instruction: at once, after waiting in the queue, or not at all.
// In the last case the outcome gives the reason.
func (r *runner) enter(s *session, in turn.Input) (*turn.Outcome, error) {
	if s.queue.Enter(ticketOf(in), &s.mu) {
		return nil, nil
	}
	among, outcome, err := r.mayWait(in, s.queue.Clash)
	busy := outcome != nil && outcome.Reason == string(state.CampaignBusy)
	if busy && s.queue.Enter(ticketOf(in), &s.mu) { // the other instruction has just ended
		return nil, nil
	}
	if outcome != nil || err != nil {
		return outcome, err
	}
	code := s.queue.Wait(r.ctx, ticketOf(in), among, &s.mu)
	if code != "" {
		return refusedOutcome(code), r.ctx.Err()
	}
	return nil, nil
}

// mayWait returns the outcome of an instruction while the campaign is in use, if the instruction
// has one already or is refused. Otherwise the instruction may wait in the queue. The argument
// among selects players for an instruction that asks the model; for an instruction of the host it
// is the zero value. The function clash, if it is not nil, finds the same instruction in this
// process.
func (r *runner) mayWait(in turn.Input, clash func(in turn.Ticket, active string) state.RefusalCode) (among state.Selected, _ *turn.Outcome, _ error) {
	c, err := r.engine.Campaign(r.ctx, r.id)
	if err != nil {
		return among, nil, err
	}
	if o, err := r.outcomeWithoutWait(in, c, clash); o != nil || err != nil {
		return among, o, err
	}
	if _, asks := turn.NeedsModel(in); asks {
		among = c.State.Selected
	}
	values := r.engine.game().Settings().Freeze(c.GlobalSettings, c.Settings)
	if values.Text(settingkey.TurnConcurrency) != "queue" {
		return among, refusedOutcome(state.CampaignBusy), nil
	}
	return among, nil, nil
}

// outcomeWithoutWait returns the outcome of an instruction that need not wait: the outcome is known,
// or the instruction would be refused. It returns nil for any other instruction.
func (r *runner) outcomeWithoutWait(in turn.Input, c state.Campaign, clash func(in turn.Ticket, active string) state.RefusalCode) (*turn.Outcome, error) {
	probe := turn.NewMachine(r.engine.game(), c)
	if o, known, err := r.longKnown(probe, in); known || err != nil {
		return &o, err
	}
	if o, known := probe.Known(in); known {
		return &o, nil
	}
	if clash != nil {
		if code := clash(ticketOf(in), c.State.Selected.ActorID); code != "" {
			return refusedOutcome(code), nil
		}
	}
	if asking, ok := turn.NeedsModel(in); ok {
		if code := probe.Refuses(asking); code != "" {
			return refusedOutcome(code), nil
		}
	}
	return nil, nil
}
