package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// TestLoreActsOnThePrompt: an entry of a Card V3 lorebook replaces a part of the prompt, or
// removes a text of the host, only while it is active. Texts of the card in the place of the host's
// texts stay.
func TestLoreActsOnThePrompt(t *testing.T) {
	t.Parallel()
	entry := func(uid, key, content string) worldbook.Entry {
		return worldbook.Entry{UID: uid, Keys: []string{key}, Content: content, Probability: 100, ScanDepth: new(1)}
	}
	settings := worldbook.Exact()
	settings.Decorators = worldbook.DecoratorsCardV3
	content := game.Content{Lore: game.Lore{
		Settings: settings,
		Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{
			entry("1", "stairs", "@@inject_at description\nHe limps."),
			entry("2", "mirror", "@@disable_ui_prompt system_prompt\nNobody looks back."),
			entry("3", "shout", "@@disable_ui_prompt post_history_instructions\nIt echoes."),
		}}}},
	},
		Prompt: game.Prompt{System: &tavern.SystemPrompt{Content: "Host main.", PostHistory: "Host last."}},
		People: game.People{Card: &card.Card{Name: "Orin", Description: "A keeper."}}}
	own := content
	own.People.Card = &card.Card{Name: "Orin", Description: "A keeper.",
		SystemPrompt: "You are Orin. {{original}}", PostHistoryInstructions: "Be brief. {{original}}"}
	type turn struct{ line, has, hasNot string }
	for _, c := range []struct {
		content game.Content
		turns   []turn
	}{
		{content, []turn{
			{"I wait.", "Host main.|A keeper.|Host last.", "He limps."},
			{"I take the stairs.", "Host main.|A keeper.\nHe limps.|Host last.", "Nobody"},
			{"I see a mirror.", "A keeper.|Nobody looks back.|Host last.", "Host main."},
			{"I shout.", "Host main.|It echoes.", "Host last."},
		}},
		{own, []turn{
			{"I wait.", "You are Orin. Host main.|Be brief. Host last.", "Nobody"},
			{"I see a mirror.", "You are Orin.|Nobody looks back.|Be brief. Host last.", "Host main."},
			{"I shout.", "You are Orin. Host main.|It echoes.|Be brief.", "Host last."},
		}},
	} {
		m := begin(t, c.content)
		for _, turn := range c.turns {
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
}
