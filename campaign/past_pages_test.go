package campaign_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/storetest"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/memvars/tree"
)

// shownOf returns the lines of a campaign, oldest first.
func shownOf(t *testing.T, e *campaign.Engine, id string, page state.HistoryPage) (lines []string) {
	t.Helper()
	for one, err := range e.History(t.Context(), id, page) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, one.ID+" "+one.UserInput)
	}
	slices.Reverse(lines)
	return lines
}

// wantLines returns the first lines of [longGone].
func wantLines(n int) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("%s I wait, line %d.", state.TurnID(i+1), i+1))
	}
	return lines
}

// wantSmallRecords checks that no record of a log has more turns than a page, except the turns of
// the head.
func wantSmallRecords(t *testing.T, store campaign.Store, c state.Campaign) {
	t.Helper()
	const most = 32
	for _, rec := range recordsOf(t, store, c.ID, 0) {
		n := len(rec.Turns)
		if rec.Kind == turn.RecordCreate {
			first, err := rec.Beginning()
			if err != nil {
				t.Fatal(err)
			}
			n = len(first.Turns) - first.TurnsHeld
		}
		if n > most {
			t.Errorf("record %d (%s) has %d turns beyond those of the head", rec.Version, rec.Kind, n)
		}
	}
}

// TestForkHasItsPastInPages (CA-51): the turns that a fork does not hold are in separate records, a
// few in each. The fork is read, changed, replayed, exported and forked like the original campaign.
func TestForkHasItsPastInPages(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 200)
	fork, err := e.Fork(t.Context(), "cave", "turn_0190", "fork")
	if err != nil || fork.Archive.First() < 3 || fork.Version != fork.Archive.First() {
		t.Fatalf("it begins with record %d of %d, %v", fork.Archive.First(), fork.Version, err)
	}
	wantSmallRecords(t, cfg.Store, fork)
	own := fresh(t, cfg)
	if got := shownOf(t, own, "fork", state.HistoryPage{}); !slices.Equal(got, wantLines(190)) {
		t.Errorf("it shows %q", got)
	}
	for _, n := range []int{2, 32, 33, 64, 65, 100, 190} {
		before := state.HistoryPage{Before: state.TurnID(n), Limit: 1}
		if got := shownOf(t, own, "fork", before); !slices.Equal(got, wantLines(n - 1)[n-2:]) {
			t.Errorf("before turn %d it shows %q", n, got)
		}
	}
	again := turn.Submit{Text: "I wait, line 40.", ClientTurnID: "c40"}
	if o, err := own.Turn(t.Context(), "fork", again); err != nil || !o.Replayed || o.Turn.ID != "turn_0040" {
		t.Errorf("what was played in a page is played again: %+v, %v", o, err)
	}
	if _, err := own.Do(t.Context(), "fork", turn.EditText{TurnID: "turn_0040", Text: "It was still."}); err != nil {
		t.Error(err)
	}
	if o, err := own.Turn(t.Context(), "fork", turn.Submit{Text: "I go on.", ClientTurnID: "cm0pdof"}); err != nil || o.Replayed || o.Turn.ID != "turn_0191" {
		t.Errorf("it goes on: %+v, %v", o, err)
	}
	if _, err := own.Do(t.Context(), "fork", turn.RollBack{To: state.StartTurnID}); err != nil {
		t.Error(err)
	}
	if _, err := own.Do(t.Context(), "fork", turn.UndoRollBack{}); err != nil {
		t.Error(err)
	}
	if between, err := own.Compare(t.Context(), "fork", state.HistorySpan{A: "turn_0190", B: "turn_0191"}); err != nil || len(between.B) != 1 {
		t.Errorf("%d turns lie between, %v", len(between.B), err)
	}
	if _, err := own.Compare(t.Context(), "fork", state.HistorySpan{A: "turn_0020", B: "turn_0191"}); !isRefused(err, state.CheckpointNotFound, `the state after turn_0020 is not known: the campaign began with that turn`) {
		t.Errorf("the state after a turn that was played elsewhere: %v", err)
	}
	if r, err := own.Report(t.Context(), "fork", "turn_0040"); err != nil || !strings.Contains(r.String(), "the turn was played before the campaign began here") {
		t.Errorf("a report on it: %v, %s", err, r)
	}
	for p, err := range own.Handover(t.Context(), "fork", 0) {
		if err != nil {
			t.Errorf("handed over: %v, %v", p, err)
		}
	}
	if _, err := fresh(t, cfg).Fork(t.Context(), "fork", "turn_0191", "second"); err != nil {
		t.Fatal(err)
	}
	want := append(wantLines(190), "turn_0191 I go on.")
	if got := shownOf(t, own, "second", state.HistoryPage{}); !slices.Equal(got, want) {
		t.Errorf("a fork of it shows %q", got)
	}
	for _, id := range []string{"fork", "second"} {
		if _, err := fresh(t, cfg).Rebuild(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	var first, second bytes.Buffer
	if err := own.Export(t.Context(), "fork", &first); err != nil {
		t.Fatal(err)
	}
	elsewhere := cfg
	elsewhere.Store = &campaign.MemoryStore{}
	if _, err := fresh(t, elsewhere).Import(t.Context(), bytes.NewReader(first.Bytes())); err != nil {
		t.Fatal(err)
	}
	if err := fresh(t, elsewhere).Export(t.Context(), "fork", &second); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Errorf("exported again it is another: %v", err)
	}
	if got := shownOf(t, fresh(t, elsewhere), "fork", state.HistoryPage{Before: "turn_0050"}); !slices.Equal(got, wantLines(49)) {
		t.Errorf("elsewhere it shows %q", got)
	}
}

