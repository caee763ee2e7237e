package worldbook

import (
	"sync"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// directory is the entry list with its lookup tables.
type directory struct {
	entries []*entry           // in order of examination
	ident   []int32            // first entry of the list with the same id; nil if all ids differ
	places  match.Table        // of the first entries with an id, by their names
	byHash  map[string]int32   // first entry with the hash
	twins   map[string][]int32 // further entries with the hash, if any
	names   func() names
}

// newDirectory indexes entries.
func newDirectory(entries []*entry) directory {
	d := directory{
		entries: entries, places: match.NewTable(len(entries)),
		byHash: map[string]int32{}, twins: map[string][]int32{},
		names: sync.OnceValue(func() names { return listNames(entries) }),
	}
	for i, e := range entries {
		if first := d.place(e.id); *first == match.Free {
			*first = int32(i)
		} else if d.ident == nil {
			d.ident = make([]int32, len(entries))
		}
		if _, ok := d.byHash[e.hash]; ok {
			d.twins[e.hash] = append(d.twins[e.hash], int32(i))
		} else if e.hash != "" {
			d.byHash[e.hash] = int32(i)
		}
	}
	for i := range d.ident {
		d.ident[i] = *d.place(entries[i].id)
	}
	return d
}

// place returns the place of an id in the table.
func (d *directory) place(id ID) *int32 {
	return d.places.Find(id.String(), func(n int32) bool { return d.entries[n].id == id })
}

// find returns the place of the first entry with an id, or false if there is none.
func (d *directory) find(id ID) (at int32, ok bool) {
	at = *d.place(id)
	return at, at != match.Free
}

// home returns the place of the first entry with the id of an entry.
func (d *directory) home(e *entry) int32 { return *d.place(e.id) }

// first returns the place of the first entry with the same id as the entry at i.
func (d *directory) first(i int) int {
	if d.ident == nil {
		return i
	}
	return int(d.ident[i])
}

// names finds entries by the names that the switches of an overlay use.
type names struct {
	ids, uids, books map[string][]int32
}

// listNames builds the names. Only the first scan with switches calls it.
func listNames(entries []*entry) names {
	n := names{ids: map[string][]int32{}, uids: map[string][]int32{}, books: map[string][]int32{}}
	for i, e := range entries {
		n.ids[e.name()] = append(n.ids[e.name()], int32(i))
		n.uids[e.id.UID] = append(n.uids[e.id.UID], int32(i))
		n.books[e.id.Book] = append(n.books[e.id.Book], int32(i))
	}
	return n
}
