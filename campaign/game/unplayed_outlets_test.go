package game_test

import (
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// TestOutletsWithoutText: WB-12. An entry for an outlet that no text shows is reported.
func TestOutletsWithoutText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scenario string
		want     int
	}{
		{"The outlet is closed.", 1}, {"{{outlet::雪}} and {{user}}", 1}, {"{{ Outlet :: 插槽 }}", 0},
		{"{{outlet::{{char}}}}", 0}, {"<% print(outlet('x')) %>", 0},
	} {
		content := game.Content{People: game.People{Card: &card.Card{Name: "Ann", Scenario: c.scenario}},
			Lore: game.Lore{Books: bookOf(worldbook.Entry{UID: "1", Keys: []string{"inn"}, Content: "x", Position: worldbook.PositionInOutlet, OutletName: "插槽"},
				worldbook.Entry{UID: "2", Keys: []string{"inn"}, Content: "y", Position: worldbook.PositionInOutlet, OutletName: "插槽"})}}
		n := 0
		for _, p := range game.Unplayed(content) {
			if p.Path == "books.b.entries[0].outletName" || p.Path == "books.b.entries[1].outletName" {
				n++
			}
		}
		if n != c.want {
			t.Errorf("%s: %d problems, want %d", c.scenario, n, c.want)
		}
	}
	const shown = "{{outlet::x}}"
	layout := prompt.Default()
	layout.Slots[0].Format = shown
	for what, content := range map[string]game.Content{
		"the layout":          {Prompt: game.Prompt{Layout: &layout}},
		"the persona":         {Extensions: game.Extensions{Texts: &game.Texts{Persona: shown}}},
		"the chat":            {Extensions: game.Extensions{Texts: &game.Texts{Chat: shown}}},
		"a dialog":            {Extensions: game.Extensions{DialogTypes: []game.DialogType{{ID: "a", Persona: shown}}}},
		"dialog instructions": {Extensions: game.Extensions{DialogTypes: []game.DialogType{{ID: "a", Instructions: shown}}}},
	} {
		content.Lore.Books = bookOf(worldbook.Entry{Keys: []string{"inn"}, Content: "x", Position: worldbook.PositionInOutlet, OutletName: "x"})
		for _, p := range game.Unplayed(content) {
			if p.Path == "books.b.entries[0].outletName" {
				t.Errorf("%s shows it: %s", what, p)
			}
		}
	}
}
