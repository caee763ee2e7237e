package game

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

// loreTemplates are the entries whose content has templates.
type loreTemplates struct {
	books []worldbook.Book // all books, the card's own first
	cache *template.Cache
	texts map[string]template.Piece // by entry ID
	cbs   map[string]bool           // the entries in the language of RisuAI, by ID
	any   bool                      // some text of an author has templates
}

// compileTemplates finds the texts with templates: in the attached books, and elsewhere.
func (g *compiler) compileTemplates(attached []worldbook.Attachment) {
	own := ""
	if g.content.Lore.CardBook && g.content.People.Card != nil {
		book, _ := g.content.People.Card.WorldBook()
		own = book.Name
	}
	t := &g.lore.templates
	t.cache = new(template.Cache)
	for _, a := range attached {
		if a.Book.Name == own {
			t.books = slices.Insert(t.books, 0, a.Book)
		} else {
			t.books = append(t.books, a.Book)
		}
		for i, e := range a.Book.Entries {
			isCBS := g.content.Prompt.writesCBS(a.Book.Name)
			if e.Literal || !isCBS && !strings.Contains(e.Content, "<%") {
				continue
			}
			id := worldbook.ID{Book: a.Book.Name, UID: e.UID}
			if e.World != nil {
				id.Book = *e.World
			}
			if t.texts == nil {
				t.texts = map[string]template.Piece{}
			}
			if _, known := t.texts[id.String()]; !known { // the first of several entries with one ID wins
				if isCBS {
					if t.cbs == nil {
						t.cbs = map[string]bool{}
					}
					t.cbs[id.String()] = true
				}
				t.texts[id.String()] = template.Piece{Text: withoutDecorators(e.Content), ID: id, Lore: true,
					Path: fmt.Sprintf("%s.entries[%d].content", bookPath(a.Book), i)}
			}
		}
	}
	t.any = len(t.texts) > 0 || len(g.content.Prompt.CBS) > 0 || authoredTemplates(g.content)
}

// authoredTemplates reports whether a text of an author other than lore has templates.
func authoredTemplates(c Content) bool {
	texts := []string{c.Prompt.Note.Text}
	cards := []*card.Card{c.People.Card}
	for _, m := range c.People.Cast {
		cards = append(cards, m.Card)
	}
	for _, one := range cards {
		if one == nil {
			continue
		}
		depth, _ := one.DepthPrompt()
		texts = append(texts, one.Description, one.Personality, one.Scenario, one.MesExample, one.SystemPrompt,
			one.PostHistoryInstructions, depth.Prompt)
	}
	if c.Prompt.System != nil {
		texts = append(texts, c.Prompt.System.Content, c.Prompt.System.PostHistory)
	}
	if c.Prompt.Preset != nil {
		for _, p := range c.Prompt.Preset.Prompts {
			texts = append(texts, p.Content)
		}
	}
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "<%") })
}

// withoutDecorators returns a content without the lines at its top that begin with @@.
func withoutDecorators(content string) string {
	return strings.TrimPrefix(content, decorators(content))
}

// bookPath returns the path of a book in problems.
func bookPath(b worldbook.Book) string {
	if b.Name == "" {
		return "books"
	}
	return "books." + b.Name
}

// Templates returns the books that templates may read, the card's own first, and the cache of compiled
// texts. Do not modify the books.
func (g *Game) Templates() (books []worldbook.Book, cache *template.Cache) {
	return g.lore.templates.books, g.lore.templates.cache
}

// HasTemplates reports whether a text of an author has templates: lore, a card, the preset, the
// system prompt or the author's note.
func (g *Game) HasTemplates() bool { return g.lore.templates.any }

// LoreTemplate returns the text of an entry with templates by its full ID. ok is false for any other
// entry.
func (g *Game) LoreTemplate(id string) (text template.Piece, ok bool) {
	text, ok = g.lore.templates.texts[id]
	return text, ok
}
