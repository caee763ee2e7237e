package worldbook

import (
	"slices"

	"github.com/talewright/talewright/worldbook/internal/jsobject"
)

// group is an inclusion group among the candidates of one loop.
type group struct {
	name    string
	members []member
	sticky  bool
}

// member is a candidate in a group.
type member struct {
	*entry
	cand int32 // its place among the candidates
}

// grouper is the working memory of the inclusion groups of a scan.
type grouper struct {
	groups []group
	byName map[string]int
	closed map[string]*entry // groups of active entries, by their whole text
	gone   bitset            // candidates that are removed
	alive  int               // no candidate from here on is left
	scores []int
}

// applyGroups leaves at most one candidate per inclusion group.
func (s *scan) applyGroups() {
	if !s.grouped {
		return
	}
	s.gone = s.gone.reset(len(s.cands))
	s.alive = len(s.cands)
	s.findGroups()
	s.groupsByTime()
	s.groupsByScore()
	for i := range s.groups {
		s.chooseMember(&s.groups[i])
	}
	left := s.cands[:0]
	for i := range s.cands {
		if !s.gone.has(i) {
			left = append(left, s.cands[i])
		}
	}
	s.cands = left
}

// findGroups lists the groups in JavaScript property order, members in candidate
// order.
func (s *scan) findGroups() {
	s.groups = s.groups[:0]
	if s.byName == nil {
		s.byName = map[string]int{}
	}
	clear(s.byName)
	for i := range s.cands {
		c := &s.cands[i]
		if !c.grouped {
			continue
		}
		for _, name := range c.group.names {
			at, ok := s.byName[name]
			if !ok {
				at = len(s.groups)
				s.byName[name] = at
				g := another(&s.groups)
				g.name, g.members, g.sticky = name, g.members[:0], false
			}
			g := &s.groups[at]
			g.members = append(g.members, member{c.entry, int32(i)})
		}
	}
	slices.SortStableFunc(s.groups, func(a, b group) int { return jsobject.Compare(a.name, b.name) })
}

// remove takes a group member out of the candidates. With Q2 the last candidate
// goes if the member is gone already. Member lists stay as they are, so that an
// entry of two groups can be removed twice.
func (s *scan) remove(m member, g *group, winner *entry) {
	at := int(m.cand)
	if s.gone.has(at) {
		for s.alive > 0 && s.gone.has(s.alive-1) {
			s.alive--
		}
		if at = s.alive - 1; at < 0 || !s.c.quirk[quirkGroupRemoval] {
			return
		}
	}
	if s.explain != nil {
		s.explain.lostGroup(&s.cands[at], g.name, winner)
	}
	s.gone.set(at)
}

// groupsByTime is the first pass. A sticky member keeps all others out and
// closes its group to the later passes. Then members that are cooling down go,
// sticky ones too: the cooldown that was stored with their activation still
// runs (Q3).
func (s *scan) groupsByTime() {
	for i := range s.groups {
		g := &s.groups[i]
		var holder *entry
		for _, m := range g.members {
			if s.isSticky(m.entry) {
				g.sticky = true
				holder = m.entry
				break
			}
		}
		for _, m := range g.members {
			if g.sticky && !s.isSticky(m.entry) {
				s.remove(m, g, holder)
			}
		}
		for _, m := range g.members {
			protected := !s.c.quirk[quirkGroupCooldown] && s.isSticky(m.entry)
			if s.coolingNow.has(m.hash) && !protected {
				s.remove(m, g, nil)
			}
		}
	}
}

// isSticky reports whether a sticky effect runs for an entry. Effects are tied
// to the hash, so that a forced copy has those of its original.
func (s *scan) isSticky(e *entry) bool {
	return s.stickyNow.has(e.hash)
}

