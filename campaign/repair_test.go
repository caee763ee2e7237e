package campaign_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// worn is a store whose bytes have changed since they were written.
type worn struct {
	*campaign.MemoryStore
	lost     int64 // the version of a missing record
	entry    func(campaign.Entry) campaign.Entry
	snapshot func(campaign.Saved) campaign.Saved
}

func (w *worn) Records(ctx context.Context, id string, after int64) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		for e, err := range w.MemoryStore.Records(ctx, id, after) {
			if err == nil && e.Version == w.lost {
				continue
			}
			if err == nil && w.entry != nil {
				e = w.entry(e)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

func (w *worn) Load(ctx context.Context, id string) (campaign.Saved, error) {
	saved, err := w.MemoryStore.Load(ctx, id)
	saved.Entries = slices.DeleteFunc(saved.Entries, func(e campaign.Entry) bool { return e.Version == w.lost })
	for i := range saved.Entries {
		if w.entry != nil {
			saved.Entries[i] = w.entry(saved.Entries[i])
		}
	}
	if w.snapshot != nil && saved.Snapshot != nil {
		saved = w.snapshot(saved)
	}
	return saved, err
}

// wearing damages the record of a version.
func wearing(version int64, how func([]byte) []byte) func(campaign.Entry) campaign.Entry {
	return func(e campaign.Entry) campaign.Entry {
		if e.Version == version {
			e.Data = how(bytes.Clone(e.Data))
		}
		return e
	}
}

func half(data []byte) []byte { return data[:len(data)/2] }

// knocking is a rule that counts knocks, with a step.
func knocking(t testing.TB, by int64) *game.Game {
	t.Helper()
	return compile(t, game.Content{Rules: game.Rules{
		Variables: []rules.Variable{{ID: "knocks", Type: rules.TypeNumber}},
		Rules: []rules.Rule{{ID: "k", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"knock"}}, Conditions: []rules.Condition{},
			Actions: effect.Actions{effect.SetVariable{Path: "knocks", Operation: effect.Add, Value: tree.Int(by)}}}},
	}})
}

func knocks(c state.Campaign) string {
	v, _ := c.State.Variables.Get("knocks")
	return fmt.Sprint(v)
}

