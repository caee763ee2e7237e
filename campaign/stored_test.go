package campaign_test

import (
	"iter"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/turn"
)

// entries are records as a store keeps them.
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

// logOf are records as a store yields them.
func logOf(t testing.TB, records ...turn.Record) iter.Seq2[campaign.Entry, error] {
	t.Helper()
	return listed(entries(t, records...))
}

// listed are entries as a store yields them.
func listed(list []campaign.Entry) iter.Seq2[campaign.Entry, error] {
	return func(yield func(campaign.Entry, error) bool) {
		for _, e := range list {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// recordsOf reads the records after a version out of a store.
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
