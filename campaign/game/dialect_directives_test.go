package game_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/rules"
)

// TestDirectivesOfAnAnswer: only an answer of the structured form is read as one. Any other answer
// is a text.
func TestDirectivesOfAnAnswer(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{Rules: game.Rules{Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, answer := range []string{"", "The blow lands. [hp: -4]", `{"reply": "The blow lands."}`, `["hp"]`} {
		if text, spans, ok := game.Directives(game.DirectiveOptions{}).Answer(answer, g.Scope()); ok {
			t.Errorf("%q is read as %q with %+v", answer, text, spans)
		}
	}
}
