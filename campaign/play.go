package campaign

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// runLeased runs an instruction on a campaign that is loaded and leased.
func (r *runner) runLeased(s *session, in turn.Input) error {
	m := s.machine
	defer r.watch.FollowMachine(m)()
	ended, err := r.beginInstruction(s, m, in)
	if err == nil && !ended {
		err = r.playUntilIdle(s)
	}
	return r.endAfterPanic(m, err)
}

// emitEarlier emits the outcome of an instruction that was run before, if the log has it. It reports
// whether the instruction has ended. A refusal may be an error, see refusalError.
func (r *runner) emitEarlier(m *turn.Machine, in turn.Input) (done bool, err error) {
	o, known, err := r.earlierOutcome(m, in)
	if err != nil || !known {
		return false, err
	}
	if err := refusalError(in, o); err != nil {
		return true, err
	}
	r.emitOutcome(turn.Todo{Outcome: &o}, m.Campaign().Version)
	return true, nil
}

// refusalError returns the refusal of an instruction that does not ask the model. It returns nil for
// any other outcome, and for an instruction that asks the model: its refusal is an outcome.
func refusalError(in turn.Input, o turn.Outcome) error {
	if _, asks := turn.NeedsModel(in); asks || o.Status != turn.Refused {
		return nil
	}
	return o.Err()
}

// beginInstruction gives the machine an instruction. It emits the outcome and reports true if the
// instruction ends at once. While a turn waits for people, an instruction that asks the model does
// not begin: the instruction that began the waiting turn gets the question again, and any other is
// refused.
func (r *runner) beginInstruction(s *session, m *turn.Machine, in turn.Input) (ended bool, err error) {
	r.calls.setInstruction(in)
	if ended, err := r.emitEarlier(m, in); ended || err != nil {
		return true, err
	}
	if p := m.Campaign().PendingApproval; p != nil {
		r.shownAttempt = p.Provisional
	}
	asking, asks := turn.NeedsModel(in)
	if !asks || m.Phase() != turn.Approving {
		err := r.stepMachine(s, m, in)
		r.logPanics(m, 0)
		return false, err
	}
	outcome, known := m.Known(asking)
	if !known {
		outcome = *refusedOutcome(state.AwaitingApproval)
	}
	if r.isRepeated = outcome.Status == turn.Waiting; r.isRepeated {
		return false, nil
	}
	outcome.Version = m.Campaign().Version
	r.emit(Finished{Outcome: outcome})
	return true, nil
}

// playUntilIdle answers the questions of the machine until it is idle or waits for people.
func (r *runner) playUntilIdle(s *session) error {
	logged := len(s.machine.Panics())
	for {
		m := s.machine
		todo := m.Todo()
		begun := r.watch.Now()
		answer := r.answerTo(s, m, todo)
		if answer == nil {
			if todo.Approve != nil {
				r.watch.Waiting(todo)
				r.finishWaiting(m)
			} else {
				r.endInstruction(s, todo)
			}
			return nil
		}
		r.watch.Answered(todo, answer, begun)
		if err := r.stepMachine(s, m, answer); err != nil {
			if r.keepsQuestion(m, todo, err) {
				r.finishWaiting(m)
				return nil
			}
			s.forget() // the machine stopped in the middle of a turn
			return err
		}
		logged = r.logPanics(m, logged)
		switch in := answer.(type) {
		case turn.Committed:
			s.needs.AddInputs(todo.Commit.Version, turn.Behaviour, todo.Commit.Inputs)
			c := m.Campaign()
			s.lastCommit.Store(&c)
			r.watch.Committed(todo.Commit, begun)
		case turn.CommitFailed:
			s.forget()
			if in.Reason != turn.VersionConflict && in.Reason != turn.LeaseLost {
				return failedTo("commit", r.id, r.cause)
			}
			r.endInstruction(s, m.Todo())
			return nil
		}
	}
}

