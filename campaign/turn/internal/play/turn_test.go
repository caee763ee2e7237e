package play

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
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
