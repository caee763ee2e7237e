package turn

import (
	"strings"

	"github.com/talewright/talewright/campaign/turntrace"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
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
func (p *progress) addEntry(e effect.AddEntry, by string) {
	ofModel := 0
	for _, old := range p.state.Entries {
		if old.EntryType == entryOfModel || old.EntryType == entryOfBackup {
			ofModel++
		}
	}
	if len(p.state.Entries) >= maxEntries || byModel(by) && ofModel >= maxModelEntries {
		p.trace.Refused = append(p.trace.Refused, turntrace.RefusedEffect{By: by, Path: "added_entries",
			Reason: reasonTooManyEntries, Text: utf8text.Cut(e.Name, maxEntryKey)})
		return
	}
	p.state.Entries = append(p.state.Entries, e)
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

// reasonTooManyEntries refuses an entry for a world book that has enough of them.
const reasonTooManyEntries = "too_many_entries"

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
