package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// archive stores and reads records and campaigns in a store of bytes.
type archive struct {
	store Store
	codec Codec // nil: no codec
}

// placeKindSnapshot is the kind of the [Place] of a snapshot.
const placeKindSnapshot = "snapshot"

// append writes a record, and the snapshot unless it is nil. fence is the fence of the lease, or 0.
func (a archive) append(ctx context.Context, id string, rec turn.Record, snapshot []byte, fence int64) error {
	entry, err := EntryOf(rec)
	if err != nil {
		return err
	}
	entry.Fence = fence
	return a.sealAndWrite(ctx, id, entry, snapshot)
}

// sealAndWrite seals an entry and a snapshot, and writes them.
func (a archive) sealAndWrite(ctx context.Context, id string, entry Entry, snapshot []byte) (err error) {
	at := Place{id, entry.Version, entry.Kind}
	if entry.Data, err = a.seal(at, entry.Data); err == nil && snapshot != nil {
		at.Kind = placeKindSnapshot
		snapshot, err = a.seal(at, snapshot)
	}
	if err != nil {
		return fmt.Errorf("seal %s: %w", at, err)
	}
	return a.writeSealed(ctx, id, entry, snapshot)
}

// seal returns data as it is stored at a place: sealed by the codec, if there is one.
func (a archive) seal(at Place, data []byte) ([]byte, error) {
	if a.codec == nil {
		return data, nil
	}
	return a.codec.Seal(at, data)
}

// unseal is the inverse of seal.
func (a archive) unseal(at Place, data []byte) ([]byte, error) {
	if a.codec == nil {
		return data, nil
	}
	return a.codec.Open(at, data)
}

// writeSealed appends an entry. After an error it checks whether the entry was written: a connection
// may break after the write. If the entry is missing and the store was unavailable, writeSealed
// appends it once more.
func (a archive) writeSealed(ctx context.Context, id string, entry Entry, snapshot []byte) error {
	for try := 1; ; try++ {
		err := a.store.Append(ctx, id, entry, snapshot)
		if err == nil {
			return nil
		}
		stored, found, readErr := a.entry(ctx, id, entry.Version)
		switch {
		case readErr != nil:
			return err // it is not known whether the entry was written
		case stored.Same(entry):
			return nil
		case found && !errors.Is(err, ErrVersionConflict):
			return fmt.Errorf("%w: %w", ErrVersionConflict, err)
		case found || try == 2 || !errors.Is(err, ErrUnavailable):
			return err
		}
	}
}

// entry reads the stored entry of a version, still sealed.
func (a archive) entry(ctx context.Context, id string, version int64) (e Entry, found bool, err error) {
	for e, err := range a.store.Records(ctx, id, version-1) {
		if errors.Is(err, ErrNotFound) {
			break // the log has no entry yet
		}
		return e, err == nil && e.Version == version, err
	}
	return e, false, nil
}

// record reads the record of a version. The error wraps [ErrNotFound] if there is no such record.
func (a archive) record(ctx context.Context, id string, version int64) (turn.Record, error) {
	for rec, err := range a.records(ctx, id, version-1) {
		if rec.Kind == turn.RecordLost {
			err = &state.LogDamage{Version: version, Err: state.ErrRecordLost}
		}
		return rec, err
	}
	return turn.Record{}, fmt.Errorf("%w: no record %d", ErrNotFound, version)
}

// records yields the records after a version, see [Decoded].
func (a archive) records(ctx context.Context, id string, after int64) iter.Seq2[turn.Record, error] {
	return readThroughDamage(a.store.Records(ctx, id, after), after, a.decoder(id, Entry.Record))
}

// changes yields the records after a version, without the inputs of the machine.
func (a archive) changes(ctx context.Context, id string, after int64) iter.Seq2[turn.Record, error] {
	return readThroughDamage(a.store.Records(ctx, id, after), after, a.changeDecoder(id, nil))
}

// changeDecoder returns a decoder of records without their inputs. It adds what they require to needs,
// unless needs is nil.
func (a archive) changeDecoder(id string, needs *turnlog.Requirements) func(Entry) (turn.Record, error) {
	return a.decoder(id, func(entry Entry) (turn.Record, error) {
		rec, err := entry.change()
		if err == nil && needs != nil {
			err = entry.addRequirements(needs)
		}
		return rec, err
	})
}

// decoder returns a function that opens an entry with the codec and decodes it with decode.
func (a archive) decoder(id string, decode func(Entry) (turn.Record, error)) func(Entry) (turn.Record, error) {
	return func(entry Entry) (turn.Record, error) {
		entry, err := a.open(id, entry)
		if err != nil {
			return turn.Record{}, err
		}
		return decode(entry)
	}
}

// log returns the log of a campaign, for queries about the past.
func (a archive) log(ctx context.Context, id string) turnlog.Log {
	return turnlog.Log{
		Changes: func(after int64) iter.Seq2[turn.Record, error] { return a.changes(ctx, id, after) },
		Turns: func(after int64) iter.Seq2[turnlog.NewTurn, error] {
			return func(yield func(turnlog.NewTurn, error) bool) {
				for entry, err := range a.store.Records(ctx, id, after) {
					one := turnlog.NewTurn{Version: entry.Version}
					if err == nil {
						one.First, one.ID, err = a.newTurns(id, entry)
					}
					if !yield(one, err) {
						return
					}
				}
			}
		},
	}
}

// submissions returns the log of a campaign, for finding submissions by client turn ID.
func (a archive) submissions(ctx context.Context, id string) turnlog.ClientTurnLog {
	return turnlog.ClientTurnLog{Log: a.log(ctx, id),
		Find: func(key string) (int64, error) { return a.store.Find(ctx, id, key) }}
}

