package campaign_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/layout"
	"github.com/talewright/talewright/campaign/memstore"
	"github.com/talewright/talewright/campaign/turn"
)

// oldStore holds the first records of the log of layout 1, and its last snapshot if it is asked for.
func oldStore(t *testing.T, records int, snapshot bool) (*memstore.Store, []campaign.Entry) {
	t.Helper()
	data, err := os.ReadFile("testdata/logs/layout_1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	log := entriesOf(t, data)[:records]
	store := &memstore.Store{}
	for i, entry := range log {
		var whole []byte
		if snapshot && i == len(log)-1 {
			if whole, err = os.ReadFile("testdata/logs/layout_1.campaign.json"); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.Append(t.Context(), "cave", entry, whole); err != nil {
			t.Fatal(err)
		}
	}
	return store, log
}

func engineOn(t *testing.T, store campaign.Store, texts ...string) *campaign.Engine {
	t.Helper()
	e, err := campaign.NewEngine(campaign.Config{Game: sagaGame(t), Store: store, Model: scripted(texts...)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestCampaignsOfOldArePlayedOn: a campaign whose log is of layout 1 goes on where it stood. Its checkpoints
// and branches lead to the states of then, its turns are found, and what is played on it is rebuilt.
func TestCampaignsOfOldArePlayedOn(t *testing.T) {
	t.Parallel()
	store, log := oldStore(t, 32, false)
	at := func(records int) any {
		c, err := campaign.Restore(campaign.Saved{Entries: log[:records]})
		if err != nil {
			t.Fatal(err)
		}
		return asJSON(t, c.State)
	}
	e := engineOn(t, store, "Fog.", "Hail.", "Snow.", "Rain.")
	wantState := func(what string, want any) {
		t.Helper()
		if diff := cmp.Diff(want, asJSON(t, campaignOf(t, e).State)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	before := asJSON(t, campaignOf(t, e).State)
	do(t, e, turn.RollBack{To: "turn_0009"})
	wantState("the checkpoint of turn 9", at(18))
	do(t, e, turn.UndoRollBack{})
	wantState("back again", before)
	do(t, e, turn.SwitchBranch{BranchID: "branch_1"})
	wantState("the other branch", at(26))
	wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "ren", Text: "I look round."}), "completed turn_0014")
	do(t, e, turn.SwitchBranch{BranchID: "main"})
	wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "mei", Text: "I wait."}), "completed turn_0015")
	c := campaignOf(t, e)
	if got := c.Newest(c.State.HeadTurnID, 3); !slices.Equal(got, []string{"turn_0012", "turn_0013", "turn_0015"}) {
		t.Errorf("the newest turns are %v", got)
	}
	if _, err := e.Rebuild(t.Context(), "cave"); err != nil {
		t.Error(err)
	}
	if err := turn.Same(campaignOf(t, engineOn(t, store)), c); err != nil {
		t.Errorf("read again: %v", err)
	}
	fork, err := e.Fork(t.Context(), "cave", "turn_0011", "fork")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(at(25), asJSON(t, fork.State)); diff != "" {
		t.Errorf("the fork (-want +got):\n%s", diff)
	}
}

// TestSnapshotsOfOldAreLeftAside: a snapshot of layout 1, one that is damaged and one in another's place are
// not read; the log is.
func TestSnapshotsOfOldAreLeftAside(t *testing.T) {
	t.Parallel()
	store, log := oldStore(t, 33, true)
	want, err := campaign.Restore(campaign.Saved{Entries: log})
	if err != nil {
		t.Fatal(err)
	}
	if err := turn.Same(campaignOf(t, engineOn(t, store)), want); err != nil {
		t.Error(err)
	}
	for _, snapshot := range []string{"{", "[]", `{"layout":1}`, `{"layout":2,"campaign":5}`, `{"layout":2,"inputs":[5],"campaign":{}}`,
		`{"layout":2,"campaign":{"campaign_id":"cave","version":7}}`} {
		store, _ := oldStore(t, 32, false)
		if err := store.Append(t.Context(), "cave", log[32], []byte(snapshot)); err != nil {
			t.Fatal(err)
		}
		if err := turn.Same(campaignOf(t, engineOn(t, store)), want); err != nil {
			t.Errorf("%s: %v", snapshot, err)
		}
	}
	store, _ = oldStore(t, 32, false)
	if err := store.Append(t.Context(), "cave", log[32], []byte(`{"layout":99,"campaign":{}}`)); err != nil {
		t.Fatal(err)
	}
	if _, err := engineOn(t, store).Campaign(t.Context(), "cave"); !errors.Is(err, layout.ErrNewer) {
		t.Errorf("a snapshot of a newer layout: %v", err)
	}
}

// later is the log of a campaign whose last record a newer version wrote, changed by replacing texts.
func later(t *testing.T, snapshotEvery int, replace ...string) (*memstore.Store, []campaign.Entry) {
	t.Helper()
	whole := &memstore.Store{}
	e := newEngine(t, campaign.Config{Game: sagaGame(t), Store: whole, Model: scripted("Rain.", "Wind."), SnapshotEvery: snapshotEvery})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "One."})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Two."})
	saved, err := whole.Load(t.Context(), "cave")
	if err != nil {
		t.Fatal(err)
	}
	edit := strings.NewReplacer(replace...)
	store := &memstore.Store{}
	var log []campaign.Entry
	for entry, err := range whole.Records(t.Context(), "cave", 0) {
		if err != nil {
			t.Fatal(err)
		}
		var snapshot []byte
		if entry.Version == 3 {
			before := string(entry.Data)
			if entry.Data = []byte(edit.Replace(before)); string(entry.Data) == before {
				t.Fatalf("nothing was replaced in %s", before)
			}
		}
		if saved.Snapshot != nil && entry.Version == saved.SnapshotVersion {
			snapshot = []byte(edit.Replace(string(saved.Snapshot)))
		}
		if err := store.Append(t.Context(), "cave", entry, snapshot); err != nil {
			t.Fatal(err)
		}
		log = append(log, entry)
	}
	return store, log
}

