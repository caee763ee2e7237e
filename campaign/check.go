package campaign

import (
	"cmp"
	"context"
	"iter"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Rebuild replays the log of a campaign and compares the result with the stored campaign, byte for
// byte. It returns the rebuilt campaign.
//
// The error is a [*state.RepairDifference] with the first difference, which wraps
// [turn.ErrDiverged], or a [*state.LogDamage] with the first record that cannot be read.
// [Engine.Repair] repairs both. The error is a [*turn.Unplayable] if only a newer version can play
// the log.
func (e *Engine) Rebuild(ctx context.Context, id string) (_ state.Campaign, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	stored, err := e.archive.campaign(ctx, id)
	if err != nil {
		return state.Campaign{}, failedTo("load", id, err)
	}
	// Entries that a different writer has added since do not count as a difference.
	log := until(stored.Version, e.archive.store.Records(ctx, id, 0))
	if err := e.archive.checkEnd(ctx, id, stored.Version); err != nil {
		return stored, failedTo("rebuild", id, err)
	}
	rebuilt, err := turn.Rebuild(e.game(), readThroughDamage(log, 0, e.archive.decoder(id, Entry.Record)))
	if err != nil {
		return rebuilt, failedTo("rebuild", id, err)
	}
	return rebuilt, turn.Same(rebuilt, stored)
}

// Check reads all stored data of a campaign. It reports the first record that is missing or cannot
// be read, or a snapshot that cannot be used, as a [*state.LogDamage]. Damage that [Engine.Repair]
// has repaired is not reported. Every stored record has a checksum, so changed bytes are found.
// Check does not replay anything: unlike [Engine.Rebuild] it needs no content, and does not find
// records that give a different result with different content.
//
// Other errors are [turn.ErrNewerLayout], and errors of the codec and the store.
func (e *Engine) Check(ctx context.Context, id string) (err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	last := int64(0)
	for rec, err := range e.archive.records(ctx, id, 0) {
		if err != nil {
			return failedTo("check", id, err)
		}
		last = rec.Version
	}
	return failedTo("check", id, cmp.Or(e.archive.checkEnd(ctx, id, last), e.archive.checkSnapshot(ctx, id)))
}

// until ends a log at the given version.
func until(version int64, log iter.Seq2[Entry, error]) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for entry, err := range log {
			if !yield(entry, err) || entry.Version >= version {
				return
			}
		}
	}
}
