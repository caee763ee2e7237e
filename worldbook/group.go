package worldbook

import (
	"slices"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// The group part thins candidates out: of each inclusion group at most one is left, as
// SillyTavern has it.

// member is a candidate that is in groups.
type member struct {
	Place         int32    // among all candidates
	Names         []string // of its groups
	Order, Weight float64
	WeightText    *string // a weight that is a text; Weight is its number
	Override      bool    // it wins by its order
	Scored        bool    // it loses to a better score
	AsksScores    bool    // its groups compare scores
	Sticky        bool    // a sticky effect runs
	Cooling       bool    // a cooldown runs
}

// groupRules are what settings say of all groups.
type groupRules struct {
	Scores       bool // every group compares scores
	RemovesAgain bool // quirk group-removal
	CoolsSticky  bool // quirk group-cooldown
}

// judgeGroup knows what depends on the scan. Candidates are named by their places.
type judgeGroup interface {
	// Score counts the keys of a candidate that are found.
	Score(place int32) int
	// Draw takes a random number for a group whose first member is at place.
	Draw(place int32, group string) float64
	// Closed reports whether an active entry keeps all members of a group out.
	Closed(group string) bool
}

// loss is a candidate that a group has removed.
type loss struct {
	Place int32
	Group string
	To    int32 // the place of the winner, or one of the values below
}

// What a candidate lost to, where it is no other candidate.
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

// groupThinner is the memory of the groups of a scan. The zero value is ready.
type groupThinner struct {
	rules  groupRules
	judge  judgeGroup
	groups []group
	byName map[string]int
	gone   removals
	lost   []loss
	scores []int
}

// Release drops what belongs to the caller.
func (t *groupThinner) Release() { *t = groupThinner{} }

// Gone reports whether the last call of [groupThinner.Thin] has removed a candidate.
func (t *groupThinner) Gone(place int) bool { return t.gone.set.Has(place) }

// Thin leaves at most one candidate per group: the losses say which of n candidates go, in
// the order in which they do. The list is good until the next call.
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

// find lists the groups in JavaScript property order, members in candidate order.
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

// remove takes a group member out of the candidates.
func (t *groupThinner) remove(m *member, of *group, to int32) {
	if at := t.gone.remove(int(m.Place)); at >= 0 {
		t.lost = append(t.lost, loss{int32(at), of.name, to})
	}
}

// byTime is the first pass. A sticky member keeps all others out and closes its group to
// the later passes. Then members that are cooling down go, sticky ones too: the cooldown
// that was stored with their activation still runs (quirk group-cooldown).
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

// byScore is the second pass: in groups that are to be scored it removes
// members with fewer keys found than the best one, if they take part themselves.
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

// choose is the third pass: it lets one member of a group win. A group that an active entry
// closes loses all its members. Else the override of the highest order wins, the first one
// on ties, else a draw by weight. The winner is chosen among the members, even if another
// group has removed it already.
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

// overrider is the member with an override of the highest order, nil without one.
func overrider(members []*member) *member {
	var winner *member
	for _, m := range members {
		if m.Override && (winner == nil || m.Order > winner.Order) {
			winner = m
		}
	}
	return winner
}

// drawn draws by weight: the first member whose running sum reaches the drawn part of the
// total. It is nil if a weight is not a number.
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

// sum adds weights as JavaScript does: with a text among them, from there on they are put one behind the other.
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
	s.text = new(left + right)
}

func (s *sum) number() float64 {
	if s.text != nil {
		return loose.TextNumber(*s.text)
	}
	return s.value
}

// removals are the candidates that groups have removed. Member lists stay as they are, so
// that an entry of two groups can be removed twice. In SillyTavern the second removal does
// not find the entry in its list, takes the place -1 for it, and so removes the last
// candidate that is left, an unrelated entry (quirk group-removal).
type removals struct {
	set   match.Set
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
