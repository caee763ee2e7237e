package turn

import (
	"strconv"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// variablesText renders the variables for the prompt, in at most a quarter of it: a
// model that fills them must not crowd out everything else.
func (t *run) variablesText() string {
	if t.staged.state.Variables.Root().Len() == 0 || !t.kind.Has(game.BlockStatus) {
		return ""
	}
	text := t.shown()
	if text == "" {
		return ""
	}
	text = t.game.Texts().Variables + "\n" + text
	budget := t.budget()
	if limit := budget.Context / 4; limit > 0 {
		if n := countTokens(budget.Counter, text); n > limit {
			text = utf8text.Cut(text, int(int64(len(text))*int64(limit)/int64(n))) + " …"
			t.warn("variables: only the beginning of %d tokens is in the prompt", n)
		}
	}
	return text
}

func countTokens(c prompt.Counter, text string) int {
	if c == nil {
		return prompt.Estimate(text)
	}
	return c.Count(text)
}

// addedBooks makes books of the entries that were added during play.
func addedBooks(entries []rules.AddEntry) []worldbook.Attachment {
	var out []worldbook.Attachment
	at := map[string]int{}
	for i, e := range entries {
		j, ok := at[e.BookID]
		if !ok {
			j = len(out)
			at[e.BookID] = j
			out = append(out, worldbook.Attachment{
				Book:    worldbook.Book{Name: e.BookID},
				Sources: []worldbook.Source{worldbook.SourceChat},
			})
		}
		book := &out[j].Book
		book.Entries = append(book.Entries, worldbook.Entry{
			UID: "added-" + strconv.Itoa(i+1), Keys: e.Keywords, Comment: e.Name,
			Content: e.Content, Constant: e.AlwaysOn, Order: float64(e.Priority),
			Position: worldbook.BeforeCharacter, Probability: 100, GroupWeight: 100,
			Literal: e.Literal,
		})
	}
	return out
}

// speaker is the character as filters of entries see it.
func (t *run) speaker() worldbook.Speaker {
	if c := t.game.Content().Card; c != nil {
		return worldbook.Speaker{Name: c.Name, Tags: c.Tags}
	}
	return worldbook.Speaker{}
}

func (t *run) scanData() worldbook.ScanData {
	data := worldbook.ScanData{PersonaDescription: t.game.Content().Persona}
	if c := t.game.Content().Card; c != nil {
		data.CharacterDescription, data.CharacterPersonality = c.Description, c.Personality
		data.Scenario, data.CreatorNotes = c.Scenario, c.CreatorNotes
		if depth, ok := c.DepthPrompt(); ok {
			data.CharacterDepthPrompt = depth.Prompt
		}
	}
	return data
}
