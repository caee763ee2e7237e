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
	if e.cfg.Observe != nil {
		var in turn.Input
		if len(j.Entries) > 0 {
			in, _ = j.Entries[0].Read() // the step itself returns an error in it
		}
		at := observe.Place{Campaign: id, Run: e.runs.Add(1), Step: max(1, len(j.Entries))}
		st.watch = watch.Begin(ctx, e.observers, at, in)
	}
	if err := st.observed(func() error {
		if len(j.Entries) == 0 && j.Base == 0 {
			return fmt.Errorf("%w: the journal is empty", turn.ErrInvalidInput)
		}
		return st.runIfFree(st.run)
	}); err != nil {
		return turn.JournalStep{}, err
	}
	st.step.Stop = st.next
	return st.step, nil
}

// stepper does one step of an instruction.
type stepper struct {
	*runner
	session  *session
	machine  *turn.Machine    // the machine after the journal; it is not the machine of the session
	journal  turn.Journal     // the steps that were done before
	step     turn.JournalStep // the result of this step
	hasNewer bool             // there are commits after the beginning of the journal, by this instruction or others
}

// run replays the journal and does the next step. The caller has locked the campaign.
func (st *stepper) run(s *session) error {
	st.session = s
	if err := st.acquireLease(); err != nil {
		return err
	}
	st.watch.Admitted(st.fence())
	if err := st.load(s); err != nil {
		return err
	}
	prepareMachine := st.replayJournal
	if st.journal.Base == 0 {
		prepareMachine = st.beginJournal
	}
	done, err := prepareMachine()
	if err == nil && !done {
		err = st.answerNext()
	}
	if err == nil {
		st.next = st.machine.Stop()
	}
	return st.endAfterPanic(st.machine, err)
}

// beginJournal begins the instruction with the present campaign. It reports whether the step is done.
func (st *stepper) beginJournal() (done bool, err error) {
	in, err := st.journal.Entries[0].Read()
	if err != nil {
		return true, fmt.Errorf("%w: %w", turn.ErrInvalidInput, err)
	}
	if in, err = turn.Normalize(in); err != nil {
		return true, err
	}
	in = st.engine.withMemory(in)
	if err := st.newMachine(st.session.machine.Campaign()); err != nil {
		return true, err
	}
	_ = st.watch.FollowMachine(st.machine)
	if ended, err := st.beginInstruction(st.session, st.machine, in); ended || err != nil {
		return true, err
	}
	if err := st.answerPastQueries(); err != nil {
		return true, err
	}
	if st.machine.Phase() == turn.Idle {
		st.recordOutcome()
		return true, nil
	}
	st.step.Base, st.step.Renewed = st.machine.Campaign().Version, true
	if !st.isRepeated {
		err = st.addEntries(st.machine.Journal()...)
	}
	// The first step never commits: a repeated commit must find the base version in its journal.
	return st.machine.Todo().Commit != nil, err
}

// replayJournal gives all inputs of the journal to a new machine. done is true only with an error.
func (st *stepper) replayJournal() (done bool, err error) {
	c := st.session.machine.Campaign()
	switch base := st.journal.Base; {
	case c.Version < base:
		return true, fmt.Errorf("campaign: %q is at version %d, the journal at %d: %w", st.id, c.Version, base, ErrUnavailable)
	case c.Version > base:
		st.hasNewer = true
		if c, err = st.log(st.ctx).At(c, base); err != nil {
			return true, failedTo("load", st.id, err)
		}
	}
	if err := st.newMachine(c); err != nil {
		return true, err
	}
	for n, entry := range st.journal.Entries {
		in, err := st.readEntry(entry)
		if err != nil {
			return true, fmt.Errorf("campaign: entry %d of the journal of %q: %w", n, st.id, err)
		}
		if n == 0 {
			st.calls.setInstruction(in)
		}
		st.restoreAnswer(in)
		if err := st.machine.Step(in); err != nil {
			return true, fmt.Errorf("%w: entry %d of the journal of %q: %w", turn.ErrDiverged, n, st.id, err)
		}
		if err := st.answerPastQueries(); err != nil {
			return true, err
		}
	}
	st.step.Base = st.journal.Base
	st.watch.FollowResumed(st.machine)
	return false, nil
}

