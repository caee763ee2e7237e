package campaign

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// What the head of a campaign does not hold is read in the log: turns by a search for their
// number, which goes up with the versions, and states from the nearest record before that has a
// whole one ([turn.Record.Head]). A search reads a few records more in a longer log, a state none.

// past answers a question of a machine.
func (a archive) past(ctx context.Context, c state.Campaign, q turn.PastQuestion) (read turn.PastRead, err error) {
	if read.Turns, err = a.turns(ctx, c, q.Turns); err == nil && q.State != "" {
		read.State, err = a.state(ctx, c.ID, q.State)
	}
	return read, err
}

// turns reads turns by their ids, in the order of their numbers.
func (a archive) turns(ctx context.Context, c state.Campaign, ids []string) (out []state.Turn, err error) {
	at := placeInLog{version: 1}
	for len(ids) > 0 {
		first, ok := state.TurnNumber(ids[0])
		if !ok {
			return out, fmt.Errorf("campaign: %q is no id of a turn", ids[0])
		}
		row := 1 // of ids whose numbers follow on one another, more or less
		last := first
		for ; row < len(ids); row++ {
			n, _ := state.TurnNumber(ids[row])
			if n < last || n > last+readThrough {
				break
			}
			last = n
		}
		found := map[string]state.Turn{}
		if at, err = a.search(ctx, c, first, at); err != nil {
			return out, err
		}
		for t, err := range a.turnsAfter(ctx, c.ID, at) {
			if err != nil {
				return out, err
			}
			n, _ := state.TurnNumber(t.ID)
			if found[t.ID] = t; n >= last {
				break
			}
		}
		for _, id := range ids[:row] {
			t, ok := found[id]
			if version := c.Rewritten[id]; ok && version > 0 {
				if t, err = a.rewritten(ctx, c.ID, version); err != nil {
					return out, err
				}
			}
			if ok {
				out = append(out, t)
			}
		}
		ids = ids[row:]
	}
	return out, nil
}

// rewritten is the turn that the record of a version has.
func (a archive) rewritten(ctx context.Context, id string, version int64) (t state.Turn, err error) {
	for rec, err := range a.changes(ctx, id, version-1) {
		if err == nil && rec.Turn == nil {
			err = fmt.Errorf("campaign: record %d has no turn", version)
		}
		if err == nil {
			t = *rec.Turn
		}
		return t, err
	}
	return t, fmt.Errorf("campaign: %q has no version %d", id, version)
}

// heldOrRead is turns for campaigns that hold some of those that are wanted.
func (a archive) heldOrRead(ctx context.Context, c state.Campaign, ids []string) ([]state.Turn, error) {
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
	older, err := a.turns(ctx, c, ids[:held])
	return append(older, out...), err
}

// readThrough is how many turns are read that nobody wants, rather than searching anew.
const readThrough = 8

// placeInLog says that the turns up to a number stand in the records up to a version.
type placeInLog struct {
	version int64
	turn    int
}

// search finds a place that the turn of the given number comes after, and that at most a few
// others come after before it. from is a place before that.
func (a archive) search(ctx context.Context, c state.Campaign, number int, from placeInLog) (placeInLog, error) {
	if from.turn >= number {
		from = placeInLog{version: 1}
	}
	low, high := from, placeInLog{c.Version, c.TurnCounter + 1}
	for step := 0; high.version-low.version > readThrough && number-low.turn > readThrough; step++ {
		// Records stand about evenly; where they do not, halving finds the place.
		ahead := (high.version - low.version) / 2
		if step%2 == 0 {
			ahead = max(1, (high.version-low.version)*int64(number-low.turn)/int64(max(high.turn-low.turn, 1))-readThrough/2)
		}
		mid := placeInLog{version: min(low.version+ahead, high.version-1)}
		found := false
		for entry, err := range a.entries(ctx, c.ID, mid.version-1) {
			if err != nil {
				return low, err
			}
			id, err := entry.turnID()
			if err != nil {
				return low, err
			}
			if entry.Version >= high.version {
				break
			}
			if n, ok := state.TurnNumber(id); ok {
				mid.turn, found = n, true
				break
			}
		}
		switch {
		case !found || mid.turn >= number: // what comes before mid has smaller numbers
			high = placeInLog{mid.version, number}
		default:
			low = mid
		}
	}
	return low, nil
}

// turnsAfter yields the turns after a place.
func (a archive) turnsAfter(ctx context.Context, id string, at placeInLog) iter.Seq2[state.Turn, error] {
	return func(yield func(state.Turn, error) bool) {
		after := at.version
		if at.turn == 0 {
			after = 0
		}
		for rec, err := range a.changes(ctx, id, after) {
			turns := []state.Turn{{}}
			switch {
			case err != nil:
			case rec.Kind == turn.RecordCreate:
				var first state.Campaign
				first, err = rec.Beginning()
				turns = first.Turns
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
			if err != nil {
				return
			}
		}
	}
}

// state is the state that a reference leads to, nil if the log does not know it.
func (a archive) state(ctx context.Context, id, ref string) (*state.State, error) {
	version, ok := state.RefVersion(ref)
	if !ok {
		for rec, err := range a.changes(ctx, id, 0) {
			if err != nil {
				return nil, err
			}
			return rec.States[ref], nil
		}
		return nil, nil
	}
	head, err := a.head(ctx, id, version)
	if err != nil || !head.Exists() {
		return nil, err
	}
	s, err := state.StateOf(head.Get("state"))
	return &s, err
}

// head is the campaign as of a version, without its turns; absent if the log is shorter.
func (a archive) head(ctx context.Context, id string, version int64) (tree.Value, error) {
	var head tree.Value
	from := version - version%turn.WholeEvery
	for ; from > 0 && !head.Exists(); from -= turn.WholeEvery {
		for rec, err := range a.changes(ctx, id, from-1) {
			if err != nil {
				return head, err
			}
			head = rec.Head
			break
		}
		if head.Exists() {
			break
		}
	}
	for rec, err := range a.changes(ctx, id, max(from, 0)) {
		switch {
		case err != nil:
		case rec.Version > version:
			return head, nil
		case rec.Kind == turn.RecordCreate:
			var first state.Campaign
			if first, err = rec.Beginning(); err == nil {
				head, err = first.HeadValue()
			}
		default:
			head, err = rec.Delta.Apply(head)
		}
		if err != nil {
			return head, fmt.Errorf("campaign: record %d: %w", rec.Version, err)
		}
		if rec.Version == version {
			return head, nil
		}
	}
	if from == version {
		return head, nil
	}
	return tree.Value{}, nil
}

// at is the campaign as of a version.
func (a archive) at(ctx context.Context, id string, version int64) (state.Campaign, error) {
	if version == 0 {
		return state.Campaign{}, nil // there is none yet
	}
	head, err := a.head(ctx, id, version)
	if err != nil {
		return state.Campaign{}, err
	}
	if !head.Exists() {
		return state.Campaign{}, fmt.Errorf("campaign: %q has no version %d", id, version)
	}
	c, err := state.Campaign{}.WithHeadValue(head)
	if err != nil {
		return c, err
	}
	oldest := 1
	if c.TurnsHeld > 0 {
		oldest = max(1, c.TurnCounter-c.TurnsHeld+1)
	}
	var ids []string
	for n := oldest; n <= c.TurnCounter; n++ {
		ids = append(ids, state.TurnID(n))
	}
	c.Turns, err = a.turns(ctx, c, ids)
	return c, err
}
