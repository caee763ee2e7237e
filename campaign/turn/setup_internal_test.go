package turn

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
)

// TestSetupChoosesTheDialogType checks that the dialog type of a setup is used.
func TestSetupChoosesTheDialogType(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	c, err := Begin(g, state.Setup{ID: "c", Characters: []state.Character{{ID: "a"}}, Dialog: state.Dialog{TypeSelected: game.RulesDialog}})
	if err != nil {
		t.Fatal(err)
	}
	values := g.Settings().Freeze(nil, c.Settings)
	if got := values.Text("dialog.manual_type"); got != game.RulesDialog {
		t.Errorf("got %q, want %q", got, game.RulesDialog)
	}
	if _, err := Begin(g, state.Setup{ID: "c", Characters: []state.Character{{ID: "a"}}, Dialog: state.Dialog{TypeSelected: "opera"}}); err == nil {
		t.Error("an unknown dialog type passes")
	}
}
