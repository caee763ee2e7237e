package campaign

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/game"
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
	if err = r.runIfFree(func(s *session) error {
		if _, err := r.awaitLease(nil); err != nil {
			return err
		}
		defer s.forget()
		note, err = repairer{archive: e.archive, game: e.game(), id: id, now: e.cfg.Now, fence: r.fence()}.repair(r.ctx, keep)
		return failedTo("repair", id, err)
	}); err != nil {
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

// repair writes the record of a repair and returns its note, or nil if nothing is wrong.
func (m repairer) repair(ctx context.Context, keep state.RepairKeep) (*state.RepairNote, error) {
	f, err := m.examine(ctx)
	if err != nil || f.cause() == "" {
		return nil, err
	}
	note := f.note(keep)
	note.At = m.now().UTC()
	c, states, err := m.repaired(ctx, f, &note)
	if err != nil {
		return nil, err
	}
	turns := f.turnsWithoutRecord(c)
	c.Version, c.Repairs = note.Version, append(slices.Clip(c.Repairs), note)
	c.TurnCounter = max(c.TurnCounter, f.newestTurn)
	head, err := c.HeadValue()
	if err != nil {
		return nil, err
	}
	return &note, m.writeRecord(ctx, f, turn.Record{
		Version: note.Version, Kind: turn.RecordRepair, At: note.At, Repair: &note,
		Head: head, States: states, Turns: turns,
	})
}

// repaired returns the campaign that continues after a repair, and the states that the record of the
// repair must contain because their names have changed.
func (m repairer) repaired(ctx context.Context, f *findings, note *state.RepairNote) (c state.Campaign, states state.Snapshots, err error) {
	switch {
	case note.Cause == state.CauseDamaged:
		if c = f.newestCampaign(); c.Version == 0 {
			return c, nil, f.damage
		}
		note.Reached = c.Version
	case note.Cause == state.CauseDrifted && note.Keep == state.KeepReplayed:
		if c, err = turn.Replay(m.game, m.archive.records(ctx, m.id, 0), f.logged.Repairs); err != nil {
			return c, nil, err
		}
		c, states = moveStates(c, note.Version)
	default:
		c = f.logged
	}
	if c.Version >= note.Version { // the new record reuses version numbers of the lost records
		c, states = renameReusedStates(c, note.Version)
	}
	return c, states, nil
}

// writeRecord appends the record of the repair with a snapshot, so that a load does not read the
// damaged part.
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

// turnsWithoutRecord returns the turns of the campaign c that no readable record has. A turn that the
// stored campaign has is complete. Any other turn has only its ID and its parent.
func (f *findings) turnsWithoutRecord(c state.Campaign) (out []state.Turn) {
	for _, id := range turnIDs(1, c.TurnCounter) {
		if f.readTurns[id] {
			continue
		}
		t, isStored := f.stored.Turn(id)
		if !isStored {
			t = state.Turn{ID: id, ParentID: state.StartTurnID}
			if line := c.Newest(id, 2); len(line) == 2 {
				t.ParentID = line[0]
			}
		}
		out = append(out, t)
	}
	return out
}

// renameReusedStates is for a campaign c whose newest records are lost. New records will use the
// versions from version on again. The name of a state contains its version, so these states need new
// names. It returns the campaign with the new names, and the renamed states that are known: only the
// campaign's own state is.
func renameReusedStates(c state.Campaign, version int64) (state.Campaign, state.Snapshots) {
	states, names := state.Snapshots{}, map[string]string{}
	c = c.Clone()
	for _, ref := range slices.Sorted(maps.Keys(c.Refs())) {
		names[ref] = ref
		if v, _ := state.RefVersion(ref); v >= version {
			names[ref] = state.RepairRef(version, len(names))
			if v == c.Version {
				states[names[ref]] = new(c.State)
			}
		}
	}
	c.Rename(names)
	c.Snapshots = maps.Clone(states)
	return c, states
}

// moveStates returns the campaign c with its known states renamed as states of the repair of a
// version, and these states.
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
