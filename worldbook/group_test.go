package worldbook

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// judge is a judge with fixed answers.
type judge struct {
	scores []int
	draw   float64
	closed string
	drawn  []string
}

func (j *judge) Score(place int32) int { return j.scores[place] }

func (j *judge) Draw(place int32, group string) float64 {
	j.drawn = append(j.drawn, fmt.Sprint(group, " from ", place))
	return j.draw
}

func (j *judge) Closed(group string) bool { return group == j.closed }

// groupMember is the member at a place, of the groups that are listed with commas.
func groupMember(place int32, groups string, change ...func(*member)) member {
	m := member{Place: place, Names: strings.Split(groups, ","), Weight: 100}
	for _, f := range change {
		f(&m)
	}
	return m
}

// TestThin: which entries are removed, and to which winner they lost.
func TestThin(t *testing.T) {
	t.Parallel()
	sticky := func(m *member) { m.Sticky = true }
	cooling := func(m *member) { m.Cooling = true }
	override := func(order float64) func(*member) {
		return func(m *member) { m.Override, m.Order = true, order }
	}
	scored := func(m *member) { m.Scored, m.AsksScores = true, true }
	weight := func(w float64) func(*member) { return func(m *member) { m.Weight = w } }
	for _, row := range []struct {
		reason  string
		members []member
		rules   groupRules
		judge   judge
		lost    []loss
	}{
		{"alone", []member{groupMember(0, "g")}, groupRules{}, judge{}, nil},
		{"the draw decides", []member{groupMember(0, "g"), groupMember(1, "g"), groupMember(2, "g")}, groupRules{}, judge{draw: 0.5},
			[]loss{{0, "g", 1}, {2, "g", 1}}},
		{"by weight", []member{groupMember(0, "g", weight(1)), groupMember(1, "g", weight(9))}, groupRules{}, judge{draw: 0.11},
			[]loss{{0, "g", 1}}},
		{"the highest override wins without a draw",
			[]member{groupMember(0, "g", override(1)), groupMember(1, "g"), groupMember(2, "g", override(2))}, groupRules{}, judge{},
			[]loss{{0, "g", 2}, {1, "g", 2}}},
		{"a sticky member keeps the others out",
			[]member{groupMember(0, "g"), groupMember(1, "g", sticky)}, groupRules{}, judge{}, []loss{{0, "g", 1}}},
		{"a cooldown of its own", []member{groupMember(0, "g", cooling)}, groupRules{}, judge{}, []loss{{0, "g", ownCooldown}}},
		{"sticky protects from it", []member{groupMember(0, "g", sticky, cooling)}, groupRules{}, judge{}, nil},
		{"but not with the quirk", []member{groupMember(0, "g", sticky, cooling)}, groupRules{CoolsSticky: true}, judge{},
			[]loss{{0, "g", ownCooldown}}},
		{"a worse score loses, and only the best are drawn",
			[]member{groupMember(0, "g", scored), groupMember(1, "g"), groupMember(2, "g")}, groupRules{}, judge{scores: []int{1, 2, 2}},
			[]loss{{0, "g", 1}, {2, "g", 1}}},
		{"who does not take part keeps a worse score",
			[]member{groupMember(0, "g"), groupMember(1, "g", scored)}, groupRules{}, judge{scores: []int{1, 2}},
			[]loss{{1, "g", 0}}},
		{"an active entry closes its group", []member{groupMember(0, "g"), groupMember(1, "h")}, groupRules{}, judge{closed: "g"},
			[]loss{{0, "g", activeEntry}}},
		{"numbers come first", []member{groupMember(0, "b,10"), groupMember(1, "b,9"), groupMember(2, "9,10")}, groupRules{}, judge{},
			[]loss{{2, "9", 1}, {1, "b", 0}}},
		{"a second removal takes the last candidate with the quirk",
			[]member{groupMember(0, "a,b"), groupMember(1, "a", override(1)), groupMember(2, "b", override(1))},
			groupRules{RemovesAgain: true}, judge{}, []loss{{0, "a", 1}, {3, "b", 2}}},
		{"and nothing without",
			[]member{groupMember(0, "a,b"), groupMember(1, "a", override(1)), groupMember(2, "b", override(1))},
			groupRules{}, judge{}, []loss{{0, "a", 1}}},
		{"a weight that is no number lets nobody lose",
			[]member{groupMember(0, "g", weight(0), func(m *member) { m.Weight /= m.Weight }), groupMember(1, "g")}, groupRules{}, judge{}, nil},
	} {
		var thinner groupThinner
		for range 2 { // the memory of the first call has no effect
			got := thinner.Thin(4, row.members, row.rules, &row.judge)
			if !slices.Equal(got, row.lost) {
				t.Errorf("%s: %v, want %v", row.reason, got, row.lost)
			}
			for place := range 4 {
				lost := slices.ContainsFunc(row.lost, func(l loss) bool { return int(l.Place) == place })
				if thinner.Removed(place) != lost {
					t.Errorf("%s: candidate %d, gone is %v", row.reason, place, !lost)
				}
			}
		}
	}
}
