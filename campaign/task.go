package campaign

import (
	"cmp"
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/internal/watch"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
)

// task has what all parts of a running instruction have in common.
type task struct {
	engine *Engine
	id     string
	game   *game.Game      // of the machine
	ctx    context.Context // ends when the caller stops, and when the lease is lost
	watch  *watch.Watch    // nil: no observer
	lease  *lease          // nil without a lease
	cause  error           // of a failed call of the model or the store
}

// inner returns the context for the work of the instruction, with the values of observers.
func (t *task) inner() context.Context { return t.watch.Context(t.ctx) }

// log returns the campaign's log, for queries about the past.
func (t *task) log(ctx context.Context) turnlog.Log { return t.engine.archive.log(ctx, t.id) }

func (t *task) logPanic(p tool.Panic) {
	t.engine.cfg.Logger.Error("campaign: a tool panicked", "campaign", t.id, "tool", p.Tool,
		"panic", p.Value, "stack", string(p.Stack))
}

// load fetches the campaign and reports the time to the observer.
func (t *task) load(s *session) error {
	begun := t.watch.Now()
	err := t.fetch(s)
	version := int64(0)
	if s.machine != nil {
		version = s.machine.Campaign().Version
	}
	t.watch.Stored(observe.StoreLoad, version, begun, err)
	return err
}

// fetch loads the campaign, or what others have committed since, to play it. The caller holds s.mu.
func (t *task) fetch(s *session) error {
	ctx, a := t.inner(), t.engine.archive
	if t.game = t.engine.game(); s.machine != nil && s.game != t.game {
		s.forget()
	}
	if s.machine == nil {
		c, p, err := a.load(ctx, t.id, true)
		if err = cmp.Or(err, p.Err()); err != nil {
			return notLoaded(t.id, err)
		}
		s.machine, s.game, s.played = turn.NewMachine(t.game, c), t.game, p
		s.last.Store(&c)
		return t.resume(s)
	}
	known := s.machine.Campaign().Version
	for entry, err := range a.store.Records(ctx, t.id, known) {
		if next := s.machine.Campaign().Version + 1; err == nil && entry.Version > next {
			s.forget()
			err = &state.LogDamage{Version: next, Err: state.ErrRecordMissing}
		}
		if err == nil {
			if err = a.follow(t.id, s, entry); err != nil {
				s.forget() // the stored campaign is authoritative
			}
		}
		if err != nil {
			return notLoaded(t.id, err)
		}
	}
	if s.machine.Campaign().Version > known {
		c := s.machine.Campaign()
		s.last.Store(&c)
		return t.resume(s)
	}
	return nil
}

// follow applies a record that a different engine has committed.
func (a archive) follow(id string, s *session, entry Entry) error {
	rec, err := a.reading(id, func(entry Entry) (turn.Record, error) {
		rec, err := entry.change()
		if err == nil {
			err = entry.playedWith(&s.played)
		}
		return rec, err
	})(entry)
	if err != nil && damaged(err) {
		return &state.LogDamage{Version: entry.Version, Err: err}
	}
	if err = cmp.Or(err, s.played.Err()); err == nil {
		err = s.machine.Follow(rec)
	}
	return err
}

// resume prepares a turn that waits for people, with data from the log. After an error it discards
// the session: an idle machine would refuse the answer of these people as outdated.
func (t *task) resume(s *session) error {
	err := t.resumeMachine(s.machine)
	if err != nil {
		s.forget()
	}
	return err
}

func (t *task) resumeMachine(m *turn.Machine) error {
	return notLoaded(t.id, m.Resume(func(q question.Past) (turn.PastRead, error) {
		return t.log(t.inner()).Answer(m.Campaign(), q)
	}))
}

// longKnown searches the log for the outcome of an earlier instruction with the same client turn
// ID, if [turn.Machine.Known] does not have it. It also finds the outcome of a [turn.Once].
func (t *task) longKnown(m *turn.Machine, in turn.Input) (turn.Outcome, bool, error) {
	if once, ok := in.(turn.Once); ok {
		return t.knownOnce(m, once)
	}
	asking, ok := turn.NeedsModel(in)
	if !ok || asking.Ticket().ClientTurnID == "" {
		return turn.Outcome{}, false, nil
	}
	c := m.Campaign()
	if _, known := m.Known(asking); known {
		return turn.Outcome{}, false, nil
	}
	s := t.engine.sessions.hold(t.id)
	defer t.engine.sessions.release(s)
	if len(c.Turns) < c.TurnCounter {
		before, err := s.submitted.Find(t.engine.archive.submissions(t.ctx, t.id), c, asking.Ticket().ClientTurnID)
		if err != nil {
			return turn.Outcome{}, false, err
		}
		if before != nil {
			return asking.Ticket().Repeats(*before), true, nil
		}
	}
	before, err := s.conflicts.Find(t.log(t.ctx), c, asking.Ticket().ClientTurnID)
	if err != nil || before == nil {
		return turn.Outcome{}, false, err
	}
	return asking.Ticket().RepeatsConflict(*before), true, nil
}

// knownOnce returns the first outcome of an instruction with an ID, with its turn as it reads now.
func (t *task) knownOnce(m *turn.Machine, in turn.Once) (turn.Outcome, bool, error) {
	o, known := m.Known(in)
	c := m.Campaign()
	if id := c.Once[in.ID].TurnID; known && o.Turn == nil && id != "" && o.Status == turn.Completed {
		turns, err := t.log(t.ctx).HeldOrRead(c, []string{id})
		if err == nil && len(turns) == 0 {
			err = fmt.Errorf("campaign: the log does not have %s", id)
		}
		if err != nil {
			return o, false, err
		}
		o.Turn, o.Audience = &turns[0], turns[0].Audience
	}
	return o, known, nil
}
