package worldbook

import (
	"slices"

	"github.com/talewright/talewright/worldbook/internal/bitset"
	"github.com/talewright/talewright/worldbook/internal/jsobject"
	"github.com/talewright/talewright/worldbook/quirk"
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
	cands  []candidate
	judge  judge
	groups []group
	byName map[string]int
	gone   removals
	scores []int
}

// judge knows what groups ask of a scan.
type judge interface {
	isSticky(e *entry) bool
	isCooling(e *entry) bool
	score(e *entry) int
	roll(id ID, group string) float64
	has(q quirk.Name) bool // a quirk is on
	usesScoring(e *entry) bool
	scoresAll() bool
	lostGroup(c *candidate, group string, winner *entry)
	// closedBy is the active entry that keeps all members of a group out.
	closedBy(group string) *entry
}

func (g *grouper) release(ofCaller bool) {
	g.cands, g.judge = nil, nil
	if ofCaller {
		g.groups = nil
	}
}

// thin leaves at most one candidate per inclusion group, in the memory of the list.
func (g *grouper) thin(cands []candidate, j judge) []candidate {
	g.cands, g.judge = cands, j
	g.gone.begin(len(cands), j.has(quirk.GroupRemoval))
	g.findGroups()
	for i := range g.groups {
		g.byTime(&g.groups[i])
	}
	for i := range g.groups {
		g.byScore(&g.groups[i])
	}
	for i := range g.groups {
		g.chooseMember(&g.groups[i])
	}
	left := cands[:0]
	for i := range cands {
		if !g.gone.set.Has(i) {
			left = append(left, cands[i])
		}
	}
	return left
}

// findGroups lists the groups in JavaScript property order, members in candidate
// order.
func (g *grouper) findGroups() {
	g.groups = g.groups[:0]
	if g.byName == nil {
		g.byName = map[string]int{}
	}
	clear(g.byName)
	for i := range g.cands {
		c := &g.cands[i]
		if !c.grouped {
			continue
		}
		for _, name := range c.group.names {
			at, ok := g.byName[name]
			if !ok {
				at = len(g.groups)
				g.byName[name] = at
				of := another(&g.groups)
				of.name, of.members, of.sticky = name, of.members[:0], false
			}
			of := &g.groups[at]
			of.members = append(of.members, member{c.entry, int32(i)})
		}
	}
	slices.SortStableFunc(g.groups, func(a, b group) int { return jsobject.Compare(a.name, b.name) })
}

// remove takes a group member out of the candidates.
func (g *grouper) remove(m member, of *group, winner *entry) {
	if at := g.gone.remove(int(m.cand)); at >= 0 {
		g.judge.lostGroup(&g.cands[at], of.name, winner)
	}
}

// removals are the candidates that groups have removed. Member lists stay as they are, so
// that an entry of two groups can be removed twice. In SillyTavern the second removal does
// not find the entry in its list, takes the place -1 for it, and so removes the last
// candidate that is left, an unrelated entry (quirk group-removal).
type removals struct {
	set   bitset.Set
	alive int  // no candidate from here on is left
	again bool // the quirk
}

func (r *removals) begin(n int, again bool) {
	r.set, r.alive, r.again = r.set.Reset(n), n, again
}

// remove returns the place of the candidate that goes, -1 if none does.
func (r *removals) remove(at int) int {
	if r.set.Has(at) {
		if at = r.last(); at < 0 || !r.again {
			return -1
		}
	}
	r.set.Put(at)
	return at
}

// last is the place of the last candidate that is left, -1 if none is.
func (r *removals) last() int {
	for r.alive > 0 && r.set.Has(r.alive-1) {
		r.alive--
	}
	return r.alive - 1
}

// byTime is the first pass. A sticky member keeps all others out and
// closes its group to the later passes. Then members that are cooling down go,
// sticky ones too: the cooldown that was stored with their activation still
// runs (quirk group-cooldown).
func (g *grouper) byTime(of *group) {
	holder := slices.IndexFunc(of.members, func(m member) bool { return g.judge.isSticky(m.entry) })
	if of.sticky = holder >= 0; of.sticky {
		for _, m := range of.members {
			if !g.judge.isSticky(m.entry) {
				g.remove(m, of, of.members[holder].entry)
			}
		}
	}
	protects := !g.judge.has(quirk.GroupCooldown)
	for _, m := range of.members {
		if g.judge.isCooling(m.entry) && !(protects && g.judge.isSticky(m.entry)) {
			g.remove(m, of, nil)
		}
	}
}

