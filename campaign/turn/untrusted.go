package turn

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/campaign/lorebook"
	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// What tools and variable commands bring is made of a model's words. Such text is
// data wherever it goes: it is not expanded as macros, its keys are plain keys, and
// there is a bound for how much of it stays.

// Bounds of the world book entries that are added during play.
const (
	maxEntries      = 512     // of any origin
	maxModelEntries = 32      // made of a model's words
	maxEntryContent = 8 << 10 // bytes of such an entry's content
	maxEntryKeys    = 16      // keys of such an entry
	maxEntryKey     = 100     // bytes of such a key, and of names
)

// entryOfModel is the type of the entries that are made of a model's words.
const entryOfModel = "model"

// entryOfBackup is the type of those that hold a branch of the variables.
const entryOfBackup = "backup"

// byModel reports whether effects with this cause carry a model's words.
func byModel(by string) bool {
	return strings.HasPrefix(by, byTool) || strings.HasPrefix(by, byDialect) || by == byCommands
}

// The causes of effects that are made of a model's words.
const (
	byTool     = "tool."
	byDialect  = "dialect."
	byCommands = "memvars"
)

// asData returns the effects of a tool with its texts as data.
func asData(effects effect.List) effect.List {
	out := make(effect.List, len(effects))
	for i, asked := range effects {
		if e, ok := asked.(effect.AddEntry); ok {
			if e.EntryType == "" {
				e.EntryType = entryOfModel
			}
			out[i] = entryAsData(e)
			continue
		}
		out[i] = effect.AsData(asked)
	}
	return out
}

// entryAsData makes an entry of a model's words: literal, and all of it bounded.
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

// addEntry adds an entry to the world book of this campaign, if there is room.
func (t *run) addEntry(e effect.AddEntry, by string) {
	p := &t.staged
	ofModel := 0
	for _, old := range p.state.Entries {
		if old.EntryType == entryOfModel || old.EntryType == entryOfBackup {
			ofModel++
		}
	}
	id := lorebook.ID(len(p.state.Entries), e)
	known := e.ID != "" && len(lorebook.Find(p.state.Entries, id.String())) > 0
	switch {
	case !known && len(p.state.Entries) >= maxEntries || byModel(by) && ofModel >= maxModelEntries:
		p.refusedEntry(by, e.Name, reasonTooManyEntries)
		return
	case e.ID != "" && len(t.game.LoreIndex().Find(id.String())) > 0 && !slices.Contains(p.state.LoreEdits.Removed, id.String()):
		p.refusedEntry(by, id.String(), reasonTaken)
		return
	}
	p.state.Entries = lorebook.Add(p.state.Entries, e)
}

// updateEntry changes entries, those that were added and those of the books.
func (t *run) updateEntry(e effect.UpdateEntry, by string) {
	if e.Literal {
		e = updateAsData(e)
	}
	t.eachEntry(e.ID, by, func(n int) bool {
		t.staged.state.Entries = lorebook.Update(t.staged.state.Entries, n, e)
		return true
	}, func(id worldbook.ID) (fits bool) {
		t.staged.state.LoreEdits, fits = t.staged.state.LoreEdits.Change(id, e)
		return fits
	})
}

// removeEntry takes entries out.
func (t *run) removeEntry(e effect.RemoveEntry, by string) {
	t.eachEntry(e.ID, by, func(n int) bool {
		p := &t.staged.state
		p.LoreEdits, _ = p.LoreEdits.Force(lorebook.ID(n, p.Entries[n]), -1, 0)
		p.Entries = lorebook.Remove(p.Entries, n)
		return true
	}, func(id worldbook.ID) (fits bool) {
		t.staged.state.LoreEdits, fits = t.staged.state.LoreEdits.Remove(id)
		return fits
	})
}

// forceEntry makes entries active in the prompts to come: from this turn on, or from the next one
// where the prompt is built already.
func (t *run) forceEntry(e effect.ForceEntry, by string) {
	first := t.number()
	if t.prompted {
		first++
	}
	turns := min(e.Turns, maxForcedTurns)
	if turns == 0 {
		turns = 1
	}
	force := func(id worldbook.ID) (fits bool) {
		t.staged.state.LoreEdits, fits = t.staged.state.LoreEdits.Force(id, first+turns-1, first)
		return fits
	}
	t.eachEntry(e.ID, by, func(n int) bool { return force(lorebook.ID(n, t.staged.state.Entries[n])) }, force)
}

// maxForcedTurns bounds for how long an entry is forced.
const maxForcedTurns = 1 << 20

// eachEntry does something with all entries that a name means, and says where there is none, or no
// room to note it. Added ones come from the last to the first.
func (t *run) eachEntry(name, by string, added func(n int) bool, ofBook func(id worldbook.ID) bool) {
	p := &t.staged
	places := lorebook.Find(p.state.Entries, name)
	ids := slices.DeleteFunc(slices.Clone(t.game.LoreIndex().Find(name)), func(id worldbook.ID) bool {
		return slices.Contains(p.state.LoreEdits.Removed, id.String())
	})
	if len(places)+len(ids) == 0 {
		p.refusedEntry(by, name, reasonUnknownEntry)
	}
	for _, n := range slices.Backward(places) {
		if !added(n) {
			p.refusedEntry(by, name, reasonTooManyEntries)
		}
	}
	for _, id := range ids {
		if !ofBook(id) {
			p.refusedEntry(by, id.String(), reasonTooManyEntries)
		}
	}
}

func (p *progress) refusedEntry(by, name, reason string) {
	p.trace.Refused = append(p.trace.Refused, turntrace.RefusedEffect{By: by, Path: "added_entries",
		Reason: reason, Text: utf8text.Cut(name, maxEntryKey)})
}

// updateAsData bounds an update that is made of a model's words.
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

// inject adds a text to the prompts to come. The same text of a session is there once,
// under whatever keys it comes, and there is room for only so many.
func (p *progress) inject(e effect.InjectPrompt, by string) {
	known := false
	for _, old := range p.state.Injections {
		if old.Key == e.Key {
			known = true
		} else if old.Scope == e.Scope && old.Scope == effect.ForSession && old.Content == e.Content {
			return
		}
	}
	if !known && len(p.state.Injections) >= maxInjections {
		p.trace.Refused = append(p.trace.Refused, turntrace.RefusedEffect{By: by, Path: "injections",
			Reason: "too_many_injections", Text: utf8text.Cut(e.Key, maxEntryKey)})
		return
	}
	p.state.Injections = p.state.Injections.With(e)
}

// maxInjections bounds the texts of hooks that wait for prompts.
const maxInjections = 64

// The reasons for which an entry is not added, changed, removed or forced.
const (
	reasonTooManyEntries = "too_many_entries" // the world book has enough of them
	reasonUnknownEntry   = "unknown_entry"
)

// backupEntry keeps a branch of the variables that a world's end cleared.
func backupEntry(e effect.BackupBranch) effect.AddEntry {
	last := ""
	if len(e.Path) > 0 {
		last = e.Path[len(e.Path)-1]
	}
	return entryAsData(effect.AddEntry{
		BookID: "backup", Name: "备份·" + e.World + "·" + last, Content: e.Data.String(),
		Keywords: []string{e.World}, EntryType: entryOfBackup, Priority: 50,
	})
}
