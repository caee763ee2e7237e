package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// TestRulesSwitchEntries: a rule switches an entry off or on. In the next prompts the switch has
// precedence over the entry's own state.
func TestRulesSwitchEntries(t *testing.T) {
	t.Parallel()
	book := lore("b", "Rain falls.")
	book.Book.Entries = append(book.Book.Entries, worldbook.Entry{UID: "off", Content: "Wind howls.",
		Constant: true, Disable: true, Probability: 100})
	said := func(word string, asked effect.Effect) rules.Rule {
		return rules.Rule{ID: word, Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{word}}, Actions: effect.Actions{asked}}
	}
	m := begin(t, game.Content{Lore: game.Lore{Books: []worldbook.Attachment{book}}, Rules: game.Rules{Rules: []rules.Rule{
		said("umbrella", effect.ToggleEntry{ID: book.Book.Entries[0].UID}),
		said("whistle", effect.ToggleEntry{ID: "off", Enabled: true})}}})
	for _, turn := range []struct {
		line       string
		rain, wind bool // in the prompt of the line
	}{
		{"I wait.", true, false}, {"I open my umbrella.", true, false}, {"I wait.", false, false},
		{"I whistle.", false, false}, {"I wait.", false, true},
	} {
		text := promptOf(t, m, turn.line)
		if strings.Contains(text, "Rain falls.") != turn.rain || strings.Contains(text, "Wind howls.") != turn.wind {
			t.Errorf("%q: rain %v, wind %v expected in\n%s", turn.line, turn.rain, turn.wind, text)
		}
	}
}

// TestStickyLoreStays: an entry that is sticky for three messages stays in the prompts of that many
// messages after its activation, also after a restart.
func TestStickyLoreStays(t *testing.T) {
	t.Parallel()
	book := worldbook.Attachment{Book: worldbook.Book{Name: "b", Entries: []worldbook.Entry{{UID: "1",
		Keys: []string{"bell"}, Content: "It is cracked.", Probability: 100, Sticky: 3, ScanDepth: new(1)}}}}
	content := game.Content{Lore: game.Lore{Books: []worldbook.Attachment{book}}}
	m := begin(t, content)
	for i, want := range []bool{true, true, false} {
		line := "I wait."
		if i == 0 {
			line = "I ring the bell."
		}
		if got := strings.Contains(promptOf(t, m, line), "It is cracked."); got != want {
			t.Errorf("line %d: in the prompt: %v, want %v", i, got, want)
		}
		m = turn.NewMachine(compile(t, content), m.Campaign())
	}
}