func engineOver(t testing.TB, g *game.Game, store campaign.Store, every int, codec campaign.Codec, texts ...string) *campaign.Engine {
	t.Helper()
	e, err := campaign.New(campaign.Config{Game: g, Store: store, Model: scripted(texts...), SnapshotEvery: every, Codec: codec})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// knocked returns a store with a campaign of this many turns.
func knocked(t testing.TB, turns, every int, codec campaign.Codec) *worn {
	t.Helper()
	store := &worn{MemoryStore: &campaign.MemoryStore{}}
	var texts []string
	for n := range turns {
		texts = append(texts, fmt.Sprintf("Echo %d.", n+1))
	}
	e := newEngine(t, campaign.Config{Game: knocking(t, 1), Store: store, Model: scripted(texts...), SnapshotEvery: every, Codec: codec})
	for range turns {
		turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I knock."})
	}
	return store
}

// wantSound checks that a campaign equals its log, in any store, that its history can be read, and
// that it can be played on.
func wantSound(t *testing.T, store campaign.Store, g *game.Game, codec campaign.Codec, note *state.RepairNote) state.Campaign {
	t.Helper()
	e := engineOver(t, g, store, 3, codec, "Still.", "Stiller.")
	c := campaignOf(t, e)
	if c.Version != note.Version || len(c.Repairs) == 0 || cmp.Diff(jsonOf(t, c.Repairs[len(c.Repairs)-1]), jsonOf(t, note)) != "" {
		t.Errorf("version %d says %s, want %s", c.Version, jsonOf(t, c.Repairs), jsonOf(t, note))
	}
	if again, err := e.Repair(t.Context(), "cave", state.KeepLogged); err != nil || again != nil {
		t.Errorf("a second repair finds %v, %v", again, err)
	}
	for n := range 2 {
		o := turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I listen."})
		want := fmt.Sprintf("completed %s", state.TurnID(c.TurnCounter+n+1))
		if wantOutcome(t, o, want); o.Turn != nil && n == 0 && o.Turn.ParentID != c.State.HeadTurnID {
			t.Errorf("the next turn goes on from %s, want %s", o.Turn.ParentID, c.State.HeadTurnID)
		}
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Errorf("rebuilt: %v", err)
	}
	whole := campaignOf(t, e)
	ids := whole.Newest(whole.State.HeadTurnID, 99)
	for one, err := range e.History(t.Context(), "cave", state.HistoryPage{}) {
		if err != nil || one.ID != ids[len(ids)-1] {
			t.Errorf("history: %s, %v, want %s", one.ID, err, ids[len(ids)-1])
			break
		}
		ids = ids[:len(ids)-1]
	}
	if len(ids) > 0 {
		t.Errorf("%v are missing in the history", ids)
	}
	data := export(t, e)
	other := engineOver(t, g, &campaign.MemoryStore{}, 0, nil)
	moved, err := other.Import(t.Context(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := turn.Same(moved, whole); err != nil {
		t.Errorf("imported: %v", err)
	}
	if _, err := other.Rebuild(t.Context(), "cave"); err != nil {
		t.Errorf("imported and rebuilt: %v", err)
	}
	if again := export(t, other); !bytes.Equal(again, data) {
		t.Error("exported again it is something else")
	}
	return c
}

// TestRepairOfDamagedRecords: if records at the end, in the middle or at the beginning cannot be
// read, the campaign continues with the newest known state (CA-55).
func TestRepairOfDamagedRecords(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	for _, c := range []struct {
		reason  string
		version int64 // of 7
		how     func([]byte) []byte
		every   int
		knocks  string
		reached int64
	}{
		{"the tail was torn off", 7, half, 99, "5", 6},
		{"the tail is empty", 7, func([]byte) []byte { return nil }, 99, "5", 6},
		{"a record in the middle, without a snapshot", 4, half, 99, "2", 3},
		{"a record in the middle, with a snapshot behind it", 4, half, 6, "6", 7},
		{"the record that the snapshot came with", 6, half, 6, "6", 7},
		{"the first record, with a snapshot behind it", 1, half, 6, "6", 7},
		{"a delta that does not fit", 7, func(b []byte) []byte {
			return summed(bytes.Replace(b, []byte(`"delta":[`), []byte(`"delta":[{"path":["state","nowhere","x"],"value":1},`), 1))
		}, 99, "5", 6},
		{"another campaign's record", 5, func(b []byte) []byte {
			return summed(bytes.Replace(b, []byte(`"version":5`), []byte(`"version":4`), 1))
		}, 99, "3", 4},
	} {
		for _, codec := range []campaign.Codec{nil, campaign.Deflate()} {
			if codec != nil && strings.Contains(c.reason, "delta") || codec != nil && strings.Contains(c.reason, "another") {
				continue // compressed data is not changed by replacing words
			}
			store := knocked(t, 6, c.every, codec)
			store.entry = wearing(c.version, c.how)
			e := engineOver(t, knocking(t, 1), store, 99, codec)
			if _, err := e.Rebuild(t.Context(), "cave"); err == nil {
				t.Errorf("%s: it was rebuilt", c.reason)
			} else if d, ok := errors.AsType[*state.LogDamage](err); !ok || d.Version != c.version {
				t.Errorf("%s: %v", c.reason, err)
			}
			note, err := e.Repair(t.Context(), "cave", state.KeepLogged)
			if err != nil || note == nil {
				t.Errorf("%s: %v, %v", c.reason, note, err)
				continue
			}
			if note.Cause != state.CauseDamaged || note.From != c.version || note.Version != 8 || note.Reached != c.reached || note.Detail == "" {
				t.Errorf("%s: %s", c.reason, jsonOf(t, note))
			}
			if got := knocks(wantSound(t, store, knocking(t, 1), codec, note)); got != c.knocks {
				t.Errorf("%s: %s knocks, want %s", c.reason, got, c.knocks)
			}
		}
	}
}

// TestRepairOfADamagedID: the ID of a turn is damaged together with its record. The turn gets the next
// number, and not millions of lost turns before it.
func TestRepairOfADamagedID(t *testing.T) {
	t.Parallel()
	store := knocked(t, 6, 99, nil)
	store.entry = func(e campaign.Entry) campaign.Entry {
		if e.Version == 7 {
			e.Data, e.TurnID = half(e.Data), "turn_3000000"
		}
		return e
	}
	note, err := engineOver(t, knocking(t, 1), store, 99, nil).Repair(t.Context(), "cave", state.KeepLogged)
	if err != nil {
		t.Fatal(err)
	}
	if c := wantSound(t, store, knocking(t, 1), nil, note); c.TurnCounter != 6 {
		t.Errorf("%d turns", c.TurnCounter)
	}
}

// TestExportOfALogWithoutItsBeginning: the export of a repaired log has a replacement for a missing
// record, including the first one, and can be imported.
func TestExportOfALogWithoutItsBeginning(t *testing.T) {
	t.Parallel()
	for _, missing := range []int64{1, 2, 4} {
		store := knocked(t, 6, 6, nil)
		store.lost = missing
		e := engineOver(t, knocking(t, 1), store, 99, nil)
		if _, err := e.Repair(t.Context(), "cave", state.KeepLogged); err != nil {
			t.Fatal(err)
		}
		data := export(t, e)
		other := engineOver(t, knocking(t, 1), &campaign.MemoryStore{}, 99, nil)
		if _, err := other.Import(t.Context(), bytes.NewReader(data)); err != nil {
			t.Errorf("without record %d: %v", missing, err)
		} else if !bytes.Equal(export(t, other), data) {
			t.Errorf("without record %d: the imported campaign is another one", missing)
		}
	}
}

// TestRepairOfALostEnd: a snapshot is newer than the last record. The campaign continues with the
// snapshot, and the repair and the next records reuse the version numbers of the lost records.
func TestRepairOfALostEnd(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	whole := knocked(t, 6, 6, nil)
	newest, err := whole.MemoryStore.Load(t.Context(), "cave")
	if err != nil || newest.SnapshotVersion != 6 {
		t.Fatal(newest.SnapshotVersion, err)
	}
	newest.Entries, newest.Cut = nil, true
	for last := range int64(5) {
		store := &worn{MemoryStore: &campaign.MemoryStore{}}
		for e, err := range whole.Records(t.Context(), "cave", 0) {
			if err == nil && e.Version <= last+1 {
				err = store.Append(t.Context(), "cave", e, []byte("{}"))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		store.snapshot = func(s campaign.Saved) campaign.Saved {
			if s.SnapshotVersion <= last+1 {
				return newest
			}
			return s
		}
		e := engineOver(t, knocking(t, 1), store, 99, nil)
		_, err := e.Campaign(t.Context(), "cave")
		if d, is := errors.AsType[*state.LogDamage](err); !is || d.Version != last+2 {
			t.Errorf("%d records: %v", last+1, err)
		}
		note, err := e.Repair(t.Context(), "cave", state.KeepLogged)
		if err != nil || note == nil || note.Version != last+2 || note.Reached != 6 {
			t.Errorf("%d records: %s, %v", last+1, jsonOf(t, note), err)
			continue
		}
		c := wantSound(t, store, knocking(t, 1), nil, note)
		if knocks(c) != "5" {
			t.Errorf("%d records: %s knocks", last+1, knocks(c))
		}
		if one, ok := c.Turn("turn_0005"); !ok || one.Text != "Echo 5." {
			t.Errorf("%d records: turn 5 says %q", last+1, one.Text)
		}
	}
}

// TestRepairOfALongLog: after an unreadable record, the campaign continues from the next full head.
func TestRepairOfALongLog(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	store := knocked(t, 66, 999, nil)
	store.entry = wearing(40, half)
	e := engineOver(t, knocking(t, 1), store, 999, nil)
	note, err := e.Repair(t.Context(), "cave", state.KeepLogged)
	if err != nil || note.Reached != 67 {
		t.Fatal(note, err)
	}
	c := wantSound(t, store, knocking(t, 1), nil, note)
	if knocks(c) != "66" {
		t.Errorf("%s knocks", knocks(c))
	}
	if i := slices.IndexFunc(c.Turns, func(t state.Turn) bool { return t.ID == "turn_0039" }); i >= 0 && c.Turns[i].Text != "" {
		t.Errorf("turn 39 says %q", c.Turns[i].Text)
	}
}

// TestRepairOfALostTurn: the record of a turn is missing, and the record after it adds no turn. A
// later edit has its text. The turn stays, once. A fork of that time is refused with the reason. A later fork has no
// repairs of its own, and its results can be handed over.
func TestRepairOfALostTurn(t *testing.T) {
	t.Parallel()
	store := &worn{MemoryStore: &campaign.MemoryStore{}}
	e := newEngine(t, campaign.Config{Game: knocking(t, 1), Store: store, Model: scripted("Echo 1.", "Echo 2.", "Echo 3."), SnapshotEvery: 3})
	for range 3 {
		o := turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I knock."})
		do(t, e, turn.EditText{TurnID: o.Turn.ID, Text: o.Turn.Text + " Dust falls."})
	}
	store.lost = 4 // of turn 2
	e = engineOver(t, knocking(t, 1), store, 3, nil)
	note, err := e.Repair(t.Context(), "cave", state.KeepLogged)
	if err != nil {
		t.Fatal(err)
	}
	wantSound(t, store, knocking(t, 1), nil, note)
	var texts []string
	for one, err := range e.History(t.Context(), "cave", state.HistoryPage{Limit: 9}) {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, one.Text)
	}
	if want := []string{"Stiller.", "Still.", "Echo 3. Dust falls.", "Echo 2. Dust falls.", "Echo 1. Dust falls."}; !slices.Equal(texts, want) {
		t.Errorf("the history is %q, want %q", texts, want)
	}
	_, err = e.Fork(t.Context(), "cave", "turn_0003", "early")
	if r, ok := errors.AsType[*state.Refusal](err); !ok || r.Code != state.CheckpointNotFound || !strings.Contains(r.Detail, "choose a later turn") {
		t.Errorf("a fork of an unknown state: %v", err)
	}
	fork, err := e.Fork(t.Context(), "cave", "turn_0005", "late")
	if err != nil || len(fork.Repairs) != 0 {
		t.Fatalf("%v, %v", fork.Repairs, err)
	}
	if c := campaignOf(t, e); len(c.Turns) != c.TurnCounter {
		t.Errorf("%d turns are held, of %d", len(c.Turns), c.TurnCounter)
	}
	for _, err := range e.Handover(t.Context(), "late", 0) {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestRepairOfDrift: with different content the log gives a different result. The error names the
// first difference, and the campaign continues with the logged or the replayed state (CA-55).
func TestRepairOfDrift(t *testing.T) {
	t.Parallel()
	for keep, want := range map[state.RepairKeep]string{state.KeepLogged: "6", state.KeepReplayed: "12"} {
		store := knocked(t, 6, 3, nil)
		e := engineOver(t, knocking(t, 2), store, 99, nil)
		_, err := e.Rebuild(t.Context(), "cave")
		d, ok := errors.AsType[*state.RepairDifference](err)
		if !ok || !errors.Is(err, turn.ErrDiverged) || d.Version != 2 || d.Path.String() != "state.variables.knocks" || d.Got != "2" || d.Want != "1" {
			t.Fatalf("%v", err)
		}
		note, err := e.Repair(t.Context(), "cave", keep)
		if err != nil || note.Cause != state.CauseDrifted || note.From != 2 || note.Keep != keep || note.Got != d.Got || note.Want != d.Want {
			t.Fatal(note, err)
		}
		if got := knocks(wantSound(t, store, knocking(t, 2), nil, note)); got != want {
			t.Errorf("%s: %s knocks, want %s", keep, got, want)
		}
		// The states of its checkpoints belong to the same world.
		e = engineOver(t, knocking(t, 2), store, 99, nil, "Hush.")
		do(t, e, turn.RollBack{To: "turn_0004"})
		if got := knocks(campaignOf(t, e)); got != map[state.RepairKeep]string{state.KeepLogged: "4", state.KeepReplayed: "8"}[keep] {
			t.Errorf("%s: the checkpoint has %s knocks", keep, got)
		}
		wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I knock."}), "completed turn_0009")
		if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
			t.Error(err)
		}
	}
}

// TestRepairTwice: a campaign differs again after a repair, and a second repair fixes that too.
func TestRepairTwice(t *testing.T) {
	t.Parallel()
	store := knocked(t, 3, 99, nil)
	e := engineOver(t, knocking(t, 2), store, 99, nil, "Hush.")
	if _, err := e.Repair(t.Context(), "cave", state.KeepReplayed); err != nil {
		t.Fatal(err)
	}
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I knock."}) // 8
	e = engineOver(t, knocking(t, 5), store, 99, nil)
	note, err := e.Repair(t.Context(), "cave", state.KeepReplayed)
	if err != nil || note.From != 6 {
		t.Fatal(note, err)
	}
	if got := knocks(wantSound(t, store, knocking(t, 5), nil, note)); got != "11" {
		t.Errorf("%s knocks", got)
	}
}

// TestRepairThatCannotReplay: if a record cannot be played at all with the present content, only
// the logged state can be kept, and nothing is written.
func TestRepairThatCannotReplay(t *testing.T) {
	t.Parallel()
	store := knocked(t, 2, 99, nil)
	store.entry = wearing(3, func(b []byte) []byte {
		return summed(bytes.Replace(b, []byte(`{"input":"replied"`), []byte(`{"input":"judged"},{"input":"replied"`), 1))
	})
	e := engineOver(t, knocking(t, 1), store, 99, nil)
	_, err := e.Repair(t.Context(), "cave", state.KeepReplayed)
	if d, ok := errors.AsType[*state.RepairDifference](err); !ok || d.Version != 3 {
		t.Errorf("got %v", err)
	}
	if c := campaignOf(t, e); c.Version != 3 {
		t.Errorf("something was written: version %d", c.Version)
	}
	note, err := e.Repair(t.Context(), "cave", state.KeepLogged)
	if err != nil || note.From != 3 {
		t.Fatal(note, err)
	}
	wantSound(t, store, knocking(t, 1), nil, note)
}

// TestRebuildComparesTheWholeRecord: a record with the same change of the campaign but with a
// different trace is a difference.
func TestRebuildComparesTheWholeRecord(t *testing.T) {
	t.Parallel()
	store := knocked(t, 2, 99, nil)
	store.entry = func(e campaign.Entry) campaign.Entry {
		if e.Version != 3 {
			return e
		}
		rec, err := e.Record()
		if err != nil {
			t.Fatal(err)
		}
		rec.Turn.Trace.Warnings = append(rec.Turn.Trace.Warnings, "The door was painted.")
		if e, err = campaign.EntryOf(rec); err != nil {
			t.Fatal(err)
		}
		return e
	}
	_, err := engineOver(t, knocking(t, 1), store, 99, nil).Rebuild(t.Context(), "cave")
	if d, ok := errors.AsType[*state.RepairDifference](err); !ok || d.Version != 3 {
		t.Errorf("got %v", err)
	}
}

// TestRepairOfASnapshot: a snapshot that differs from the log is replaced, and so is a damaged one.
// A missing one is not an error (CA-55).
func TestRepairOfASnapshot(t *testing.T) {
	t.Parallel()
	store := knocked(t, 5, 6, nil)
	store.snapshot = func(s campaign.Saved) campaign.Saved {
		if s.SnapshotVersion == 6 {
			s.Snapshot = summed(bytes.Replace(s.Snapshot, []byte(`"knocks":5`), []byte(`"knocks":50`), 1))
		}
		return s
	}
	e := engineOver(t, knocking(t, 1), store, 99, nil)
	if got := knocks(campaignOf(t, e)); got != "50" {
		t.Fatalf("%s knocks", got)
	}
	_, err := e.Rebuild(t.Context(), "cave")
	if d, ok := errors.AsType[*state.RepairDifference](err); !ok || d.Path.String() != "state.variables.knocks" || d.Got != "5" || d.Want != "50" {
		t.Errorf("got %v", err)
	}
	note, err := e.Repair(t.Context(), "cave", state.KeepReplayed)
	if err != nil || note.Cause != state.CauseSnapshot || note.Keep != state.KeepLogged {
		t.Fatal(note, err)
	}
	if got := knocks(wantSound(t, store, knocking(t, 1), nil, note)); got != "5" {
		t.Errorf("%s knocks", got)
	}
	for reason, snapshot := range map[string][]byte{"missing": nil, "damaged": []byte(`{"layout":1,"camp`)} {
		store := knocked(t, 5, 6, nil)
		store.snapshot = func(s campaign.Saved) campaign.Saved {
			if s.SnapshotVersion != 6 {
				return s
			}
			if s.Snapshot = snapshot; snapshot == nil {
				s.SnapshotVersion = 0
				for e, err := range store.MemoryStore.Records(t.Context(), "cave", 0) {
					if err == nil && len(s.Entries) < int(e.Version) {
						s.Entries = append(s.Entries, e)
					}
				}
			}
			return s
		}
		e := engineOver(t, knocking(t, 1), store, 99, nil)
		if got := knocks(campaignOf(t, e)); got != "5" {
			t.Errorf("%s: %s knocks", reason, got)
		}
		note, err := e.Repair(t.Context(), "cave", state.KeepLogged)
		if err != nil || (note != nil) != (snapshot != nil) {
			t.Fatalf("%s: %v, %v", reason, note, err)
		}
		if note != nil {
			if note.Cause != state.CauseSnapshot || !strings.Contains(note.Detail, "checksum") {
				t.Errorf("%s: %s", reason, jsonOf(t, note))
			}
			wantSound(t, store, knocking(t, 1), nil, note)
		}
	}
}

// TestRepairRefuses: a correct campaign, an unknown one, or one without any readable record.
func TestRepairRefuses(t *testing.T) {
	t.Parallel()
	store := knocked(t, 2, 99, nil)
	e := engineOver(t, knocking(t, 1), store, 99, nil)
	if note, err := e.Repair(t.Context(), "cave", state.KeepReplayed); note != nil || err != nil {
		t.Errorf("a sound one: %v, %v", note, err)
	}
	if c := campaignOf(t, e); c.Version != 3 {
		t.Errorf("something was written: version %d", c.Version)
	}
	if _, err := e.Repair(t.Context(), "cave", "neither"); err == nil || !strings.Contains(err.Error(), `"neither"`) {
		t.Errorf("neither: %v", err)
	}
	if _, err := e.Repair(t.Context(), "nowhere", state.KeepLogged); !errors.Is(err, campaign.ErrNotFound) {
		t.Errorf("an unknown one: %v", err)
	}
	store.entry = wearing(1, half)
	if _, err := e.Repair(t.Context(), "cave", state.KeepLogged); err == nil {
		t.Error("one of which nothing is known was repaired")
	} else if d, ok := errors.AsType[*state.LogDamage](err); !ok || d.Version != 1 {
		t.Errorf("without a beginning: %v", err)
	}
}

// TestRepairIsFollowed: an engine with the campaign in memory continues with the repaired one.
func TestRepairIsFollowed(t *testing.T) {
	t.Parallel()
	store := knocked(t, 3, 99, nil)
	other := engineOver(t, knocking(t, 2), store, 99, nil, "Hush.", "Hush.")
	turnOf(t, other, turn.Submit{ActorID: "ren", Text: "I knock."}) // 5
	mender := engineOver(t, knocking(t, 2), store, 99, nil)
	if note, err := mender.Repair(t.Context(), "cave", state.KeepReplayed); err != nil || note == nil {
		t.Fatal(note, err)
	}
	if got := knocks(campaignOf(t, other)); got != "8" {
		t.Errorf("%s knocks", got)
	}
	turnOf(t, other, turn.Submit{ActorID: "ren", Text: "I knock."})
	if got := knocks(campaignOf(t, mender)); got != "10" {
		t.Errorf("%s knocks", got)
	}
	var versions []int64
	for p, err := range other.Handover(t.Context(), "cave", 1) {
		if err != nil {
			t.Fatal(err)
		}
		if f, ok := p.(campaign.Finished); ok {
			versions = append(versions, f.Outcome.Version)
		}
	}
	if !slices.Equal(versions, []int64{7}) {
		t.Errorf("handed over again are %v", versions)
	}
}

// A game was changed after it had been played. The logged state is kept.
func ExampleEngine_Repair() {
	ctx := context.Background()
	store := &campaign.MemoryStore{}
	play := func(by int64, texts ...string) *campaign.Engine {
		g, _ := game.Compile(game.Content{Rules: game.Rules{
			Variables: []rules.Variable{{ID: "knocks", Type: rules.TypeNumber}},
			Rules: []rules.Rule{{ID: "k", Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"knock"}},
				Actions: effect.Actions{effect.SetVariable{Path: "knocks", Operation: effect.Add, Value: tree.Int(by)}}}},
		}})
		e, _ := campaign.New(campaign.Config{Game: g, Store: store, Model: scripted(texts...)})
		return e
	}
	first := play(1, "Nobody answers.")
	_, _ = first.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{{ID: "ann", Name: "Ann"}}})
	_, _ = first.Turn(ctx, "mill", turn.Submit{ActorID: "ann", Text: "I knock."})

	changed := play(10)
	_, err := changed.Rebuild(ctx, "mill")
	if d, ok := errors.AsType[*state.RepairDifference](err); ok {
		fmt.Println(d.Version, d.Got, "not", d.Want)
	}
	note, err := changed.Repair(ctx, "mill", state.KeepLogged)
	fmt.Println(note.Cause, note.From, note.Version, err)
	_, err = changed.Rebuild(ctx, "mill")
	fmt.Println(err)
	// Output:
	// 2 10 not 1
	// drifted 2 3 <nil>
	// <nil>
}

// TestChangedBitsAreFound: a checksum covers each bit of a record and of a snapshot, also if the
// JSON stays valid and the log is not replayed. The error names the record. A damaged snapshot is
// replaced by the log (ST-01).
func TestChangedBitsAreFound(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	store := knocked(t, 3, 3, nil)
	e := engineOver(t, knocking(t, 1), store, 99, nil)
	if err := e.Check(t.Context(), "cave"); err != nil {
		t.Fatal(err)
	}
	sound := jsonOf(t, campaignOf(t, e))
	flips, version := 0, int64(0)
	flip := func(data []byte) []byte {
		data = bytes.Clone(data)
		at := flips * 7919 % (8 * len(data))
		data[at/8] ^= 1 << (at % 8)
		return data
	}
	store.entry = func(e campaign.Entry) campaign.Entry { return wearing(version, flip)(e) }
	for ; flips < 100; flips++ {
		version = int64(flips%4) + 1
		_, rebuilt := e.Rebuild(t.Context(), "cave")
		for what, err := range map[string]error{"check": e.Check(t.Context(), "cave"), "rebuild": rebuilt} {
			if d, ok := errors.AsType[*state.LogDamage](err); !ok || d.Version != version || !errors.Is(err, state.ErrChecksum) {
				t.Fatalf("%s: a bit of record %d: %v", what, version, err)
			}
		}
		_, err := engineOver(t, knocking(t, 1), store, 99, nil).Campaign(t.Context(), "cave")
		if d, ok := errors.AsType[*state.LogDamage](err); (version == 4) != ok || ok && d.Version != 4 {
			t.Fatalf("loaded with a bit of record %d: %v", version, err) // the others are in the snapshot
		}
	}
	store.entry = nil
	store.snapshot = func(s campaign.Saved) campaign.Saved {
		s.Snapshot = flip(s.Snapshot)
		return s
	}
	for ; flips < 160; flips++ {
		e := engineOver(t, knocking(t, 1), store, 99, nil)
		if got := jsonOf(t, campaignOf(t, e)); got != sound {
			t.Fatalf("a bit of the snapshot is played: %s", got)
		}
		err := e.Check(t.Context(), "cave")
		if d, ok := errors.AsType[*state.LogDamage](err); !ok || d.Version != 3 || !errors.Is(err, state.ErrSnapshot) {
			t.Fatalf("a bit of the snapshot: %v", err)
		}
	}
}

// TestSnapshotNewerThanItsLog: a snapshot that cannot be read proves that records are missing, if it
// is newer than the last record. The damage names the first missing record.
func TestSnapshotNewerThanItsLog(t *testing.T) {
	t.Parallel()
	store := knocked(t, 5, 6, nil)
	store.lost = 6
	store.snapshot = func(s campaign.Saved) campaign.Saved {
		s.Snapshot = half(s.Snapshot)
		return s
	}
	_, err := engineOver(t, knocking(t, 1), store, 99, nil).Campaign(t.Context(), "cave")
	if d, is := errors.AsType[*state.LogDamage](err); !is || d.Version != 6 || !errors.Is(err, state.ErrRecordMissing) {
		t.Errorf("got %v", err)
	}
}

// TestRepairOfAMissingEnd: the store lists records that it no longer returns. The repair does not
// reuse their versions (CA-55).
func TestRepairOfAMissingEnd(t *testing.T) {
	t.Parallel()
	store := knocked(t, 6, 99, nil)
	store.lost = 7
	e := engineOver(t, knocking(t, 1), store, 99, nil)
	if err := e.Check(t.Context(), "cave"); !errors.Is(err, state.ErrRecordMissing) {
		t.Errorf("check: %v", err)
	}
	note, err := e.Repair(t.Context(), "cave", state.KeepLogged)
	if err != nil || note == nil || note.Version != 8 || note.From != 7 || note.Reached != 6 {
		t.Fatal(jsonOf(t, note), err)
	}
	c := wantSound(t, store, knocking(t, 1), nil, note)
	if knocks(c) != "5" {
		t.Errorf("%s knocks", knocks(c))
	}
}

// away is a codec whose n-th opening of a snapshot fails.
type away struct {
	campaign.Codec
	err error
	n   int
}

func (a *away) Open(at campaign.Place, sealed []byte) ([]byte, error) {
	if at.Kind == "snapshot" {
		if a.n--; a.n == 0 {
			return nil, a.err
		}
	}
	return a.Codec.Open(at, sealed)
}

// TestRepairWithoutTheCodec: a codec that is not reachable for a moment is no damage. Other errors
// of the codec are.
func TestRepairWithoutTheCodec(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason string
		err    error
		damage bool
	}{
		{"the key server is gone", fmt.Errorf("no key: %w", campaign.ErrUnavailable), false},
		{"the bytes were changed", errors.New("wrong tag"), true},
	} {
		failed := false
		for n := 1; n <= 2; n++ { // the load, and the check of the snapshot
			store := knocked(t, 5, 6, campaign.Deflate())
			e := engineOver(t, knocking(t, 1), store, 99, &away{campaign.Deflate(), c.err, n})
			note, err := e.Repair(t.Context(), "cave", state.KeepLogged)
			failed = failed || err != nil || note != nil
			if c.damage && note != nil && (note.Cause != state.CauseSnapshot || !strings.Contains(note.Detail, "wrong tag")) {
				t.Errorf("%s: %s", c.reason, jsonOf(t, note))
			}
			if !c.damage && (note != nil || err != nil && !errors.Is(err, campaign.ErrUnavailable)) {
				t.Errorf("%s, opening %d: %s, %v", c.reason, n, jsonOf(t, note), err)
			}
		}
		if !failed {
			t.Errorf("%s: the repair does not notice", c.reason)
		}
	}
}

// busy is a store; others write to it after each load.
type busy struct {
	*campaign.MemoryStore
	write func()
}

func (b *busy) Load(ctx context.Context, id string) (campaign.Saved, error) {
	saved, err := b.MemoryStore.Load(ctx, id)
	b.write()
	return saved, err
}

// TestRebuildBesideAWriter: records that others write after the campaign was loaded are no
// difference.
func TestRebuildBesideAWriter(t *testing.T) {
	t.Parallel()
	store := knocked(t, 3, 99, nil).MemoryStore
	player := engineOver(t, knocking(t, 1), store, 99, nil, "Hush.", "Hush.")
	e := engineOver(t, knocking(t, 1), &busy{store, func() { turnOf(t, player, turn.Submit{ActorID: "ren", Text: "I knock."}) }}, 99, nil)
	c, err := e.Rebuild(t.Context(), "cave")
	if err != nil || c.Version != 4 || knocks(c) != "3" {
		t.Errorf("version %d with %s knocks, %v", c.Version, knocks(c), err)
	}
}
