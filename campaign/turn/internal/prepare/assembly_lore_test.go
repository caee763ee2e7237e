package prepare

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/campaign/turn/internal/past"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
)

// TestLoreActs checks the effects of active entries on other parts of the prompt (WB-34).
func TestLoreActs(t *testing.T) {
	t.Parallel()
	active := worldbook.Result{Activated: []worldbook.Activation{
		{Text: "She limps.", Inject: &worldbook.Injection{
			Into: "description", How: worldbook.Append}},
		{Text: "unused", Inject: &worldbook.Injection{Into: "nowhere"}},
		{Hides: []string{"system_prompt", "post_history_instructions"}},
	}}
	v := draft.Turn{Game: new(game.Game), State: new(state.State)}
	p := Prompter{Texts: New(past.Window{Turn: v, Past: new(past.WindowPast)}, state.TurnTrace{}), Scan: &active}
	blocks := []prompt.Block{
		{Key: "main", Text: "You are the game master."},
		{Key: "char.description", Text: "A ranger."},
		{Key: "post_history", Text: "Be brief."},
		{Key: string(game.BlockStatus), Text: "HP 5/5"},
	}
	p.applyLoreRequests(blocks, macro.Card{})
	if blocks[1].Text != "A ranger.\nShe limps." {
		t.Errorf("description: %q", blocks[1].Text)
	}
	for i, want := range []prompt.Status{prompt.Disabled, "", prompt.Disabled, ""} {
		if blocks[i].Withheld != want {
			t.Errorf("%s: withheld %q, want %q", blocks[i].Key, blocks[i].Withheld, want)
		}
	}
}

// TestLoreIntoFields: a text that goes into a part of the card is appended to what that part shows.
func TestLoreIntoFields(t *testing.T) {
	t.Parallel()
	fields := macro.Card{Description: "D", Personality: "P", Scenario: "S", Examples: "E", DepthPrompt: "N"}
	v := draft.Turn{Game: new(game.Game), State: new(state.State)}
	for _, c := range []struct{ text, want string }{
		{"{{description}}", "D\nX"}, {"{{personality}}", "P\nX"}, {"{{scenario}}", "S\nX"}, {"{{mesExamplesRaw}}", "E\nX"}, {"{{charDepthPrompt}}", "N\nX"}, {"other", "other\nX"},
	} {
		active := worldbook.Result{Activated: []worldbook.Activation{{Text: "X", Inject: &worldbook.Injection{Into: "here", How: worldbook.Append}}}}
		p := Prompter{Texts: New(past.Window{Turn: v, Past: new(past.WindowPast)}, state.TurnTrace{}), Scan: &active}
		blocks := []prompt.Block{{Key: "here", Text: c.text}}
		p.applyLoreRequests(blocks, fields)
		if blocks[0].Text != c.want || blocks[0].Withheld != "" {
			t.Errorf("%s: %+v", c.text, blocks)
		}
	}
}
