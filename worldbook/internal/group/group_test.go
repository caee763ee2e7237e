package group

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

// member is the member at a place, of the groups that are listed with commas.
func member(place int32, groups string, change ...func(*Member)) Member {
	m := Member{Place: place, Names: strings.Split(groups, ","), Weight: 100}
	for _, f := range change {
		f(&m)
	}
	return m
}

// TestThin: who goes, and what it lost to.
func TestThin(t *testing.T) {
	t.Parallel()
	sticky := func(m *Member) { m.Sticky = true }
	cooling := func(m *Member) { m.Cooling = true }
	override := func(order float64) func(*Member) {
		return func(m *Member) { m.Override, m.Order = true, order }
	}
	scored := func(m *Member) { m.Scored, m.AsksScores = true, true }
	weight := func(w float64) func(*Member) { return func(m *Member) { m.Weight = w } }
	for _, row := range []struct {
		reason  string
		members []Member
		rules   Rules
		judge   judge
		lost    []Loss
	}{
		{"alone", []Member{member(0, "g")}, Rules{}, judge{}, nil},
		{"the draw decides", []Member{member(0, "g"), member(1, "g"), member(2, "g")}, Rules{}, judge{draw: 0.5},
			[]Loss{{0, "g", 1}, {2, "g", 1}}},
		{"by weight", []Member{member(0, "g", weight(1)), member(1, "g", weight(9))}, Rules{}, judge{draw: 0.11},
			[]Loss{{0, "g", 1}}},
		{"the highest override wins without a draw",
			[]Member{member(0, "g", override(1)), member(1, "g"), member(2, "g", override(2))}, Rules{}, judge{},
			[]Loss{{0, "g", 2}, {1, "g", 2}}},
		{"a sticky member keeps the others out",
			[]Member{member(0, "g"), member(1, "g", sticky)}, Rules{}, judge{}, []Loss{{0, "g", 1}}},
		{"a cooldown of its own", []Member{member(0, "g", cooling)}, Rules{}, judge{}, []Loss{{0, "g", ToCooldown}}},
		{"sticky protects from it", []Member{member(0, "g", sticky, cooling)}, Rules{}, judge{}, nil},
		{"but not with the quirk", []Member{member(0, "g", sticky, cooling)}, Rules{CoolsSticky: true}, judge{},
			[]Loss{{0, "g", ToCooldown}}},
		{"a worse score loses, and only the best are drawn",
			[]Member{member(0, "g", scored), member(1, "g"), member(2, "g")}, Rules{}, judge{scores: []int{1, 2, 2}},
			[]Loss{{0, "g", 1}, {2, "g", 1}}},
		{"who does not take part keeps a worse score",
			[]Member{member(0, "g"), member(1, "g", scored)}, Rules{}, judge{scores: []int{1, 2}},
			[]Loss{{1, "g", 0}}},
		{"an active entry closes its group", []Member{member(0, "g"), member(1, "h")}, Rules{}, judge{closed: "g"},
			[]Loss{{0, "g", ToActive}}},
		{"numbers come first", []Member{member(0, "b,10"), member(1, "b,9"), member(2, "9,10")}, Rules{}, judge{},
			[]Loss{{2, "9", 1}, {1, "b", 0}}},
		{"a second removal takes the last candidate with the quirk",
			[]Member{member(0, "a,b"), member(1, "a", override(1)), member(2, "b", override(1))},
			Rules{RemovesAgain: true}, judge{}, []Loss{{0, "a", 1}, {3, "b", 2}}},
		{"and nothing without",
			[]Member{member(0, "a,b"), member(1, "a", override(1)), member(2, "b", override(1))},
			Rules{}, judge{}, []Loss{{0, "a", 1}}},
		{"a weight that is no number lets nobody lose",
			[]Member{member(0, "g", weight(0), func(m *Member) { m.Weight /= m.Weight }), member(1, "g")}, Rules{}, judge{}, nil},
	} {
		var thinner Thinner
		for range 2 { // the memory of the first call does not show
			got := thinner.Thin(4, row.members, row.rules, &row.judge)
			if !slices.Equal(got, row.lost) {
				t.Errorf("%s: %v, want %v", row.reason, got, row.lost)
			}
			for place := range 4 {
				lost := slices.ContainsFunc(row.lost, func(l Loss) bool { return int(l.Place) == place })
				if thinner.Gone(place) != lost {
					t.Errorf("%s: candidate %d, gone is %v", row.reason, place, !lost)
				}
			}
		}
	}
}
