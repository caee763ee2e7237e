package state

import "slices"

// span is a run of turns with consecutive numbers, each the parent of the next.
type span struct{ first, last int }

// pathTo returns the turns from the start to a head, inclusive, as runs of consecutive numbers,
// newest first. It returns none for the start. Its cost grows with the number of jumps, not of
// turns, and it needs no turn in memory. The result complete is false if older turns are missing
// because their jumps are not in memory.
func (c Campaign) pathTo(head string) (path []span, complete bool) {
	last, ok := TurnNumber(head)
	if !ok || last > c.TurnCounter {
		return nil, true
	}
	// addSpan adds the turns back to a jump, if the path contains it, and continues at the parent of
	// its turn.
	addSpan := func(turn, after int) {
		if turn <= last {
			path = append(path, span{turn, last})
			last = after
		}
	}
	for _, j := range slices.Backward(c.Jumps) {
		addSpan(j.Turn, j.After)
	}
	if last == 0 {
		return path, true
	}
	if c.LacksJumps() {
		return path, false
	}
	for i := len(c.OlderJumps) - 1; i >= 0; i-- {
		addSpan(c.OlderJumps[i][0], c.OlderJumps[i][1])
	}
	return append(path, span{1, last}), true // empty if a jump leads to the start
}

// Newest returns the IDs of the last n turns up to a head, inclusive, oldest first. It returns
// fewer if there are fewer or if older jumps are not in memory, see [Campaign.LacksJumps]. The
// turns need not be in memory.
func (c Campaign) Newest(head string, n int) []string {
	var ids []string
	path, _ := c.pathTo(head)
	for _, s := range path {
		for at := s.last; at >= s.first && len(ids) < n; at-- {
			ids = append(ids, TurnID(at))
		}
	}
	slices.Reverse(ids)
	return ids
}

// Place returns the position of a turn among the turns up to a head, from 1; the start has 0. It
// reports false for a turn from which the head does not descend, and if that is unknown, see
// [Campaign.LacksJumps].
func (c Campaign) Place(id, head string) (place int, ok bool) {
	n, isTurn := TurnNumber(id)
	if !isTurn {
		return 0, false
	}
	found := n == 0
	path, complete := c.pathTo(head)
	for _, s := range path {
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
	return place, found && complete
}

// LeadsTo reports whether a turn is the head or an ancestor of it. Turns before a jump that is not
// in memory count as false. The start is an ancestor of every turn.
func (c Campaign) LeadsTo(id, head string) bool {
	n, isTurn := TurnNumber(id)
	path, _ := c.pathTo(head)
	return isTurn && (n == 0 || slices.ContainsFunc(path, func(s span) bool { return n >= s.first && n <= s.last }))
}

// Ancestor returns the newest turn that both turns descend from; each turn counts as its own
// ancestor. It returns the start if there is no other.
func (c Campaign) Ancestor(a, b string) string {
	pathA, _ := c.pathTo(a)
	pathB, _ := c.pathTo(b)
	for len(pathA) > 0 && len(pathB) > 0 {
		switch first, last := max(pathA[0].first, pathB[0].first), min(pathA[0].last, pathB[0].last); {
		case first <= last:
			return TurnID(last)
		case pathA[0].first > pathB[0].last:
			pathA = pathA[1:]
		default:
			pathB = pathB[1:]
		}
	}
	return StartTurnID
}

// Siblings returns for each of some turns on the path to one head the other turns with the same
// parent, oldest first.
func (c Campaign) Siblings(ids []string) map[string][]string {
	parents, children := map[string]int{}, map[int][]int{}
	jumps := make(map[int]bool, len(c.Jumps))
	addJump := func(turn, after int) {
		jumps[turn] = true
		children[after] = append(children[after], turn)
	}
	for _, j := range c.OlderJumps {
		addJump(j[0], j[1])
	}
	for _, j := range c.Jumps {
		addJump(j.Turn, j.After)
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

// CountTurn counts a new turn after the present head. It appends to the jumps: call it on a
// [Campaign.Clone].
func (c *Campaign) CountTurn() {
	after, _ := TurnNumber(c.State.HeadTurnID)
	if after != c.TurnCounter {
		c.Jumps = append(c.Jumps, Jump{Turn: c.TurnCounter + 1, After: after})
	}
	c.TurnCounter++
}

// Rewrite records that the next record holds the new text of a turn.
func (c *Campaign) Rewrite(turnID string) {
	if c.Rewritten == nil {
		c.Rewritten = map[string]int64{}
	}
	c.Rewritten[turnID] = c.Version + 1
}

// LacksJumps reports whether some jumps are on archive pages and not in memory. Then ancestors are
// known only back to the oldest jump of the head.
func (c Campaign) LacksJumps() bool { return len(c.OlderJumps) != c.Archive.Jumps }
