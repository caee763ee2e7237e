package turn

import (
	"maps"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// TestSetupChoosesTheDialogType checks that the dialog type of a setup is used.
func TestSetupChoosesTheDialogType(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		settings setting.Snapshot
		want     string
	}{
		{nil, game.RulesDialog}, {setting.Snapshot{"turn.order": tree.Text("free")}, game.RulesDialog},
		{setting.Snapshot{"dialog.manual_type": tree.Text(game.SceneDialog)}, game.SceneDialog},
	} {
		given := maps.Clone(c.settings)
		begun, err := Begin(g, state.Setup{ID: "c", Characters: []state.Character{{ID: "a"}}, Settings: given,
			Dialog: state.Dialog{TypeSelected: game.RulesDialog}})
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Settings().Freeze(nil, begun.Settings).Text("dialog.manual_type"); got != c.want {
			t.Errorf("with %v: %q, want %q", c.settings, got, c.want)
		}
		if len(given) != len(c.settings) {
			t.Errorf("the settings of the setup become %v", given)
		}
	}
	if _, err := Begin(g, state.Setup{ID: "c", Characters: []state.Character{{ID: "a"}}, Dialog: state.Dialog{TypeSelected: "opera"}}); err == nil {
		t.Error("an unknown dialog type passes")
	}
}
