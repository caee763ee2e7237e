package play

import (
	"fmt"
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/worldbook"
)

// TestShownText checks that players read the narration without the parts that dialects removed, and
// that a continued turn begins with its earlier replies.
func TestShownText(t *testing.T) {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, output string
		before       []string
		want         string
	}{
		{"plain", "The bell rings.", nil, "The bell rings."},
		{"nothing", "", nil, ""},
		{"goes on", " Twice.", []string{"The bell rings."}, "The bell rings. Twice."},
	} {
		values := g.Settings().Freeze(nil, nil)
		turn := New(g, state.Campaign{}, state.Submission{Text: "I wait."}, values)
		if len(tt.before) > 0 {
			head := state.Turn{Text: tt.before[0]}
			ContinueTurn(turn, head, values)
		}
		turn.Out.Last.Text = tt.output
		if got := turn.ShownText(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestDecisionsOfARouter: a router that fails, or decides nothing, changes nothing. The trace says what is
// not known.
func TestDecisionsOfARouter(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	rules := &state.RouteDecision{DialogType: "rules", Guards: []string{"g"}, ContextProfile: "p"}
	for _, c := range []struct {
		decided *state.RouteDecision
		failure string
		source  state.DialogSource
		kind    string
		want    []string
	}{
		{nil, "", state.DialogByFallback, "scene", []string{"router: "}},
		{rules, "timeout", state.DialogByFallback, "scene", []string{"router: timeout"}},
		{&state.RouteDecision{DialogType: "dance"}, "", state.DialogByFallback, "scene", nil},
		{rules, "", state.DialogByRouter, "rules", []string{"router: guards are not known: g", "router: context profile is not known: p"}},
	} {
		turn := New(g, state.Campaign{}, state.Submission{Text: "I wait."}, g.Settings().Freeze(nil, nil))
		turn.Dialog.Kind, _ = g.Dialog("scene")
		Routed(turn, c.decided, c.failure)
		if w := turn.Stage.Pending.Trace.Warnings; turn.Dialog.Source != c.source || turn.Dialog.Kind.ID != c.kind || !slices.Equal(w, c.want) {
			t.Errorf("%+v, %q: %s by %s, %q", c.decided, c.failure, turn.Dialog.Kind.ID, turn.Dialog.Source, w)
		}
	}
}

// TestMergedExplanations: an entry that is active for one of several speakers is explained as active.
func TestMergedExplanations(t *testing.T) {
	t.Parallel()
	entry := func(uid string, active bool, order float64) worldbook.Explanation {
		return worldbook.Explanation{ID: worldbook.ID{Book: "b", UID: uid}, Active: active, Comment: fmt.Sprint(uid, order)}
	}
	var got []string
	for _, e := range mergeLore(worldbook.Trace{entry("1", true, 1), entry("2", false, 1), entry("3", true, 1)},
		worldbook.Trace{entry("1", true, 2), entry("2", true, 2), entry("3", false, 2), entry("4", false, 2)}) {
		got = append(got, fmt.Sprint(e.Comment, e.Active))
	}
	if want := []string{"12true", "22true", "31true", "42false"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTurnsOfMemories: a turn with several items is read once.
func TestTurnsOfMemories(t *testing.T) {
	t.Parallel()
	c := state.Campaign{State: state.State{HeadTurnID: state.TurnID(2)}, TurnCounter: 2, Turns: []state.Turn{{ID: state.TurnID(1), ParentID: state.StartTurnID},
		{ID: state.TurnID(2), ParentID: state.TurnID(1)}}}
	items := []memory.Item{{TurnID: state.TurnID(2)}, {TurnID: state.TurnID(1)}, {TurnID: state.TurnID(2)}, {TurnID: "turn_0009"}}
	if got := turnsOf(items, &c); !slices.Equal(got, []string{"turn_0001", "turn_0002"}) {
		t.Errorf("%q", got)
	}
}
