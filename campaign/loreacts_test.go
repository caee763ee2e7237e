package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// TestLoreActsOnThePrompt: an entry of a Card V3 lorebook replaces a part of the prompt, or
// switches one off, only while it is active.
func TestLoreActsOnThePrompt(t *testing.T) {
	t.Parallel()
	entry := func(uid, key, content string) worldbook.Entry {
		return worldbook.Entry{UID: uid, Keys: []string{key}, Content: content, Probability: 100, ScanDepth: new(1)}
	}
	settings := worldbook.Exact()
	settings.Decorators = worldbook.DecoratorsCardV3
	m := begin(t, game.Content{Lore: game.Lore{
		Settings: settings,
		Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
			entry("1", "stairs", "@@inject_at description\nHe limps."),
			entry("2", "mirror", "@@disable_ui_prompt system_prompt\nNobody looks back."),
			entry("3", "shout", "@@disable_ui_prompt post_history_instructions\nIt echoes."),
		}}}},
	},
		People: game.People{Card: &card.Card{Name: "Orin", Description: "A keeper.", SystemPrompt: "You are Orin.", PostHistoryInstructions: "Be brief."}}})
	for _, turn := range []struct{ line, has, hasNot string }{
		{"I wait.", "You are Orin.|A keeper.|Be brief.", "He limps."},
		{"I take the stairs.", "You are Orin.|A keeper.\nHe limps.|Be brief.", "Nobody"},
		{"I see a mirror.", "A keeper.|Nobody looks back.|Be brief.", "You are Orin."},
		{"I shout.", "You are Orin.|It echoes.", "Be brief."},
	} {
		text := promptOf(t, m, turn.line)
		for _, want := range strings.Split(turn.has, "|") {
			if !strings.Contains(text, want) {
				t.Errorf("%q: %q is missing in\n%s", turn.line, want, text)
			}
		}
		if strings.Contains(text, turn.hasNot) {
			t.Errorf("%q: %q is in\n%s", turn.line, turn.hasNot, text)
		}
	}
}