// keepsQuestion reports whether people are asked again after an error, and logs the error then. err
// is the error of the machine for the answer to todo.
func (r *runner) keepsQuestion(m *turn.Machine, todo turn.Todo, err error) bool {
	switch {
	case todo.Approve != nil:
		r.engine.cfg.Logger.Warn("campaign: the approver's answer does not fit", "campaign", r.id, "error", err)
	case todo.Commit == nil && contentPanic(err) != nil && m.Campaign().PendingApproval != nil:
		// People have answered, and the turn is not committed: the stored question is still open.
		r.engine.cfg.Logger.Warn("campaign: the turn waits for people again", "campaign", r.id, "error", err)
	default:
		return false
	}
	return true
}

// logPanics logs the panics of tools and returns their number. The first ones, as many as logged,
// are already in the log.
func (r *runner) logPanics(m *turn.Machine, logged int) int {
	all := m.Panics()
	for _, p := range all[min(logged, len(all)):] {
		r.logPanic(p)
	}
	return len(all)
}

// finishWaiting emits the outcome of an instruction whose turn waits for people. The provisional text
// that players have seen stays on the screen.
func (r *runner) finishWaiting(m *turn.Machine) {
	c := m.Campaign()
	q := c.PendingApproval.Question.ForPlayers()
	r.emit(Finished{Outcome: turn.Outcome{
		Status: turn.Waiting, Replayed: r.isRepeated, Approval: &q, Audience: q.Audience, Version: c.Version,
	}})
}

// emitOutcome emits the outcome in todo. version is the version of the campaign. If the turn was not
// played, it first retracts the provisional text. After a cancelled or failed turn it removes the
// saved answers of the model. A commit, also of a conflict, has already removed them.
func (r *runner) emitOutcome(todo turn.Todo, version int64) {
	o := *todo.Outcome
	if o.Status != turn.Completed && !o.Replayed {
		r.retract()
	}
	if o.Failure != nil && o.Failure.Err == nil {
		failure := *o.Failure
		failure.Err = r.cause
		o.Failure = &failure
	}
	if f := o.Failure; o.Status == turn.Cancelled || f != nil && f.Kind != turn.FailureStore {
		r.calls.forgetAnswers(version + 1) // answers are saved under the version of the next record
	}
	if o.Version = version; todo.Show != nil {
		o.Messages = todo.Show.Messages
	}
	r.emit(Finished{Outcome: o, Messages: o.Messages})
}

// endInstruction emits the results of an instruction or a follow-up whose machine is idle. Then it
// updates the memory and the summary.
func (r *runner) endInstruction(s *session, todo turn.Todo) {
	r.watch.Logged(todo.Host)
	r.show(todo)
	for _, a := range todo.Announce {
		r.runFollowUp(s, a)
	}
	switch o := todo.Outcome; {
	case o == nil:
	case r.inFollowUp: // the caller does not get this outcome, so its warnings are logged
		if o.Trace != nil {
			for _, warning := range o.Trace.Warnings {
				r.engine.cfg.Logger.Warn("campaign: "+warning, "campaign", r.id)
			}
		}
	default:
		version := int64(0)
		if s.machine != nil {
			version = s.machine.Campaign().Version
		}
		r.emitOutcome(todo, version)
	}
	if s.machine != nil {
		r.memory(s).sendCommitted(context.WithoutCancel(r.workContext()), s.machine.Campaign())
	}
	r.summarize(s, todo.Summarize)
}

// runFollowUp runs a follow-up of a finished instruction: an announcement to hooks, or a summary. A
// failure does not affect the instruction. The announcement is then lost, or the old summary stays.
func (r *runner) runFollowUp(s *session, in turn.Input) {
	if s.machine == nil {
		return
	}
	err := r.guard(s, func() error {
		if err := r.stepMachine(s, s.machine, in); err != nil {
			return err
		}
		outer := r.inFollowUp
		r.inFollowUp = true
		defer func() { r.inFollowUp = outer }()
		return r.playUntilIdle(s)
	})
	if err != nil {
		r.engine.cfg.Logger.Warn("campaign: lost what follows from an instruction", "campaign", r.id,
			"what", fmt.Sprintf("%T", in), "error", err)
	}
}
