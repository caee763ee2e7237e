package past

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/script"
)

// TestPromptNeedsOnlyTheNewestLines checks that only lines that do not fit are left out before a
// prompt is assembled, for any text.
func TestPromptNeedsOnlyTheNewestLines(t *testing.T) {
	t.Parallel()
	odd := []string{"", " \n", "{{user}} nods to {{char}}.", "<user>", "{{user", "<b>bold</b> words",
		"one\r\ntwo\r\n", "the tide comes in and the rope goes taut", "\u96fe\u6e2f\u7684\u95e8\u5f00\u4e86", "a > b >> c }} d"}
	for _, context := range []int{0, 300, 900, 3000} {
		g, problems := game.Compile(game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: context}}})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		silent := 0
		c := state.Campaign{State: state.State{HeadTurnID: state.StartTurnID, Greeting: "Welcome, {{user}}."}}
		for i := range 1500 {
			id := state.TurnID(i + 1)
			c.Turns = append(c.Turns, state.Turn{ID: id, ParentID: c.State.HeadTurnID, ActorID: "ann",
				UserInput: odd[i%7], Text: fmt.Sprint(odd[i%len(odd)], i)})
			c.CountTurn()
			c.State.HeadTurnID = id
			c.State.TurnCount++
			if odd[i%7] == "" {
				silent++
			}
		}
		w := Window{Past: new(WindowPast), Turn: draft.Turn{Game: g, Campaign: &c, State: &c.State, HasLine: true, Dialog: new(game.DialogType),
			In: &state.Submission{ActorID: "ann", Text: "I wait."}, Values: g.Settings().Freeze(nil, nil)}}
		talk := w.ShownChat()
		from := w.Oldest(talk)
		if talk.Len() != 3002-silent || from > 0 != (context > 0) || context > 0 && talk.Len()-from > context {
			t.Fatalf("context %d: from %d of %d", context, from, talk.Len())
		}
		rewriting, problems := game.Compile(game.Content{Prompt: game.Prompt{Budget: prompt.Budget{Context: context}, Scripts: []script.List{{
			Scripts: []script.Script{{Find: "/rope/", Prompt: true, Placement: []script.Placement{script.AIOutput}}}}}}})
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		plain, shorter := w.turnsFitting(len(c.Turns)), w
		if shorter.Game = rewriting; context > 0 && shorter.turnsFitting(len(c.Turns)) <= plain {
			t.Errorf("context %d: %d turns fit, also if scripts shorten them", context, plain)
		}
		assemble := func(from int) prompt.Result {
			env := prompt.Env{User: "A", Char: "B", Chat: draft.Macro{Shown: talk}}
			r, err := prompt.Assemble(game.Layout(), prompt.Input{History: talk.Lines(from)}, env, w.Budget())
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if diff := cmp.Diff(assemble(0).Messages, assemble(from).Messages); diff != "" {
			t.Errorf("context %d (-all lines +the newest):\n%s", context, diff)
		}
	}
}
