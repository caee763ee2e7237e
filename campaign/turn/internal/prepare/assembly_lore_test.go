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
		{Hides: []string{hideSystem, hidePostHistory}},
	}}
	v := draft.Turn{Game: new(game.Game), State: new(state.State)}
	p := Prompter{Texts: New(past.Window{Turn: v, Past: new(past.WindowPast)}, state.TurnTrace{}), Scan: &active}
	blocks := []prompt.Block{
		{Key: "main", Text: "You are the game master."},
		{Key: "char.description", Text: "A ranger."},
		{Key: "post_history", Text: "Be brief."},
		{Key: string(game.BlockStatus), Text: "HP 5/5"},
	}
	p.loreActs(blocks, macro.Card{})
	if blocks[1].Text != "A ranger.\nShe limps." {
		t.Errorf("description: %q", blocks[1].Text)
	}
	for i, want := range []prompt.Status{prompt.Disabled, "", prompt.Disabled, ""} {
		if blocks[i].Withheld != want {
			t.Errorf("%s: withheld %q, want %q", blocks[i].Key, blocks[i].Withheld, want)
		}
	}
}
