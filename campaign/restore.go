package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// EntryOf returns the entry of a record for a store. Data is JSON that begins with its layout and,
// if it is not the first, the behaviour that the record was played with, as "lib"; see
// [turn.Layout]. A text that occurs more than once is stored once, in the list "texts", and
// {"$text":0} refers to its first element. The last member, "sum", is the CRC-32C of all bytes
// before it. A record with unknown members of these names is an error.
func EntryOf(r turn.Record) (Entry, error) {
	data, err := turnlog.Write(r)
	if err != nil {
		return Entry{}, fmt.Errorf("campaign: record %d: %w", r.Version, err)
	}
	return entryWith(r, data), nil
}

// entryWith returns the entry of a record whose encoding is data.
func entryWith(r turn.Record, data []byte) Entry {
	e := Entry{Version: r.Version, Kind: string(r.Kind), At: r.At, Data: data}
	if r.Turn != nil {
		e.TurnID, e.Key = r.Turn.ID, turnlog.KeyOf(*r.Turn)
	}
	return e
}

// Record returns the record of an entry. The error wraps [state.ErrChecksum] if bytes have changed,
// and [turn.ErrNewerLayout] if the layout of the record is newer. An entry in the place of a
// different one is also an error.
func (e Entry) Record() (turn.Record, error) { return e.decodeBy(turnlog.Read) }

// change returns the record without its inputs, which are not needed to apply its changes.
func (e Entry) change() (turn.Record, error) { return e.decodeBy(turnlog.Change) }

// decodeBy decodes the data with a function of package turnlog, and compares the record with the
// other fields of the entry.
func (e Entry) decodeBy(decode func([]byte) (turn.Record, error)) (turn.Record, error) {
	r, err := decode(e.Data)
	if err == nil && (r.Version != e.Version || string(r.Kind) != e.Kind) {
		err = fmt.Errorf("it has record %d (%s)", r.Version, r.Kind)
	}
	if err != nil {
		return turn.Record{}, e.wrapError(err)
	}
	return r, nil
}

// turnIDs returns the IDs of the first and the last turn that the record adds, if any.
func (e Entry) turnIDs() (first, last string, err error) {
	if first, last, err = turnlog.TurnIDs(e.Data); err != nil {
		err = e.wrapError(err)
	}
	return first, last, err
}

// beginning returns the campaign that the record creates. It returns the zero Campaign if the record
// creates none, or cannot be read.
func (e Entry) beginning() (c state.Campaign) {
	if e.Kind == string(turn.RecordCreate) {
		if rec, err := e.change(); err == nil {
			c, _ = rec.Beginning()
		}
	}
	return c
}

// addRequirements adds to needs what a version of the library must know to replay the record.
func (e Entry) addRequirements(needs *turnlog.Requirements) error {
	if err := needs.AddRecord(e.Version, e.Data); err != nil {
		return e.wrapError(err)
	}
	return nil
}

// wrapError names the entry in an error.
func (e Entry) wrapError(err error) error {
	return fmt.Errorf("campaign: record %d (%s): %w", e.Version, e.Kind, err)
}

// Restore returns a saved campaign by applying the changes of its records. It needs no content: a
// campaign can be read even if the books and rules it was played with no longer exist. It does not
// read the inputs of the machine, so instructions that only a newer version of this library has are
// no obstacle.
//
// A damaged snapshot is an error that wraps [state.ErrSnapshot]. The log has all data of the
// snapshot, so pass the entries from the first one on instead, as an [Engine] does. A damaged
// record is a [*state.LogDamage].
//
// Restore takes time in proportion to the changes in the records. The state is decoded once, at the
// end: see BenchmarkRestore.
func Restore(saved Saved) (state.Campaign, error) {
	var c state.Campaign
	if saved.Snapshot != nil {
		var err error
		if c, _, err = turnlog.ReadSnapshot(saved.Snapshot); err != nil {
			return c, err
		}
	}
	return turn.Follow(c, readThroughDamage(listed(saved.Entries), c.Version, Entry.change))
}

