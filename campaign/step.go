package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Step does the next step of an instruction whose journal the host stores. It returns what to add
// to the journal: [turn.Journal.Then]. It is for hosts whose workflow engine or queue runs every
// step separately, in any process. All other hosts use [Engine.Do]. See [turn.Journal].
//
// A step answers one question of the machine: it asks the model, runs hooks, or commits the record.
// The first step also records the version of the campaign at which the instruction begins, and
// commits nothing. If the result of a step was lost, run the step again with the same journal. A
// record is written once. If the store is a [Cluster], an answer of the model that had arrived is
// not paid for again.
//
// The last step has the outcome. If a record was committed, call [Engine.Handover] with the version
// before the instruction. It delivers the results of the instruction: announcements to hooks, and a
// summary that is due. The function hear receives attempts and their provisional text; it may be
// nil. The observers of [Config] see each step separately, see package observe.
//
// Errors are failures of the environment, and change nothing. They are:
//
//   - errors of the store;
//   - a [*HeldError] or the refusal [state.CampaignBusy], if a different instruction of the
//     campaign runs;
//   - [ErrLeaseLost];
//   - [turn.ErrDiverged], if the journal was made with different content;
//   - [context.Canceled], if ctx ended while the model was asked.
//
// All of them may be retried. With [turn.Journal.Cancelled] a cancelled turn ends as cancelled. A
// [*state.Refusal] with a different code means that the instruction is not run.
func (e *Engine) Step(ctx context.Context, id string, j turn.Journal, hear func(Progress)) (turn.JournalStep, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	st := &stepper{journal: j, runner: newRunner(e, ctx, cancel, id, nil)}
	st.yield = func(p Progress, _ error) bool {
		if last, is := p.(Finished); is {
			st.step.Outcome = &last.Outcome
		} else if hear != nil {
			hear(p)
		}
		return true
	}
	if err := st.watched(); err != nil {
		return turn.JournalStep{}, err
	}
	return st.step, nil
}

// watched calls run and reports the step to observers, also after a panic.
func (st *stepper) watched() (err error) {
	if st.engine.cfg.Observe != nil {
		var in turn.Input
		if list := st.journal.Entries; len(list) > 0 && list[0].Kept == "" {
			in, _ = list[0].Read() // run reports an error in it
		}
		st.watch = watch.Begin(st.ctx, st.engine.observers,
			observe.Place{Campaign: st.id, Run: st.engine.runs.Add(1), Step: max(1, len(st.journal.Entries))}, in)
	}
	err = errUnfinished
	defer func() {
		next := st.step.Stop
		if st.step.Outcome != nil || err != nil {
			next = ""
		}
		st.watch.End(st.step.Outcome, next, err)
	}()
	err = st.run()
	err = whyEnded(st.ctx, st.id, err)
	return err
}

// stepper does one step of an instruction.
type stepper struct {
	*runner
	session  *session
	machine  *turn.Machine // the machine after the journal
	journal  turn.Journal
	step     turn.JournalStep
	hasNewer bool // the instruction itself or others have committed since it began
}

// run loads the campaign, replays the journal, and does the next step.
func (st *stepper) run() error {
	if len(st.journal.Entries) == 0 && st.journal.Base == 0 {
		return fmt.Errorf("%w: the journal is empty", turn.ErrInvalidInput)
	}
	st.session = st.engine.sessions.hold(st.id)
	defer st.engine.sessions.release(st.session)
	return st.guarded(st.session, st.admitted)
}

// admitted does the step if the campaign is free.
func (st *stepper) admitted() error {
	if !st.session.mu.TryLock() {
		return &state.Refusal{Code: state.CampaignBusy}
	}
	defer st.session.queue.Leave(&st.session.mu)
	if err := st.acquire(); err != nil {
		return err
	}
	defer st.release()
	st.watch.Admitted(st.fence())
	if err := st.load(st.session); err != nil {
		return err
	}
	arrive := st.replayJournal
	if st.journal.Base == 0 {
		arrive = st.start
	}
	over, err := arrive()
	if err == nil && !over {
		err = st.next()
	}
	return st.afterPanic(st.machine, err)
}

