package conflict_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/testkit"
)

// scaleFeatures are the things of which a narration and a view may have many.
var scaleFeatures = []struct {
	name string
	make func(n int) (text string, view conflict.View)
}{
	{"sentences", func(n int) (string, conflict.View) { return strings.Repeat(narration, n/8), town() }},
	{"claims in one sentence", func(n int) (string, conflict.View) {
		return strings.Repeat("你失去了5点生命值 ", n), town()
	}},
	{"doubts in one sentence", func(n int) (string, conflict.View) {
		return strings.Repeat("maybe you lose 5 hp and ", n), town()
	}},
	{"places in one sentence", func(n int) (string, conflict.View) {
		return strings.Repeat("你走进大厅 ", n), town()
	}},
	{"quotations", func(n int) (string, conflict.View) { return strings.Repeat("“你死了” ", n), town() }},
	{"openers without closers", func(n int) (string, conflict.View) {
		return strings.Repeat("“「『你死了", n), town()
	}},
	{"dice, rules, cards and maps", func(n int) (string, conflict.View) {
		return strings.Repeat("你掷出了 17，规则改变了，你的力量提升到 18，地图多出一处。", n), town()
	}},
	{"characters", func(n int) (string, conflict.View) {
		view, text := town(), &strings.Builder{}
		for i := range n {
			view.Characters = append(view.Characters, conflict.Character{
				ID: fmt.Sprint("n", i), Name: fmt.Sprint("Nobody", i), AreaID: "hall", AliveState: "alive"})
		}
		for i := range 20 {
			fmt.Fprintf(text, "Nobody%d dies. ", i)
		}
		return text.String(), view
	}},
	{"areas and paths", func(n int) (string, conflict.View) {
		view := town()
		for i := range n {
			id := fmt.Sprint("area", i)
			view.Areas = append(view.Areas, conflict.Area{ID: id, Name: id, Parent: fmt.Sprint("area", i-1)})
			view.Connections = append(view.Connections, conflict.Connection{From: id, To: "hall"})
		}
		return strings.Repeat("You walk into area7. area3 now leads to area9. ", 10), view
	}},
	{"applied actions", func(n int) (string, conflict.View) {
		view := town()
		for range n {
			view.Actions = append(view.Actions, conflict.Action{Tool: "hp_delta",
				HP: []conflict.HPChange{{CharacterID: view.ActorID, Requested: -1, Effective: -1}}})
		}
		return strings.Repeat("你失去了5点生命值。", 10), view
	}},
	{"a long hidden goal", func(n int) (string, conflict.View) {
		view := town()
		view.Goal = conflict.Goal{Text: strings.Repeat("find the lamp of the old king ", n), Hidden: true}
		return strings.Repeat("they find the lamp of old ", n), view
	}},
}

// TestPerfFeatures: eight times the text, or eight times the things in the view, take about eight
// times as long. Quadratic work takes 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		detect := func(n int) func() {
			text, view := f.make(n)
			return func() { conflict.Detect(text, nil, view, conflict.Options{}) }
		}
		few, many := detect(500), detect(4000)
		testkit.AtMost(t, f.name+", 4,000 against 500", 40, func() float64 {
			long, short := time.Hour, time.Hour
			for range 3 { // alternate, so load on the machine affects both
				long = min(long, testkit.Best(1, many))
				short = min(short, testkit.Best(4, few))
			}
			t.Logf("%s: %v, %v", f.name, short, long)
			return testkit.Ratio(long, short)
		})
	}
}

// TestHintsSearchAreasOnce: the names of areas are searched once for a text, however many hints it has.
func TestHintsSearchAreasOnce(t *testing.T) {
	view := conflict.View{ActorID: "ren", Characters: []conflict.Character{{ID: "ren", Name: "Ren"}}}
	for i := range 1000 {
		view.Areas = append(view.Areas, conflict.Area{ID: fmt.Sprint("a", i), Name: fmt.Sprint("Old Court ", i)})
	}
	text := strings.Repeat("You see the bartender and the barkeep. You see the groom and the hay. ", 20)
	allocs := testkit.Allocs(1, func() { conflict.Suspect(conflict.Read(text, nil, view), nil, conflict.Options{}) })
	if allocs > 10_000 {
		t.Errorf("%v allocations", allocs)
	}
}
