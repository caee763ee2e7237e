package prepare

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
	"github.com/talewright/talewright/prompt/template"
	"github.com/talewright/talewright/worldbook"
)

// hasTags reports whether a text may have templates.
func hasTags(text string) bool { return strings.Contains(text, "<%") }

// templates are the templates of one text or prompt: their build, the run of their macros, and what
// was kept of the build so far.
type templates struct {
	build            *template.Build
	run              *macro.Run
	writes, problems int
}

// beginTemplates returns the build for the templates of this text or prompt. Its macros get a new
// run in the environment. Templates read what the viewer may know.
func (t *Texts) beginTemplates(env prompt.Env) *template.Build {
	now := &t.templates
	now.run = macro.NewRun(env)
	if now.build != nil {
		return now.build
	}
	books, cache := t.Game.Templates()
	sight := t.Sight().State
	now.build = template.NewBuild(template.Env{
		User: env.User, Char: env.Char, Chat: env.Chat, ChatID: env.ChatID, Cards: t.cards(), Prompt: t.presetPrompt,
		Books: t.readable(books), Random: env.Random, GenerateType: env.GenerationType, Cache: cache,
		Variables: template.Variables{Message: sight.Variables.Root(), Chat: sight.Macros.Chat, Global: sight.Macros.Global},
		Expand: func(text, char string) string {
			return now.run.ExpandWith(text, macro.Full, macro.Locals{Char: char})
		},
		Regex: func(authored string) string {
			text := authored
			t.Prompted(&now.run, script.Where{Placement: script.WorldInfo, ForPrompt: true}, &text)
			return t.ownTags(authored, text)
		},
	})
	now.build.Load()
	return now.build
}

// ownTags returns a text that regex scripts have changed, if its author wrote all of its tags. The
// replacement of a script may have macros, whose results are data, and data never becomes code. So
// a text with other tags is returned as authored, with a warning.
func (t *Texts) ownTags(authored, changed string) string {
	for _, part := range strings.Split(changed, "<%")[1:] {
		code, _, _ := strings.Cut(part, "%>")
		if !strings.Contains(authored, "<%"+code) {
			t.Warn("prompt: a regex script put a tag into a text with templates: the script does not apply to it")
			return authored
		}
	}
	return changed
}

// expandCBS returns a text in the language of RisuAI after its expansion. Variables that it stores
// are kept.
func (t *Texts) expandCBS(env prompt.Env, form *macro.CBS, text string) string {
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
		if m.CharacterID == id && m.Card != nil {
			return m.Card
		}
	}
	return t.Card()
}

// Opening returns an opening text of an author after its macros and templates. speaker is the ID of
// the member of the cast who says it, or "".
func (t *Texts) Opening(text, speaker string) string {
	if form := t.Game.CardCBS(t.cardOf(speaker), true); form != nil {
		return t.expandCBS(t.Env(), form, text)
	}
	if !hasTags(text) {
		run := macro.NewRun(t.Env())
		text = run.Expand(text, macro.Full)
		t.Keep(run)
		return text
	}
	text = t.beginTemplates(t.Env()).Unit(template.Piece{Text: text, Path: "greeting"})
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
	for _, one := range preset.Prompts {
		if one.Name == name {
			return one.Content, true
		}
	}
	return "", false
}

// readable returns books without the entries that the viewer may not see and those that were changed
// or removed during play.
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
	if len(hidden) == 0 {
		return books
	}
	books = slices.Clone(books)
	for i := range books {
		books[i].Entries = slices.DeleteFunc(slices.Clone(books[i].Entries), func(e worldbook.Entry) bool {
			return hidden[worldbook.ID{Book: books[i].Name, UID: e.UID}.String()]
		})
	}
	return books
}

// keepTemplates keeps what templates have written since the last call: variables of macros in the
// state, changes of the document for the caller. The trace lists the entries that they have pulled
// in, and failures.
func (t *Texts) keepTemplates() {
	now := &t.templates
	if now.build == nil {
		return
	}
	t.Keep(now.run)
	writes, v := now.build.Writes()[now.writes:], now.build.Variables()
	now.writes += len(writes)
	t.KeepMacros(rootsOf(t.State.Macros.Chat, v.Chat, writes, "chat"), rootsOf(t.State.Macros.Global, v.Global, writes, "global"))
	for _, w := range writes {
		if w.Scope == "message" {
			t.Written = append(t.Written, w)
		}
	}
	for _, id := range now.build.Pulled() {
		full := id.String()
		if !slices.ContainsFunc(t.Trace.Lore, func(l state.TraceLore) bool { return l.ID == full }) {
			t.Trace.Lore = append(t.Trace.Lore, state.TraceLore{ID: full, Why: "getwi"})
		}
	}
	t.traceProblems(now.build.Problems()[now.problems:])
	now.problems = len(now.build.Problems())
}

// rootsOf returns variables of macros with those that templates have written to a scope, nil if they
// have written none.
func rootsOf(old, now tree.Value, writes []template.Write, scope string) (values map[string]any) {
	for _, w := range writes {
		if w.Scope != scope || len(w.Path) == 0 {
			continue
		}
		if values == nil {
			values = map[string]any{}
			for key, v := range old.Members() {
				values[key] = v.Any()
			}
		}
		delete(values, w.Path[0])
		if v := now.Get(w.Path[0]); v.Exists() {
			values[w.Path[0]] = v.Any()
		}
	}
	return values
}