// start begins the instruction with the present campaign. It reports true if there is nothing more
// to do in this step.
func (st *stepper) start() (over bool, err error) {
	in, err := st.journal.Entries[0].Read()
	if err != nil {
		return true, fmt.Errorf("%w: %w", turn.ErrInvalidInput, err)
	}
	if in, err = turn.Normalize(in); err != nil {
		return true, err
	}
	if asking, ok := turn.NeedsModel(in); ok {
		in = asking.Remembering(st.engine.cfg.Services.Memory != nil)
	}
	st.calls.instruction(in)
	if err := st.newMachine(st.session.machine.Campaign()); err != nil {
		return true, err
	}
	_ = st.watch.Watches(st.machine)
	c := st.machine.Campaign()
	o, known, err := st.longKnown(st.machine, in)
	if err != nil {
		return true, err
	}
	if known {
		if _, asks := turn.NeedsModel(in); !asks && o.Status == turn.Refused {
			return true, o.Err()
		}
		st.finish(turn.Todo{Outcome: &o}, c.Version)
		return true, nil
	}
	outcome, err := st.begin(st.session, st.machine, in)
	if err != nil {
		return true, err
	}
	if outcome != nil {
		st.emit(Finished{Outcome: *outcome})
		return true, nil
	}
	if err := st.lookBack(); err != nil {
		return true, err
	}
	if st.machine.Phase() == turn.Idle {
		st.ended(c.Version)
		return true, nil
	}
	st.step.Base, st.step.Renewed = c.Version, true
	if !st.repeated {
		err = st.add(st.machine.Journal()...)
	}
	st.step.Stop = st.machine.Stop()
	return st.machine.Todo().Commit != nil, err // a repeated step needs to know the version
}

// replayJournal gives all inputs of the journal to a new machine.
func (st *stepper) replayJournal() (over bool, err error) {
	c := st.session.machine.Campaign()
	switch base := st.journal.Base; {
	case c.Version < base:
		return true, fmt.Errorf("campaign: %q is at version %d, the journal at %d: %w", st.id, c.Version, base, ErrUnavailable)
	case c.Version > base:
		st.hasNewer = true
		if c, err = st.log(st.ctx).At(c, base); err != nil {
			return true, fmt.Errorf("campaign: load %q: %w", st.id, err)
		}
	}
	if err := st.newMachine(c); err != nil {
		return true, err
	}
	for n, entry := range st.journal.Entries {
		in, err := st.read(entry)
		if err != nil {
			return true, fmt.Errorf("campaign: entry %d of the journal of %q: %w", n, st.id, err)
		}
		if n == 0 {
			st.calls.instruction(in)
		}
		st.recallAnswer(in)
		if err := st.machine.Step(in); err != nil {
			return true, fmt.Errorf("%w: entry %d of the journal of %q: %w", turn.ErrDiverged, n, st.id, err)
		}
		if err := st.lookBack(); err != nil {
			return true, err
		}
	}
	st.step.Base = st.journal.Base
	st.watch.Resumes(st.machine)
	return false, nil
}

// newMachine creates the machine of a campaign.
func (st *stepper) newMachine(c state.Campaign) error {
	st.game = st.engine.game()
	st.machine = turn.NewMachine(st.game, c)
	if p := c.PendingApproval; p != nil {
		st.shown = p.Provisional
	}
	return st.resumeMachine(st.machine)
}

// recallAnswer restores the results of an answer of the journal: the key of the paid call, and the
// text that players have seen.
func (st *stepper) recallAnswer(in turn.Input) {
	if q := questionOf(st.machine.Todo()); q != nil {
		_ = st.calls.questionName(st.machine.Campaign().Version+1, q) // counts the question, so that the same question later is a new one
	}
	g, said := st.machine.Todo().Generate, turn.Replied{}
	if g != nil {
		said, _ = in.(turn.Replied)
	}
	if g == nil || said.Text == "" && len(said.ToolCalls) == 0 {
		return
	}
	_, key := st.calls.request(*g, st.machine.Campaign().Version+1)
	st.calls.answered = append(st.calls.answered, key)
	if !g.Intercept {
		st.shown = g.Attempt
	}
}

