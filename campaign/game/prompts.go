package game

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/worldbook"
)

// attachments returns the world books of the content, including the card's own book if
// Lore.CardBook is set.
func (g *compiler) attachments() []worldbook.Attachment {
	c := g.content.People.Card
	if c == nil || len(c.CharacterBook) == 0 {
		return g.content.Lore.Books
	}
	book, found := c.WorldBook()
	attached := slices.ContainsFunc(g.content.Lore.Books, func(a worldbook.Attachment) bool { return a.Book.Name == book.Name })
	switch {
	case g.content.Lore.CardBook && attached:
		g.problems.addError("card.character_book", "a book %q is in Lore.Books already and is not attached again: "+
			"take it out there, or unset Lore.CardBook", book.Name)
		return g.content.Lore.Books
	case !g.content.Lore.CardBook:
		if len(book.Entries) > 0 && !attached {
			g.problems.addUnplayed("card.character_book", "its %d entries are not used: set Lore.CardBook, or attach it to Lore.Books",
				len(book.Entries))
		}
		return g.content.Lore.Books
	}
	g.problems.addAll("card.character_book", found)
	return append(slices.Clip(g.content.Lore.Books), worldbook.Attachment{
		Book: book, Sources: []worldbook.Source{worldbook.SourceCharacter}})
}

// compilePrompts checks the content's prompt options and determines the layout.
func (g *compiler) compilePrompts() {
	c := g.content
	g.layout = Layout()
	part := "layout"
	switch {
	case c.Prompt.Layout != nil && c.Prompt.Preset != nil, (c.Prompt.Layout != nil || c.Prompt.Preset != nil) && g.IsText():
		g.problems.addFatal(part, "set only one of Layout, Preset, and Instruct with Context: each of them defines the whole prompt")
	case c.Prompt.Layout != nil:
		g.layout = *c.Prompt.Layout
	case c.Prompt.Preset != nil:
		part, g.layout = "preset", c.Prompt.Preset.Layout()
		g.layout.HistoryMacros = "" // its value in the preset would run macros in players' lines
	case g.IsText():
		g.layout = prompt.Default() // for the names of the slots that a text prompt has
	}
	g.layout.HistoryMacros = cmp.Or(g.layout.HistoryMacros, macro.Off) // lines of players and models are data
	g.checkLayout(part)
	g.vetPresets()
	reportUnplayedPrompts(c, &g.problems)
	checkNote(c.Prompt.Note, &g.problems)
	g.problems.addAll("shape", prompt.ShapeRules{Profile: c.Prompt.Shape}.Check())
	for _, name := range slices.Sorted(maps.Keys(c.Prompt.CacheMark)) {
		if !json.Valid(c.Prompt.CacheMark[name]) {
			g.problems.addFatal("cacheMark."+name, "%q is not JSON: write a JSON value", c.Prompt.CacheMark[name])
		}
	}
	set, found := script.Compile(c.Prompt.Scripts, c.Prompt.ScriptOptions)
	g.problems.addAll("scripts", found)
	reportUnplayedScripts(c.Prompt.Scripts, &g.problems)
	g.scripts = set
}

// reportUnplayedScripts reports scripts that run only on slash commands, which campaigns do not have, and
// templates in replacements.
func reportUnplayedScripts(lists []script.List, problems *findings) {
	for i, l := range lists {
		for j, s := range l.Scripts {
			if slices.Equal(s.Placement, []script.Placement{script.SlashCommand}) {
				problems.addUnplayed(fmt.Sprintf("scripts[%d].scripts[%d].placement", i, j),
					"%q has no effect: a campaign has no slash commands", s.Name)
			}
			if !l.Denied && !s.Disabled && hasTemplate(s.Replace) {
				problems.addUnplayed(fmt.Sprintf("scripts[%d].scripts[%d].replaceString", i, j),
					"%q writes tags of templates, which do not run there and are cut out: write {{get_message_variable::path}}, or put the template into an entry", s.Name)
			}
		}
	}
}

// vetPresets reports the parts of preset files that were not read as written.
func (g *compiler) vetPresets() {
	c := g.content
	if c.Prompt.Preset != nil {
		g.problems.addAll("preset", c.Prompt.Preset.Vet())
	}
	if c.Prompt.System != nil {
		g.problems.addAll("system", c.Prompt.System.Vet())
	}
	if c.Prompt.Instruct != nil {
		g.problems.addAll("instruct", c.Prompt.Instruct.Vet())
	}
	if c.Prompt.Context != nil {
		g.problems.addAll("context", c.Prompt.Context.Vet())
	}
}

// reportUnplayedPrompts reports prompt options that a campaign does not use.
func reportUnplayedPrompts(c Content, problems *findings) {
	if c.Prompt.TrimSlack > 0 && c.Prompt.Budget.Context == 0 {
		problems.addUnplayed("trimSlack", "has no effect: without a Context no line of the history has to go")
	}
	if c.Prompt.Preset != nil && c.Prompt.System != nil {
		problems.addUnplayed("system", "has no effect: the preset has a main prompt and a post-history text of its own: change those")
	}
}

// checkLayout reports mistakes in a layout, and blocks of the engine without a slot.
func (g *compiler) checkLayout(part string) {
	g.problems.addAll(part, g.layout.Check())
	if g.layout.HistoryMacros == macro.Full {
		g.problems.addFatal(part+".history_macros", "full would run the macros of players and models: use names or off")
	}
	if !slices.ContainsFunc(g.layout.Slots, func(s prompt.Slot) bool { return s.Form == prompt.History }) {
		g.problems.addFatal(part+".slots", "none has the form history, so the player's line would be missing: add one")
	}
	for _, id := range blockOrder {
		name := SlotFor(g.layout, string(id))
		if id == BlockPersona || HasSlot(g.layout, name) {
			continue
		}
		if id.Required() {
			g.problems.addFatal(part+".slots", "the block %q has no place: add a slot %q or %q", id, id, name)
			continue
		}
		g.problems.addUnplayed(part+".slots", "the block %q has no place and is left out: add a slot %q or %q", id, id, name)
	}
}

// checkNote reports mistakes in an author's note.
func checkNote(n prompt.AuthorNote, problems *findings) {
	switch n.Placement {
	case "", prompt.InjectionInChat, prompt.InjectionAfterMain, prompt.InjectionBeforeMain, prompt.InjectionNotPlaced:
	default:
		problems.addFatal("note.placement", "%q is unknown: use in_chat, in_prompt, before_prompt or none", n.Placement)
	}
	switch n.Role {
	case "", llm.System, llm.User, llm.Assistant:
	default:
		problems.addFatal("note.role", "%q is unknown: use system, user or assistant", n.Role)
	}
	if n.Depth != nil && *n.Depth < 0 {
		problems.addFatal("note.depth", "%d is negative: 0 is after the newest line", *n.Depth)
	}
	if n.Interval != nil && *n.Interval < 0 {
		problems.addFatal("note.interval", "%d is negative: 1 is every turn, 0 never", *n.Interval)
	}
}
