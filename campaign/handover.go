package campaign

import (
	"cmp"
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
		if err := r.watched(func() error { return r.handOverHeld(after) }); err != nil && !r.stopped {
			yield(nil, err)
		}
	}
}

// handOverHeld keeps the session of the campaign while the work is handed over.
func (r *runner) handOverHeld(after int64) error {
	s := r.engine.sessions.hold(r.id)
	defer r.engine.sessions.release(s)
	return r.guarded(s, func() error { return r.handOverFrom(s, after) })
}

// handOverFrom loads the campaign as of a version, replays the newer records and continues the work
// after the newest one.
func (r *runner) handOverFrom(s *session, after int64) error {
	if !s.mu.TryLock() {
		return &state.Refusal{Code: state.CampaignBusy}
	}
	defer s.queue.Leave(&s.mu)
	defer r.release()
	if _, err := r.awaitLease(nil); err != nil {
		return err
	}
	r.watch.Admitted(r.fence())
	begun := r.watch.Now()
	present, played, err := r.engine.archive.load(r.inner(), r.id, true)
	r.watch.Stored(observe.StoreLoad, present.Version, begun, err)
	base := state.Campaign{}
	if n := len(present.Repairs); n > 0 { // versions before the last repair no longer count
		after = max(after, present.Repairs[n-1].Version)
	}
	if err = cmp.Or(err, played.Err()); err == nil {
		base, err = r.log(r.ctx).At(present, after)
	}
	if err != nil {
		return fmt.Errorf("campaign: hand over %q: %w", r.id, err)
	}
	r.game = r.engine.game()
	m := turn.NewMachine(r.game, base)
	open, err := r.replay(m)
	if err != nil || r.stopped {
		return err
	}
	s.machine, s.game, s.played = m, r.game, played
	c := m.Campaign()
	s.last.Store(&c)
	for _, a := range open.Announce {
		r.follow(s, a)
	}
	if s.machine != nil && s.machine.Phase() == turn.Approving {
		r.repeated = true
		r.wait(s.machine)
		return nil
	}
	if s.machine != nil {
		r.replayed(open, s.machine.Campaign().Version)
		r.summarize(s, open.Summarize)
	}
	return nil
}

// replay plays the records after the machine's campaign again. It yields the results of each
// instruction except the newest, and returns the results of the newest.
func (r *runner) replay(m *turn.Machine) (open turn.Todo, err error) {
	for rec, err := range r.engine.archive.records(r.ctx, r.id, m.Campaign().Version) {
		switch {
		case err != nil:
		case rec.Kind == turn.RecordPast:
			continue
		case rec.Kind == turn.RecordCreate:
			err = m.Follow(rec)
		default:
			err = m.Replay(rec, func(q question.Past) (turn.PastRead, error) {
				return r.log(r.ctx).Answer(m.Campaign(), q)
			})
		}
		if err != nil {
			return open, fmt.Errorf("campaign: hand over %q: record %d: %w", r.id, rec.Version, err)
		}
		if open.Settle(rec) {
			open.Announce = append(open.Announce, m.Todo().Announce...)
		} else {
			r.replayed(open, rec.Version-1)
			open = m.Todo()
		}
		r.watch.Logged(m.Todo().Host)
		if r.show(m.Todo()); r.stopped {
			return open, nil
		}
	}
	return open, nil
}

// replayed emits the outcome of an instruction again.
func (r *runner) replayed(todo turn.Todo, version int64) {
	if todo.Outcome != nil {
		o := *todo.Outcome
		o.Replayed = true
		todo.Outcome = &o
		r.finish(todo, version)
	}
}
