package campaign_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

func engineOn(t *testing.T, store campaign.Store, texts ...string) *campaign.Engine {
	t.Helper()
	e, err := campaign.New(campaign.Config{Game: sagaGame(t), Store: store, Model: scripted(texts...)})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestSnapshotsThatCannotBeUsed: a snapshot that is damaged, or of a different campaign or version,
// is ignored; the log is read instead.
func TestSnapshotsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	store, log := later(t, 99, "Wind.", "Snow.")
	want := campaignOf(t, engineOn(t, store))
	other := want
	other.ID = "mill"
	foreign, err := new(turnlog.Requirements).Snapshot(other)
	if err != nil {
		t.Fatal(err)
	}
	good, err := new(turnlog.Requirements).Snapshot(want)
	if err != nil {
		t.Fatal(err)
	}
	with := func(snapshot []byte) *campaign.Engine {
		store := &campaign.MemoryStore{}
		for i, entry := range log {
			whole := snapshot
			if i < len(log)-1 {
				whole = nil
			}
			if err := store.Append(t.Context(), "cave", entry, whole); err != nil {
				t.Fatal(err)
			}
		}
		return engineOn(t, store, "Hail.")
	}
	for what, snapshot := range map[string][]byte{
		"cut off": []byte("{"), "a list": []byte("[]"), "without a checksum": []byte(`{"layout":1}`),
		"a text changed":        bytes.Replace(good, []byte("Snow."), []byte("Rain."), 1),
		"no campaign":           summed([]byte(`{"layout":1,"campaign":5}`)),
		"no inputs":             summed([]byte(`{"layout":1,"inputs":[5],"campaign":{}}`)),
		"of an earlier version": summed([]byte(`{"layout":1,"campaign":{"campaign_id":"cave","version":2}}`)),
		"of another campaign":   foreign,
	} {
		e := with(snapshot)
		if err := turn.Same(campaignOf(t, e), want); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		wantOutcome(t, turnOf(t, e, turn.Submit{ActorID: "ren", Text: "On."}), "completed turn_0003")
	}
	if _, err := with(summed([]byte(`{"layout":99,"campaign":{}}`))).Campaign(t.Context(), "cave"); !errors.Is(err, turn.ErrNewerLayout) || !strings.Contains(err.Error(), "campaign: snapshot: ") || errors.Is(err, state.ErrSnapshot) {
		t.Errorf("a snapshot of a newer layout: %v", err)
	}
}

// summed returns a stored object with the correct checksum, also if it had one before the change.
func summed(data []byte) []byte {
	const size = len(`,"sum":"00000000"}`)
	if bytes.Contains(data[max(len(data)-size, 0):], []byte(`"sum":`)) {
		data = append(data[:len(data)-size:len(data)-size], '}')
	}
	return turnlog.Sum(data)
}

// later returns the log of a campaign whose last record is from a newer version, made by replacing
// texts.
func later(t *testing.T, snapshotEvery int, replace ...string) (*campaign.MemoryStore, []campaign.Entry) {
	t.Helper()
	whole := &campaign.MemoryStore{}
	e := newEngine(t, campaign.Config{Game: sagaGame(t), Store: whole, Model: scripted("Rain.", "Wind."), SnapshotEvery: snapshotEvery})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "One."})
	turnOf(t, e, turn.Submit{ActorID: "ren", Text: "Two."})
	saved, err := whole.Load(t.Context(), "cave")
	if err != nil {
		t.Fatal(err)
	}
	edit := strings.NewReplacer(replace...)
	store := &campaign.MemoryStore{}
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
			entry.Data = summed(entry.Data)
		}
		if saved.Snapshot != nil && entry.Version == saved.SnapshotVersion {
			snapshot = summed([]byte(edit.Replace(string(saved.Snapshot))))
		}
		if err := store.Append(t.Context(), "cave", entry, snapshot); err != nil {
			t.Fatal(err)
		}
		log = append(log, entry)
	}
	return store, log
}

// TestPlayedByANewerVersion: a campaign that only a newer version can play is shown, exported and
// imported unchanged. It is not played, forked, rebuilt or delivered again, with and without a
// snapshot.
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
		{"a behaviour", []string{`{"layout":1,`, `{"layout":1,"lib":7,`}, nil},
	} {
		for _, every := range []int{3, 99} {
			if c.reason == "a member of an input" && every == 3 {
				continue // a snapshot has only the names
			}
			store, log := later(t, every, c.replace...)
			e := engineOn(t, store, "Snow.")
			if got := campaignOf(t, e); got.State.TurnCount != 2 || got.Turns[1].Text != "Wind." {
				t.Errorf("%s: %d turns are shown", c.reason, got.State.TurnCount)
			}
			_, err := e.Turn(t.Context(), "cave", turn.Submit{ActorID: "ren", Text: "Three."})
			u, ok := errors.AsType[*turn.Unplayable](err)
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
				if _, ok := errors.AsType[*turn.Unplayable](err); !ok {
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
			if _, ok := errors.AsType[*turn.Unplayable](err); !ok {
				t.Errorf("%s: imported it is played: %v", c.reason, err)
			}
		}
	}
}

// TestFollowedByANewerVersion: an engine with a campaign in memory stops playing it after a newer
// version has continued it.
func TestFollowedByANewerVersion(t *testing.T) {
	t.Parallel()
	whole, log := later(t, 99, `{"layout":1,`, `{"layout":1,"lib":7,`)
	store := &campaign.MemoryStore{}
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
		if u, ok := errors.AsType[*turn.Unplayable](err); !ok || u.Behaviour != 7 {
			t.Errorf("played: %v", err)
		}
	}
	if got, want := campaignOf(t, e), campaignOf(t, engineOn(t, whole)); turn.Same(got, want) != nil {
		t.Errorf("shown is version %d, want %d", got.Version, want.Version)
	}
}

// A campaign that a newer version has played can be shown and exported. It says why it cannot be
// played.
func ExampleEngine_Turn_unplayable() {
	err := error(&turn.Unplayable{Version: 12, Behaviour: 1, Inputs: []string{"juggle"}})
	if u, ok := errors.AsType[*turn.Unplayable](err); ok {
		fmt.Println(u.Inputs, err)
	}
	// Output: [juggle] record 12: unknown input ["juggle"]: a newer version of this library has played it: play it with that version
}
