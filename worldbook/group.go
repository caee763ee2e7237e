package worldbook

import (
	"slices"

	"github.com/talewright/talewright/worldbook/internal/jsobject"
)

// group is an inclusion group among the candidates of one loop.
type group struct {
	name    string
	members []*entry
	sticky  bool
}

// applyGroups leaves at most one candidate per inclusion group.
func (s *scan) applyGroups() {
	if !s.grouped {
		return
	}
	groups := s.groups()
	s.groupsByTime(groups)
	s.groupsByScore(groups)
	for i := range groups {
		s.chooseMember(&groups[i])
	}
}

// groups lists the groups in JavaScript property order, members in candidate
// order.
func (s *scan) groups() []group {
	var list []group
	for i := range s.cands {
		if !s.cands[i].grouped {
			continue
		}
		for _, name := range s.cands[i].group.names {
			at := slices.IndexFunc(list, func(g group) bool { return g.name == name })
			if at < 0 {
				at = len(list)
				list = append(list, group{name: name})
			}
			list[at].members = append(list[at].members, s.cands[i].entry)
		}
	}
	slices.SortStableFunc(list, func(a, b group) int { return jsobject.Compare(a.name, b.name) })
	return list
}

// remove takes a group member out of the candidates. With Q2 the last candidate
// goes if the member is gone already. Member lists stay as they are, so that an
// entry of two groups can be removed twice.
func (s *scan) remove(e *entry, g *group, winner *entry) {
	at := -1
	for i := range s.cands {
		if s.cands[i].entry == e {
			at = i
			break
		}
	}
	if at < 0 {
		if at = len(s.cands) - 1; at < 0 || !s.c.quirk[quirkGroupRemoval] {
			return
		}
	}
	if s.explain != nil {
		s.explain.lostGroup(&s.cands[at], g.name, winner)
	}
	s.cands = slices.Delete(s.cands, at, at+1)
}

// groupsByTime is the first pass. A sticky member keeps all others out and
// closes its group to the later passes. Then members that are cooling down go,
// sticky ones too: the cooldown that was stored with their activation still
// runs (Q3).
func (s *scan) groupsByTime(groups []group) {
	for i := range groups {
		g := &groups[i]
		var holder *entry
		for _, e := range g.members {
			if s.isSticky(e) {
				g.sticky = true
				holder = e
				break
			}
		}
		for _, e := range g.members {
			if g.sticky && !s.isSticky(e) {
				s.remove(e, g, holder)
			}
		}
		for _, e := range g.members {
			protected := !s.c.quirk[quirkGroupCooldown] && s.isSticky(e)
			if e.hash != "" && slices.Contains(s.onCooldown, e.hash) && !protected {
				s.remove(e, g, nil)
			}
		}
	}
}

// isSticky reports whether a sticky effect runs for an entry. Effects are tied
// to the hash, so that a forced copy has those of its original.
func (s *scan) isSticky(e *entry) bool {
	return e.hash != "" && slices.Contains(s.sticky, e.hash)
}

// groupsByScore is the second pass: in groups that somebody wants scored it removes
// members with fewer keys found than the best one, if they take part themselves.
func (s *scan) groupsByScore(groups []group) {
	for i := range groups {
		g := &groups[i]
		if g.sticky || !s.scored(g) {
			continue
		}
		scores := make([]int, len(g.members))
		for k, e := range g.members {
			scores[k] = s.score(e)
		}
		top := slices.Max(scores)
		best := g.members[slices.Index(scores, top)]
		left := g.members[:0:0]
		for k, e := range g.members {
			if scores[k] < top && s.usesScoring(e) {
				s.remove(e, g, best)
			} else {
				left = append(left, e)
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
		slices.ContainsFunc(g.members, func(e *entry) bool { return e.hasScoring && e.scoring })
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

// chooseMember is the third pass: it lets one member of a group win. A group
// whose name is the whole group text of an entry that an earlier loop activated is
// closed: all its members go. Else the override of the highest order wins, the
// first one on ties, else a draw by weight. The winner is chosen among the members,
// even if another group has removed it already.
func (s *scan) chooseMember(g *group) {
	if g.sticky {
		return
	}
	for _, a := range s.activated {
		if a.grouped && a.src.Group == g.name {
			for _, e := range g.members {
				s.remove(e, g, a)
			}
			return
		}
	}
	if len(g.members) <= 1 {
		return
	}
	winner := overrideWinner(g.members)
	if winner == nil {
		winner = s.rollWinner(g)
	}
	for _, e := range g.members {
		if e != winner && winner != nil {
			s.remove(e, g, winner)
		}
	}
}

// overrideWinner is the member with GroupOverride of the highest order.
func overrideWinner(members []*entry) *entry {
	var winner *entry
	for _, e := range members {
		if e.groupOverride && (winner == nil || e.order > winner.order) {
			winner = e
		}
	}
	return winner
}

// rollWinner draws by weight: the first member whose running sum reaches the drawn
// part of the total. It is nil if a weight is not a number.
func (s *scan) rollWinner(g *group) *entry {
	total := 0.0
	for _, e := range g.members {
		total += e.groupWeight
	}
	target := s.roll(g.members[0].id, g.name) * total
	sum := 0.0
	for _, e := range g.members {
		if sum += e.groupWeight; target <= sum {
			return e
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
