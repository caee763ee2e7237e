package turn

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/insertion"
)

// TestLoreActs shows what active entries do to other parts of the prompt (WB-34).
func TestLoreActs(t *testing.T) {
	t.Parallel()
	run := &run{game: new(game.Game), past: new(past), found: found{scan: worldbook.Result{Activated: []worldbook.Activation{
		{Text: "She limps.", Inject: &insertion.Injection{
			Into: "description", How: insertion.Append}},
		{Text: "unused", Inject: &insertion.Injection{Into: "nowhere"}},
		{Hides: []string{hideSystem, hidePostHistory}},
	}}}}
	blocks := []prompt.Block{
		{Key: "main", Text: "You are the game master."},
		{Key: "char.description", Text: "A ranger."},
		{Key: "post_history", Text: "Be brief."},
		{Key: string(game.BlockStatus), Text: "HP 5/5"},
	}
	run.prompter().loreActs(blocks, macro.Card{})
	if blocks[1].Text != "A ranger.\nShe limps." {
		t.Errorf("description: %q", blocks[1].Text)
	}
	for i, want := range []prompt.Status{prompt.Disabled, "", prompt.Disabled, ""} {
		if blocks[i].Withheld != want {
			t.Errorf("%s: withheld %q, want %q", blocks[i].Key, blocks[i].Withheld, want)
		}
	}
}
