package campaign

import (
	"cmp"
	"context"
	"errors"
	"iter"

	"github.com/talewright/talewright/campaign/internal/turnlog"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// findings is the result of examining a campaign and its log.
type findings struct {
	lastVersion int64                // of the newest stored record
	headVersion int64                // the version before the next record: lastVersion, unless the end of the log is lost
	newestTurn  int                  // the highest number of a turn
	readTurns   map[string]bool      // the IDs of the turns that are in readable records
	needs       turnlog.Requirements // of the readable records

	logged  state.Campaign // the campaign according to the readable records
	stored  state.Campaign // the campaign that the store loads
	loadErr error          // the damage that this load has found

	damage         *state.LogDamage        // the first record that is missing or damaged
	difference     *state.RepairDifference // the first different result of a replay; or of the stored campaign, with Version 0
	snapshotDamage *state.LogDamage        // examined only if nothing else is wrong
}

// examine reads and replays the log, and compares the result with the stored campaign.
func (m repairer) examine(ctx context.Context) (*findings, error) {
	f := &findings{readTurns: map[string]bool{}}
	parts := []func(context.Context, *findings) error{
		m.readEntries, m.applyChanges, m.loadStored, m.compareReplayed, m.compareStored,
	}
	for _, part := range parts {
		if err := part(ctx, f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// readEntries reads each entry of the log alone, and finds the turns of those that can be read.
func (m repairer) readEntries(ctx context.Context, f *findings) error {
	for entry, err := range m.archive.store.Records(ctx, m.id, 0) {
		if err != nil {
			return err
		}
		first, last := "", ""
		opened, err := m.archive.open(m.id, entry)
		if err == nil {
			first, last, err = opened.turnIDs()
		}
		if err == nil {
			err = opened.addRequirements(&f.needs)
		}
		if err != nil && !isDamage(err) {
			return err
		}
		most := f.newestTurn + pastTurns*int(entry.Version-f.lastVersion) // no record adds more turns
		f.lastVersion = entry.Version
		if err != nil {
			number, isTurn := state.TurnNumber(entry.TurnID)
			switch isUsable := isTurn && number <= most; {
			case isUsable:
				f.newestTurn = max(f.newestTurn, number)
			case entry.Kind == string(turn.RecordTurn): // the ID may be damaged too
				f.newestTurn++
			}
			continue
		}
		from, _ := state.TurnNumber(first)
		if to, ok := state.TurnNumber(last); ok {
			f.addTurns(from, to)
		}
		if entry.Kind == string(turn.RecordRepair) {
			rec, _ := opened.change() // a record that does not fit has no turns
			for _, t := range rec.Turns {
				f.readTurns[t.ID] = true
			}
		}
		begun := opened.beginning()
		f.addTurns(begun.TurnCounter-len(begun.Turns)+1, begun.TurnCounter)
	}
	head, err := headOf(ctx, m.archive.store, m.id)
	f.headVersion = max(f.lastVersion, head)
	return cmp.Or(err, f.needs.Err())
}

// addTurns notes that a readable record has the turns with these numbers, both included.
func (f *findings) addTurns(first, last int) {
	for n := first; n <= last; n++ {
		f.readTurns[state.TurnID(n)] = true
	}
	f.newestTurn = max(f.newestTurn, last)
}

// readableRecords yields the records of a whole log, even if some cannot be read. It stores the first
// damage in damage.
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

// applyChanges builds the campaign from the changes in the readable records.
func (m repairer) applyChanges(ctx context.Context, f *findings) error {
	c, err := turn.Follow(state.Campaign{}, m.readableRecords(ctx, &f.damage))
	misfit, err := splitDamage(err) // a record that can be read but does not follow the ones before
	if misfit != nil && (f.damage == nil || misfit.Version < f.damage.Version) {
		f.damage = misfit
	}
	f.logged = c
	return err
}

// loadStored loads the campaign as the engine does, and checks the end of the log.
func (m repairer) loadStored(ctx context.Context, f *findings) error {
	f.stored, f.loadErr = m.archive.campaign(ctx, m.id)
	damage, err := splitDamage(f.loadErr)
	if err != nil || f.damage != nil {
		return err
	}
	if damage == nil {
		damage, err = splitDamage(m.archive.checkEnd(ctx, m.id, f.lastVersion))
	}
	f.damage = damage
	return err
}

// compareReplayed replays the readable records and finds the first different result.
func (m repairer) compareReplayed(ctx context.Context, f *findings) error {
	var damage *state.LogDamage // applyChanges has found it
	_, err := turn.Rebuild(m.game, m.readableRecords(ctx, &damage))
	if d, ok := errors.AsType[*state.RepairDifference](err); ok {
		f.difference = d
		return nil
	}
	_, err = splitDamage(err)
	return err
}

// compareStored compares the stored campaign with the log, and checks the snapshot.
func (m repairer) compareStored(ctx context.Context, f *findings) (err error) {
	if f.damage != nil || f.difference != nil {
		return nil
	}
	f.difference, _ = errors.AsType[*state.RepairDifference](turn.Same(f.logged, f.stored))
	f.snapshotDamage, err = splitDamage(m.archive.checkSnapshot(ctx, m.id))
	return err
}

// splitDamage returns an error as a [*state.LogDamage] if it is one, and otherwise as an error.
func splitDamage(err error) (*state.LogDamage, error) {
	if d, ok := errors.AsType[*state.LogDamage](err); ok {
		return d, nil
	}
	return nil, err
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

// note returns the note of the repair, without its time and the version that was reached.
func (f *findings) note(keep state.RepairKeep) state.RepairNote {
	note := state.RepairNote{Version: f.headVersion + 1, Cause: f.cause(), Keep: keep}
	switch note.Cause {
	case state.CauseDamaged:
		note.From, note.Detail = f.damage.Version, f.damage.Err.Error()
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
		note.Detail = cmp.Or(note.Detail, d.Error())
	}
	return note
}

// newestCampaign returns the newest campaign whose state is known: the stored campaign, or the one
// that the readable records give.
func (f *findings) newestCampaign() state.Campaign {
	isUsable := f.loadErr == nil || errors.Is(f.loadErr, state.ErrRecordMissing)
	if isUsable && f.stored.Version >= f.logged.Version {
		return f.stored
	}
	return f.logged
}