// lookBack answers queries about the past from the log. The answers are not journaled.
func (st *stepper) lookBack() error {
	for q := st.machine.Todo().Past; q != nil; q = st.machine.Todo().Past {
		read, err := st.log(st.ctx).Answer(st.machine.Campaign(), *q)
		if err == nil {
			err = st.runner.step(st.session, st.machine, read)
		}
		if err != nil {
			return fmt.Errorf("campaign: %q: %w", st.id, err)
		}
	}
	return nil
}

// next answers the present question of the machine.
func (st *stepper) next() error {
	todo := st.machine.Todo()
	if st.hasNewer && todo.Commit == nil { // the work would be lost
		st.overtaken()
		return nil
	}
	if st.machine.Phase() == turn.Idle { // the log did not answer a query about the past
		st.ended(st.machine.Campaign().Version)
		return nil
	}
	begun, answer := st.watch.Now(), st.cancelledAnswer(todo)
	if answer == nil {
		answer = st.answerTo(st.session, st.machine, todo)
	}
	if answer == nil {
		st.watch.Waiting(todo)
		st.askPeople()
		return nil
	}
	if err := st.failure(answer); err != nil {
		return err
	}
	st.watch.Answered(todo, answer, begun)
	if err := st.runner.step(st.session, st.machine, answer); err != nil {
		if !st.asksAgain(st.machine, todo, err) {
			return err
		}
		st.askPeople()
		return nil
	}
	st.logPanics(st.machine, 0)
	if _, is := answer.(turn.Committed); is {
		st.watch.Committed(todo.Commit, begun)
	}
	if err := st.lookBack(); err != nil {
		return err
	}
	return st.noteAnswer(answer)
}

// cancelledAnswer returns the answer that replaces a model's answer if the instruction was
// cancelled. It returns nil if the question must be asked.
func (st *stepper) cancelledAnswer(todo turn.Todo) turn.Input {
	switch {
	case !st.journal.Cancelled:
	case todo.Generate != nil:
		return turn.GenerateFailed{Reason: turn.TurnCancelled, Cancelled: true}
	case todo.Route != nil:
		return turn.Routed{Error: string(turn.TurnCancelled)}
	case todo.Judge != nil:
		return turn.Judged{Error: string(turn.TurnCancelled)}
	}
	return nil
}

// askPeople ends a step whose turn waits for people.
func (st *stepper) askPeople() {
	st.wait(st.machine)
	st.step.Stop = st.machine.Stop()
}

// failure returns an error of the environment, which does not change the turn. For a failed call of
// the model it records in the step whether to ask again.
func (st *stepper) failure(answer turn.Input) error {
	switch in := answer.(type) {
	case turn.CommitFailed:
		if in.Reason != turn.VersionConflict {
			return fmt.Errorf("campaign: commit %q: %w", st.id, st.cause)
		}
	case turn.GenerateFailed:
		switch {
		case in.Reason == turn.LeaseLost, in.Reason == turn.StoreFailed:
			return fmt.Errorf("campaign: %q: %w", st.id, st.cause)
		case in.Cancelled && !st.journal.Cancelled:
			return fmt.Errorf("campaign: %q: %w: %w", st.id, context.Canceled, cmp.Or(context.Cause(st.ctx), st.cause))
		case st.machine.Todo().Generate.Updates: // the turn continues
		case in.Retry && in.Reason != turn.CallLost && !in.Cancelled:
			st.step.Again = &turn.JournalAgain{Code: in.Reason, After: in.RetryAfter}
		}
	}
	return nil
}

