package state

import (
	"slices"

	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// LoreIndex finds the entries of compiled books by the names that effects use. It is immutable, and
// safe for concurrent use.
type LoreIndex struct {
	entries map[worldbook.ID]worldbook.Entry
	ids     map[string][]worldbook.ID // by full ID and by UID
	sources map[string][]worldbook.Source
}

// NewLoreIndex returns an index of compiled books. attached are the attachments that they were
// compiled from.
func NewLoreIndex(book *worldbook.Compiled, attached []worldbook.Attachment) *LoreIndex {
	x := &LoreIndex{map[worldbook.ID]worldbook.Entry{}, map[string][]worldbook.ID{}, map[string][]worldbook.Source{}}
	for id, e := range book.Entries() {
		if _, known := x.entries[id]; known {
			continue // the first of several entries with one ID wins
		}
		x.entries[id] = e
		x.ids[id.String()] = append(x.ids[id.String()], id)
		x.ids[id.UID] = append(x.ids[id.UID], id)
	}
	for _, a := range attached {
		x.sources[a.Book.Name] = append(x.sources[a.Book.Name], a.Sources...)
	}
	return x
}

// Find returns the IDs of the entries with a name: a full ID or a UID.
func (x *LoreIndex) Find(name string) []worldbook.ID { return x.ids[name] }

// OverlayLore returns the campaign's changes to the books for a scan. The result add has the added
// and changed entries. The result without lists the original entries that are changed or removed.
// OverlayLore calls index only if an entry was changed. The entries of played are entries of the
// books after templates have changed them for this scan. The changes of the campaign apply to
// these.
func OverlayLore(added []effect.AddEntry, edits LoreEdits, index func() *LoreIndex, played ...worldbook.Book) (add []worldbook.Attachment, without []string) {
	bookIndex := map[string]int{}
	addEntry := func(book string, sources []worldbook.Source, e worldbook.Entry) {
		i, ok := bookIndex[book]
		if !ok {
			i = len(add)
			bookIndex[book] = i
			add = append(add, worldbook.Attachment{Book: worldbook.Book{Name: book}, Sources: sources})
		}
		add[i].Book.Entries = append(add[i].Book.Entries, e)
	}
	for i, e := range added {
		addEntry(e.BookID, []worldbook.Source{worldbook.SourceChat}, entryOf(i, e))
	}
	changed, order := changedByTemplates(played, edits.Removed)
	for _, u := range edits.Changed {
		authored := index()
		for _, id := range authored.ids[u.ID] {
			e, ok := authored.entries[id]
			if !ok || id.String() != u.ID || slices.Contains(edits.Removed, u.ID) {
				continue
			}
			e.World = nil
			if fromTemplate, ok := changed[id]; ok {
				e = fromTemplate
				delete(changed, id)
			}
			addEntry(id.Book, authored.sources[id.Book], editedLore(e, u))
			without = append(without, u.ID)
		}
	}
	for _, id := range order {
		if e, ok := changed[id]; ok {
			addEntry(id.Book, index().sources[id.Book], e)
			without = append(without, id.String())
		}
	}
	return add, append(without, edits.Removed...)
}

// changedByTemplates returns the entries that templates have changed, except removed ones, by ID and
// in their order. The first of several entries with one ID wins.
func changedByTemplates(books []worldbook.Book, removed []string) (changed map[worldbook.ID]worldbook.Entry, order []worldbook.ID) {
	if len(books) == 0 {
		return nil, nil
	}
	changed = map[worldbook.ID]worldbook.Entry{}
	for _, book := range books {
		for _, e := range book.Entries {
			id := worldbook.ID{Book: book.Name, UID: e.UID}
			if e.World != nil {
				id.Book, e.World = *e.World, nil // the book has its name
			}
			if _, known := changed[id]; !known && !slices.Contains(removed, id.String()) {
				order = append(order, id)
				changed[id] = e
			}
		}
	}
	return changed, order
}

// entryOf returns an added entry as an entry of a book.
func entryOf(n int, e effect.AddEntry) worldbook.Entry {
	return worldbook.Entry{
		UID: AddedEntryID(n, e).UID, Keys: e.Keywords, Comment: e.Name,
		Content: e.Content, Constant: e.AlwaysOn, Order: float64(e.Priority),
		Position: worldbook.PositionBeforeCharacter, Probability: 100, GroupWeight: 100,
		Literal: e.Literal,
	}
}