// TestForkReadsItsPastByPages: reading far back in a fork reads a few of its pages.
func TestForkReadsItsPastByPages(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 500)
	if _, err := e.Fork(t.Context(), "cave", "turn_0500", "fork"); err != nil {
		t.Fatal(err)
	}
	counted := &countingStore{MemoryStore: cfg.Store.(*campaign.MemoryStore)}
	cfg.Store = counted
	own := fresh(t, cfg)
	for _, n := range []int{3, 100, 250, 400} {
		counted.read = 0
		if got := shownOf(t, own, "fork", state.HistoryPage{Before: state.TurnID(n), Limit: 1}); !slices.Equal(got, wantLines(n - 1)[n-2:]) {
			t.Errorf("before turn %d it shows %q", n, got)
		}
		if counted.read > 24 {
			t.Errorf("%d records were read for turn %d", counted.read, n)
		}
	}
}

// TestForkBrokenOff: a fork that is interrupted at any record does not exist. A repeated Fork
// completes it, and a different campaign does not mix with it.
func TestForkBrokenOff(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	_, cfg := longGone(t, campaign.Config{}, 160)
	errGone := errors.New("gone")
	sound, done := cfg.Store, false
	for broken := int64(1); !done; broken++ {
		id := fmt.Sprint("fork", broken)
		cfg.Store = &storetest.FaultyStore{Store: sound, Plan: func(c storetest.FaultCall) (f storetest.Fault) {
			if c.Op == "append" && c.Version == broken {
				f.Before = errGone
			}
			return f
		}}
		_, err := fresh(t, cfg).Fork(t.Context(), "cave", "turn_0160", id)
		if done = err == nil; done {
			if broken < 3 {
				t.Error("it has no pages")
			}
			break
		}
		if cfg.Store = sound; !errors.Is(err, errGone) {
			t.Fatal(err)
		}
		own := fresh(t, cfg)
		_, read := own.Campaign(t.Context(), id)
		_, played := own.Turn(t.Context(), id, turn.Submit{Text: "I wait."})
		_, rebuilt := own.Rebuild(t.Context(), id)
		for what, err := range map[string]error{"read": read, "played": played, "rebuilt": rebuilt,
			"exported": own.Export(t.Context(), id, new(bytes.Buffer))} {
			if !errors.Is(err, campaign.ErrNotFound) {
				t.Errorf("%s after record %d: %v, want ErrNotFound", what, broken-1, err)
			}
		}
		if broken > 1 {
			if _, err := own.Fork(t.Context(), "cave", "turn_0020", id); !errors.Is(err, campaign.ErrExists) {
				t.Errorf("another fork of that id: %v, want ErrExists", err)
			}
		}
		if _, err := own.Fork(t.Context(), "cave", "turn_0160", id); err != nil {
			t.Fatal(err)
		}
		if got := shownOf(t, own, id, state.HistoryPage{}); !slices.Equal(got, wantLines(160)) {
			t.Errorf("broken off at record %d and made again it shows %q", broken, got)
		}
		if _, err := own.Rebuild(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
}

// TestLongPastIsTakenOver: a campaign that begins with many turns, such as an imported one, stores
// them in pages too. So its head is small from the first turn on.
func TestLongPastIsTakenOver(t *testing.T) {
	t.Parallel()
	cfg := campaign.Config{Game: compile(t, game.Content{}), Store: &campaign.MemoryStore{}, Model: replying("Dust falls.")}
	s := cave(t)
	s.Settings = map[string]tree.Value{"context.full_context_enabled": tree.Bool(false)}
	for i := range 300 {
		s.Turns = append(s.Turns, state.Turn{UserInput: fmt.Sprintf("I wait, line %d.", i+1), Text: "Dust.", ActorID: "ren"})
	}
	s.Turns = append(s.Turns, state.Turn{UserInput: "I wait, line 300.", Text: "Mud.", ActorID: "ren", AlternativeOf: "x"})
	c, err := fresh(t, cfg).Create(t.Context(), s)
	if err != nil || c.Archive.First() < 4 {
		t.Fatalf("it begins with record %d, %v", c.Archive.First(), err)
	}
	wantSmallRecords(t, cfg.Store, c)
	own := fresh(t, cfg)
	if got := shownOf(t, own, "cave", state.HistoryPage{}); len(got) != 300 || !slices.Equal(got[:299], wantLines(299)) {
		t.Errorf("it shows %q", got)
	}
	if _, err := own.Do(t.Context(), "cave", turn.Choose{TurnID: "turn_0300"}); err != nil {
		t.Errorf("the other answer to the last line: %v", err)
	}
	if o, err := own.Turn(t.Context(), "cave", turn.Submit{Text: "I go on."}); err != nil || o.Turn == nil || o.Turn.ID != "turn_0302" {
		t.Errorf("it goes on: %+v, %v", o, err)
	}
	if _, err := own.Do(t.Context(), "cave", turn.RollBack{To: "turn_0300"}); err != nil {
		t.Error(err)
	}
	if _, err := fresh(t, cfg).Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
}

// TestPastInTheFirstRecord: a log whose first record has all earlier turns, the older form of a
// fork, can still be read.
func TestPastInTheFirstRecord(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 150)
	fork, err := e.Fork(t.Context(), "cave", "turn_0150", "fork")
	if err != nil {
		t.Fatal(err)
	}
	var first turn.Record
	var turns []state.Turn
	for _, rec := range recordsOf(t, cfg.Store, "fork", 0) {
		turns = append(turns, rec.Turns...)
		first = rec
	}
	begun, err := first.Beginning()
	if err != nil {
		t.Fatal(err)
	}
	begun.Turns, begun.Version, begun.Archive.Began, begun.ID = append(turns, begun.Turns...), 1, 0, "old"
	first.Version = 1
	if first.Campaign, err = json.Marshal(begun); err != nil {
		t.Fatal(err)
	}
	if err := cfg.Store.Append(t.Context(), "old", entries(t, first)[0], nil); err != nil {
		t.Fatal(err)
	}
	own := fresh(t, cfg)
	if got := shownOf(t, own, "old", state.HistoryPage{}); !slices.Equal(got, wantLines(150)) {
		t.Errorf("it shows %q", got)
	}
	for _, id := range []string{"old", "fork"} {
		if o, err := own.Turn(t.Context(), id, turn.Submit{Text: "I go on."}); err != nil || o.Turn.ID != "turn_0151" {
			t.Errorf("it goes on: %+v, %v", o, err)
		}
		if _, err := own.Do(t.Context(), id, turn.RollBack{To: "turn_0149"}); err != nil {
			t.Error(err)
		}
		if _, err := own.Rebuild(t.Context(), id); err != nil {
			t.Error(err)
		}
	}
	old, err := own.Campaign(t.Context(), "old")
	if err != nil || old.Archive.First() != 1 || fork.Archive.First() == 1 {
		t.Errorf("it begins with record %d, %v", old.Archive.First(), err)
	}
}

// TestDamagedPageIsRepaired (CA-55): if a page of the past cannot be read, the campaign can still
// be played. A repair gives the turns of the page a place without a text.
func TestDamagedPageIsRepaired(t *testing.T) {
	testkit.WithoutRace(t)
	t.Parallel()
	e, cfg := longGone(t, campaign.Config{}, 160)
	fork, err := e.Fork(t.Context(), "cave", "turn_0160", "fork")
	if err != nil || fork.Archive.First() < 3 {
		t.Fatal(fork.Archive.First(), err)
	}
	sound := cfg.Store
	cfg.Store = &campaign.MemoryStore{}
	for entry, err := range sound.Records(t.Context(), "fork", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if entry.Version == 2 {
			entry.Data = entry.Data[:100]
		}
		if err := cfg.Store.Append(t.Context(), "fork", entry, nil); err != nil {
			t.Fatal(err)
		}
	}
	own := fresh(t, cfg)
	wantDamage := func(err error) {
		t.Helper()
		if d, ok := errors.AsType[*state.LogDamage](err); !ok || d.Version != 2 {
			t.Errorf("got %v, want damage of record 2", err)
		}
	}
	_, err = own.Rebuild(t.Context(), "fork")
	wantDamage(err)
	note, err := own.Repair(t.Context(), "fork", state.KeepLogged)
	if err != nil || note == nil || note.From != 2 {
		t.Fatalf("%+v, %v", note, err)
	}
	lines := wantLines(160)
	for i := 32; i < 64; i++ {
		lines[i] = state.TurnID(i+1) + " "
	}
	if got := shownOf(t, own, "fork", state.HistoryPage{}); !slices.Equal(got, lines) {
		t.Errorf("it shows %q", got)
	}
	if o, err := own.Turn(t.Context(), "fork", turn.Submit{Text: "I go on."}); err != nil || o.Turn == nil || o.Turn.ID != "turn_0161" {
		t.Errorf("it goes on: %+v, %v", o, err)
	}
	if _, err := fresh(t, cfg).Rebuild(t.Context(), "fork"); err != nil {
		t.Error(err)
	}
	var file bytes.Buffer
	if err := own.Export(t.Context(), "fork", &file); err != nil {
		t.Fatal(err)
	}
	cfg.Store = &campaign.MemoryStore{}
	if _, err := fresh(t, cfg).Import(t.Context(), &file); err != nil {
		t.Error(err)
	}
}
