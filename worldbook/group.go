package worldbook

import (
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// This file applies inclusion groups as SillyTavern does: at most one candidate of each group is
// left.

// member is a candidate that belongs to groups.
type member struct {
	Place         int32    // index among all candidates
	Names         []string // of its groups
	Order, Weight float64
	WeightText    *string // a weight that is a text; Weight is its numeric value
	Override      bool    // it wins over members without an override; see overrideWinner
	Scored        bool    // a member with a higher score removes it
	AsksScores    bool    // it makes its groups compare scores
	Sticky        bool    // a sticky effect runs
	Cooling       bool    // a cooldown runs
}

// groupRules are the settings that apply to all groups.
type groupRules struct {
	Scores       bool // every group compares scores
	RemovesAgain bool // quirk group-removal
	CoolsSticky  bool // quirk group-cooldown
}

// groupQueries answers questions that depend on the scan. Candidates are named by their places.
type groupQueries interface {
	// Score returns the number of keys of a candidate that are found.
	Score(place int32) int
	// Draw returns a random number for a group whose first member is at place.
	Draw(place int32, group string) float64
	// Closed reports whether an active entry excludes all members of a group.
	Closed(group string) bool
}

// loss is a candidate that a group removed.
type loss struct {
	Place  int32
	Group  string
	Winner int32 // the place of the winner, or ownCooldown or activeEntry
}

// Values of loss.Winner that are not the place of a candidate.
const (
	ownCooldown int32 = -1 // the candidate's own cooldown removed it
	activeEntry int32 = -2 // an active entry that closes the group removed it
)

// group is one group among the candidates of a loop.
type group struct {
	name    string
	members []*member
	sticky  bool
}

// groupThinner applies the groups of a scan. The zero value is ready.
type groupThinner struct {
	rules   groupRules
	queries groupQueries
	groups  []group
	byName  map[string]int
	removed removals
	losses  []loss
	scores  []int
}

// Release drops the data of the caller.
func (t *groupThinner) Release() { *t = groupThinner{} }

// Removed reports whether the last call of [groupThinner.Thin] removed a candidate.
func (t *groupThinner) Removed(place int) bool { return t.removed.set.Has(place) }

// Thin leaves at most one candidate per group. It returns the removed ones of n candidates, in
// removal order. The list is valid until the next call.
func (t *groupThinner) Thin(n int, members []member, rules groupRules, judge groupQueries) []loss {
	t.rules, t.queries, t.losses = rules, judge, t.losses[:0]
	t.removed.begin(n, rules.RemovesAgain)
	t.listGroups(members)
	for i := range t.groups {
		t.applyTimedEffects(&t.groups[i])
	}
	for i := range t.groups {
		t.applyScores(&t.groups[i])
	}
	for i := range t.groups {
		t.chooseWinner(&t.groups[i])
	}
	t.queries = nil
	return t.losses
}

// listGroups lists the groups in JavaScript property order, and members in candidate order.
func (t *groupThinner) listGroups(members []member) {
	t.groups = t.groups[:0]
	if t.byName == nil {
		t.byName = map[string]int{}
	}
	clear(t.byName)
	for i := range members {
		for _, name := range members[i].Names {
			at, ok := t.byName[name]
			if !ok {
				at = len(t.groups)
				t.byName[name] = at
				of := extend(&t.groups)
				of.name, of.members, of.sticky = name, of.members[:0], false
			}
			of := &t.groups[at]
			of.members = append(of.members, &members[i])
		}
	}
	slices.SortStableFunc(t.groups, func(a, b group) int { return openjson.Compare(a.name, b.name) })
}

// remove removes a group member from the candidates.
func (t *groupThinner) remove(m *member, of *group, to int32) {
	if at := t.removed.remove(int(m.Place)); at >= 0 {
		t.losses = append(t.losses, loss{int32(at), of.name, to})
	}
}

// applyTimedEffects is the first pass. A sticky member removes all members that are not sticky and excludes
// its group from the later passes. Then members that are cooling down are removed, including sticky
// ones: the cooldown that was stored with their activation still runs (quirk group-cooldown).
func (t *groupThinner) applyTimedEffects(of *group) {
	holder := slices.IndexFunc(of.members, func(m *member) bool { return m.Sticky })
	if of.sticky = holder >= 0; of.sticky {
		for _, m := range of.members {
			if !m.Sticky {
				t.remove(m, of, of.members[holder].Place)
			}
		}
	}
	for _, m := range of.members {
		if m.Cooling && (t.rules.CoolsSticky || !m.Sticky) {
			t.remove(m, of, ownCooldown)
		}
	}
}

// applyScores is the second pass. In groups that compare scores it removes members with fewer found
// keys than the best member, if they take part in scoring.
func (t *groupThinner) applyScores(of *group) {
	asks := func(m *member) bool { return m.AsksScores }
	if of.sticky || !t.rules.Scores && !slices.ContainsFunc(of.members, asks) {
		return
	}
	t.scores = t.scores[:0]
	for _, m := range of.members {
		t.scores = append(t.scores, t.queries.Score(m.Place))
	}
	top := slices.Max(t.scores)
	best := of.members[slices.Index(t.scores, top)].Place
	left := of.members[:0]
	for k, m := range of.members {
		if t.scores[k] < top && m.Scored {
			t.remove(m, of, best)
		} else {
			left = append(left, m)
		}
	}
	of.members = left
}

// chooseWinner is the third pass: it selects one winner of a group. A group that an active entry closes
// loses all its members. Otherwise the override of the highest order wins, the first one on ties.
// Without an override a draw by weight decides. The winner is chosen among all members, even if a
// different group has already removed it.
func (t *groupThinner) chooseWinner(of *group) {
	if of.sticky {
		return
	}
	if t.queries.Closed(of.name) {
		for _, m := range of.members {
			t.remove(m, of, activeEntry)
		}
		return
	}
	if len(of.members) <= 1 {
		return
	}
	winner := overrideWinner(of.members)
	if winner == nil {
		winner = t.drawByWeight(of)
	}
	for _, m := range of.members {
		if m != winner && winner != nil {
			t.remove(m, of, winner.Place)
		}
	}
}

// overrideWinner returns the member with an override of the highest order, or nil if no member has an
// override.
func overrideWinner(members []*member) *member {
	var winner *member
	for _, m := range members {
		if m.Override && (winner == nil || m.Order > winner.Order) {
			winner = m
		}
	}
	return winner
}

// drawByWeight draws by weight. It returns the first member whose running sum reaches the drawn part of
// the total, or nil if a weight is not a number.
func (t *groupThinner) drawByWeight(of *group) *member {
	var total weightSum
	for _, m := range of.members {
		total.add(m)
	}
	target := t.queries.Draw(of.members[0].Place, of.name) * total.number()
	var running weightSum
	for _, m := range of.members {
		if running.add(m); target <= running.number() {
			return m
		}
	}
	return nil
}

// maxWeightText limits the text of a sum. A longer text is not a number for [loose.TextNumber] either.
// The limit bounds the work on a group with many weights that are texts.
const maxWeightText = 1 << 10

// weightSum adds weights as JavaScript does. From the first weight that is a text, weights are
// concatenated, up to [maxWeightText].
type weightSum struct {
	value float64
	text  *string
}

func (s *weightSum) add(m *member) {
	if s.text == nil && m.WeightText == nil {
		s.value += m.Weight
		return
	}
	left, right := openjson.FormatNumber(s.value), openjson.FormatNumber(m.Weight)
	if s.text != nil {
		left = *s.text
	}
	if m.WeightText != nil {
		right = *m.WeightText
	}
	if left += right; len(left) > maxWeightText {
		left = "NaN"
	}
	s.text = new(left)
}

func (s *weightSum) number() float64 {
	if s.text != nil {
		return loose.TextNumber(*s.text)
	}
	return s.value
}

// removals records the candidates that groups removed. Member lists do not change, so an entry of
// two groups can be removed twice. In SillyTavern the second removal does not find the entry in its
// list and uses the index -1. So it removes the last remaining candidate, an unrelated entry (quirk
// group-removal).
type removals struct {
	set   match.Set
	alive int  // all candidates from this place on are removed
	again bool // the quirk is on
}

func (r *removals) begin(n int, again bool) {
	r.set, r.alive, r.again = r.set.Reset(n), n, again
}

// remove returns the place of the removed candidate, or -1 if none is removed.
func (r *removals) remove(at int) int {
	if r.set.Has(at) {
		if at = r.last(); at < 0 || !r.again {
			return -1
		}
	}
	r.set.Put(at)
	return at
}

// last returns the place of the last remaining candidate, or -1 if none remains.
func (r *removals) last() int {
	for r.alive > 0 && r.set.Has(r.alive-1) {
		r.alive--
	}
	return r.alive - 1
}
