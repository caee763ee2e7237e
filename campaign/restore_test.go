package campaign_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/testkit"
)

// TestRestoreKnowsNoInstructions: a record of an instruction that only a newer version has can be
// read and applied. A replay is an error that names the instruction.
func TestRestoreKnowsNoInstructions(t *testing.T) {
	t.Parallel()
	l := uncut(t)
	log := entries(t, l.records...)
	last := &log[len(log)-1]
	newer := strings.Replace(string(last.Data), `"inputs":[`, `"inputs":[{"input":"juggle","balls":3},`, 1)
	if newer == string(last.Data) {
		t.Fatal("the record has no inputs")
	}
	last.Data = summed([]byte(newer))
	c, err := campaign.Restore(campaign.Saved{Entries: log})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(l.bytes, jsonOf(t, c)); diff != "" {
		t.Errorf("restored another campaign (-want +got):\n%s", diff)
	}
	rec, err := last.Record()
	if err != nil || !slices.Equal(rec.Inputs.Unknown(), []string{"juggle"}) {
		t.Errorf("%v, unknown are %q", err, rec.Inputs.Unknown())
	}
	again := entries(t, rec)[0]
	if !bytes.Equal(again.Data, last.Data) {
		t.Error("written again it is another record")
	}
	_, err = campaign.Rebuild(l.game, listed(log))
	if u, ok := errors.AsType[*turn.Unplayable](err); !ok || u.Version != last.Version || !slices.Equal(u.Inputs, []string{"juggle"}) {
		t.Errorf("got %v", err)
	}
}

// TestRestoreKeepsUnknownMembers: members that a newer version has added to the state survive a
// restore by this version.
func TestRestoreKeepsUnknownMembers(t *testing.T) {
	t.Parallel()
	log := entries(t, uncut(t).records...)
	last := &log[len(log)-1]
	last.Data = summed([]byte(strings.Replace(string(last.Data), `"delta":[`,
		`"delta":[{"path":["state","weather"],"value":"fog"},{"path":["moon"],"value":{"phase":3}},`, 1)))
	c, err := campaign.Restore(campaign.Saved{Entries: log})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(c.State.Extra["weather"]) + string(c.Extra["moon"]); got != `"fog"{"phase":3}` {
		t.Errorf("unknown members are %s", got)
	}
}

// BenchmarkRestore reads the log of a saga. It would allocate several times as much if it decoded
// the state for each record.
func BenchmarkRestore(b *testing.B) {
	saved := campaign.Saved{Entries: entries(b, uncut(b).records...)}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := campaign.Restore(saved); err != nil {
			b.Fatal(err)
		}
	}
}

// TestRestoreReadsTheStateOnce: restoring a log allocates much less than restoring its records one
// by one.
func TestRestoreReadsTheStateOnce(t *testing.T) {
	if testkit.Race {
		t.Skip("the race detector allocates too")
	}
	log := entries(t, uncut(t).records...)
	restore := func(saved campaign.Saved) (c state.Campaign) {
		c, err := campaign.Restore(saved)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	whole := testing.AllocsPerRun(1, func() { restore(campaign.Saved{Entries: log}) })
	m := turn.NewMachine(uncut(t).game, state.Campaign{})
	single := testing.AllocsPerRun(1, func() {
		m = turn.NewMachine(uncut(t).game, state.Campaign{})
		for _, rec := range uncut(t).records {
			if err := m.Follow(rec); err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Logf("%.0f allocations for the log, %.0f for its %d records one by one", whole, single, len(log))
	if whole > single/2 {
		t.Errorf("%.0f allocations for the log, %.0f for its records one by one", whole, single)
	}
}