// TestPlayedByANewerVersion: what only a newer version knows is shown, exported and imported as it is, and
// is not played, forked, rebuilt or handed over, with and without a snapshot.
func TestPlayedByANewerVersion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason  string
		replace []string
		inputs  []string
	}{
		{"an input", []string{`"inputs":[{"input":"submit"`, `"inputs":[{"input":"juggle","balls":3},{"input":"submit"`,
			`"inputs":[`, `"inputs":["juggle",`}, []string{"juggle"}},
		{"a member of an input", []string{`{"input":"submit",`, `{"input":"submit","weather":"fog",`}, []string{"submit.weather"}},
		{"a behaviour", []string{`{"layout":2,`, `{"layout":2,"lib":7,`}, nil},
	} {
		for _, every := range []int{3, 99} {
			if c.reason == "a member of an input" && every == 3 {
				continue // a snapshot has the names alone
			}
			store, log := later(t, every, c.replace...)
			e := engineOn(t, store, "Snow.")
			if got := campaignOf(t, e); got.State.TurnCount != 2 || got.Turns[1].Text != "Wind." {
				t.Errorf("%s: %d turns are shown", c.reason, got.State.TurnCount)
			}
			_, err := e.Turn(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "Three."})
			u, ok := errors.AsType[*layout.Unplayable](err)
			if !ok || u.Version != 3 || !slices.Equal(u.Inputs, c.inputs) || c.inputs == nil && u.Behaviour != 7 {
				t.Errorf("%s, a snapshot every %d: played: %v", c.reason, every, err)
			}
			_, rebuilt := e.Rebuild(t.Context(), "cave")
			_, forked := e.Fork(t.Context(), "cave", "turn_0001", "fork")
			_, explained := e.Explain(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "Three."}, "Snow.")
			var handed error
			for _, handed = range e.Handover(t.Context(), "cave", 1) {
			}
			for what, err := range map[string]error{"rebuilt": rebuilt, "forked": forked, "explained": explained, "handed over": handed} {
				if _, ok := errors.AsType[*layout.Unplayable](err); !ok {
					t.Errorf("%s: %s: %v", c.reason, what, err)
				}
			}
			data := export(t, e)
			if !bytes.Contains(data, log[2].Data) {
				t.Errorf("%s: not exported as it is", c.reason)
			}
			other, _ := moved(t, nil, "Snow.")
			if _, err := other.Import(t.Context(), bytes.NewReader(data)); err != nil {
				t.Fatal(err)
			}
			if again := export(t, other); !bytes.Equal(again, data) {
				t.Errorf("%s: imported as something else", c.reason)
			}
			_, err = other.Turn(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "Three."})
			if _, ok := errors.AsType[*layout.Unplayable](err); !ok {
				t.Errorf("%s: imported it is played: %v", c.reason, err)
			}
		}
	}
}

// TestFollowedByANewerVersion: an engine that has a campaign in memory stops playing it where a newer version
// has gone on.
func TestFollowedByANewerVersion(t *testing.T) {
	t.Parallel()
	whole, log := later(t, 99, `{"layout":2,`, `{"layout":2,"lib":7,`)
	store := &memstore.Store{}
	for _, entry := range log[:2] {
		if err := store.Append(t.Context(), "cave", entry, nil); err != nil {
			t.Fatal(err)
		}
	}
	e := engineOn(t, store, "Snow.")
	if _, err := e.Do(t.Context(), "cave", turn.RollBack{To: "turn_0099"}); err == nil { // now the campaign is in memory
		t.Fatal("rolled back")
	}
	if err := store.Append(t.Context(), "cave", log[2], nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := e.Turn(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "Three."})
		if u, ok := errors.AsType[*layout.Unplayable](err); !ok || u.Behaviour != 7 {
			t.Errorf("played: %v", err)
		}
	}
	if got, want := campaignOf(t, e), campaignOf(t, engineOn(t, whole)); turn.Same(got, want) != nil {
		t.Errorf("shown is version %d, want %d", got.Version, want.Version)
	}
}

// TestOlderVersionBehindANewerOne: a record of layout 1 behind one of layout 2 is refused, it cannot be read
// on what came before.
func TestOlderVersionBehindANewerOne(t *testing.T) {
	t.Parallel()
	_, log := later(t, 99, "Wind.", "Snow.")
	log[2].Data = []byte(strings.Replace(string(log[2].Data), `{"layout":2`, `{"layout":1`, 1))
	if _, err := campaign.Restore(campaign.Saved{Entries: log}); !errors.Is(err, layout.ErrOlder) {
		t.Errorf("got %v", err)
	}
}

// What a newer version has played can be shown and exported, and says why it is not played.
func ExampleEngine_Turn_unplayable() {
	err := error(&layout.Unplayable{Version: 12, Behaviour: 1, Inputs: []string{"juggle"}})
	if u, ok := errors.AsType[*layout.Unplayable](err); ok {
		fmt.Println(u.Inputs, err)
	}
	// Output: [juggle] record 12: unknown input ["juggle"]: a newer version of this library has played it: play it with that version
}
