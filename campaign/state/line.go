package state

import (
	"slices"
)

// span is a row of turns by their numbers, each the parent of the next.
type span struct{ first, last int }

// line returns the turns that lead to a head, itself included, as rows of their numbers,
// newest first; none for the start. It costs what the number of jumps is, not that of turns,
// and needs no turn to be held. whole is false if more lead there than is known.
func (c Campaign) line(head string) (line []span, whole bool) {
	last, ok := TurnNumber(head)
	if !ok || last > c.TurnCounter {
		return nil, true
	}
	follow := func(turn, after int) {
		if turn <= last && last > 0 {
			line = append(line, span{turn, last})
			last = after
		}
	}
	for _, j := range slices.Backward(c.Jumps) {
		follow(j.Turn, j.After)
	}
	if last == 0 {
		return line, true
	}
	if c.LacksJumps() {
		return line, false
	}
	for i := len(c.OlderJumps) - 1; i >= 0 && last > 0; i-- {
		follow(c.OlderJumps[i][0], c.OlderJumps[i][1])
	}
	if last > 0 {
		line = append(line, span{1, last})
	}
	return line, true
}

// Newest returns the ids of at most n of the turns that lead to a head, itself included, oldest
// first, as far back as is known: see [Campaign.LacksJumps]. They need not be held.
func (c Campaign) Newest(head string, n int) []string {
	var ids []string
	line, _ := c.line(head)
	for _, s := range line {
		for at := s.last; at >= s.first && len(ids) < n; at-- {
			ids = append(ids, TurnID(at))
		}
	}
	slices.Reverse(ids)
	return ids
}

// Place is the place of a turn among those that lead to a head, from 1; the start has 0. It
// reports false for a turn that does not lead there, and where that is not known: see
// [Campaign.LacksJumps].
func (c Campaign) Place(id, head string) (place int, ok bool) {
	n, isTurn := TurnNumber(id)
	if !isTurn {
		return 0, false
	}
	found := n == 0
	line, whole := c.line(head)
	for _, s := range line {
		switch {
		case found:
			place += s.last - s.first + 1
		case n >= s.first && n <= s.last:
			place, found = n-s.first+1, true
		}
	}
	if n == 0 {
		return 0, true
	}
	return place, found && whole
}

// LeadsTo reports whether a turn is one of those that lead to a head, itself included, as far as
// is known. The start leads everywhere.
func (c Campaign) LeadsTo(id, head string) bool {
	n, isTurn := TurnNumber(id)
	line, _ := c.line(head)
	return isTurn && (n == 0 || slices.ContainsFunc(line, func(s span) bool { return n >= s.first && n <= s.last }))
}

// Ancestor is the newest turn that leads to two turns, themselves included; the start, if no
// other does.
func (c Campaign) Ancestor(a, b string) string {
	x, _ := c.line(a)
	y, _ := c.line(b)
	for len(x) > 0 && len(y) > 0 {
		switch first, last := max(x[0].first, y[0].first), min(x[0].last, y[0].last); {
		case first <= last:
			return TurnID(last)
		case x[0].first > y[0].last:
			x = x[1:]
		default:
			y = y[1:]
		}
	}
	return StartTurnID
}

// Siblings are, for each of some turns that lead to one head, the other turns with the same
// parent, oldest first.
func (c Campaign) Siblings(ids []string) map[string][]string {
	parents, children := map[string]int{}, map[int][]int{}
	jumps := make(map[int]bool, len(c.Jumps))
	note := func(turn, after int) {
		jumps[turn] = true
		children[after] = append(children[after], turn)
	}
	for _, j := range c.OlderJumps {
		note(j[0], j[1])
	}
	for _, j := range c.Jumps {
		note(j.Turn, j.After)
	}
	for _, id := range ids {
		if line := c.Newest(id, 2); len(line) == 2 {
			parents[id], _ = TurnNumber(line[0])
		} else {
			parents[id] = 0
		}
	}
	out := map[string][]string{}
	for id, parent := range parents {
		if next := parent + 1; next <= c.TurnCounter && !jumps[next] && TurnID(next) != id {
			out[id] = append(out[id], TurnID(next))
		}
		for _, child := range children[parent] {
			if TurnID(child) != id {
				out[id] = append(out[id], TurnID(child))
			}
		}
	}
	return out
}

// CountTurn counts one more turn, after the present head. It appends to the jumps: call it on a [Campaign.Clone].
func (c *Campaign) CountTurn() {
	after, ok := TurnNumber(c.State.HeadTurnID)
	if ok && after != c.TurnCounter {
		c.Jumps = append(c.Jumps, Jump{Turn: c.TurnCounter + 1, After: after})
	}
	c.TurnCounter++
}

// Rewrite notes that the next record has a turn as it is from then on.
func (c *Campaign) Rewrite(turnID string) {
	if c.Rewritten == nil {
		c.Rewritten = map[string]int64{}
	}
	c.Rewritten[turnID] = c.Version + 1
}

// LacksJumps reports whether there are jumps on pages that are not at hand: then only what lies
// behind the oldest jump of the head is known of the lines of turns.
func (c Campaign) LacksJumps() bool { return len(c.OlderJumps) != c.Attic.Jumps }
