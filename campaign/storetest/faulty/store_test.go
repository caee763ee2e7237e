package faulty_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memstore"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/storetest/faulty"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/campaign/world"
	"github.com/talewright/talewright/llm/llmtest"
)

// engine is one whose model has so many replies.
func engine(t testing.TB, store campaign.Store, replies int) *campaign.Engine {
	t.Helper()
	model := llmtest.NewScripted()
	for range replies {
		model.Add(llmtest.Text("Dust falls."))
	}
	g, problems := game.Compile(game.Content{})
	e, err := campaign.NewEngine(campaign.Config{Game: g, Store: store, Model: model})
	if err := errors.Join(problems.Err(), err); err != nil {
		t.Fatal(err)
	}
	return e
}

func cave() state.Setup {
	return state.Setup{
		ID: "cave", Map: world.Map{Areas: []world.Area{{ID: "hall", Name: "Hall"}}},
		Characters: []state.Character{{ID: "ren", Name: "Ren", AreaID: "hall", HP: state.HP{Current: 5, Max: 5}}},
	}
}

// keepOn calls until something other than a fault comes of it.
func keepOn(t testing.TB, call func() error) {
	t.Helper()
	for range 200 {
		switch err := call(); {
		case err == nil:
			return
		case !errors.Is(err, campaign.ErrUnavailable):
			t.Fatal(err)
		}
	}
	t.Fatal("it never comes through")
}

// TestTurnsOnAFaultyStore: whatever goes wrong, a host that says a line again with the same id until
// it is answered has played it once: nothing that was acknowledged is missing, nothing is there
// twice, and the log plays again to the same bytes: ST-02.
func TestTurnsOnAFaultyStore(t *testing.T) {
	t.Parallel()
	for seed := range int64(6) {
		sound := &memstore.Store{}
		store := &faulty.Store{Store: sound, Plan: faulty.Random(seed, 0.35)}
		e := engine(t, store, 2000)
		keepOn(t, func() error {
			_, err := e.Create(t.Context(), cave())
			if errors.Is(err, campaign.ErrExists) {
				return nil // the answer of the first call was lost
			}
			return err
		})
		var want []string
		for i := range 25 {
			line := turn.Submit{Text: fmt.Sprint("line ", i), ClientTurnID: fmt.Sprint("c", i)}
			keepOn(t, func() error {
				o, err := e.Turn(t.Context(), "cave", line)
				return errors.Join(err, o.Err())
			})
			want = append(want, line.Text)
		}
		c, err := engine(t, sound, 0).Rebuild(t.Context(), "cave")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, played := range c.Turns {
			got = append(got, played.UserInput)
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: played %q", seed, got)
		}
		if store.Wrong() < 10 {
			t.Errorf("seed %d: only %d calls went wrong", seed, store.Wrong())
		}
	}
}

// TestFaults shows each fault.
func TestFaults(t *testing.T) {
	errGone := errors.New("gone")
	entry := func(v int64) campaign.Entry {
		return campaign.Entry{Version: v, Kind: "turn", Data: fmt.Append(nil, v)}
	}
	for _, c := range []struct {
		reason  string
		fault   faulty.Fault
		want    error
		entries int // that are there after an Append of the third
		read    int // that Records yields
		whole   bool
	}{
		{"nothing", faulty.Fault{}, nil, 3, 3, true},
		{"before", faulty.Fault{Before: errGone}, errGone, 2, 0, false},
		{"waiting", faulty.Fault{Wait: func(context.Context) error { return errGone }}, errGone, 2, 0, false},
		{"after", faulty.Fault{After: errGone}, errGone, 3, 0, true},
		{"twice", faulty.Fault{Twice: true}, nil, 3, 3, true},
		{"torn", faulty.Fault{Torn: true}, nil, 3, 3, false},
		{"in the middle", faulty.Fault{Cut: 2, After: errGone}, errGone, 3, 2, true},
	} {
		inside := &memstore.Store{}
		var plan faulty.Fault
		var calls []faulty.Call
		s := &faulty.Store{Store: inside, Plan: func(call faulty.Call) faulty.Fault {
			calls = append(calls, call)
			return plan
		}}
		for v := range int64(2) {
			if err := s.Append(t.Context(), "a", entry(v+1), nil); err != nil {
				t.Fatal(err)
			}
		}
		plan = c.fault
		if err := s.Append(t.Context(), "a", entry(3), []byte("whole")); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.reason, err, c.want)
		}
		saved, err := inside.Load(t.Context(), "a")
		if err != nil || int(saved.SnapshotVersion)+len(saved.Entries) != c.entries || (saved.Snapshot != nil) != c.whole {
			t.Errorf("%s: %+v, %v", c.reason, saved, err)
		}
		if _, err := s.Load(t.Context(), "a"); !errors.Is(err, c.want) {
			t.Errorf("%s: Load: %v, want %v", c.reason, err, c.want)
		}
		read := 0
		var last error
		for _, err := range s.Records(t.Context(), "a", 0) {
			if last = err; err == nil {
				read++
			}
		}
		if read != c.read || !errors.Is(last, c.want) {
			t.Errorf("%s: %d entries, %v; want %d, %v", c.reason, read, last, c.read, c.want)
		}
		want := faulty.Call{N: 3, Op: faulty.Append, Campaign: "a", Version: 3}
		if len(calls) != 5 || calls[2] != want || calls[3].Op != faulty.Load || calls[4].Op != faulty.Records {
			t.Errorf("%s: %+v", c.reason, calls)
		}
		if wrong := s.Wrong(); (wrong == 0) != (c.reason == "nothing") {
			t.Errorf("%s: %d calls went wrong", c.reason, wrong)
		}
	}
}

func ExampleStore() {
	ctx := context.Background()
	lost := true
	store := &faulty.Store{Store: &memstore.Store{}, Plan: func(c faulty.Call) (f faulty.Fault) {
		if c.Op == faulty.Append && lost { // the first answer is lost on its way
			lost, f.After = false, faulty.ErrLost
		}
		return f
	}}
	entry := campaign.Entry{Version: 1, Kind: "create", Data: []byte("{}")}
	fmt.Println(store.Append(ctx, "mill", entry, nil))
	fmt.Println(store.Append(ctx, "mill", entry, nil))
	saved, err := store.Load(ctx, "mill")
	fmt.Println(len(saved.Entries), err)
	// Output:
	// the connection was lost: the store is unavailable
	// <nil>
	// 1 <nil>
}

func ExampleRandom() {
	plan := faulty.Random(7, 0.5)
	for n := range int64(4) {
		f := plan(faulty.Call{N: n + 1, Op: faulty.Load, Campaign: "mill"})
		fmt.Println(f.Before != nil, f.After != nil)
	}
	// Output:
	// false false
	// false true
	// true false
	// false true
}
