package prepare

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// hasTags reports whether a text may have templates.
func hasTags(text string) bool { return strings.Contains(text, "<%") }

// Templates are the templates of one prompt, from the scan of the world book to the request, or of
// one text.
type Templates struct {
	build *template.Build // nil until a text needs it
	texts *Texts          // the texts that run now
	env   prompt.Env      // of macros
	run   *macro.Run      // nil: the next text begins a run with the present variables
	vars  template.Variables
	// evaluated are the entries whose content was evaluated before the scan.
	evaluated map[string]bool
	// The number of writes and problems that were kept.
	writes, problems int
}

// beginTemplates returns the build for the templates of this text or prompt. Its macros run in the
// environment. Templates read what the viewer may know.
func (t *Texts) beginTemplates(env prompt.Env) *template.Build {
	if t.templates == nil {
		t.templates = new(Templates)
	}
	now := t.templates
	now.texts, now.env, now.run = t, env, nil
	variables := t.templateVariables()
	if now.build != nil {
		variables.Message = now.build.Variables().Message
		now.build.SetVariables(variables)
		return now.build
	}
	books, cache := t.Game.Templates()
	now.build = template.NewBuild(template.Env{
		User: env.User, Char: env.Char, Chat: env.Chat, ChatID: env.ChatID, Cards: t.cards(), Prompt: t.presetPrompt,
		Books: t.readable(books), Random: env.Random, GenerateType: env.GenerationType, Cache: cache,
		Engine: t.engine(), EarlyActivation: t.Game.Content().Lore.EarlyActivation,
		Variables: variables, Expand: now.expand,
		Regex: func(authored string) string {
			var run *macro.Run
			text, t := authored, now.texts
			t.Prompted(&run, script.Where{Placement: script.WorldInfo, ForPrompt: true}, &text)
			return t.ownTags(authored, text)
		},
	})
	now.build.Load()
	return now.build
}

// expand expands the macros of a text of the build, which has the given variables.
func (now *Templates) expand(text, char string, v template.Variables) (string, template.Variables) {
	if now.run == nil || !v.Chat.Same(now.vars.Chat) || !v.Global.Same(now.vars.Global) {
		env := now.env
		env.Vars, env.Globals = state.MacroVariables{Chat: v.Chat, Global: v.Global}.Maps()
		now.run, now.vars = macro.NewRun(env), v
	}
	out := now.run.ExpandWith(text, macro.Full, macro.Locals{Char: char, Original: func() string { return originalMark }})
	chat, toChat := now.run.Vars()
	global, toGlobal := now.run.Globals()
	if toChat || toGlobal {
		now.run = nil
	}
	keep := func(to *tree.Value, values map[string]any, written bool, what string) {
		if !written {
			return
		}
		if stored := now.texts.macroValues(values, what); stored.Exists() {
			*to = stored
		}
	}
	keep(&v.Chat, chat, toChat, "chat")
	keep(&v.Global, global, toGlobal, "global")
	return out, v
}

// originalMark is the result of {{original}} within a template. The replaced text is not known there.
const originalMark = "\uFDD0original\uFDD0"

// asData returns the text of a template for a place whose macros are expanded later. It is data,
// except {{original}}.
func asData(text string) string {
	return strings.ReplaceAll(utf8text.Escape(text), originalMark, "{{original}}")
}

// withOriginal returns the text of a template for a place whose macros are not expanded.
func withOriginal(text string) string { return strings.ReplaceAll(text, originalMark, "{{original}}") }

// BeforeScan runs the templates that come before the scan of the world book. It returns the changes
// of the books for the scan, and the names of the entries that the scan does not see.
func (t *Texts) BeforeScan() (changed []worldbook.Book, hidden []string) {
	if !t.Game.HasTemplates() {
		return nil, nil
	}
	env := t.Env()
	env.Chat = t.MacroChat(t.ShownChat())
	changed, ids := t.beginTemplates(env).Lore()
	for i := range changed {
		for j := range changed[i].Entries {
			t.protectEvaluated(changed[i].Name, &changed[i].Entries[j])
		}
	}
	for _, id := range ids {
		hidden = append(hidden, id.String())
	}
	t.keepTemplates()
	return changed, hidden
}

