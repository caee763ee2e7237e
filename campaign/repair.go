package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Repair repairs a stored campaign if [Engine.Rebuild] reports an error in it. It returns what it
// found and did, or nil if nothing is wrong. Nothing is removed from the log. One more record is
// written: it describes the error and contains the whole campaign, which continues from there. The
// state in the records before it no longer counts, but their turns can still be read.
//
//   - Records give a different result when they are replayed, for example with different
//     content: the campaign continues with what was logged, or with what was replayed.
//   - Records cannot be read or are missing, at the end or in the middle: the campaign continues
//     with the state of the newest known version. It comes from a snapshot or a later record. Turns
//     without any remaining data stay as turns without a text.
//   - The snapshot is damaged, or belongs to a different campaign than the log: the campaign
//     continues with the log.
//
// Errors: a [*state.Refusal] if the campaign is in use. A [*turn.Unplayable]. A
// [*state.RepairDifference] if a record cannot be replayed at all, so that only the logged state
// can be kept. A [*state.LogDamage] if nothing readable is left. Errors of the store.
func (e *Engine) Repair(ctx context.Context, id string, keep state.RepairKeep) (_ *state.RepairNote, err error) {
	defer catchPanic(e.cfg.Logger, id, inStore, &err)
	if keep != state.KeepLogged && keep != state.KeepReplayed {
		return nil, fmt.Errorf("campaign: repair %q: keep %q or %q, not %q", id, state.KeepLogged, state.KeepReplayed, keep)
	}
	r := newRunner(e, ctx, func() {}, id, nil)
	var note *state.RepairNote
	err = r.runIfFree(func(s *session) error {
		if _, err := r.awaitLease(nil); err != nil {
			return err
		}
		defer s.forget()
		note, err = repairer{archive: e.archive, game: e.game(), id: id, now: e.cfg.Now, fence: r.fence()}.repair(r.ctx, keep)
		if err != nil {
			return fmt.Errorf("campaign: repair %q: %w", id, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return note, nil
}

// repairer examines the log of a campaign and repairs it.
type repairer struct {
	archive archive
	game    *game.Game
	id      string
	now     func() time.Time
	fence   int64 // of the lease, 0 without a lease
}

// findings is the result of examining a campaign and its log.
type findings struct {
	logged         state.Campaign // the campaign according to the readable records
	stored         state.Campaign // the campaign that the store loads
	loadErr        error          // the damage that the load has found
	damage         *state.LogDamage
	difference     *state.RepairDifference
	snapshotDamage *state.LogDamage // the damage of the snapshot
	needs          turnlog.Requirements
	lastVersion    int64            // the version of the newest record
	headVersion    int64            // the version before the next record: last, unless the end of the log is lost
	lostTurns      map[string]int64 // the turns of unreadable records: from their IDs to the versions
	newestTurn     int              // the highest number of a turn
}

// cause returns what is wrong, or "" if nothing is.
func (f *findings) cause() state.RepairCause {
	switch {
	case f.damage != nil:
		return state.CauseDamaged
	case f.difference != nil && f.difference.Version > 0:
		return state.CauseDrifted
	case f.difference != nil || f.snapshotDamage != nil:
		return state.CauseSnapshot
	}
	return ""
}

// readableRecords yields the records of a whole log, even if some cannot be read, and stores the first
// damage.
func (m repairer) readableRecords(ctx context.Context, damage **state.LogDamage) iter.Seq2[turn.Record, error] {
	return func(yield func(turn.Record, error) bool) {
		for rec, err := range m.archive.records(ctx, m.id, 0) {
			if d, ok := errors.AsType[*state.LogDamage](err); ok {
				*damage = d // it comes after the last record
				return
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// examine reads and replays the log.
func (m repairer) examine(ctx context.Context) (*findings, error) {
	f := &findings{lostTurns: map[string]int64{}}
	if err := m.readEntries(ctx, f); err != nil {
		return f, err
	}
	var none *state.LogDamage
	var err error
	f.logged, err = turn.Follow(state.Campaign{}, m.readableRecords(ctx, &f.damage))
	if d, ok := errors.AsType[*state.LogDamage](err); ok { // a record that can be read but does not fit
		if err = nil; f.damage == nil || d.Version < f.damage.Version {
			f.damage = d
		}
	}
	if err != nil {
		return f, err
	}
	f.stored, f.loadErr = m.archive.campaign(ctx, m.id)
	if _, ok := errors.AsType[*state.LogDamage](f.loadErr); f.loadErr != nil && !ok { // it may have newer turns
		return f, f.loadErr
	}
	if f.damage == nil {
		err = cmp.Or(f.loadErr, m.archive.checkEnd(ctx, m.id, f.lastVersion))
		if f.damage, _ = errors.AsType[*state.LogDamage](err); f.damage == nil && err != nil {
			return f, err
		}
		f.addTurnsOfLostEnd()
	}
	_, err = turn.Rebuild(m.game, m.readableRecords(ctx, &none))
	if d, ok := errors.AsType[*state.RepairDifference](err); ok {
		f.difference, err = d, nil
	}
	if _, ok := errors.AsType[*state.LogDamage](err); ok {
		err = nil
	}
	if err == nil && f.damage == nil && f.difference == nil {
		f.difference, _ = errors.AsType[*state.RepairDifference](turn.Same(f.logged, f.stored))
		err = m.archive.checkSnapshot(ctx, m.id)
		if d, ok := errors.AsType[*state.LogDamage](err); ok {
			f.snapshotDamage, err = d, nil
		}
	}
	return f, err
}

// addTurnsOfLostEnd records the turns that only the snapshot has.
func (f *findings) addTurnsOfLostEnd() {
	for _, t := range f.stored.Turns {
		if n, _ := state.TurnNumber(t.ID); n > f.newestTurn {
			f.lostTurns[t.ID] = f.lastVersion + 1
		}
	}
}

// addTurnsOfGap records the turns of missing records before a record. turn is the ID of the turn that this
// record adds, if any.
func (f *findings) addTurnsOfGap(version int64, turn string) {
	n, ok := state.TurnNumber(turn)
	for missing := version - f.lastVersion - 1; missing > 0 && ok && f.newestTurn < n-1; missing-- {
		f.newestTurn++
		f.lostTurns[state.TurnID(f.newestTurn)] = f.lastVersion + 1
	}
}

// readEntries collects what the single entries contain.
func (m repairer) readEntries(ctx context.Context, f *findings) error {
	for entry, err := range m.archive.store.Records(ctx, m.id, 0) {
		if err != nil {
			return err
		}
		opened, err := m.archive.open(m.id, entry)
		turnID := ""
		if err == nil {
			_, turnID, err = opened.turnIDs()
		}
		if err == nil {
			err = opened.addRequirements(&f.needs)
		}
		if err != nil {
			turnID = entry.TurnID
		}
		f.addTurnsOfGap(entry.Version, turnID)
		f.lastVersion = entry.Version
		f.newestTurn = max(f.newestTurn, opened.beginning().TurnCounter)
		switch n, ok := state.TurnNumber(turnID); {
		case err != nil && !isDamage(err):
			return err
		case err != nil && entry.Kind == string(turn.RecordTurn):
			if !ok { // its place in the log is known, but not its ID
				n = f.newestTurn + 1
			}
			f.lostTurns[state.TurnID(n)] = entry.Version
			f.newestTurn = max(f.newestTurn, n)
		case err != nil && entry.Kind == string(turn.RecordPast):
			for range pastTurns {
				f.newestTurn++
				f.lostTurns[state.TurnID(f.newestTurn)] = entry.Version
			}
		case ok:
			f.newestTurn = max(f.newestTurn, n)
		}
	}
	head, err := headOf(ctx, m.archive.store, m.id)
	f.headVersion = max(f.lastVersion, head)
	return cmp.Or(err, f.needs.Err())
}

// repair writes the record of a repair, if anything is wrong.
func (m repairer) repair(ctx context.Context, keep state.RepairKeep) (*state.RepairNote, error) {
	f, err := m.examine(ctx)
	if err != nil || f.cause() == "" {
		return nil, err
	}
	note := state.RepairNote{Version: f.headVersion + 1, At: m.now().UTC(), Cause: f.cause(), Keep: keep}
	c := f.logged
	switch note.Cause {
	case state.CauseDamaged:
		note.From, note.Detail = f.damage.Version, f.damage.Err.Error()
		if (f.loadErr == nil || errors.Is(f.loadErr, state.ErrRecordMissing)) && f.stored.Version >= c.Version {
			c = f.stored
		}
		if note.Reached = c.Version; c.Version == 0 {
			return nil, f.damage
		}
	case state.CauseDrifted:
		note.From = f.difference.Version
	case state.CauseSnapshot:
		note.From, note.Keep = note.Version, state.KeepLogged // no record is wrong
		if f.snapshotDamage != nil {
			note.Detail = f.snapshotDamage.Err.Error()
		}
	}
	if d := f.difference; d != nil {
		note.Path, note.Got, note.Want = d.Path, d.Got, d.Want
		if note.Detail == "" {
			note.Detail = d.Error()
		}
	}
	rec := turn.Record{Version: note.Version, Kind: turn.RecordRepair, At: note.At, Repair: &note}
	if keep == state.KeepReplayed && note.Cause == state.CauseDrifted {
		if c, err = m.replayLog(ctx, f.logged.Repairs); err != nil {
			return nil, err
		}
		c, rec.States = moveStates(c, note.Version)
	}
	if c.Version >= note.Version { // the new record reuses version numbers of the lost records
		c, rec.States = renameReusedStates(c, note.Version)
	}
	rec.Turns = f.keptTurns(c)
	c.Version, c.Repairs = note.Version, append(slices.Clip(c.Repairs), note)
	c.TurnCounter = max(c.TurnCounter, f.newestTurn)
	if rec.Head, err = c.HeadValue(); err == nil {
		err = m.writeRecord(ctx, f, rec)
	}
	return &note, err
}

// writeRecord appends the record, with a snapshot: the damaged part is then no longer read.
func (m repairer) writeRecord(ctx context.Context, f *findings, rec turn.Record) error {
	var damage *state.LogDamage
	after, err := turn.Follow(state.Campaign{}, func(yield func(turn.Record, error) bool) {
		for old, err := range m.readableRecords(ctx, &damage) {
			if !yield(old, err) {
				return
			}
		}
		if rec.Version > f.lastVersion+1 {
			_ = yield(turn.Record{Version: rec.Version - 1, Kind: turn.RecordLost}, nil)
		}
		yield(rec, nil)
	})
	var snapshot []byte
	if err == nil {
		snapshot, err = f.needs.Snapshot(after)
	}
	if err != nil {
		return err
	}
	return m.archive.append(context.WithoutCancel(ctx), m.id, rec, snapshot, m.fence)
}

// keptTurns returns the turns that are in no readable record and that lead to a head of the campaign. A
// turn that the stored campaign holds is complete; any other has only its place in the story.
func (f *findings) keptTurns(c state.Campaign) (out []state.Turn) {
	for _, id := range slices.Sorted(maps.Keys(f.lostTurns)) {
		n, _ := state.TurnNumber(id)
		if n > c.TurnCounter {
			continue
		}
		t, held := f.stored.Turn(id)
		if !held {
			t = state.Turn{ID: id, ParentID: state.StartTurnID}
			if line := c.Newest(id, 2); len(line) == 2 {
				t.ParentID = line[0]
			}
		}
		out = append(out, t)
	}
	return out
}

// renameReusedStates returns a campaign whose version was lost, with new names for the states whose names future
// records will use. Of these states only the campaign's own is known.
func renameReusedStates(c state.Campaign, version int64) (state.Campaign, state.Snapshots) {
	states, names := state.Snapshots{}, map[string]string{}
	c = c.Clone()
	for _, ref := range slices.Sorted(maps.Keys(c.Refs())) {
		names[ref] = ref
		if v, ok := state.RefVersion(ref); ok && v >= version {
			names[ref] = state.RepairRef(version, len(names))
			if v == c.Version {
				own := c.State
				states[names[ref]] = &own
			}
		}
	}
	c.Rename(names)
	c.Snapshots = maps.Clone(states)
	return c, states
}

// moveStates returns a campaign whose states are renamed as states of the repair, and those states.
func moveStates(c state.Campaign, version int64) (state.Campaign, state.Snapshots) {
	states, names := state.Snapshots{}, map[string]string{}
	c = c.Clone()
	for _, ref := range slices.Sorted(maps.Keys(c.Refs())) {
		if kept := c.Snapshots[ref]; kept != nil {
			names[ref] = state.RepairRef(version, len(names)+1)
			states[names[ref]] = kept
		}
	}
	c.Rename(names)
	c.Snapshots = maps.Clone(states)
	return c, states
}

// replayLog returns the campaign after a replay of the whole log. It ignores the changes in the
// records. Records that an earlier repair covers are taken as they are.
func (m repairer) replayLog(ctx context.Context, before []state.RepairNote) (state.Campaign, error) {
	var log []turn.Record
	records := func(yield func(turn.Record, error) bool) { listed(log)(yield) }
	past := func(q question.Past) (turn.PastRead, error) { return turn.ReadPast(q, records) }
	var machine *turn.Machine
	for rec, err := range m.archive.records(ctx, m.id, 0) {
		if err != nil {
			return state.Campaign{}, err
		}
		covered := slices.ContainsFunc(before, func(n state.RepairNote) bool { return n.Covers(rec.Version) })
		if rec.AsItStands() || covered {
			machine, log = nil, append(log, rec)
			continue
		}
		if machine == nil {
			c, unread := turn.Follow(state.Campaign{}, records)
			machine = turn.NewMachine(m.game, c)
			err = cmp.Or(unread, machine.Resume(past))
		}
		if err == nil {
			rec, err = replayRecord(machine, rec, past)
		}
		if err != nil {
			return state.Campaign{}, fmt.Errorf("record %d: %w", rec.Version, err)
		}
		log = append(log, rec)
	}
	return turn.Follow(state.Campaign{}, records)
}

// replayRecord replays a record, commits the result, and returns the new record.
func replayRecord(m *turn.Machine, rec turn.Record, past func(question.Past) (turn.PastRead, error)) (turn.Record, error) {
	err := m.Replay(rec, past)
	if _, differs := errors.AsType[*state.RepairDifference](err); !differs || m.Todo().Commit == nil {
		return rec, err
	}
	rec = *m.Todo().Commit
	return rec, m.Step(turn.Committed{})
}

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
		return state.Campaign{}, notLoaded(id, err)
	}
	// Entries that a different writer has added since do not count as a difference.
	log := until(stored.Version, e.archive.store.Records(ctx, id, 0))
	if err := e.archive.checkEnd(ctx, id, stored.Version); err != nil {
		return stored, fmt.Errorf("campaign: rebuild %q: %w", id, err)
	}
	rebuilt, err := turn.Rebuild(e.game(), readThroughDamage(log, 0, e.archive.decoder(id, Entry.Record)))
	if err != nil {
		return rebuilt, fmt.Errorf("campaign: rebuild %q: %w", id, err)
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
			return fmt.Errorf("campaign: check %q: %w", id, err)
		}
		last = rec.Version
	}
	if err := cmp.Or(e.archive.checkEnd(ctx, id, last), e.archive.checkSnapshot(ctx, id)); err != nil {
		return fmt.Errorf("campaign: check %q: %w", id, err)
	}
	return nil
}

// until ends a log at the given version.
func until(version int64, log iter.Seq2[Entry, error]) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for entry, err := range log {
			if !yield(entry, err) || err != nil || entry.Version >= version {
				return
			}
		}
	}
}
