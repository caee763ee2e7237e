package campaign_test

import (
	"encoding/json"
	"iter"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/internal/openjson"
)

// entries returns records as entries of a store.
func entries(t testing.TB, records ...turn.Record) []campaign.Entry {
	t.Helper()
	var out []campaign.Entry
	for _, rec := range records {
		e, err := campaign.EntryOf(rec)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// logOf yields records like a store.
func logOf(t testing.TB, records ...turn.Record) iter.Seq2[campaign.Entry, error] {
	t.Helper()
	return listed(entries(t, records...))
}

// listed yields entries like a store.
func listed(list []campaign.Entry) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// recordsOf reads the records after a version from a store.
func recordsOf(t testing.TB, store campaign.Store, id string, after int64) []turn.Record {
	t.Helper()
	var out []turn.Record
	for e, err := range store.Records(t.Context(), id, after) {
		if err != nil {
			t.Fatal(err)
		}
		rec, err := e.Record()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, rec)
	}
	return out
}

// TestRecordsAreCompact: the JSON of records and campaigns is stored unchanged. So it must be as
// compact as the JSON of encoding/json, with any unknown members.
func TestRecordsAreCompact(t *testing.T) {
	t.Parallel()
	m := turn.NewMachine(uncut(t).game, state.Campaign{})
	extra := map[string]json.RawMessage{"later": json.RawMessage("{ \"a\" :\n[ 1 ] }")}
	check := func(what string, got []byte, err error) {
		t.Helper()
		compact, bad := openjson.Marshal(json.RawMessage(got))
		if err != nil || bad != nil || string(got) != string(compact) {
			t.Fatalf("%s: %v, %v\n%s", what, err, bad, got)
		}
	}
	for _, rec := range uncut(t).records {
		if err := m.Follow(rec); err != nil {
			t.Fatal(err)
		}
		if rec.Extra = extra; rec.Turn != nil {
			with := *rec.Turn
			with.Extra = extra
			rec.Turn = &with
		}
		entry, err := campaign.EntryOf(rec)
		check("record", entry.Data, err)
	}
	c := m.Campaign()
	c.Extra, c.State.Extra = extra, extra
	data, err := new(turnlog.Requirements).Snapshot(c)
	check("snapshot", data, err)
}

// BenchmarkEntryOf writes the record of a turn of a long game. This is most of the time that an
// engine with a store adds to the turn. It would take twice as long if long members were scanned
// again on every level.
func BenchmarkEntryOf(b *testing.B) {
	g := longGame(b)
	rec := *longTurn(b, longMachine(b, g, longCampaign(b, g, 10)), longWarm)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := campaign.EntryOf(rec); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSnapshot writes a campaign with a document of 175 KB and 200 turns.
func BenchmarkSnapshot(b *testing.B) {
	c := longCampaign(b, longGame(b), 200)
	b.ReportAllocs()
	for b.Loop() {
		data, err := new(turnlog.Requirements).Snapshot(c)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(data)))
	}
}

// TestRecordsWithoutAForm: a record or a campaign with a member that is no JSON has no stored form.
// An empty record would be damage.
func TestRecordsWithoutAForm(t *testing.T) {
	t.Parallel()
	broken := map[string]json.RawMessage{"later": json.RawMessage("{")}
	for what, rec := range map[string]turn.Record{
		"of the record": {Version: 2, Kind: turn.RecordTurn, Extra: broken},
		"of its turn":   {Version: 2, Kind: turn.RecordTurn, Turn: &state.Turn{ID: "turn_0001", Extra: broken}},
	} {
		if entry, err := campaign.EntryOf(rec); err == nil {
			t.Errorf("%s: %q", what, entry.Data)
		}
	}
	if data, err := new(turnlog.Requirements).Snapshot(state.Campaign{ID: "cave", Extra: broken}); err == nil {
		t.Errorf("snapshot: %q", data)
	}
}
