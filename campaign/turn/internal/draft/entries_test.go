package draft

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/internal/secret"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// TestRefusedEntries has a row for each refused change of the world book or of the texts for prompts.
// Each is in the trace with its cause and its reason, and the state does not change.
func TestRefusedEntries(t *testing.T) {
	t.Parallel()
	g, problems := game.Compile(game.Content{Lore: game.Lore{Books: []worldbook.Attachment{{Book: worldbook.Book{Name: "mill",
		Entries: []worldbook.Entry{{UID: "1", Content: "A wheel.", Keys: []string{"wheel"}}}}}}}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	added := func(n int, kind string) (list []effect.AddEntry) {
		for i := range n {
			list = append(list, effect.AddEntry{ID: fmt.Sprint("e", i), BookID: "new", Content: "Dust.", EntryType: kind})
		}
		return list
	}
	known := g.LoreIndex().Find("1")
	if len(known) != 1 {
		t.Fatalf("the book has %v", known)
	}
	taken := known[0].String()
	forced := make([]state.ForcedLore, 64)
	for i := range forced {
		forced[i] = state.ForcedLore{ID: worldbook.ID{Book: "new", UID: fmt.Sprint("f", i)}, Until: 99}
	}
	const full = "too_many_entries"
	for _, c := range []struct {
		name    string
		entries []effect.AddEntry
		edits   state.LoreEdits
		by      string
		do      func(b book)
		reason  string // "": nothing is refused
		text    string
	}{
		{"the book is full", added(maxEntries, ""), state.LoreEdits{}, "r",
			func(b book) { b.add(effect.AddEntry{BookID: "new", Name: "a note"}) }, full, "a note"},
		{"a full book, and a known ID", added(maxEntries, ""), state.LoreEdits{}, "r",
			func(b book) { b.add(effect.AddEntry{ID: "e7", BookID: "new", Content: "Dust."}) }, "", ""},
		{"too many of a model, by a tool", added(maxModelEntries, entryOfModel), state.LoreEdits{}, byTool + "say",
			func(b book) { b.add(effect.AddEntry{BookID: "new", Name: "a note"}) }, full, "a note"},
		{"too many backups, by a dialect", added(maxModelEntries, secret.EntryOfBackup), state.LoreEdits{}, byDialect + "own",
			func(b book) { b.add(effect.AddEntry{BookID: "new", Name: "a note"}) }, full, "a note"},
		{"too many of a model, by commands", added(maxModelEntries, entryOfModel), state.LoreEdits{}, byCommands,
			func(b book) { b.add(effect.AddEntry{BookID: "new", Name: "a note"}) }, full, "a note"},
		{"the ID of a removed entry of a book", nil, state.LoreEdits{Removed: []string{taken}}, "r",
			func(b book) {
				b.State.Entries = slices.Insert(b.State.Entries, 0, effect.AddEntry{ID: "e9"})
				b.add(effect.AddEntry{ID: known[0].UID, BookID: known[0].Book})
				b.State.Entries = nil
			}, "", ""},
		{"an entry of a book", nil, state.LoreEdits{}, "r",
			func(b book) { b.add(effect.AddEntry{ID: known[0].UID, BookID: known[0].Book}) }, "id_taken", taken},
		{"no entry", nil, state.LoreEdits{}, "r",
			func(b book) { b.remove(effect.RemoveEntry{ID: "ghost"}) }, "unknown_entry", "ghost"},
		{"a removed entry", nil, state.LoreEdits{Removed: []string{taken}}, "r",
			func(b book) { b.update(effect.UpdateEntry{ID: taken, Content: new("B")}) }, "unknown_entry", taken},
		{"too many updates", nil, state.LoreEdits{Changed: make([]effect.UpdateEntry, 256)}, "r",
			func(b book) { b.update(effect.UpdateEntry{ID: "1", Content: new("B")}) }, full, taken},
		{"too many removals", nil, state.LoreEdits{Removed: make([]string, 1024)}, "r",
			func(b book) { b.remove(effect.RemoveEntry{ID: "1"}) }, full, taken},
		{"too many forced entries", nil, state.LoreEdits{Forced: forced}, "r",
			func(b book) { b.force(effect.ForceEntry{ID: "1"}, 3) }, full, taken},
		{"too many forced entries, of which one was added", added(1, ""), state.LoreEdits{Forced: forced}, "r",
			func(b book) { b.force(effect.ForceEntry{ID: "e0"}, 3) }, full, "e0"},
	} {
		s := &Stage{Game: g}
		s.Pending.State.Entries, s.Pending.State.LoreEdits = slices.Clone(c.entries), c.edits
		c.do(s.book(c.by))
		var want []state.TraceRefusedEffect
		if c.reason != "" {
			want = []state.TraceRefusedEffect{{By: c.by, Path: "added_entries", Reason: c.reason, Text: c.text}}
		}
		if got := s.Pending.Trace.Refused; !slices.Equal(got, want) {
			t.Errorf("%s: refused are %+v, want %+v", c.name, got, want)
		}
		after := s.Pending.State
		if len(after.Entries) != len(c.entries) || len(after.LoreEdits.Changed) != len(c.edits.Changed) ||
			len(after.LoreEdits.Removed) != len(c.edits.Removed) || len(after.LoreEdits.Forced) != len(c.edits.Forced) {
			t.Errorf("%s: the state has changed", c.name)
		}
	}
	p := &Progress{}
	for i := range MaxInjections + 1 {
		p.inject(effect.InjectPrompt{Key: fmt.Sprint("k", i), Content: "Dust."}, "hooks")
	}
	p.inject(effect.InjectPrompt{Key: "k0", Content: "Ash."}, "hooks")
	want := []state.TraceRefusedEffect{{By: "hooks", Path: "injections", Reason: "too_many_injections", Text: fmt.Sprint("k", MaxInjections)}}
	if got := p.Trace.Refused; !slices.Equal(got, want) || len(p.State.Injections) != MaxInjections || p.State.Injections[0].Content != "Ash." {
		t.Errorf("refused are %+v of %d texts", got, len(p.State.Injections))
	}
}

// TestManyNotes: the notes after the limit are counted in one warning.
func TestManyNotes(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{maxNotes: fmt.Sprintf("variables: clock a: note %d", maxNotes-1), maxNotes + 4: "variables: and 4 notes more"} {
		var notes []memvars.Note
		for i := range n {
			notes = append(notes, memvars.Note{Pass: "clock", Path: []string{"a"}, Text: fmt.Sprint("note ", i)})
		}
		p := &Progress{}
		p.warnNotes(notes)
		if got := p.Trace.Warnings; len(got) != min(n, maxNotes+1) || got[len(got)-1] != want {
			t.Errorf("%d notes: %q", n, got)
		}
	}
}

// TestUpdatesOfModels: the texts of a literal update are cut as the texts of a literal entry. Parts
// that the update does not have stay as they are.
func TestUpdatesOfModels(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxEntryContent+9)
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	p := &Progress{State: state.State{Entries: []effect.AddEntry{{ID: "e0", BookID: "new", Name: "Old", Content: "Dust.", Keywords: []string{"dust"}}}}}
	b := book{Progress: p, game: g}
	b.update(effect.UpdateEntry{ID: "e0", Content: &long, Keywords: []string{" key "}, Literal: true})
	if e := p.State.Entries[0]; e.Name != "Old" || len(e.Content) != maxEntryContent || !slices.Equal(e.Keywords, []string{"key"}) {
		t.Errorf("%q, %d bytes, %q", e.Name, len(e.Content), e.Keywords)
	}
	p.State.Entries = append(p.State.Entries, effect.AddEntry{ID: "e1", BookID: "new", Content: "Ash."})
	b.update(effect.UpdateEntry{ID: "e1", Content: new("Soot.")})
	if b.remove(effect.RemoveEntry{ID: "e1"}); len(p.State.Entries) != 1 || p.State.Entries[0].ID != "e0" || len(p.State.Entries[0].Content) != maxEntryContent {
		t.Errorf("the first entry has changed with the second: %d left", len(p.State.Entries))
	}
	name := strings.Repeat("n", maxEntryKey+9)
	b.update(effect.UpdateEntry{ID: "e0", Name: &name, Literal: true})
	if e := p.State.Entries[0]; len(e.Name) != maxEntryKey || len(e.Content) != maxEntryContent || !slices.Equal(e.Keywords, []string{"key"}) {
		t.Errorf("%d bytes, %d bytes, %q", len(e.Name), len(e.Content), e.Keywords)
	}
}
