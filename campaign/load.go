package campaign

import (
	"cmp"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// load brings the session up to date with the store, and reports the time to the observer.
func (t *task) load(s *session) error {
	begun := t.watch.Now()
	err := t.loadOrCatchUp(s)
	version := int64(0)
	if s.machine != nil {
		version = s.machine.Campaign().Version
	}
	t.watch.Stored(observe.StoreLoad, version, begun, err)
	return err
}

// loadOrCatchUp makes a machine for the campaign, or applies the records that others have committed
// since the session was used. The caller holds s.mu.
func (t *task) loadOrCatchUp(s *session) error {
	ctx, a := t.workContext(), t.engine.archive
	if t.game = t.engine.game(); s.machine != nil && s.game != t.game {
		s.forget()
	}
	if s.machine == nil {
		c, needs, err := a.loadToPlay(ctx, t.id)
		if err != nil {
			return failedTo("load", t.id, err)
		}
		s.machine, s.game, s.needs = turn.NewMachine(t.game, c), t.game, needs
		s.lastCommit.Store(&c)
		return t.resume(s)
	}
	known := s.machine.Campaign().Version
	for entry, err := range a.store.Records(ctx, t.id, known) {
		if next := s.machine.Campaign().Version + 1; err == nil && entry.Version > next {
			s.forget()
			err = &state.LogDamage{Version: next, Err: state.ErrRecordMissing}
		}
		if err == nil {
			if err = a.applyRecord(t.id, s, entry); err != nil {
				s.forget() // the stored campaign is authoritative
			}
		}
		if err != nil {
			return failedTo("load", t.id, err)
		}
	}
	if s.machine.Campaign().Version > known {
		c := s.machine.Campaign()
		s.lastCommit.Store(&c)
		return t.resume(s)
	}
	return nil
}

// applyRecord applies a record that a different engine has committed to the session.
func (a archive) applyRecord(id string, s *session, entry Entry) error {
	rec, err := a.changeDecoder(id, &s.needs)(entry)
	if err != nil && isDamage(err) {
		return &state.LogDamage{Version: entry.Version, Err: err}
	}
	if err = cmp.Or(err, s.needs.Err()); err == nil {
		err = s.machine.Follow(rec)
	}
	return err
}

// resume brings the machine to the question of a turn that waits for people, if there is one. After an
// error it forgets the machine: without the waiting turn it would refuse the answer as outdated.
func (t *task) resume(s *session) error {
	err := t.resumeMachine(s.machine)
	if err != nil {
		s.forget()
	}
	return err
}

// resumeMachine gives the machine the journal of a turn that waits for people.
func (t *task) resumeMachine(m *turn.Machine) error {
	return failedTo("load", t.id, m.Resume(func(q question.Past) (turn.PastRead, error) {
		return t.log(t.workContext()).Answer(m.Campaign(), q)
	}))
}
