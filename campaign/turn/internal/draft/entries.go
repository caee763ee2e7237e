package draft

import (
	"cmp"
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// This file changes the entries of the world book and the injected texts during play.
//
// The texts of tools and variable commands contain words of a model. Such text is always data: its
// macros are not expanded, its keys are plain keys, and the amount that is kept is limited.

// Limits of the world book entries that are added during play.
const (
	maxEntries      = 512     // entries of any origin
	maxModelEntries = 32      // entries with a model's words
	maxEntryContent = 8 << 10 // bytes of such an entry's content
	maxEntryKeys    = 16      // keys of such an entry
	maxEntryKey     = 100     // bytes of such a key, and of names
)

// entryOfModel is the type of entries with a model's words.
const entryOfModel = "model"

// byModel reports whether effects of this cause contain a model's words.
func byModel(by string) bool {
	return strings.HasPrefix(by, byTool) || strings.HasPrefix(by, byDialect) || by == byCommands
}

// The causes of effects with a model's words.
const (
	byTool     = "tool."
	byDialect  = "dialect."
	byCommands = "memvars"
)

// asData returns the effects of a tool with their texts as data.
func asData(effects effect.List) effect.List {
	out := make(effect.List, len(effects))
	for i, asked := range effects {
		if e, ok := asked.(effect.AddEntry); ok {
			e.EntryType = cmp.Or(e.EntryType, entryOfModel)
			out[i] = entryAsData(e)
			continue
		}
		out[i] = effect.AsData(asked)
	}
	return out
}

// entryAsData makes an entry literal and limits its size.
func entryAsData(e effect.AddEntry) effect.AddEntry {
	e.Literal = true
	e.Name, e.Content = utf8text.Cut(e.Name, maxEntryKey), utf8text.Cut(e.Content, maxEntryContent)
	var keys []string
	for _, key := range e.Keywords[:min(len(e.Keywords), maxEntryKeys)] {
		keys = append(keys, utf8text.Cut(strings.TrimSpace(key), maxEntryKey))
	}
	e.Keywords = keys
	return e
}

// book changes the world book of a campaign, for effects of one cause.
type book struct {
	*Progress
	game *game.Game
	by   string
}

// book returns the world book for one cause.
func (s *Stage) book(by string) book { return book{&s.Pending, s.Game, by} }

// add adds an entry, unless the limit is reached.
func (b book) add(e effect.AddEntry) {
	ofModel := 0
	for _, old := range b.State.Entries {
		if old.EntryType == entryOfModel || old.EntryType == secret.EntryOfBackup {
			ofModel++
		}
	}
	id := state.AddedEntryID(len(b.State.Entries), e)
	known := e.ID != "" && len(state.FindAddedLore(b.State.Entries, id.String())) > 0
	switch {
	case !known && len(b.State.Entries) >= maxEntries || byModel(b.by) && ofModel >= maxModelEntries:
		b.refuse(e.Name, reasonTooManyEntries)
		return
	case e.ID != "" && len(b.game.LoreIndex().Find(id.String())) > 0 && !slices.Contains(b.State.LoreEdits.Removed, id.String()):
		b.refuse(id.String(), reasonTaken)
		return
	}
	b.State.Entries = state.AddLore(b.State.Entries, e)
}

// update changes added entries and entries of the books.
func (b book) update(e effect.UpdateEntry) {
	if e.Literal {
		e = updateAsData(e)
	}
	b.each(e.ID, func(n int) bool {
		b.State.Entries = state.UpdateLore(b.State.Entries, n, e)
		return true
	}, func(id worldbook.ID) (fits bool) {
		b.State.LoreEdits, fits = b.State.LoreEdits.Change(id, e)
		return fits
	})
}

// remove removes entries.
func (b book) remove(e effect.RemoveEntry) {
	b.each(e.ID, func(n int) bool {
		b.State.LoreEdits, _ = b.State.LoreEdits.Force(state.AddedEntryID(n, b.State.Entries[n]), -1, 0)
		b.State.Entries = state.RemoveLore(b.State.Entries, n)
		return true
	}, func(id worldbook.ID) (fits bool) {
		b.State.LoreEdits, fits = b.State.LoreEdits.Remove(id)
		return fits
	})
}

// force makes entries active in the next prompts, from the turn with number first on.
func (b book) force(e effect.ForceEntry, first int) {
	turns := min(e.Turns, maxForcedTurns)
	turns = cmp.Or(turns, 1)
	force := func(id worldbook.ID) (fits bool) {
		b.State.LoreEdits, fits = b.State.LoreEdits.Force(id, first+turns-1, first)
		return fits
	}
	b.each(e.ID, func(n int) bool { return force(state.AddedEntryID(n, b.State.Entries[n])) }, force)
}

// maxForcedTurns is the maximum number of turns that an entry stays forced.
const maxForcedTurns = 1 << 20

// each calls a function for every entry with a name. It records a refusal if there is no such
// entry, or if the change exceeds a limit. Added entries are visited from the last to the first.
func (b book) each(name string, added func(n int) bool, ofBook func(id worldbook.ID) bool) {
	places := state.FindAddedLore(b.State.Entries, name)
	ids := slices.DeleteFunc(slices.Clone(b.game.LoreIndex().Find(name)), func(id worldbook.ID) bool {
		return slices.Contains(b.State.LoreEdits.Removed, id.String())
	})
	if len(places)+len(ids) == 0 {
		b.refuse(name, reasonUnknownEntry)
	}
	for _, n := range slices.Backward(places) {
		if !added(n) {
			b.refuse(name, reasonTooManyEntries)
		}
	}
	for _, id := range ids {
		if !ofBook(id) {
			b.refuse(id.String(), reasonTooManyEntries)
		}
	}
}

func (b book) refuse(name, reason string) {
	traceRefusal(&b.Trace, "added_entries", b.by, reason, utf8text.Cut(name, maxEntryKey))
}

// updateAsData limits an update with a model's words.
func updateAsData(e effect.UpdateEntry) effect.UpdateEntry {
	text := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	a := entryAsData(effect.AddEntry{Name: text(e.Name), Content: text(e.Content), Keywords: e.Keywords})
	if e.Name != nil {
		e.Name = &a.Name
	}
	if e.Content != nil {
		e.Content = &a.Content
	}
	e.Keywords = a.Keywords
	return e
}

// inject adds a text to the next prompts. A session has the same text only once, even with
// different keys. The number of texts is limited.
func (p *Progress) inject(e effect.InjectPrompt, by string) {
	known := false
	for _, old := range p.State.Injections {
		if old.Key == e.Key {
			known = true
		} else if old.Scope == e.Scope && old.Scope == effect.ForSession && old.Content == e.Content {
			return
		}
	}
	if !known && len(p.State.Injections) >= MaxInjections {
		traceRefusal(&p.Trace, "injections", by, "too_many_injections", utf8text.Cut(e.Key, maxEntryKey))
		return
	}
	p.State.Injections = p.State.Injections.With(e)
}

// MaxInjections limits the number of injections that wait for prompts.
const MaxInjections = 64

// The reasons why an entry is not added, changed, removed or forced.
const (
	reasonTooManyEntries = "too_many_entries" // the world book has too many entries
	reasonUnknownEntry   = "unknown_entry"
)
