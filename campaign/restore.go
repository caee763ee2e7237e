package campaign

import (
	"iter"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Restore returns the campaign that a store saved, by applying what its records
// changed. It needs no content: a campaign can be read even if the books and rules
// it was played with are gone. Nor does it read what the machine was told, so that
// instructions which only a newer version of this library knows are no obstacle.
//
// A snapshot of an older layout, or a damaged one, is an error: the log has all that it says, so give the
// entries from the first one on instead. An [Engine] does so.
//
// It takes time in proportion to what the records changed; the state is read once, at
// the end: see BenchmarkRestore.
func Restore(saved Saved) (state.Campaign, error) {
	var c state.Campaign
	if saved.Snapshot != nil {
		var err error
		if c, _, err = readSnapshot(saved.Snapshot); err != nil {
			return c, err
		}
	}
	return turn.Follow(c, func(yield func(turn.Record, error) bool) {
		for _, entry := range saved.Entries {
			if rec, err := entry.change(); !yield(rec, err) {
				return
			}
		}
	})
}

// Rebuild plays a whole log again, from its first record on, without a model, a
// store or a host: their answers are in the records.
//
//	rebuilt, err := campaign.Rebuild(game, store.Records(ctx, "greyhaven", 0))
//
// The result is equal to the campaign that was played, byte for byte; if a record turns
// out otherwise, the error wraps [turn.ErrDiverged] and names the first difference. The
// entries of an engine with a [Codec] have to be opened: see [Engine.Rebuild].
func Rebuild(g *game.Game, log iter.Seq2[Entry, error]) (state.Campaign, error) {
	return turn.Rebuild(g, Decoded(log))
}

// Decoded yields the records that the entries of a log hold, for what package turn reads logs
// with: [turn.ReadPast], [turn.Follow].
func Decoded(log iter.Seq2[Entry, error]) iter.Seq2[turn.Record, error] {
	return func(yield func(turn.Record, error) bool) {
		for entry, err := range log {
			var rec turn.Record
			if err == nil {
				rec, err = entry.Record()
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}