// newMachine creates the machine of the step, with the present content.
func (st *stepper) newMachine(c state.Campaign) error {
	st.game = st.engine.game()
	st.machine = turn.NewMachine(st.game, c)
	if p := c.PendingApproval; p != nil {
		st.shownAttempt = p.Provisional
	}
	return st.resumeMachine(st.machine)
}

// restoreAnswer restores what the runner knew after an answer of the journal: the number of questions
// to the host, the keys of paid calls, and the attempt whose text players have seen.
func (st *stepper) restoreAnswer(in turn.Input) {
	todo, version := st.machine.Todo(), st.machine.Campaign().Version+1
	if q := paidQuestion(todo); q != nil {
		_ = st.calls.nameQuestion(version, q) // counts the question: the same question later gets another name
	}
	g := todo.Generate
	reply, isReply := in.(turn.Replied)
	if g == nil || !isReply || reply.Text == "" && len(reply.ToolCalls) == 0 {
		return
	}
	_, key := st.calls.request(*g, version)
	st.calls.answeredKeys = append(st.calls.answeredKeys, key)
	if !g.Intercept {
		st.shownAttempt = g.Attempt
	}
}

// answerPastQueries answers the queries of the machine about the past from the log. These answers are
// not journaled: the log always gives the same ones.
func (st *stepper) answerPastQueries() error {
	for q := st.machine.Todo().Past; q != nil; q = st.machine.Todo().Past {
		read, err := st.log(st.ctx).Answer(st.machine.Campaign(), *q)
		if err == nil {
			err = st.runner.stepMachine(st.session, st.machine, read)
		}
		if err != nil {
			return fmt.Errorf("campaign: %q: %w", st.id, err)
		}
	}
	return nil
}