// groupsByScore is the second pass: in groups that somebody wants scored it removes
// members with fewer keys found than the best one, if they take part themselves.
func (s *scan) groupsByScore() {
	for i := range s.groups {
		g := &s.groups[i]
		if g.sticky || !s.scored(g) {
			continue
		}
		s.scores = s.scores[:0]
		for _, m := range g.members {
			s.scores = append(s.scores, s.score(m.entry))
		}
		top := slices.Max(s.scores)
		best := g.members[slices.Index(s.scores, top)].entry
		left := g.members[:0]
		for k, m := range g.members {
			if s.scores[k] < top && s.usesScoring(m.entry) {
				s.remove(m, g, best)
			} else {
				left = append(left, m)
			}
		}
		g.members = left
	}
}

func (s *scan) usesScoring(e *entry) bool {
	if e.hasScoring {
		return e.scoring
	}
	return s.c.settings.UseGroupScoring
}

// scored reports whether the setting or any member asks for scores.
func (s *scan) scored(g *group) bool {
	return s.c.settings.UseGroupScoring ||
		slices.ContainsFunc(g.members, func(m member) bool { return m.hasScoring && m.scoring })
}

// score counts the keys that are found: the primary ones, and with AND_ANY the
// secondary ones too; with AND_ALL those count only if all are found. Whether
// the secondary keys are switched on does not matter, a logic that is missing
// counts none of them, and keys are taken as they are written (Q4).
func (s *scan) score(e *entry) int {
	if !e.hasKeys {
		return 0
	}
	w := s.windowOf(e)
	p := s.count(e.group.keys, w)
	n := len(e.group.secondary)
	if n == 0 {
		return p
	}
	q := s.count(e.group.secondary, w)
	switch {
	case e.scoreLogic == int8(AndAny):
		return p + q
	case e.scoreLogic == int8(AndAll) && q == n:
		return p + q
	}
	return p
}

// closeGroup keeps later loops from choosing a member of the group that is the whole
// group text of an active entry.
func (s *scan) closeGroup(e *entry) {
	if s.closed == nil {
		s.closed = map[string]*entry{}
	}
	if s.closed[e.src.Group] == nil {
		s.closed[e.src.Group] = e
	}
}

// chooseMember is the third pass: it lets one member of a group win. A group
// whose name is the whole group text of an entry that an earlier loop activated is
// closed: all its members go. Else the override of the highest order wins, the
// first one on ties, else a draw by weight. The winner is chosen among the members,
// even if another group has removed it already.
func (s *scan) chooseMember(g *group) {
	if g.sticky {
		return
	}
	if s.replaced {
		s.closeGroups()
	}
	if a := s.closed[g.name]; a != nil {
		for _, m := range g.members {
			s.remove(m, g, a)
		}
		return
	}
	if len(g.members) <= 1 {
		return
	}
	winner := overrideWinner(g.members)
	if winner == nil {
		winner = s.rollWinner(g)
	}
	for _, m := range g.members {
		if m.entry != winner && winner != nil {
			s.remove(m, g, winner)
		}
	}
}

// overrideWinner is the member with GroupOverride of the highest order.
func overrideWinner(members []member) *entry {
	var winner *entry
	for _, m := range members {
		if m.groupOverride && (winner == nil || m.order > winner.order) {
			winner = m.entry
		}
	}
	return winner
}

// rollWinner draws by weight: the first member whose running sum reaches the drawn
// part of the total. It is nil if a weight is not a number.
func (s *scan) rollWinner(g *group) *entry {
	total := 0.0
	for _, m := range g.members {
		total += m.groupWeight
	}
	target := s.roll(g.members[0].id, g.name) * total
	sum := 0.0
	for _, m := range g.members {
		if sum += m.groupWeight; target <= sum {
			return m.entry
		}
	}
	return nil
}

// roll takes a random number and records it, so that a replay can hand the same
// ones in again.
func (s *scan) roll(id ID, group string) float64 {
	v := 0.0
	if s.in.Random != nil {
		v = s.in.Random()
	}
	s.out.Rolls = append(s.out.Rolls, Roll{ID: id, Group: group, Value: v})
	return v
}
