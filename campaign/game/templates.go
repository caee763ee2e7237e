package game

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

// loreTemplates holds the data that templates need: the books and the texts of their entries.
type loreTemplates struct {
	books   []worldbook.Book // all books, the card's own first
	cache   *template.Cache
	texts   map[string]template.Piece     // by entry ID, nil if nothing has templates
	options map[string]*worldbook.Options // the options of entries, by entry ID
	cbs     map[string]bool               // the entries in the language of RisuAI, by ID
	// defaults are the default values of variables in the language of RisuAI, for each card that has some.
	defaults map[*card.Card]map[string]string
	hasAny   bool // some text of an author has templates, or an entry their decorators
}

// compileTemplates finds the texts with templates: in the attached books, and elsewhere. If there
// are any, it lists the texts of all entries, because the entries of one message are one text. The
// argument written has the same books with the names of their authors.
func (g *compiler) compileTemplates(written, attached []worldbook.Attachment) {
	t := &g.lore.templates
	t.cache, t.books = new(template.Cache), templateBooks(g.content, written, attached)
	t.hasAny = len(g.content.Prompt.CBS) > 0 || hasAuthoredTemplates(g.content) ||
		slices.ContainsFunc(t.books, func(b worldbook.Book) bool { return slices.ContainsFunc(b.Entries, entryHasTemplates) })
	if !t.hasAny {
		return
	}
	g.compileCBS()
	t.texts, t.options, t.cbs = map[string]template.Piece{}, map[string]*worldbook.Options{}, map[string]bool{}
	for n, a := range attached {
		t.addBook(a.Book, g.content.Prompt.writesCBS(written[n].Book.Name))
	}
}

// entryHasTemplates reports whether an entry has templates, or a title or decorators for them.
func entryHasTemplates(e worldbook.Entry) bool {
	return !e.Literal && (strings.Contains(e.Content, "<%") || templateTitle(e.Comment) != "" ||
		templateDecorator.MatchString(decorators(e.Content)))
}

// addBook adds the texts of the entries of a book. Of several entries with the same ID, the first one
// is used.
func (t *loreTemplates) addBook(b worldbook.Book, isCBS bool) {
	for i, e := range b.Entries {
		id := worldbook.ID{Book: b.Name, UID: e.UID}
		if e.World != nil {
			id.Book = *e.World
		}
		key := id.String()
		if _, known := t.texts[key]; known || e.Literal {
			continue
		}
		if isCBS {
			t.cbs[key] = true
		}
		t.options[key] = e.Options
		lines := decorators(e.Content)
		t.texts[key] = template.Piece{Text: e.Content[len(lines):], ID: id, Lore: true,
			Private: slices.Contains(strings.Fields(lines), "@@private"),
			Path:    fmt.Sprintf("%s.entries[%d].content", bookPath(b), i)}
	}
}

// compileCBS reads the default values of the variables of all cards.
func (g *compiler) compileCBS() {
	g.lore.templates.defaults = map[*card.Card]map[string]string{}
	for _, c := range g.content.People.cards() {
		g.lore.templates.defaults[c] = defaultsCBS(c)
	}
}

// templateBooks returns the books for templates, the card's own first. Books in the language of RisuAI
// have no templates.
func templateBooks(c Content, written, attached []worldbook.Attachment) (books []worldbook.Book) {
	own := ""
	if c.Lore.CardBook && c.People.Card != nil {
		book, _ := c.People.Card.WorldBook()
		own = book.Name
	}
	for n, a := range attached {
		name := written[n].Book.Name
		if c.Prompt.writesCBS(name) {
			continue
		}
		if name == own {
			books = slices.Insert(books, 0, a.Book)
		} else {
			books = append(books, a.Book)
		}
	}
	return books
}

// hasAuthoredTemplates reports whether a text of an author other than lore has templates. Regex scripts
// may write tags into the history.
func hasAuthoredTemplates(c Content) bool {
	texts := []string{c.Prompt.Note.Text}
	for _, list := range c.Prompt.Scripts {
		for _, s := range list.Scripts {
			texts = append(texts, s.Replace)
		}
	}
	for _, c := range c.People.cards() {
		depth, _ := c.DepthPrompt()
		texts = append(texts, c.Description, c.Personality, c.Scenario, c.MesExample, c.SystemPrompt,
			c.PostHistoryInstructions, depth.Prompt)
	}
	if c.Prompt.System != nil {
		texts = append(texts, c.Prompt.System.Content, c.Prompt.System.PostHistory)
	}
	if c.Prompt.Preset != nil {
		p := c.Prompt.Preset
		for _, part := range p.Prompts {
			texts = append(texts, part.Content)
		}
		texts = append(texts, p.NewChat, p.NewExample, p.ContinueNudge, p.Impersonation, p.Prefill, p.ImpersonationPrefill,
			p.ScenarioFormat, p.PersonalityFormat, p.Replacement)
	}
	eachFormText(c, func(_, text string) { texts = append(texts, text) })
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, "<%") })
}

// eachFormText visits the texts of Context and Instruct that may have templates, each with its path.
// Context and Instruct define the form of a prompt that is a single text.
func eachFormText(c Content, visit func(path, text string)) {
	if f := c.Prompt.Context; f != nil {
		visit("context.story_string", f.Story)
		visit("context.chat_start", f.ChatStart)
		visit("context.example_separator", f.ExampleSeparator)
	}
	if i := c.Prompt.Instruct; i != nil {
		for _, text := range []string{i.UserPrefix, i.AssistantPrefix, i.SystemPrefix, i.StoryPrefix, i.StorySuffix, i.FirstAssistantPrefix, i.LastAssistantPrefix} {
			visit("instruct", text)
		}
	}
}

// templateTitles are the prefixes of titles of entries that templates use for something other than
// lore.
var templateTitles = [...]string{"[GENERATE:", "[RENDER:", "[InitialVariables]", "@INJECT"}

// templateTitle returns the prefix in templateTitles with which a title begins, or "".
func templateTitle(title string) string {
	for _, t := range templateTitles {
		if strings.HasPrefix(title, t) {
			return t
		}
	}
	return ""
}

// templateDecorator finds the decorators of templates.
var templateDecorator = regexp.MustCompile(`(?m)^@@(if|preprocessing|private|always_enabled|only_preload|dont_preload|` +
	`generate_before|generate_after|initial_variables|render_before|render_after|message_formatting|iframe)\b`)

// decorators returns the lines at the top of a content that begin with @@.
func decorators(content string) string {
	n := 0
	for strings.HasPrefix(content[n:], "@@") {
		line := strings.IndexByte(content[n:], '\n')
		if line < 0 {
			return content
		}
		n += line + 1
	}
	return content[:n]
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
// system prompt or the author's note. Decorators and titles of entries that belong to templates
// count too.
func (g *Game) HasTemplates() bool { return g.lore.templates.hasAny }

// LoreText returns the text of an author's entry by its full ID, without its decorators, and the
// options of the entry, nil if it has none. ok is false for any other entry, and if HasTemplates is
// false.
func (g *Game) LoreText(id string) (text template.Piece, own *worldbook.Options, ok bool) {
	text, ok = g.lore.templates.texts[id]
	return text, g.lore.templates.options[id], ok
}
