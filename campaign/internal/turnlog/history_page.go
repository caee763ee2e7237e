package turnlog

import (
	"fmt"
	"iter"
	"slices"

	"github.com/talewright/talewright/campaign/state"
)

// turnsPerRead is the maximum number of turns that are read together.
const turnsPerRead = 32

// Page yields the turns of a page, newest first. It reads during the range: a caller that stops
// early has read only a few turns too many.
func (l Log) Page(c state.Campaign, page state.HistoryPage) iter.Seq2[state.HistoryTurn, error] {
	return func(yield func(state.HistoryTurn, error) bool) {
		c, err := l.Whole(c)
		at := ""
		if err == nil {
			at, err = l.firstTurnOfPage(c, page)
		}
		if err != nil {
			yield(state.HistoryTurn{}, err)
			return
		}
		left := page.Limit
		for at != state.StartTurnID && (left > 0 || page.Limit <= 0) {
			n := turnsPerRead
			if page.Limit > 0 && page.Viewer == "" { // with a viewer, some turns are skipped
				n = min(n, left)
			}
			ids := c.Newest(at, n+1) // the first one is where the next round starts
			at = state.StartTurnID
			if len(ids) > n {
				at, ids = ids[0], ids[1:]
			}
			turns, err := l.readWithOthers(c, ids)
			if err != nil {
				yield(state.HistoryTurn{}, err)
				return
			}
			for _, t := range slices.Backward(turns) {
				if page.Viewer != "" {
					if !state.Knows(t.Audience, page.Viewer) {
						continue
					}
					t.Others = slices.DeleteFunc(t.Others, func(o state.Turn) bool { return !state.Knows(o.Audience, page.Viewer) })
					t = t.Shown()
				}
				if left--; !yield(t, nil) || left == 0 {
					return
				}
			}
		}
	}
}

// firstTurnOfPage returns the ID of the newest turn of a page.
func (l Log) firstTurnOfPage(c state.Campaign, page state.HistoryPage) (string, error) {
	head := c.State.HeadTurnID
	if page.Branch != "" && page.Branch != c.BranchID {
		b, isHeld := c.Branches[page.Branch]
		if !isHeld {
			archived, err := l.archivedBranch(c, page.Branch)
			if err != nil {
				return "", err
			}
			if archived == nil {
				return c.BranchRef(page.Branch) // refuses an unknown branch
			}
			b = *archived
		}
		head = b.HeadTurnID
	}
	if page.Before == "" {
		return head, nil
	}
	n, ok := state.TurnNumber(page.Before)
	if ok = ok && n <= c.TurnCounter; ok && page.Branch != "" {
		ok = c.LeadsTo(page.Before, head)
	}
	if !ok {
		return "", &state.Refusal{Code: state.UnknownTurn, Detail: "no turn " + page.Before}
	}
	if ids := c.Newest(page.Before, 2); len(ids) == 2 {
		return ids[0], nil
	}
	return state.StartTurnID, nil
}

// readWithOthers reads turns with the alternative answers to their lines.
func (l Log) readWithOthers(c state.Campaign, ids []string) ([]state.HistoryTurn, error) {
	others := map[string][]string{}
	all := slices.Clone(ids)
	siblings := c.Siblings(ids)
	for _, id := range ids {
		others[id] = nearestSiblings(id, siblings[id])
		all = append(all, others[id]...)
	}
	slices.SortFunc(all, compareIDs)
	read, err := l.HeldOrRead(c, slices.Compact(all))
	if err != nil {
		return nil, err
	}
	turns := make(map[string]state.Turn, len(read))
	for _, t := range read {
		turns[t.ID] = t
	}
	out := make([]state.HistoryTurn, len(ids))
	for i, id := range ids {
		t, ok := turns[id]
		if !ok {
			return nil, fmt.Errorf("campaign: the log does not have %s", id)
		}
		out[i].Turn = t
		for _, other := range others[id] {
			if o, ok := turns[other]; ok && lineOf(o) == lineOf(t) {
				out[i].Others = append(out[i].Others, o)
			}
		}
	}
	return out, nil
}

// lineOf returns the ID of the first answer to the line of a turn. It identifies the line.
func lineOf(t state.Turn) string {
	if t.AlternativeOf != "" {
		return t.AlternativeOf
	}
	return t.ID
}

// nearestSiblings returns the turns with the nearest numbers to a turn, at most state.MostOthers. The
// answers to a line have numbers close to each other.
func nearestSiblings(id string, siblings []string) []string {
	for len(siblings) > state.MostOthers {
		first, last := siblings[0], siblings[len(siblings)-1]
		if distance(first, id) > distance(last, id) {
			siblings = siblings[1:]
		} else {
			siblings = siblings[:len(siblings)-1]
		}
	}
	return siblings
}

// distance returns the distance between the numbers of two turns.
func distance(a, b string) int {
	x, _ := state.TurnNumber(a)
	y, _ := state.TurnNumber(b)
	return max(x-y, y-x)
}

// compareIDs orders turns by their numbers.
func compareIDs(a, b string) int {
	switch {
	case a == b:
		return 0
	case state.Newer(a, b):
		return 1
	}
	return -1
}
