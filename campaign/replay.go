package campaign

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// Follow takes over a record that another machine of the same campaign has committed.
// It returns [ErrUnexpectedInput] in the middle of an instruction; after an error the
// machine is as it was.
func (m *Machine) Follow(rec Record) error {
	if m.phase != Idle {
		return fmt.Errorf("%w: record %d while %s", ErrUnexpectedInput, rec.Version, m.phase)
	}
	next, err := m.base.follow(rec, &m.log)
	if err != nil {
		return fmt.Errorf("campaign: record %d: %w", rec.Version, err)
	}
	m.base, m.head, m.todo = next, tree.Value{}, Todo{}
	return nil
}

// findSnapshots puts states to the references that a record added: a checkpoint
// marks the state that the record led to, everything else the one it came from.
func (c *Campaign) findSnapshots(before State) {
	if c.Snapshots == nil {
		c.Snapshots = Snapshots{}
	}
	add := func(ref string, s *State) {
		if _, known := c.Snapshots[ref]; ref != "" && !known {
			kept := *s
			c.Snapshots[ref] = &kept
		}
	}
	for _, cp := range c.Checkpoints {
		add(cp.SnapshotRef, &c.State)
	}
	add(c.RollbackPending.SnapshotRef, &before)
	for _, b := range c.Branches {
		add(b.SnapshotRef, &before)
	}
	c.dropUnreferenced()
}

// ErrDiverged is returned when a replay leads elsewhere than the log: the content
// was changed, or the log was.
var ErrDiverged = errors.New("campaign: replay differs from the log")

// Rebuild plays a whole log again, from its first record on, without a model, a
// store or a host: their answers are in the records.
//
//	rebuilt, err := campaign.Rebuild(game, store.Records(ctx, "greyhaven", 0))
//
// The result is equal to the campaign that was played, byte for byte; if a record turns
// out otherwise, the error wraps [ErrDiverged] and names the first difference. The
// entries of an engine with a [Codec] have to be opened: see [Engine.Rebuild].
func Rebuild(g *Game, log iter.Seq2[Entry, error]) (Campaign, error) {
	m := NewMachine(g, Campaign{})
	for entry, err := range log {
		var rec Record
		if err == nil {
			rec, err = entry.Record()
		}
		if err != nil {
			return m.base, err
		}
		switch {
		case rec.Kind == kindCreate:
			err = m.Follow(rec)
		case m.base.Version == 0:
			err = errNoBeginning
		default:
			err = m.replay(rec)
		}
		if err != nil {
			return m.base, fmt.Errorf("record %d (%s): %w", rec.Version, rec.Kind, err)
		}
	}
	if m.base.Version == 0 {
		return m.base, errNoBeginning
	}
	return m.base, nil
}

var errNoBeginning = errors.New("campaign: a log begins with the record that creates it")

func (m *Machine) replay(rec Record) error {
	for _, in := range rec.Inputs {
		if err := m.Step(in); err != nil {
			return fmt.Errorf("%w: %w", ErrDiverged, err)
		}
	}
	got := m.todo.Commit
	if got == nil {
		return fmt.Errorf("%w: no commit, but phase %s", ErrDiverged, m.phase)
	}
	if err := sameRecord(*got, rec); err != nil {
		return err
	}
	return m.Step(Committed{})
}

func sameRecord(got, want Record) error {
	a, err := openjson.Marshal(got)
	if err != nil {
		return err
	}
	b, err := openjson.Marshal(want)
	if err != nil {
		return err
	}
	if bytes.Equal(a, b) {
		return nil
	}
	return diverged(got, want)
}

// diverged says where two JSON values differ first.
func diverged(got, want any) error {
	a, err := valueOf(got)
	if err != nil {
		return err
	}
	b, err := valueOf(want)
	if err != nil {
		return err
	}
	for _, p := range diff(b, a) {
		return fmt.Errorf("%w: at %s: replayed %s, logged %s", ErrDiverged, p.Path,
			brief(a.Lookup(p.Path).String()), brief(b.Lookup(p.Path).String()))
	}
	return ErrDiverged
}

func brief(text string) string {
	const limit = 80
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