// newTurns returns the IDs of the first and the last turn that an entry adds. For an entry that
// cannot be read both are "".
func (a archive) newTurns(id string, entry Entry) (first, last string, err error) {
	entry, err = a.open(id, entry)
	if err == nil {
		first, last, err = entry.turnIDs()
	}
	if err != nil && isDamage(err) {
		return "", "", nil
	}
	return first, last, err
}

// open opens the data of an entry with the codec, if there is one. With an error it returns the entry
// as it is stored.
func (a archive) open(id string, entry Entry) (Entry, error) {
	at := Place{id, entry.Version, entry.Kind}
	plain, err := a.unseal(at, entry.Data)
	if err != nil {
		return entry, fmt.Errorf("open %s: %w", at, err)
	}
	entry.Data = plain
	return entry, nil
}

// campaign returns the stored campaign.
func (a archive) campaign(ctx context.Context, id string) (state.Campaign, error) {
	return a.load(ctx, id, nil)
}

// loadToPlay returns the stored campaign, and what a version of the library must know to play it. The
// error is a [*turn.Unplayable] if this version does not know all of it.
func (a archive) loadToPlay(ctx context.Context, id string) (c state.Campaign, needs turnlog.Requirements, err error) {
	c, err = a.load(ctx, id, &needs)
	return c, needs, cmp.Or(err, needs.Err())
}

// load returns the stored campaign. It sets needs, unless needs is nil. If the snapshot cannot be
// used, load reads the log from its first record. That takes longer, until the next snapshot is
// written. If the log ends before the snapshot, load returns the campaign and a [*state.LogDamage].
func (a archive) load(ctx context.Context, id string, needs *turnlog.Requirements) (c state.Campaign, err error) {
	saved, err := a.store.Load(ctx, id)
	if err != nil {
		return c, err
	}
	if saved.Snapshot != nil {
		var known turnlog.Requirements
		c, known, err = a.snapshot(id, saved)
		if errors.Is(err, state.ErrSnapshot) {
			c, known = state.Campaign{}, turnlog.Requirements{}
			saved.Entries, err = collect(a.store.Records(ctx, id, 0))
		}
		if err != nil {
			return c, err
		}
		if needs != nil {
			*needs = known
		}
	}
	c, err = turn.Follow(c, readThroughDamage(listed(saved.Entries), c.Version, a.changeDecoder(id, needs)))
	switch {
	case err != nil:
	case c.Version < saved.SnapshotVersion: // the snapshot cannot be read, and the log ends before it
		err = &state.LogDamage{Version: c.Version + 1, Err: state.ErrRecordMissing}
	case c.Version == 0:
		err = errNotCreated
	case saved.Cut:
		err = endLostError(a.store.Records(ctx, id, 0))
	}
	return c, err
}

// headOf returns the version of the newest entry that the store lists, or 0 if it lists none.
func headOf(ctx context.Context, store Store, id string) (int64, error) {
	listed, err := store.List(ctx, Page{Prefix: id, Limit: 1})
	if len(listed) == 0 || listed[0].ID != id {
		return 0, err
	}
	return listed[0].Version, err
}

// checkEnd returns a [*state.LogDamage] if the store lists newer entries than version, and does not
// have the next one.
func (a archive) checkEnd(ctx context.Context, id string, version int64) error {
	head, err := headOf(ctx, a.store, id)
	if err != nil || head <= version {
		return err
	}
	if _, found, err := a.entry(ctx, id, version+1); err != nil || found {
		return err
	}
	return &state.LogDamage{Version: version + 1, Err: state.ErrRecordMissing}
}

// endLostError returns the [*state.LogDamage] of a log whose last entries are lost, or the error of
// reading it.
func endLostError(log iter.Seq2[Entry, error]) error {
	last := int64(0)
	for entry, err := range log {
		if err != nil {
			return err
		}
		last = entry.Version
	}
	return &state.LogDamage{Version: last + 1, Err: state.ErrRecordMissing}
}

// errNotCreated is returned for a log that has only the past of a campaign that is not created yet.
var errNotCreated error = specificError{"the campaign is not created yet: fork or create it again", ErrNotFound}

// snapshot opens and decodes the snapshot, and checks that it is of this campaign and version. The
// error wraps [state.ErrSnapshot] if the snapshot cannot be used.
func (a archive) snapshot(id string, saved Saved) (c state.Campaign, needs turnlog.Requirements, err error) {
	at := Place{id, saved.SnapshotVersion, placeKindSnapshot}
	data, err := a.unseal(at, saved.Snapshot)
	if err != nil {
		if isDamage(err) {
			err = fmt.Errorf("%w: %w", state.ErrSnapshot, err)
		}
		return c, needs, fmt.Errorf("open %s: %w", at, err)
	}
	c, needs, err = turnlog.ReadSnapshot(data)
	if err == nil && (c.ID != id || c.Version != saved.SnapshotVersion) {
		err = fmt.Errorf("campaign: snapshot %d is of version %d of %q: %w", saved.SnapshotVersion, c.Version, c.ID, state.ErrSnapshot)
	}
	return c, needs, err
}

// checkSnapshot returns a [*state.LogDamage] if the newest snapshot cannot be used.
func (a archive) checkSnapshot(ctx context.Context, id string) error {
	saved, err := a.store.Load(ctx, id)
	if err != nil || saved.Snapshot == nil {
		return err
	}
	if _, _, err = a.snapshot(id, saved); err != nil && isDamage(err) {
		err = &state.LogDamage{Version: saved.SnapshotVersion, Err: err}
	}
	return err
}

// collect returns all values of a sequence.
func collect[T any](seq iter.Seq2[T, error]) (list []T, err error) {
	for one, err := range seq {
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}
