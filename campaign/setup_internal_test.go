package campaign

import "testing"

// TestSetupChoosesTheDialogType shows that the choice in a setup counts.
func TestSetupChoosesTheDialogType(t *testing.T) {
	t.Parallel()
	game, problems := Compile(Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	c, err := New(game, Setup{ID: "c", Characters: []Character{{ID: "a"}}, Dialog: Dialog{TypeSelected: RulesDialog}})
	if err != nil {
		t.Fatal(err)
	}
	values := game.settings.Freeze(nil, c.Settings)
	if got := values.Text("dialog.manual_type"); got != RulesDialog {
		t.Errorf("got %q, want %q", got, RulesDialog)
	}
	if _, err := New(game, Setup{ID: "c", Characters: []Character{{ID: "a"}}, Dialog: Dialog{TypeSelected: "opera"}}); err == nil {
		t.Error("an unknown dialog type passes")
	}
}