// Rendered returns a function for the scan of the world book, after [Texts.BeforeScan]. The function
// returns the text of an entry after its templates, as if the entry were alone in its message. A text
// that fails stays as it is. draw returns the random numbers. The turn does not change.
func (t *Texts) Rendered(draw func() float64) func(id worldbook.ID, content string) string {
	return func(id worldbook.ID, content string) string {
		piece, ok := t.authoredPiece(id.String())
		if !ok || !hasTags(piece.Text) {
			return content
		}
		own, now := *t, t.templates
		random := now.env.Random
		now.texts, now.run, now.env.Random = &own, nil, draw
		text, ok := now.build.Preview(piece, draw)
		now.texts, now.run, now.env.Random = t, nil, random
		if !ok {
			return content
		}
		return withOriginal(text)
	}
}

// authoredPiece returns the text of an entry if its templates run.
func (t *Texts) authoredPiece(id string) (piece template.Piece, ok bool) {
	if t.isEdited(id) || t.Game.IsCBSEntry(id) || t.templates != nil && t.templates.evaluated[id] {
		return piece, false
	}
	piece, _, ok = t.Game.LoreText(id)
	return piece, ok
}

// isEdited reports whether an entry was changed or removed during play.
func (t *Texts) isEdited(id string) bool {
	edits := t.State.LoreEdits
	return slices.Contains(edits.Removed, id) ||
		slices.ContainsFunc(edits.Changed, func(e effect.UpdateEntry) bool { return e.ID == id && e.Content != nil })
}

// protectEvaluated makes the content of an entry that was evaluated before the scan data. Its keys
// stay as they are.
func (t *Texts) protectEvaluated(book string, e *worldbook.Entry) {
	id := worldbook.ID{Book: book, UID: e.UID}
	if e.World != nil {
		id.Book = *e.World
	}
	authored, _, _ := t.Game.LoreText(id.String())
	text := e.Content
	for strings.HasPrefix(text, "@@") {
		_, text, _ = strings.Cut(text, "\n")
	}
	if text == authored.Text {
		return
	}
	decorators, printed := strings.TrimSuffix(e.Content, text), asData(text)
	if strings.HasPrefix(strings.TrimSpace(text), "@@") {
		printed = noop + printed
	}
	e.Content = decorators + printed
	if t.templates.evaluated == nil {
		t.templates.evaluated = map[string]bool{}
	}
	t.templates.evaluated[id.String()] = true
}

// noop is a macro without a result. Between a text and its place it keeps the text from having a
// meaning there.
const noop = "{{noop}}"

// Templates returns the templates of the prompt, for [Texts.Resume].
func (t *Texts) Templates() *Templates { return t.templates }

// Resume continues with the templates of the prompt that earlier texts have begun. Since then the
// state may have changed.
func (t *Texts) Resume(now *Templates) {
	t.templates = now
	if now == nil {
		return
	}
	now.texts = t
	now.build.SetVariables(t.templateVariables())
}

// templateVariables returns the variables that the viewer knows, as templates read them.
func (t *Texts) templateVariables() template.Variables {
	sight := t.Sight().State
	return template.Variables{Message: sight.Variables.Root(), Chat: sight.Macros.Chat, Global: sight.Macros.Global}
}

// ownTags returns a text that regex scripts have changed, if its author wrote all of its tags. The
// replacement of a script may have macros, whose results are data, and data never becomes code. So
// a text with other tags is returned as authored, with a warning.
func (t *Texts) ownTags(authored, changed string) string {
	for _, part := range strings.Split(changed, "<%")[1:] {
		tag := "<%" + part
		if code, _, closed := strings.Cut(part, "%>"); closed {
			tag = "<%" + code + "%>"
		}
		if !strings.Contains(authored, tag) {
			t.Warn("prompt: a regex script put a tag into the template %q: the script does not apply to it", draft.Preview(authored))
			return authored
		}
	}
	return changed
}

// expandMacros returns a text after its macros. form is not nil for a text in the language of RisuAI.
// Variables that the macros store are kept.
func (t *Texts) expandMacros(env prompt.Env, form *macro.CBS, text string) string {
	env.CBS = form
	run := macro.NewRun(env)
	out := run.Expand(text, macro.Full)
	t.Keep(run)
	return out
}

// cardOf returns the card of a member of the cast by the ID of the member, or the card of the
// speaker.
func (t *Texts) cardOf(id string) *card.Card {
	for _, m := range t.Game.Content().People.Cast {
		if m.CharacterID == id {
			return cmp.Or(m.Card, t.Card())
		}
	}
	return t.Card()
}

