package campaign

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/talewright/talewright/internal/openjson"
)

// Handover goes on where a process has died between a commit and the hand-over of what it
// led to. It yields, once more, what [Engine.Stream] yields after the commit of each
// instruction that was committed after the given version: the text, the effects for the
// host, the outcome, which is marked as replayed. Announcements to hooks that the log does
// not have, and a summary that was due, are made up for.
//
// after is the [Outcome].Version of the last outcome that the host has acted on; the host
// keeps it where it keeps what it does with effects. With the version of the newest outcome
// nothing is yielded. What a dead process has handed over without noting so comes twice:
// at least once takes the place of at most once.
//
// The log is replayed for this: with another content than that it was played with, the
// error wraps [ErrDiverged]. A campaign that is in use is refused as [CampaignBusy]. The
// sequence may be ranged over again.
func (e *Engine) Handover(ctx context.Context, id string, after int64) iter.Seq2[Progress, error] {
	return func(yield func(Progress, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := &runner{engine: e, ctx: ctx, cancel: cancel, id: id, yield: yield}
		if err := r.handover(after); err != nil && !r.stopped {
			yield(nil, err)
		}
	}
}

func (r *runner) handover(after int64) error {
	s := r.engine.session(r.id)
	defer r.engine.release(s)
	if !s.mu.TryLock() {
		return refuse(CampaignBusy)
	}
	defer s.queue.leave(&s.mu)
	base, err := r.engine.archive.at(r.ctx, r.id, after)
	if err != nil {
		return fmt.Errorf("campaign: hand over %q: %w", r.id, err)
	}
	m := NewMachine(r.engine.cfg.Game, base)
	var open leftover
	for rec, err := range r.engine.archive.records(r.ctx, r.id, base.Version) {
		switch {
		case err != nil:
		case rec.Kind == kindCreate:
			err = m.Follow(rec)
		default:
			err = m.replay(rec)
		}
		if err != nil {
			return fmt.Errorf("campaign: hand over %q: record %d: %w", r.id, rec.Version, err)
		}
		if !open.take(rec) {
			r.replayed(open.todo, rec.Version-1)
			open = leftover{todo: m.Todo(), announce: m.Todo().Announce}
		}
		if r.show(m.Todo()); r.stopped {
			return nil
		}
	}
	s.machine = m
	c := m.Campaign()
	s.last.Store(&c)
	for _, a := range open.announce {
		r.follow(s, a)
	}
	if s.machine != nil {
		r.replayed(open.todo, s.machine.base.Version)
		r.summarize(s, open.todo.Summarize)
	}
	return nil
}

// replayed emits the outcome of an instruction that is handed over again.
func (r *runner) replayed(todo Todo, version int64) {
	if todo.Outcome != nil {
		o := *todo.Outcome
		o.Replayed = true
		todo.Outcome = &o
		r.finish(todo, version)
	}
}

// leftover is what is left to do for the newest instruction of a log.
type leftover struct {
	todo     Todo
	announce []Announce
}

// aftermath is an instruction that may be what another one has led to.
type aftermath interface {
	// settles reports whether it is what is left to do, which it then is no more.
	settles(l *leftover) bool
}

// take reports whether a record belongs to that instruction: one of its announcements, or
// its summary.
func (l *leftover) take(rec Record) bool {
	if len(rec.Inputs) == 0 {
		return false
	}
	in, ok := rec.Inputs[0].(aftermath)
	return ok && in.settles(l)
}

// sameInput compares two inputs as the log has them.
func sameInput(a, b Input) bool {
	x, errA := openjson.Marshal(a)
	y, errB := openjson.Marshal(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}
