package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/storetest"
)

// TestFaults shows each fault of the store's log.
func TestFaults(t *testing.T) {
	errGone := errors.New("gone")
	entry := func(v int64) campaign.Entry {
		return campaign.Entry{Version: v, Kind: "turn", Data: fmt.Append(nil, v)}
	}
	for _, c := range []struct {
		reason  string
		fault   storetest.Fault
		want    error
		entries int // in the store after an Append of the third one
		read    int // entries that Records yields
		whole   bool
	}{
		{"nothing", storetest.Fault{}, nil, 3, 3, true},
		{"before", storetest.Fault{Before: errGone}, errGone, 2, 0, false},
		{"waiting", storetest.Fault{Wait: func(context.Context) error { return errGone }}, errGone, 2, 0, false},
		{"after", storetest.Fault{After: errGone}, errGone, 3, 0, true},
		{"twice", storetest.Fault{Twice: true}, nil, 3, 3, true},
		{"torn", storetest.Fault{Torn: true}, nil, 3, 3, false},
		{"in the middle", storetest.Fault{Cut: 2, After: errGone}, errGone, 3, 2, true},
	} {
		inside := &campaign.MemoryStore{}
		var plan storetest.Fault
		var calls []storetest.FaultCall
		s := &storetest.FaultyStore{Store: inside, Plan: func(call storetest.FaultCall) storetest.Fault {
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
		want := storetest.FaultCall{N: 3, Op: "append", Campaign: "a", Version: 3}
		if len(calls) != 5 || calls[2] != want || calls[3].Op != "load" || calls[4].Op != "records" {
			t.Errorf("%s: %+v", c.reason, calls)
		}
		if wrong := s.Wrong(); (wrong == 0) != (c.reason == "nothing") {
			t.Errorf("%s: %d calls went wrong", c.reason, wrong)
		}
	}
}

// TestFaultsOfACluster checks that calls for leases, answers and keys have the same faults as calls
// for the log.
func TestFaultsOfACluster(t *testing.T) {
	errGone := errors.New("gone")
	for _, c := range []struct {
		reason string
		fault  storetest.Fault
		want   error
		leases int64 // calls of Acquire in the store inside, by its fence
	}{
		{"nothing", storetest.Fault{}, nil, 1},
		{"before", storetest.Fault{Before: errGone}, errGone, 0},
		{"after", storetest.Fault{After: errGone}, errGone, 1},
		{"twice", storetest.Fault{Twice: true}, nil, 2},
	} {
		inside := &campaign.MemoryStore{}
		if err := inside.Append(t.Context(), "a", campaign.Entry{Version: 1, Key: "k"}, nil); err != nil {
			t.Fatal(err)
		}
		s := &storetest.FaultyCluster{Cluster: inside, Plan: func(storetest.FaultCall) storetest.Fault { return c.fault }}
		ctx := t.Context()
		fence, acquire := s.Acquire(ctx, "a", "us", time.Hour)
		mine, err := inside.Acquire(ctx, "a", "us", time.Hour)
		if err != nil || mine != c.leases+1 || acquire == nil && fence != c.leases {
			t.Errorf("%s: fence %d, then %d, %v", c.reason, fence, mine, err)
		}
		renew := s.Renew(ctx, "a", mine, time.Hour)
		save := s.SaveAnswer(ctx, "a", mine, "call", []byte("said"))
		said, ask := s.Answer(ctx, "a", "call")
		version, found := s.Find(ctx, "a", "k")
		if (ask == nil) != (string(said) == "said") || (found == nil) != (version == 1) {
			t.Errorf("%s: answer %q, version %d", c.reason, said, version)
		}
		for call, err := range map[string]error{"acquire": acquire, "renew": renew, "save answer": save, "answer": ask, "find": found,
			"release": s.Release(ctx, "a", mine)} {
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %s: %v, want %v", c.reason, call, err, c.want)
			}
		}
		held := inside.Renew(ctx, "a", mine, time.Hour)
		if gone := errors.Is(held, campaign.ErrLeaseLost); gone != (c.fault.Before == nil) {
			t.Errorf("%s: after the release: %v", c.reason, held)
		}
	}
}

// TestStoreIsSound checks that a store without a plan passes the tests for stores.
func TestStoreIsSound(t *testing.T) {
	for name, open := range map[string]func() campaign.Store{
		"store":   func() campaign.Store { return &storetest.FaultyStore{Store: &campaign.MemoryStore{}} },
		"cluster": func() campaign.Store { return &storetest.FaultyCluster{Cluster: &campaign.MemoryStore{}} },
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Run(t, func(*testing.T) campaign.Store { return open() }, storetest.Options{Forgets: true})
		})
	}
}

func ExampleFaultyStore() {
	ctx := context.Background()
	lost := true
	store := &storetest.FaultyStore{Store: &campaign.MemoryStore{}, Plan: func(c storetest.FaultCall) (f storetest.Fault) {
		if c.Op == "append" && lost { // the first answer is lost
			lost, f.After = false, storetest.ErrConnectionLost
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