// Opening returns an opening text of an author after its macros and templates. speaker is the ID of
// the member of the cast who says it, or "".
func (t *Texts) Opening(text, speaker string) string {
	if form := t.Game.CardCBS(t.cardOf(speaker), true); form != nil || !hasTags(text) {
		return t.expandMacros(t.Env(), form, text)
	}
	text = withOriginal(t.beginTemplates(t.Env()).Unit(template.Piece{Text: text, Path: "greeting"})[0])
	t.keepTemplates()
	return text
}

// cards returns the cards that templates may read. The card of the speaker is the first.
func (t *Texts) cards() []card.Card {
	var list []card.Card
	if c := t.Card(); c != nil {
		list = append(list, *c)
	}
	for _, m := range t.Game.Content().People.Cast {
		if m.Card != nil && !slices.ContainsFunc(list, func(c card.Card) bool { return c.CharName() == m.Card.CharName() }) {
			list = append(list, *m.Card)
		}
	}
	return list
}

// presetPrompt returns a prompt of the preset by its name.
func (t *Texts) presetPrompt(name string) (text string, ok bool) {
	preset := t.Game.Content().Prompt.Preset
	if preset == nil {
		return "", false
	}
	for _, p := range preset.Prompts {
		if p.Name == name {
			return p.Content, true
		}
	}
	return "", false
}

// ClosedBooks returns the names of the books that take no part in the turn. These are named like a
// module that is not active. Only the viewer's knowledge decides whether it is active. Otherwise
// its lore would reveal the value of a variable.
func ClosedBooks(v draft.Turn) []string {
	modules := v.Game.Content().Rules.Modules
	if len(modules) == 0 {
		return nil
	}
	active := v.Game.Rules().ActiveModules(v.Game.RuleState(v.Sight().State, v.Number()))
	closed := []string{rules.Unplaced}
	for _, m := range modules {
		if !slices.Contains(active, m.ID) {
			closed = append(closed, m.ID)
		}
	}
	return closed
}

// readable returns books without the entries that the viewer may not see, and without the entries
// that were changed or removed during play. Closed books are left out.
func (t *Texts) readable(books []worldbook.Book) []worldbook.Book {
	hidden := map[string]bool{}
	for _, id := range t.State.LoreEdits.Removed {
		hidden[id] = true
	}
	for _, e := range t.State.LoreEdits.Changed {
		if e.Content != nil {
			hidden[e.ID] = true
		}
	}
	for id, witnesses := range t.Game.PrivateLore() {
		if !t.Viewer().Sees(witnesses) {
			hidden[id] = true
		}
	}
	closed := ClosedBooks(t.Turn)
	if len(hidden)+len(closed) == 0 {
		return books
	}
	var open []worldbook.Book
	for _, b := range books {
		if !slices.Contains(closed, b.Name) {
			b.Entries = slices.DeleteFunc(slices.Clone(b.Entries), func(e worldbook.Entry) bool {
				return hidden[worldbook.ID{Book: b.Name, UID: e.UID}.String()]
			})
			open = append(open, b)
		}
	}
	return open
}

// keepTemplates keeps what templates and their macros have written since the last call: variables of
// macros in the state, changes of the document for the caller. The trace lists the entries that they
// have pulled in, and failures.
func (t *Texts) keepTemplates() {
	now := t.templates
	writes, v := now.build.Writes()[now.writes:], now.build.Variables()
	now.writes += len(writes)
	sight := t.Sight().State.Macros
	changed := func(old, now tree.Value) tree.Value {
		if now.Same(old) || now.Equal(old) || !old.Exists() && now.Len() == 0 {
			return tree.Value{}
		}
		return now
	}
	t.keepStores(changed(sight.Chat, v.Chat), changed(sight.Global, v.Global))
	for _, w := range writes {
		if w.Scope == "message" {
			t.Written = append(t.Written, w)
		}
	}
	t.tracePulled(now.build.Pulled())
	t.traceProblems(now.build.Problems()[now.problems:])
	now.problems = len(now.build.Problems())
}

// tracePulled lists the entries that templates have pulled in, unless the trace has them.
func (t *Texts) tracePulled(pulled []worldbook.ID) {
	if len(pulled) == 0 {
		return
	}
	traced := make(map[string]bool, len(t.Trace.Lore))
	for _, l := range t.Trace.Lore {
		traced[l.ID] = true
	}
	for _, id := range pulled {
		if full := id.String(); !traced[full] {
			t.Trace.Lore = append(t.Trace.Lore, state.TraceLore{ID: full, Why: "getwi"})
		}
	}
}
