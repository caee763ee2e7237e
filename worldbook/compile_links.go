package worldbook

import (
	"fmt"
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

// links are the connections between the entries of a list: [Options.Requires], Excludes and
// Replaces. Entries are numbers: the place of the first entry with an id.
type links struct {
	linked     match.Set         // entries with a link, by their own place
	requires   map[int32][]int32 // by the place of the entry; missing for a name without an entry
	excludes   map[int32][]int32 // by the place of the entry
	excludedBy map[int32][]int32 // by the first place of the excluded id
	members    []int32           // the entries of all sets ([Options.Replaces])
	unknown    []unknownLink
}

// missing is the number of an entry that does not exist.
const missing = -1

// unknownLink is a name in the options of an entry that no entry has.
type unknownLink struct {
	entry int32
	at    string // the place in the options
	name  string
}

// newLinks resolves the names in the options of entries. It returns nil if no entry has links.
func newLinks(d *directory) *links {
	l := &links{
		linked: match.New(len(d.entries)), requires: map[int32][]int32{},
		excludes: map[int32][]int32{}, excludedBy: map[int32][]int32{},
	}
	anyLinks := false
	for i, e := range d.entries {
		if e.own == nil || len(e.own.requires)+len(e.own.excludes) == 0 && !e.inSet {
			continue
		}
		at := int32(i)
		anyLinks = true
		l.linked.Put(i)
		if e.inSet {
			l.members = append(l.members, d.home(e))
		}
		resolve := func(name, member string, k int) int32 {
			if to, ok := d.find(ID{e.id.Book, name}); ok {
				return to
			}
			if all := d.names().ids[name]; len(all) > 0 {
				return all[0]
			}
			l.unknown = append(l.unknown, unknownLink{at, fmt.Sprintf(".%s[%d]", member, k), name})
			return missing
		}
		for k, name := range e.own.requires {
			l.requires[at] = append(l.requires[at], resolve(name, "requires", k))
		}
		for k, name := range e.own.excludes {
			to := resolve(name, "excludes", k)
			if to == missing || to == d.home(e) {
				continue
			}
			l.excludes[at] = append(l.excludes[at], to)
			l.excludedBy[to] = append(l.excludedBy[to], d.home(e))
		}
	}
	if !anyLinks {
		return nil
	}
	for i, e := range d.entries {
		if l.excludedBy[d.home(e)] != nil {
			l.linked.Put(i)
		}
	}
	return l
}

// report reports the names that no entry has.
func (l *links) report(entries []*entry, b *builder) {
	if l == nil {
		return
	}
	for _, u := range l.unknown {
		b.problem(entries[u.entry], codeBadOption, optionsPath+u.at,
			"there is no entry %q: write a uid of this book, or book.uid, unless the entry is added later", u.name)
	}
	l.unknown = nil
}

// unmeetable returns the entries whose requirements no scan can meet: one of them does not exist, or
// requires the entry.
func (l *links) unmeetable() map[int32]bool {
	if l == nil {
		return nil
	}
	// An entry is met when all entries that it requires are met. Start with entries that require nothing.
	left, users := map[int32]int{}, map[int32][]int32{}
	for at, list := range l.requires {
		left[at] = len(list)
		for _, to := range list {
			users[to] = append(users[to], at)
		}
	}
	var met []int32
	for to := range users {
		if to != missing && left[to] == 0 {
			met = append(met, to)
		}
	}
	for len(met) > 0 {
		to := met[len(met)-1]
		met = met[:len(met)-1]
		for _, at := range users[to] {
			if left[at]--; left[at] == 0 {
				met = append(met, at)
			}
		}
	}
	out := map[int32]bool{}
	for at, n := range left {
		if n > 0 {
			out[at] = true
		}
	}
	return out
}
