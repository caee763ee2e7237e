package worldbook

import (
	"fmt"
	"slices"
	"sync"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// directory is the entry list with its lookup tables. Entries are numbers: their places in the list.
// The home of an id is the place of the first entry with the id.
type directory struct {
	entries []*entry           // in order of examination
	homes   []int32            // the home of each entry; nil if all ids differ
	places  match.Table        // homes, by the names of the ids
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
		} else if d.homes == nil {
			d.homes = make([]int32, len(entries))
		}
		if _, ok := d.byHash[e.hash]; ok {
			d.twins[e.hash] = append(d.twins[e.hash], int32(i))
		} else if e.hash != "" {
			d.byHash[e.hash] = int32(i)
		}
	}
	for i := range d.homes {
		d.homes[i] = d.home(entries[i])
	}
	return d
}

// place returns the home of an id in the table. It is [match.Free] if no entry has the id.
func (d *directory) place(id ID) *int32 {
	return d.places.Find(id.String(), func(n int32) bool { return d.entries[n].id == id })
}

// find returns the home of an id, or false if no entry has the id.
func (d *directory) find(id ID) (at int32, ok bool) {
	at = *d.place(id)
	return at, at != match.Free
}

// home returns the home of the id of an entry, which need not be in the list.
func (d *directory) home(e *entry) int32 { return *d.place(e.id) }

// homeAt returns the home of the entry at i. It is faster than home.
func (d *directory) homeAt(i int) int {
	if d.homes == nil {
		return i
	}
	return int(d.homes[i])
}

// resolve returns the entry that a name in the options of an entry means. An entry of the same book has
// precedence. ok is false for an unknown name.
func (d *directory) resolve(of *entry, name string) (at int32, ok bool) {
	if at, ok = d.find(ID{of.id.Book, name}); ok {
		return at, true
	}
	if all := d.names().ids[name]; len(all) > 0 {
		return all[0], true
	}
	return missing, false
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
// Replaces.
type links struct {
	linked     match.Set         // entries with a link
	requires   map[int32][]int32 // the homes that an entry requires, or missing
	excludes   map[int32][]int32 // the homes that an entry excludes
	excludedBy map[int32][]int32 // the homes of the entries that exclude a home
	members    []int32           // the homes of the entries of all sets ([Options.Replaces])
	unknown    []unknownLink
}

// missing is the number of an entry that does not exist.
const missing = -1

// unknownLink is a name in the options of an entry that no entry has.
type unknownLink struct {
	entry int
	at    string // the place in the options
	name  string
}

// hasLinks reports whether the options of an entry have links.
func (e *entry) hasLinks() bool {
	return e.own != nil && (len(e.own.requires)+len(e.own.excludes) > 0 || e.inSet)
}

// newLinks resolves the names in the options of entries. It returns nil if no entry has links.
func newLinks(d *directory) *links {
	if !slices.ContainsFunc(d.entries, (*entry).hasLinks) {
		return nil
	}
	l := &links{
		linked: match.New(len(d.entries)), requires: map[int32][]int32{},
		excludes: map[int32][]int32{}, excludedBy: map[int32][]int32{},
	}
	for i, e := range d.entries {
		if e.hasLinks() {
			l.add(d, i)
		}
	}
	for i := range d.entries {
		if l.excludedBy[int32(d.homeAt(i))] != nil {
			l.linked.Put(i)
		}
	}
	return l
}

// add resolves the links of the entry at i.
func (l *links) add(d *directory, i int) {
	e, at, home := d.entries[i], int32(i), int32(d.homeAt(i))
	l.linked.Put(i)
	if e.inSet {
		l.members = append(l.members, home)
	}
	for k, name := range e.own.requires {
		to, ok := d.resolve(e, name)
		if !ok {
			l.unknown = append(l.unknown, unknownLink{i, fmt.Sprintf(".requires[%d]", k), name})
		}
		l.requires[at] = append(l.requires[at], to)
	}
	for k, name := range e.own.excludes {
		switch to, ok := d.resolve(e, name); {
		case !ok:
			l.unknown = append(l.unknown, unknownLink{i, fmt.Sprintf(".excludes[%d]", k), name})
		case to != home:
			l.excludes[at] = append(l.excludes[at], to)
			l.excludedBy[to] = append(l.excludedBy[to], home)
		}
	}
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

// unmet returns how many of the requirements of an entry no scan can meet, because the required entry
// does not exist or requires the entry.
func (l *links) unmet() map[int32]int {
	if l == nil {
		return nil
	}
	// An entry is met when all entries that it requires are met. Start with entries that require nothing.
	unmet, requiredBy := map[int32]int{}, map[int32][]int32{}
	for at, list := range l.requires {
		unmet[at] = len(list)
		for _, to := range list {
			requiredBy[to] = append(requiredBy[to], at)
		}
	}
	var met []int32
	for to := range requiredBy {
		if to != missing && unmet[to] == 0 {
			met = append(met, to)
		}
	}
	for i := 0; i < len(met); i++ {
		for _, at := range requiredBy[met[i]] {
			if unmet[at]--; unmet[at] == 0 {
				met = append(met, at)
			}
		}
	}
	return unmet
}