// noteAnswer records the results of an answer in the step.
func (st *stepper) noteAnswer(answer turn.Input) error {
	st.step.Stop = st.machine.Stop()
	if _, is := answer.(turn.Committed); is {
		st.step = turn.JournalStep{Base: st.machine.Campaign().Version, Renewed: true, Committed: true, Stop: st.step.Stop}
	} else if all := st.machine.Journal(); len(all) > 0 {
		if err := st.add(all[len(all)-1]); err != nil {
			return err
		}
	}
	if st.machine.Phase() == turn.Idle {
		st.ended(st.machine.Campaign().Version)
	}
	return nil
}

// ended records the outcome of an idle machine in the step.
func (st *stepper) ended(version int64) {
	st.step.Stop = st.machine.Stop()
	todo := st.machine.Todo()
	if todo.Outcome == nil {
		todo.Outcome = &turn.Outcome{Status: turn.Completed} // of an announcement
	}
	o := *todo.Outcome
	st.watch.Logged(todo.Host)
	if o.Host = todo.Host; o.Status != turn.Completed {
		st.retract()
	}
	if o.Failure != nil && o.Failure.Err == nil {
		failure := *o.Failure
		failure.Err = st.cause
		o.Failure = &failure
	}
	todo.Outcome = &o
	st.finish(todo, version)
}

// overtaken ends an instruction after other commits to the campaign.
func (st *stepper) overtaken() {
	st.finish(turn.Todo{Outcome: &turn.Outcome{Status: turn.Failed, Reason: string(turn.VersionConflict),
		Failure: &turn.Failure{Kind: turn.FailureStore, Code: turn.VersionConflict, Retry: true, Err: ErrVersionConflict}}},
		st.session.machine.Campaign().Version)
	st.step.Stop = st.machine.Stop()
}

// keyOfEntry returns the key under which the store keeps an entry of a journal.
func keyOfEntry(sum string) string { return "journal/" + sum }

// refreshEvery is the number of steps after which the entries in the store are written again, so
// that the store does not remove them. Each step has a new lease, see [MaxAnswerFences].
const refreshEvery = MaxAnswerFences / 4

// add adds inputs to the journal. If the journal becomes long and the store is a [Cluster], it
// stores them there and adds references.
func (st *stepper) add(list ...turn.Input) error {
	size := st.journal.Size() + turn.Journal{Entries: st.step.Entries}.Size()
	for _, in := range list {
		entry, _ := turn.JournalEntryOf(in) // the machine has written the input before
		if key := keyOfEntry(entry.Sum()); size+len(entry.Input) > turn.JournalInline && st.calls.savesAnswers(key) {
			if err := st.calls.saveAnswer(st.step.Base+1, key, turn.Inputs{in}); err != nil {
				return fmt.Errorf("campaign: %q: %w", st.id, err)
			}
			entry = entry.Elsewhere()
		}
		size += len(entry.Input)
		st.step.Entries = append(st.step.Entries, entry)
	}
	return nil
}

// read returns the input of an entry, from the journal, the saved answers or the log.
func (st *stepper) read(entry turn.JournalEntry) (turn.Input, error) {
	if entry.Kept == "" {
		return entry.Read()
	}
	key, version := keyOfEntry(entry.Kept), st.journal.Base+1
	if list, err := st.calls.lookUp(version, key); err != nil {
		return nil, err
	} else if len(list) == 1 && refersTo(entry, list[0]) {
		if len(st.journal.Entries)%refreshEvery == 0 {
			err = st.calls.saveAnswer(version, key, list)
		}
		return list[0], err
	}
	for rec, err := range st.engine.archive.records(st.ctx, st.id, st.journal.Base) { // the commit has removed the saved answer
		if err != nil {
			return nil, err
		}
		for _, in := range rec.Inputs {
			if refersTo(entry, in) {
				return in, nil
			}
		}
		break
	}
	return nil, errors.New("the store does not have it any more")
}

// refersTo reports whether an entry refers to an input.
func refersTo(entry turn.JournalEntry, in turn.Input) bool {
	other, err := turn.JournalEntryOf(in)
	return err == nil && other.Sum() == entry.Sum()
}
