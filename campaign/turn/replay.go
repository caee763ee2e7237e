package turn

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
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
	next, err := follow(m.base, rec, &m.log)
	if err != nil {
		return fmt.Errorf("campaign: record %d: %w", rec.Version, err)
	}
	m.base, m.head, m.todo = next, tree.Value{}, Todo{}
	return nil
}

// ErrDiverged is returned when a replay leads elsewhere than the log: the content
// was changed, or the log was.
var ErrDiverged = errors.New("campaign: replay differs from the log")

// Rebuild plays a whole log again, from its first record on, without a model, a store or
// a host: their answers are in the records.
//
// The result is equal to the campaign that was played, byte for byte; if a record turns
// out otherwise, the error wraps [ErrDiverged] and names the first difference.
func Rebuild(g *game.Game, records iter.Seq2[Record, error]) (state.Campaign, error) {
	m := NewMachine(g, state.Campaign{})
	for rec, err := range records {
		if err != nil {
			return m.base, err
		}
		switch {
		case rec.Kind == KindCreate:
			err = m.Follow(rec)
		case m.base.Version == 0:
			err = errNoBeginning
		default:
			err = m.Replay(rec)
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

// Replay plays an instruction again by what its record says that the machine was told. The
// error wraps [ErrDiverged] if it leads elsewhere.
func (m *Machine) Replay(rec Record) error {
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
	return Diverged(got, want)
}

// Diverged says where two JSON values differ first.
func Diverged(got, want any) error {
	a, err := tree.Of(got)
	if err != nil {
		return err
	}
	b, err := tree.Of(want)
	if err != nil {
		return err
	}
	for _, p := range state.Diff(b, a) {
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