// Rebuild replays a whole log, from its first record on, without a model, a store or a host: their
// answers are in the records.
//
//	rebuilt, err := campaign.Rebuild(game, store.Records(ctx, "greyhaven", 0))
//
// The result is equal to the played campaign, byte for byte. If a record gives a different result,
// the error wraps [turn.ErrDiverged] and names the first difference. The entries of an engine with
// a [Codec] must be opened first: see [Engine.Rebuild].
func Rebuild(g *game.Game, log iter.Seq2[Entry, error]) (state.Campaign, error) {
	return turn.Rebuild(g, readThroughDamage(log, 0, Entry.Record))
}

// Decoded yields the records of the entries of a log, for the functions of package turn that read
// logs: [turn.ReadPast], [turn.Follow]. For an entry that cannot be read it yields a record of the
// kind [turn.RecordLost] and, at the end, a [*state.LogDamage], unless a repair covers it. One such
// record replaces a whole run of missing entries.
func Decoded(log iter.Seq2[Entry, error]) iter.Seq2[turn.Record, error] {
	return readThroughDamage(log, unknownStart, Entry.Record)
}

// listed yields the values of a list.
func listed[T any](list []T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, one := range list {
			if !yield(one, nil) {
				return
			}
		}
	}
}

// unknownStart is the value of after in readThroughDamage for a log that begins with any entry.
const unknownStart = -1

// readThroughDamage yields the records of a log that begins after a version, decoded by decode. It
// yields a replacement for a damaged record, and one replacement for a gap in the log. The first
// damage that no repair covers is the error at the end.
func readThroughDamage(log iter.Seq2[Entry, error], after int64, decode func(Entry) (turn.Record, error)) iter.Seq2[turn.Record, error] {
	return func(yield func(turn.Record, error) bool) {
		var r damageReader
		for entry, err := range log {
			var rec turn.Record
			if err == nil && after != unknownStart && entry.Version > after+1 {
				rec, _ = r.replaceDamaged(Entry{Version: after + 1}, rec, state.ErrRecordMissing) // this error is damage
				if rec.Version = entry.Version - 1; !yield(rec, nil) {
					return
				}
			}
			if after = entry.Version; err == nil {
				rec, err = decode(entry)
				rec, err = r.replaceDamaged(entry, rec, err)
			}
			if !yield(rec, err) {
				return
			}
		}
		if r.damage != nil {
			yield(turn.Record{}, r.damage)
		}
	}
}

// damageReader replaces records that cannot be read, so that a reader of the log can continue.
type damageReader struct {
	damage *state.LogDamage // the first damage; nil again after a record that has repaired it
}

// replaceDamaged gets the record that was decoded from an entry, or the error. It returns the record.
// If the entry is damaged, it notes the damage and returns a record of the kind turn.RecordLost. It
// returns any other error.
func (r *damageReader) replaceDamaged(entry Entry, rec turn.Record, err error) (turn.Record, error) {
	if err == nil && rec.Kind == turn.RecordLost { // an export has replaced the record
		err = state.ErrRecordLost
	}
	switch {
	case err == nil:
		if n := rec.Repair; n != nil && r.damage != nil && n.From <= r.damage.Version {
			r.damage = nil
		}
		return rec, nil
	case !isDamage(err):
		return rec, err
	case r.damage == nil:
		r.damage = &state.LogDamage{Version: entry.Version, Err: err}
	}
	return turn.Record{Version: entry.Version, Kind: turn.RecordLost, At: entry.At}, nil
}

// isDamage reports whether an error of reading an entry means that the entry is damaged. A newer
// layout, an unreachable codec or store and the end of a context are not damage.
func isDamage(err error) bool {
	others := []error{turn.ErrNewerLayout, ErrUnavailable, context.Canceled, context.DeadlineExceeded}
	return !slices.ContainsFunc(others, func(other error) bool { return errors.Is(err, other) })
}