// byScore is the second pass: in groups that somebody wants scored it removes
// members with fewer keys found than the best one, if they take part themselves.
func (g *grouper) byScore(of *group) {
	if of.sticky || !g.scored(of) {
		return
	}
	g.scores = g.scores[:0]
	for _, m := range of.members {
		g.scores = append(g.scores, g.judge.score(m.entry))
	}
	top := slices.Max(g.scores)
	best := of.members[slices.Index(g.scores, top)].entry
	left := of.members[:0]
	for k, m := range of.members {
		if g.scores[k] < top && g.judge.usesScoring(m.entry) {
			g.remove(m, of, best)
		} else {
			left = append(left, m)
		}
	}
	of.members = left
}

// scored reports whether the setting or any member asks for scores.
func (g *grouper) scored(of *group) bool {
	return g.judge.scoresAll() ||
		slices.ContainsFunc(of.members, func(m member) bool { return m.hasScoring && m.scoring })
}

// chooseMember is the third pass: it lets one member of a group win. A group
// whose name is the whole group text of an entry that an earlier loop activated is
// closed: all its members go. Else the override of the highest order wins, the
// first one on ties, else a draw by weight. The winner is chosen among the members,
// even if another group has removed it already.
func (g *grouper) chooseMember(of *group) {
	if of.sticky {
		return
	}
	if holder := g.judge.closedBy(of.name); holder != nil {
		for _, m := range of.members {
			g.remove(m, of, holder)
		}
		return
	}
	if len(of.members) <= 1 {
		return
	}
	winner := overrideWinner(of.members)
	if winner == nil {
		winner = g.rollWinner(of)
	}
	for _, m := range of.members {
		if m.entry != winner && winner != nil {
			g.remove(m, of, winner)
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
func (g *grouper) rollWinner(of *group) *entry {
	total := 0.0
	for _, m := range of.members {
		total += m.groupWeight
	}
	target := g.judge.roll(of.members[0].id, of.name) * total
	sum := 0.0
	for _, m := range of.members {
		if sum += m.groupWeight; target <= sum {
			return m.entry
		}
	}
	return nil
}

// scanJudge is the judge of the groups of a scan.
type scanJudge struct{ s *scan }

func (j scanJudge) isSticky(e *entry) bool { return j.s.timing.isSticky(e) }

func (j scanJudge) closedBy(group string) *entry { return j.s.roster.closedBy(group) }

func (j scanJudge) isCooling(e *entry) bool { return j.s.timing.isCooling(e) }

func (j scanJudge) has(q quirk.Name) bool { return j.s.c.quirk.Has(q) }

func (j scanJudge) scoresAll() bool { return j.s.c.settings.UseGroupScoring }

func (j scanJudge) usesScoring(e *entry) bool {
	if e.hasScoring {
		return e.scoring
	}
	return j.s.c.settings.UseGroupScoring
}

func (j scanJudge) lostGroup(c *candidate, group string, winner *entry) {
	j.s.explain.lostGroup(c, group, winner)
}

// score counts the keys that are found: the primary ones, and with AND_ANY the
// secondary ones too; with AND_ALL those count only if all are found. Whether
// the secondary keys are switched on does not matter, a logic that is missing
// counts none of them, and keys are taken as they are written (quirk raw-group-keys).
func (j scanJudge) score(e *entry) int {
	if !e.hasKeys {
		return 0
	}
	w := j.s.windowOf(e)
	p := j.s.search.Count(e.group.keys, w)
	n := len(e.group.secondary)
	if n == 0 {
		return p
	}
	q := j.s.search.Count(e.group.secondary, w)
	switch {
	case e.scoreLogic == int8(AndAny):
		return p + q
	case e.scoreLogic == int8(AndAll) && q == n:
		return p + q
	}
	return p
}

func (j scanJudge) roll(id ID, group string) float64 { return j.s.out.roll(j.s.in.Random, id, group) }
