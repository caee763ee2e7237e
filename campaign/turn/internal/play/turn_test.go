package play

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/state"
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
