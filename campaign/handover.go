package campaign

import (
	"context"
	"fmt"
	"iter"

	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Handover continues after a process has died between a commit and the delivery of its results. For
// each instruction that was committed after the given version, it yields again what [Engine.Stream]
// yields after the commit: the text, the effects for the host, and the outcome. The outcome is
// marked as replayed. It also makes up for announcements to hooks that the log does not have, and
// for a summary that was due.
//
// after is the [turn.Outcome].Version of the last outcome that the host has processed. The host
// stores it together with the results of effects. With the version of the newest outcome nothing is
// yielded. Effects that a dead process delivered but did not record are delivered again (at least
// once).
//
// Handover replays the log. If the log was played with different content, the error wraps
// [turn.ErrDiverged]. A campaign that is in use is refused as [state.CampaignBusy]. The sequence
// can be used more than once. Observers see it as the instruction [observe.Handover].
func (e *Engine) Handover(ctx context.Context, id string, after int64) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := newRunner(e, ctx, cancel, id, yield)
		r.watch = watch.Begin(ctx, e.observers, observe.Place{Campaign: id, Instruction: observe.Handover, Run: e.runs.Add(1)}, nil)
		err := r.observed(func() error {
			return r.runIfFree(func(s *session) error { return r.handOver(s, after) })
		})
		if err != nil && !r.stopped {
			yield(nil, err)
		}
	}
}

// handOver replays the records after a version, emits the results of their instructions, and does
// what was left to do after the newest one. The caller has locked the campaign.
func (r *runner) handOver(s *session, after int64) error {
	if _, err := r.awaitLease(nil); err != nil {
		return err
	}
	r.watch.Admitted(r.fence())
	begun := r.watch.Now()
	present, needs, err := r.engine.archive.loadToPlay(r.workContext(), r.id)
	r.watch.Stored(observe.StoreLoad, present.Version, begun, err)
	base := state.Campaign{}
	if n := len(present.Repairs); n > 0 { // records before the last repair no longer count
		after = max(after, present.Repairs[n-1].Version)
	}
	if err == nil {
		base, err = r.log(r.ctx).At(present, after)
	}
	if err != nil {
		return failedTo("hand over", r.id, err)
	}
	r.game = r.engine.game()
	m := turn.NewMachine(r.game, base)
	newest, err := r.replayRecords(m)
	if err != nil || r.stopped {
		return err
	}
	s.machine, s.game, s.needs = m, r.game, needs
	c := m.Campaign()
	s.lastCommit.Store(&c)
	for _, a := range newest.Announce {
		r.runFollowUp(s, a)
	}
	if s.machine == nil { // a follow-up has failed and was logged
		return nil
	}
	if s.machine.Phase() == turn.Approving {
		r.isRepeated = true
		r.finishWaiting(s.machine)
		return nil
	}
	r.emitReplayed(newest, s.machine.Campaign().Version)
	r.summarize(s, newest.Summarize)
	return nil
}

// replayRecords replays the records after the machine's campaign. It emits the results of each
// instruction. It only returns, as newest, the outcome and the announcements of the newest one.
func (r *runner) replayRecords(m *turn.Machine) (newest turn.Todo, err error) {
	for rec, err := range r.engine.archive.records(r.ctx, r.id, m.Campaign().Version) {
		switch {
		case err != nil || rec.Kind == turn.RecordPast:
		case rec.Kind == turn.RecordCreate:
			err = m.Follow(rec)
		default:
			err = m.Replay(rec, func(q question.Past) (turn.PastRead, error) {
				return r.log(r.ctx).Answer(m.Campaign(), q)
			})
		}
		if err != nil {
			return newest, fmt.Errorf("campaign: hand over %q: record %d: %w", r.id, rec.Version, err)
		}
		if newest.Settle(rec) { // a record of the same instruction
			newest.Announce = append(newest.Announce, m.Todo().Announce...)
		} else {
			r.emitReplayed(newest, rec.Version-1)
			newest = m.Todo()
		}
		r.watch.Logged(m.Todo().Host)
		if r.show(m.Todo()); r.stopped {
			return newest, nil
		}
	}
	return newest, nil
}

// emitReplayed emits an outcome again, marked as replayed. It does nothing without an outcome.
func (r *runner) emitReplayed(todo turn.Todo, version int64) {
	if todo.Outcome != nil {
		o := *todo.Outcome
		o.Replayed = true
		todo.Outcome = &o
		r.emitOutcome(todo, version)
	}
}
