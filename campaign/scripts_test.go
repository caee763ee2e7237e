package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/prompt/script"
)

// TestScriptsOfThoughts: a script for the model's reasoning changes the stored reasoning, and no
// narration. A script for narrations changes no reasoning.
func TestScriptsOfThoughts(t *testing.T) {
	t.Parallel()
	replaces := func(find string, p script.Placement) script.Script {
		return script.Script{Name: find, Find: "/" + find + "/g", Replace: "dust", Placement: []script.Placement{p}}
	}
	m := begin(t, game.Content{Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{
		replaces("smoke", script.Reasoning), replaces("ash", script.AIOutput)}}}}})
	step(t, m, turn.Submit{Text: "I wait."},
		turn.Replied{Text: "You see smoke and ash.", Reasoning: "Some smoke, some ash."}, turn.Committed{})
	turn := m.Todo().Outcome.Turn
	if turn.Text != "You see smoke and dust." || turn.Attempts[0].Reasoning != "Some dust, some ash." {
		t.Errorf("the player reads %q, the thoughts are %q", turn.Text, turn.Attempts[0].Reasoning)
	}
}

// TestScriptsOfTheHistoryWithMacros: a script whose text depends on the turn runs again on old lines
// for each prompt. The stored lines do not change.
func TestScriptsOfTheHistoryWithMacros(t *testing.T) {
	t.Parallel()
	for placement, c := range map[script.Placement]struct {
		line string
		seen []string // the count in the second and the third prompt
	}{
		script.UserInput: {"I see ", []string{"2", "3"}}, // the running line was the first
		script.AIOutput:  {"There is ", []string{"1", "2"}},
	} {
		m := begin(t, game.Content{Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{{Name: "smoke", Prompt: true,
			Find: "/smoke/g", Replace: "<{{incvar::seen}}>", Placement: []script.Placement{placement}}}}}}})
		step(t, m, turn.Submit{Text: "I see smoke."}, turn.Replied{Text: "There is smoke."}, turn.Committed{})
		for _, seen := range c.seen {
			step(t, m, turn.Submit{Text: "I wait"})
			got := ask(t, m)
			wantHas(t, "the prompt", got, c.line+"<"+seen+">.")
			if strings.Count(got, "smoke") != 1 {
				t.Errorf("the script runs on lines of others, or not on its own:\n%s", got)
			}
			step(t, m, turn.Replied{Text: "Hm."}, turn.Committed{})
		}
		if one, _ := m.Campaign().Turn("turn_0001"); one.UserInput != "I see smoke." || one.Text != "There is smoke." {
			t.Errorf("stored: %q, %q", one.UserInput, one.Text)
		}
	}
}

// TestScriptThatWritesTags: templates in the replacement of a script do not run. Neither a player nor a
// model gets their code, and the problems of the game name the script.
func TestScriptThatWritesTags(t *testing.T) {
	t.Parallel()
	content := game.Content{Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{
		{Name: "page", Find: "/smoke/g", Replace: "<b>hp <%= getvar('hp') %></b>", Placement: []script.Placement{script.AIOutput}, Display: true, Prompt: true}}}}}}
	_, problems := game.Compile(content)
	if list := problems.Of("not_played"); len(list) != 1 || list[0].Path != "scripts[0].scripts[0].replaceString" {
		t.Errorf("problems: %v", problems)
	}
	m := begin(t, content)
	step(t, m, turn.Submit{Text: "I wait."}, turn.Replied{Text: "There is smoke."}, turn.Committed{})
	if shown := m.Todo().Show.Text; shown != "There is <b>hp </b>." {
		t.Errorf("shown: %q", shown)
	}
	step(t, m, turn.Submit{Text: "I wait"})
	got := ask(t, m)
	wantHas(t, "the prompt", got, "There is <b>hp </b>.")
	if strings.Contains(got, "getvar") {
		t.Errorf("the prompt has code:\n%s", got)
	}
}

// TestScriptThatLeavesNothing: a line stays as it is if a script would leave nothing of it, with a
// warning.
func TestScriptThatLeavesNothing(t *testing.T) {
	t.Parallel()
	m := begin(t, game.Content{Prompt: game.Prompt{Scripts: []script.List{{Scripts: []script.Script{{Name: "all",
		Find: "/^.*$/g", Replace: "", Placement: []script.Placement{script.AIOutput}}}}}}})
	o := play(t, m, turn.Submit{Text: "I wait."}, "Dust falls.")
	if o.Turn == nil || o.Turn.Text != "Dust falls." {
		t.Fatalf("%+v", o)
	}
	wantHas(t, "the warnings", strings.Join(o.Turn.Trace.Warnings, "\n"), "the result of \"Dust falls.\" is empty")
}
