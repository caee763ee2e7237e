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
	Override      bool    // it wins by its order
	Scored        bool    // it loses to a better score
	AsksScores    bool    // its groups compare scores
	Sticky        bool    // a sticky effect runs
	Cooling       bool    // a cooldown runs
}

// groupRules are the settings that apply to all groups.
type groupRules struct {
	Scores       bool // every group compares scores
	RemovesAgain bool // quirk group-removal
	CoolsSticky  bool // quirk group-cooldown
}

// judgeGroup answers questions that depend on the scan. Candidates are named by their places.
type judgeGroup interface {
	// Score returns the number of keys of a candidate that are found.
	Score(place int32) int
	// Draw returns a random number for a group whose first member is at place.
	Draw(place int32, group string) float64
	// Closed reports whether an active entry excludes all members of a group.
	Closed(group string) bool
}

// loss is a candidate that a group removed.
type loss struct {
	Place int32
	Group string
	To    int32 // the place of the winner, or one of the values below
}

// Values of To that are not a candidate's place.
const (
	toCooldown int32 = -1 // of its own
	toActive   int32 = -2 // the entry that closes the group
)

// group is one group among the candidates of a loop.
type group struct {
	name    string
	members []*member
	sticky  bool
}

// groupThinner applies the groups of a scan. The zero value is ready.
type groupThinner struct {
	rules  groupRules
	judge  judgeGroup
	groups []group
	byName map[string]int
	gone   removals
	lost   []loss
	scores []int
}

// Release drops the data of the caller.
func (t *groupThinner) Release() { *t = groupThinner{} }

// Gone reports whether the last call of [groupThinner.Thin] removed a candidate.
func (t *groupThinner) Gone(place int) bool { return t.gone.set.Has(place) }

// Thin leaves at most one candidate per group. It returns the removed ones of n candidates, in
// removal order. The list is valid until the next call.
func (t *groupThinner) Thin(n int, members []member, rules groupRules, judge judgeGroup) []loss {
	t.rules, t.judge, t.lost = rules, judge, t.lost[:0]
	t.gone.begin(n, rules.RemovesAgain)
	t.find(members)
	for i := range t.groups {
		t.byTime(&t.groups[i])
	}
	for i := range t.groups {
		t.byScore(&t.groups[i])
	}
	for i := range t.groups {
		t.choose(&t.groups[i])
	}
	t.judge = nil
	return t.lost
}

// find lists the groups in JavaScript property order, and members in candidate order.
func (t *groupThinner) find(members []member) {
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
				of := next(&t.groups)
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
	if at := t.gone.remove(int(m.Place)); at >= 0 {
		t.lost = append(t.lost, loss{int32(at), of.name, to})
	}
}

// byTime is the first pass. A sticky member removes all members that are not sticky and excludes
// its group from the later passes. Then members that are cooling down are removed, including sticky
// ones: the cooldown that was stored with their activation still runs (quirk group-cooldown).
func (t *groupThinner) byTime(of *group) {
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
			t.remove(m, of, toCooldown)
		}
	}
}

// byScore is the second pass. In groups that compare scores it removes members with fewer found
// keys than the best member, if they take part in scoring.
func (t *groupThinner) byScore(of *group) {
	asks := func(m *member) bool { return m.AsksScores }
	if of.sticky || !t.rules.Scores && !slices.ContainsFunc(of.members, asks) {
		return
	}
	t.scores = t.scores[:0]
	for _, m := range of.members {
		t.scores = append(t.scores, t.judge.Score(m.Place))
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

// choose is the third pass: it selects one winner of a group. A group that an active entry closes
// loses all its members. Otherwise the override of the highest order wins, the first one on ties.
// Without an override a draw by weight decides. The winner is chosen among all members, even if a
// different group has already removed it.
func (t *groupThinner) choose(of *group) {
	if of.sticky {
		return
	}
	if t.judge.Closed(of.name) {
		for _, m := range of.members {
			t.remove(m, of, toActive)
		}
		return
	}
	if len(of.members) <= 1 {
		return
	}
	winner := overrider(of.members)
	if winner == nil {
		winner = t.drawn(of)
	}
	for _, m := range of.members {
		if m != winner && winner != nil {
			t.remove(m, of, winner.Place)
		}
	}
}

// overrider returns the member with an override of the highest order, or nil if no member has an
// override.
func overrider(members []*member) *member {
	var winner *member
	for _, m := range members {
		if m.Override && (winner == nil || m.Order > winner.Order) {
			winner = m
		}
	}
	return winner
}

// drawn draws by weight. It returns the first member whose running sum reaches the drawn part of
// the total, or nil if a weight is not a number.
func (t *groupThinner) drawn(of *group) *member {
	var total sum
	for _, m := range of.members {
		total.add(m)
	}
	target := t.judge.Draw(of.members[0].Place, of.name) * total.number()
	var running sum
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

// sum adds weights as JavaScript does. From the first weight that is a text, weights are
// concatenated, up to [maxWeightText].
type sum struct {
	value float64
	text  *string
}

func (s *sum) add(m *member) {
	if s.text == nil && m.WeightText == nil {
		s.value += m.Weight
		return
	}
	left, right := loose.NumberText(s.value), loose.NumberText(m.Weight)
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

func (s *sum) number() float64 {
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
	alive int  // no candidate from here on remains
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
