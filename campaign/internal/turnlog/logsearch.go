package turnlog

import (
	"fmt"
	"iter"
	"slices"

	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// Log is the log of a campaign. Both functions yield the records after a version, oldest first, and
// stop after the first error.
type Log struct {
	// Changes yields the records without the inputs of the machine.
	Changes func(after int64) iter.Seq2[turn.Record, error]
	// Turns yields the same records, but reads only the IDs of their new turns.
	Turns func(after int64) iter.Seq2[NewTurn, error]
}

// NewTurn names the turn that a record has added; ID is "" if there is none. A record of the past
// has added the turns from First to ID.
type NewTurn struct {
	Version   int64
	First, ID string
}

// Answer answers a query of a machine about the past.
func (l Log) Answer(c state.Campaign, q question.Past) (read turn.PastRead, err error) {
	if read.Turns, err = l.Read(c, q.Turns); err == nil && q.State != "" {
		read.State, err = l.State(c, q.State)
	}
	if err == nil && q.Jumps {
		read.Jumps, err = l.archivedJumps(c)
	}
	if err == nil && q.Branch != "" {
		read.Branch, err = l.archivedBranch(c, q.Branch)
	}
	return read, err
}

// Read reads turns by their IDs, which must be in the order of their numbers. It leaves out IDs that
// the log does not have. The campaign c has the numbers of the turns and the archive.
func (l Log) Read(c state.Campaign, ids []string) (out []state.Turn, err error) {
	at := logPosition{version: 1}
	newest := l.newestVersions(c)
	for len(ids) > 0 {
		first, ok := state.TurnNumber(ids[0])
		if !ok {
			return out, fmt.Errorf("campaign: %q is no id of a turn", ids[0])
		}
		count, last := closeIDs(ids)
		if at, err = l.search(c, first, at); err != nil {
			return out, err
		}
		played, err := l.readTo(at, last)
		if err != nil {
			return out, err
		}
		for _, id := range ids[:count] {
			t, found := played[id]
			if found {
				t, err = l.present(t, newest)
			} else {
				t, found, err = l.turnOfRepair(c, id)
			}
			if err != nil {
				return out, err
			}
			if found {
				out = append(out, t)
			}
		}
		ids = ids[count:]
	}
	return out, nil
}

// closeIDs returns how many of the first IDs are close enough to be read together, and the number of
// the last of these turns.
func closeIDs(ids []string) (count, last int) {
	last, _ = state.TurnNumber(ids[0])
	for count = 1; count < len(ids); count++ {
		n, _ := state.TurnNumber(ids[count])
		if n > last+maxSkippedTurns {
			break
		}
		last = n
	}
	return count, last
}

// readTo returns the turns from a position to the turn with the number last, as they were played.
func (l Log) readTo(at logPosition, last int) (map[string]state.Turn, error) {
	played := map[string]state.Turn{}
	for t, err := range l.turnsAfter(at) {
		if err != nil {
			return nil, err
		}
		n, _ := state.TurnNumber(t.ID)
		if played[t.ID] = t; n >= last {
			break
		}
	}
	return played, nil
}

// present returns a turn as it reads now. newest is a result of newestVersions.
func (l Log) present(t state.Turn, newest func(id string) (int64, error)) (state.Turn, error) {
	version, err := newest(t.ID)
	if err != nil || version == 0 {
		return t, err
	}
	return l.turnOfRecord(version)
}

// recordFrom returns the first record from a version on. Without one it returns the zero Record.
func (l Log) recordFrom(version int64) (turn.Record, error) {
	for rec, err := range l.Changes(version - 1) {
		return rec, err
	}
	return turn.Record{}, nil
}

// turnOfRepair returns a turn that the record of a repair has.
func (l Log) turnOfRepair(c state.Campaign, id string) (t state.Turn, found bool, err error) {
	for _, n := range c.Repairs {
		rec, err := l.recordFrom(n.Version)
		if err != nil {
			return t, false, err
		}
		if i := slices.IndexFunc(rec.Turns, func(t state.Turn) bool { return t.ID == id }); i >= 0 {
			return rec.Turns[i], true, nil
		}
	}
	return t, false, nil
}

// turnOfRecord returns the turn of the record of a version.
func (l Log) turnOfRecord(version int64) (t state.Turn, err error) {
	rec, err := l.recordFrom(version)
	switch {
	case err != nil:
		return t, err
	case rec.Version == 0:
		return t, fmt.Errorf("campaign: there is no version %d", version)
	case rec.Turn == nil:
		return t, fmt.Errorf("campaign: record %d has no turn", version)
	}
	return *rec.Turn, nil
}

// Recorded returns the turn of the record of a version, as the turn reads now.
func (l Log) Recorded(c state.Campaign, version int64) (state.Turn, error) {
	t, err := l.turnOfRecord(version)
	if newest := c.Rewritten[t.ID]; err == nil && newest > version {
		return l.turnOfRecord(newest)
	}
	return t, err
}

// HeldOrRead returns turns from the campaign, and reads the older ones from the log, see Read.
func (l Log) HeldOrRead(c state.Campaign, ids []string) ([]state.Turn, error) {
	held := len(ids)
	var out []state.Turn
	for ; held > 0; held-- {
		t, ok := c.Turn(ids[held-1])
		if !ok {
			break
		}
		out = append(out, t)
	}
	slices.Reverse(out)
	older, err := l.Read(c, ids[:held])
	return append(older, out...), err
}

// maxSkippedTurns is the number of turns that are read although nobody needs them. Beyond this number a
// new search is cheaper.
const maxSkippedTurns = 8

// logPosition is a position in the log: the turns up to a number are in the records up to a version.
type logPosition struct {
	version int64
	turn    int
}

// search finds a position shortly before the turn with a number: at most a few turns are between them.
// from is a position before that turn.
func (l Log) search(c state.Campaign, number int, from logPosition) (logPosition, error) {
	low, high := from, logPosition{c.Version, c.TurnCounter + 1}
	for step := 0; high.version-low.version > maxSkippedTurns && number-low.turn > maxSkippedTurns; step++ {
		// Every second step assumes that the turns are spread evenly over the records. The other steps
		// halve the range, in case they are not.
		ahead := (high.version - low.version) / 2
		if step%2 == 0 {
			ahead = max(1, (high.version-low.version)*int64(number-low.turn)/int64(max(high.turn-low.turn, 1))-maxSkippedTurns/2)
		}
		mid := logPosition{version: min(low.version+ahead, high.version-1)}
		found := false
		for one, err := range l.Turns(mid.version - 1) {
			if err != nil {
				return low, err
			}
			if one.Version >= high.version {
				break
			}
			if n, ok := state.TurnNumber(one.ID); ok {
				if first, ok := state.TurnNumber(one.First); ok && first <= number && number <= n { // a record of the past has it
					return logPosition{one.Version - 1, first - 1}, nil
				}
				mid.turn, found = n, true
				break
			}
		}
		if !found || mid.turn >= number {
			high = logPosition{mid.version, number}
		} else {
			low = mid
		}
	}
	return low, nil
}

// turnsAfter yields the turns after a position, as they were played.
func (l Log) turnsAfter(at logPosition) iter.Seq2[state.Turn, error] {
	return func(yield func(state.Turn, error) bool) {
		after := at.version
		if at.turn == 0 {
			after = 0
		}
		for rec, err := range l.Changes(after) {
			turns := []state.Turn{{}}
			switch {
			case err != nil:
			case rec.Kind == turn.RecordCreate:
				var first state.Campaign
				first, err = rec.Beginning()
				turns = first.Turns
			case rec.Kind == turn.RecordPast:
				turns = rec.Turns
			case rec.Turn == nil || rec.Kind != turn.RecordTurn:
				continue
			default:
				turns[0] = *rec.Turn
			}
			for _, t := range turns {
				if !yield(t, err) {
					return
				}
			}
		}
	}
}

// State returns the state that a reference names, or nil if the log does not have it.
func (l Log) State(c state.Campaign, ref string) (*state.State, error) {
	version, ok := state.RefVersion(ref)
	if !ok { // the record of a repair, or the first record, has the state
		recordVersion, isRepair := state.RepairRefVersion(ref)
		if !isRepair {
			recordVersion = c.Archive.First()
		}
		rec, err := l.recordFrom(recordVersion)
		if err != nil {
			return nil, err
		}
		return rec.States[ref], nil
	}
	head, err := l.headAt(c, version)
	if err != nil || head.Version == 0 {
		return nil, err
	}
	return &head.State, nil
}

// headAt returns the campaign as of a version, with few of its turns. It has version 0 if the log is
// shorter, or if a repair covers damaged records. The error of other damage is a [*state.LogDamage].
func (l Log) headAt(present state.Campaign, version int64) (state.Campaign, error) {
	from, err := l.wholeRecord(present, version)
	if err != nil {
		return state.Campaign{}, err
	}
	var last int64         // the version of the last record that Follow received
	var done, hasLost bool // Follow needs no more records; one of its records is lost
	var damage error       // of the rest of the log, which may repair the lost record
	c, err := turn.Follow(state.Campaign{}, func(yield func(turn.Record, error) bool) {
		for rec, err := range l.Changes(from - 1) {
			switch {
			case done:
				damage = err
			case err == nil && rec.Version > version:
				done = true
			default:
				last, hasLost = rec.Version, hasLost || rec.Kind == turn.RecordLost
				done = !yield(rec, err) || rec.Version == version
			}
			if done && !hasLost {
				return
			}
		}
	})
	if err != nil {
		return state.Campaign{}, err
	}
	if last != version || c.Version != version { // the log is shorter, or its records are damaged
		return state.Campaign{}, damage
	}
	return c, nil
}

// wholeRecord returns the version of the newest record up to a version that has a full head. This may be
// the first record of the campaign.
func (l Log) wholeRecord(present state.Campaign, version int64) (int64, error) {
	first := present.Archive.First()
	for at := version - version%state.WholeEvery; at > first; at -= state.WholeEvery {
		if rec, err := l.recordFrom(at); err != nil || rec.Version == at && rec.Head.Exists() {
			return at, err
		}
	}
	return first, nil
}

// At returns the campaign as of a version, with the turns that it held then. Before the first record of
// the campaign it is the zero Campaign. A version between a damaged record and its repair is a
// [*state.Refusal].
func (l Log) At(present state.Campaign, version int64) (state.Campaign, error) {
	if version < present.Archive.First() {
		return state.Campaign{}, nil // the campaign is not created yet
	}
	c, err := l.headAt(present, version)
	if err != nil {
		return c, err
	}
	if c.Version == 0 {
		return c, &state.Refusal{Code: state.CheckpointNotFound, Detail: fmt.Sprintf(
			"the state of version %d is not known: a record before it is damaged or missing; choose a later turn", version)}
	}
	oldest := 1
	if c.TurnsHeld > 0 {
		oldest = max(1, c.TurnCounter-c.TurnsHeld+1)
	}
	var ids []string
	for n := oldest; n <= c.TurnCounter; n++ {
		ids = append(ids, state.TurnID(n))
	}
	c.Turns, err = l.Read(c, ids)
	return c, err
}

// VersionOf returns the version of the record after which a turn is the head, or 0 if there is
// none.
func (l Log) VersionOf(c state.Campaign, turnID string) (int64, error) {
	number, ok := state.TurnNumber(turnID)
	if !ok || number > c.TurnCounter {
		return 0, nil
	}
	if number == 0 {
		return c.Archive.First(), nil
	}
	at, err := l.search(c, number, logPosition{version: 1})
	if err != nil {
		return 0, err
	}
	if at.turn == 0 || at.version < c.Archive.First() {
		at.version = c.Archive.First() - 1
	}
	for rec, err := range l.Changes(at.version) {
		switch {
		case err != nil:
			return 0, err
		case rec.Kind == turn.RecordCreate:
			if first, err := rec.Beginning(); err != nil || first.TurnCounter >= number {
				return rec.Version, err
			}
		case rec.Turn != nil && rec.Turn.ID == turnID:
			return rec.Version, nil
		}
	}
	return 0, nil
}