// answerNext answers the present question of the machine.
func (st *stepper) answerNext() error {
	todo := st.machine.Todo()
	// With newer commits only a commit can succeed: its record may be written already.
	if st.hasNewer && todo.Commit == nil {
		st.endOvertaken()
		return nil
	}
	if st.machine.Phase() == turn.Idle { // the turn ended because the log did not answer a query
		st.recordOutcome()
		return nil
	}
	begun, answer := st.watch.Now(), st.cancelledAnswer(todo)
	if answer == nil {
		answer = st.answerTo(st.session, st.machine, todo)
	}
	if answer == nil { // people have not answered
		st.watch.Waiting(todo)
		st.finishWaiting(st.machine)
		return nil
	}
	if err := st.environmentError(answer); err != nil {
		return err
	}
	st.watch.Answered(todo, answer, begun)
	if err := st.runner.stepMachine(st.session, st.machine, answer); err != nil {
		if !st.keepsQuestion(st.machine, todo, err) {
			return err
		}
		st.finishWaiting(st.machine)
		return nil
	}
	st.logPanics(st.machine, 0)
	if _, is := answer.(turn.Committed); is {
		st.watch.Committed(todo.Commit, begun)
	}
	if err := st.answerPastQueries(); err != nil {
		return err
	}
	return st.recordAnswer(answer)
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

// environmentError returns an error if the environment has failed: the step can be run again with the
// same journal. It returns nil for an answer that the machine must get. For a failed call of the
// model it also records in the step that the host may ask again.
func (st *stepper) environmentError(answer turn.Input) error {
	switch in := answer.(type) {
	case turn.CommitFailed:
		if in.Reason != turn.VersionConflict {
			return failedTo("commit", st.id, st.cause)
		}
	case turn.GenerateFailed:
		switch {
		case in.Reason == turn.LeaseLost, in.Reason == turn.StoreFailed:
			return fmt.Errorf("campaign: %q: %w", st.id, st.cause)
		case in.Cancelled && !st.journal.Cancelled:
			return fmt.Errorf("campaign: %q: %w: %w", st.id, context.Canceled, cmp.Or(context.Cause(st.ctx), st.cause))
		case st.machine.Todo().Generate.Updates: // the turn continues without the changes of variables
		case in.Retry && in.Reason != turn.CallLost && !in.Cancelled:
			st.step.Again = &turn.JournalAgain{Code: in.Reason, After: in.RetryAfter}
		}
	}
	return nil
}

// recordAnswer records in the step an answer that the machine has received. After a commit the journal
// starts again at the new version.
func (st *stepper) recordAnswer(answer turn.Input) error {
	if _, is := answer.(turn.Committed); is {
		st.step = turn.JournalStep{Base: st.machine.Campaign().Version, Renewed: true, Committed: true}
	} else if all := st.machine.Journal(); len(all) > 0 {
		if err := st.addEntries(all[len(all)-1]); err != nil {
			return err
		}
	}
	if st.machine.Phase() == turn.Idle {
		st.recordOutcome()
	}
	return nil
}

// recordOutcome records the outcome of an idle machine in the step.
func (st *stepper) recordOutcome() {
	todo := st.machine.Todo()
	if todo.Outcome == nil { // an announcement has no outcome
		todo.Outcome = &turn.Outcome{Status: turn.Completed}
	}
	st.watch.Logged(todo.Host)
	o := *todo.Outcome
	o.Host, todo.Outcome = todo.Host, &o
	st.emitOutcome(todo, st.machine.Campaign().Version)
}

// endOvertaken ends an instruction whose work was lost by another commit to the campaign.
func (st *stepper) endOvertaken() {
	st.emitOutcome(turn.Todo{Outcome: &turn.Outcome{Status: turn.Failed, Reason: string(turn.VersionConflict),
		Failure: &turn.Failure{Kind: turn.FailureStore, Code: turn.VersionConflict, Retry: true, Err: ErrVersionConflict}}},
		st.session.machine.Campaign().Version)
}

// keyOfEntry returns the key under which the store keeps an entry of a journal. sum is
// [turn.JournalEntry.Sum].
func keyOfEntry(sum string) string { return "journal/" + sum }

// refreshEvery is the number of steps after which the entries in the store are written again. A store
// may remove answers that are [MaxAnswerFences] leases old, and each step has a new lease.
const refreshEvery = MaxAnswerFences / 4

// addEntries adds inputs to the journal. If the journal becomes long and the store is a [Cluster], it
// stores them there and adds references.
func (st *stepper) addEntries(list ...turn.Input) error {
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

// readEntry returns the input of an entry: from the journal, from the saved answers, or from the next
// record of the log, whose commit has removed the saved answers.
func (st *stepper) readEntry(entry turn.JournalEntry) (turn.Input, error) {
	if entry.Kept == "" {
		return entry.Read()
	}
	key, version := keyOfEntry(entry.Kept), st.journal.Base+1
	var saved turn.Inputs
	if err := st.calls.readAnswer(version, key, &saved); err != nil {
		return nil, err
	}
	if len(saved) == 1 && refersTo(entry, saved[0]) {
		if len(st.journal.Entries)%refreshEvery == 0 {
			if err := st.calls.saveAnswer(version, key, saved); err != nil {
				return nil, err
			}
		}
		return saved[0], nil
	}
	for rec, err := range st.engine.archive.records(st.ctx, st.id, st.journal.Base) {
		if err != nil {
			return nil, err
		}
		for _, in := range rec.Inputs {
			if refersTo(entry, in) {
				return in, nil
			}
		}
		break // later records are of other instructions
	}
	return nil, errors.New("the store does not have it any more")
}

// refersTo reports whether an entry refers to an input.
func refersTo(entry turn.JournalEntry, in turn.Input) bool {
	other, _ := turn.JournalEntryOf(in)
	return other.Sum() == entry.Sum()
}
