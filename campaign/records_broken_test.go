package campaign_test

import (
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// TestBrokenRecords: each way to read a log returns the error of a record that cannot be read.
func TestBrokenRecords(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	c := rolledBack(t, 30, func(*chronicle) {})
	noJSON := map[string]json.RawMessage{"unknown": json.RawMessage("{")}
	page := slices.IndexFunc(c.log, func(r turn.Record) bool { return r.Archive != nil && len(r.Archive.Branches) > 0 })
	played := slices.IndexFunc(c.log, func(r turn.Record) bool { return r.Version > 20 && r.Kind == turn.RecordTurn && !r.Head.Exists() })
	if page < 0 || played < 0 {
		t.Fatal(page, played)
	}
	records := func(list []turn.Record, err error) iter.Seq2[turn.Record, error] {
		return func(yield func(turn.Record, error) bool) {
			for i, rec := range list {
				if err != nil && i == played {
					yield(turn.Record{}, err)
					return
				}
				if !yield(rec, nil) {
					return
				}
			}
		}
	}
	ways := map[string]func(iter.Seq2[turn.Record, error]) error{
		"follow": func(log iter.Seq2[turn.Record, error]) error {
			_, err := turn.Follow(state.Campaign{}, log)
			return err
		},
		"rebuild": func(log iter.Seq2[turn.Record, error]) error { _, err := turn.Rebuild(c.game, log); return err },
		"read past": func(log iter.Seq2[turn.Record, error]) error {
			_, err := turn.ReadPast(question.Past{}, log)
			return err
		},
	}
	const all = "follow rebuild read past"
	for _, b := range []struct {
		reason string
		at     int
		change func(*turn.Record)
		err    error
		by     string // the ways that notice it
	}{
		{"a sequence that fails", played, nil, errTorn, all},
		{"a campaign that is no JSON", 0, func(r *turn.Record) { r.Campaign = json.RawMessage("{") }, nil, all},
		{"a campaign of a wrong kind", 0, func(r *turn.Record) { r.Campaign = json.RawMessage(`{"version": "x"}`) }, nil, all},
		{"a change of nothing", played, func(r *turn.Record) {
			r.Delta = append(slices.Clone(r.Delta), state.Patch{Path: tree.Path{"state", "nowhere", "x"}, Value: tree.Int(1)})
		}, nil, "follow rebuild"},
		{"a change to a wrong kind", played, func(r *turn.Record) {
			r.Delta = append(slices.Clone(r.Delta), state.Patch{Path: tree.Path{"branches"}, Value: tree.Int(1)})
		}, nil, "follow rebuild"},
		{"variables of a wrong kind", played, func(r *turn.Record) {
			r.Delta = append(slices.Clone(r.Delta), state.Patch{Path: tree.Path{"state", "variables"}, Value: tree.Int(1)})
		}, nil, all},
		{"a branch of a wrong kind", page, func(r *turn.Record) {
			archived := *r.Archive
			archived.Branches = map[string]tree.Value{"b": tree.Int(1)}
			r.Archive = &archived
		}, nil, "rebuild read past"},
		{"a turn that is no JSON", played, func(r *turn.Record) {
			played := *r.Turn
			played.Extra = noJSON
			r.Turn = &played
		}, nil, "rebuild read past"},
		{"a kept turn that is no JSON", played, func(r *turn.Record) { r.Turns = []state.Turn{{ID: "turn_0001", Extra: noJSON}} }, nil, "rebuild read past"},
		{"an instruction that does not fit", played, func(r *turn.Record) { r.Inputs = append(turn.Inputs{turn.Replied{}}, r.Inputs...) }, nil, "rebuild"},
		{"an instruction that does not end", played, func(r *turn.Record) { r.Inputs = r.Inputs[:1] }, nil, "rebuild"},
	} {
		log := slices.Clone(c.log)
		if b.change != nil {
			b.change(&log[b.at])
		}
		for way, read := range ways {
			err := read(records(log, b.err))
			if noticed := err != nil; noticed != strings.Contains(b.by, way) {
				t.Errorf("%s, %s: %v", b.reason, way, err)
			}
			if b.err != nil && !errors.Is(err, b.err) {
				t.Errorf("%s, %s: %v", b.reason, way, err)
			}
		}
	}
}

// TestMachineFollows: a machine that applies the records of a different machine has the same campaign
// after each of them, with all jumps. In the middle of an instruction it refuses a record.
func TestMachineFollows(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	c := rolledBack(t, 300, func(*chronicle) {})
	first, err := c.log[0].Beginning()
	if err != nil {
		t.Fatal(err)
	}
	m := turn.NewMachine(c.game, first)
	for _, rec := range c.log[1:] {
		if err := m.Follow(rec); err != nil {
			t.Fatal(err)
		}
	}
	want := c.m.Campaign()
	if got := m.Campaign(); jsonOf(t, got) != jsonOf(t, want) || got.LacksJumps() || len(got.OlderJumps) == 0 {
		t.Errorf("the campaign differs, or %d older jumps are missing", len(got.OlderJumps))
	}
	rec := turn.Record{Version: want.Version + 1, Kind: "patch_settings", Delta: state.Delta{{Path: tree.Path{"nowhere", "x"}, Value: tree.Int(1)}}}
	if err := m.Follow(rec); err == nil || jsonOf(t, m.Campaign()) != jsonOf(t, want) {
		t.Errorf("a record that does not fit: %v", err)
	}
	rec.Version++
	if err := m.Follow(rec); err == nil {
		t.Error("a record of a later version is applied")
	}
	step(t, m, turn.Submit{Text: "I wait.", At: noon})
	if err := m.Follow(turn.Record{Version: want.Version + 1}); !errors.Is(err, turn.ErrUnexpectedInput) {
		t.Errorf("in the middle of a turn: %v", err)
	}
}

// TestSame: values without a JSON form are never the same. Values that are no objects differ without a
// path.
func TestSame(t *testing.T) {
	t.Parallel()
	never := make(chan int)
	if turn.Same(never, 1) == nil || turn.Same(1, never) == nil || turn.Same(never, never) == nil {
		t.Error("a channel has no JSON form")
	}
	if err := turn.Same(1, 1); err != nil {
		t.Error(err)
	}
	d, ok := errors.AsType[*state.RepairDifference](turn.Same(1, 2))
	if !ok || len(d.Path) > 0 || !errors.Is(d, turn.ErrDiverged) {
		t.Errorf("numbers: %+v", d)
	}
	d, ok = errors.AsType[*state.RepairDifference](turn.Same(map[string]int{"a": 1, "b": 2}, map[string]int{"a": 1, "b": 3}))
	if !ok || d.Path.String() != "b" || d.Got != "2" || d.Want != "3" {
		t.Errorf("objects: %+v", d)
	}
}
