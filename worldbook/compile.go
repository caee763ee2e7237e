package worldbook

import (
	"math"
	"slices"
	"sync"
)

// Compiled is a set of books ready to be scanned. It is immutable and safe for
// concurrent use by any number of chats.
type Compiled struct {
	settings Settings
	quirk    quirkSet
	entries  []*entry // the entry list, in order of examination
	ident    []int32  // first entry of the list with the same id
	byID     map[ID]int32
	byHash   map[string]int32 // first entry with the hash
	users    userTable
	lists    [sourceCount][]listed // entries by source, for overlays
	match    *matcher
	dynamic  []keySpec // keys with macros, compiled per scan
	levels   []float64 // delay levels, ascending
	always   bitset    // entries that every loop looks at
	maxDepth int       // deepest search that an entry asks for by itself

	cache   *Cache
	derived *derivedCache
	pool    sync.Pool // *scan
}

// Compile prepares books for scanning and reports the mistakes in them. Problems
// never keep an entry out: what cannot be read has the meaning that SillyTavern
// gives it.
//
// The entry list, whose order decides who is examined, rolled and paid first, is
// made so:
//
//  1. A book attached several times, recognised by its name, counts once: as
//     global book, else as chat book, else as persona book, else as character
//     book.
//  2. Inside a source, books stand in the given order, extra character books
//     behind the primary one; their entries together are sorted by descending
//     order (ascending with [Settings.OrderAscending]), equal orders as they
//     stand.
//  3. Chat entries come first, then persona entries, then global and character
//     entries by [Settings.CharacterStrategy].
//
// The books and settings are copied.
func Compile(books []Attachment, settings Settings) (*Compiled, []Problem) {
	c := &Compiled{
		settings: settings,
		quirk:    settings.quirks(),
		cache:    NewCache(0),
		derived:  newDerivedCache(),
	}
	c.settings.QuirksOff = slices.Clone(settings.QuirksOff)
	b := newBuilder(c)
	b.checkSettings()
	b.attachAll(books)
	c.match = b.keys.build(c.settings)
	c.finish(b)
	c.layOut()
	c.prematch()
	return c, b.problems
}

// Settings returns the settings that the books were compiled with.
func (c *Compiled) Settings() Settings {
	s := c.settings
	s.QuirksOff = slices.Clone(s.QuirksOff)
	return s
}

// Len returns the number of entries.
func (c *Compiled) Len() int { return len(c.entries) }

// The sources after double attachments are resolved.
const (
	listChat = iota
	listPersona
	listCharacter
	listGlobal
	sourceCount
)

// listed is a compiled entry on its way into the entry list.
type listed struct {
	*entry
	extra bool // of an extra character book
}

// attachAll compiles the books, each once.
func (b *builder) attachAll(books []Attachment) {
	for _, a := range books {
		if len(a.Sources) == 0 {
			a.Sources = []Source{SourceGlobal}
		}
		b.sources[a.Book.Name] = append(b.sources[a.Book.Name], a.Sources...)
	}
	for _, a := range books {
		b.attach(a)
	}
}

// attach compiles the entries of a book into the list of its source.
func (b *builder) attach(a Attachment) {
	name := a.Book.Name
	if name != "" && b.seen[name] {
		return
	}
	list, extra := b.sourceOf(a)
	b.seen[name] = true
	for i := range a.Book.Entries {
		e := b.compileEntry(name, i, a.Book.Entries[i])
		b.lists[list] = append(b.lists[list], listed{e, extra})
	}
}

// sourceOf decides which of a book's sources counts. Attachments of the same
// name later in the list take part.
func (b *builder) sourceOf(a Attachment) (list int, extra bool) {
	sources := b.sources[a.Book.Name]
	if a.Book.Name == "" {
		sources = a.Sources
	}
	if len(sources) == 0 {
		return listGlobal, false
	}
	switch {
	case slices.Contains(sources, SourceGlobal):
		return listGlobal, false
	case slices.Contains(sources, SourceChat):
		return listChat, false
	case slices.Contains(sources, SourcePersona):
		return listPersona, false
	case slices.Contains(sources, SourceCharacter):
		return listCharacter, false
	}
	return listCharacter, true
}

// finish makes the entry list out of the lists by source.
func (c *Compiled) finish(b *builder) {
	c.lists = b.lists
	c.entries = c.entryList()
	c.byID = make(map[ID]int32, len(c.entries))
	c.byHash = map[string]int32{}
	c.always = newBitset(len(c.entries))
	c.dynamic = b.keys.dynamic
	c.maxDepth = 0
	c.ident = make([]int32, len(c.entries))
	for i, e := range c.entries {
		if _, ok := c.byID[e.id]; !ok {
			c.byID[e.id] = int32(i)
		}
		c.ident[i] = c.byID[e.id]
		if _, ok := c.byHash[e.hash]; !ok && e.hash != "" {
			c.byHash[e.hash] = int32(i)
		}
		if e.always {
			c.always.set(i)
		}
		if e.level > 0 || math.IsNaN(e.level) {
			c.levels = append(c.levels, e.level)
		}
		if e.scanDepth >= 0 {
			c.maxDepth = max(c.maxDepth, c.settings.reach(int(e.scanDepth)))
		}
	}
	slices.Sort(c.levels)
	c.levels = slices.Compact(c.levels)
	c.users = c.listUsers()
	c.pool.New = func() any { return new(scan) }
}

// layOut moves the entries and their keys into list order in memory. Scans walk
// the list in that order, and in a large book wait for memory most of the time.
func (c *Compiled) layOut() {
	size := 0
	for _, e := range c.entries {
		size += len(e.keys)
	}
	entries := make([]entry, len(c.entries))
	sources := make([]Entry, len(c.entries))
	keys := make([]keyRef, 0, size)
	texts := make([]string, 0, size)
	moved := make(map[*entry]*entry, len(c.entries))
	for i, e := range c.entries {
		to := &entries[i]
		*to, sources[i] = *e, *e.src
		to.src = &sources[i]
		from := len(keys)
		keys = append(keys, e.keys...)
		to.keys = keys[from:len(keys):len(keys)]
		from = len(texts)
		texts = append(texts, e.texts...)
		to.texts = texts[from:len(texts):len(texts)]
		to.src.Keys = to.texts
		moved[e], c.entries[i] = to, to
	}
	for _, list := range c.lists {
		for i := range list {
			list[i].entry = moved[list[i].entry]
		}
	}
}

// entryList joins the sources. Each part is sorted by itself, so that a chat
// entry of order 1 comes before a global one of order 100.
func (c *Compiled) entryList() []*entry {
	var all []listed
	add := func(lists ...[]listed) {
		var part []listed
		for _, l := range lists {
			part = append(part, l...)
		}
		c.sortListed(part)
		all = append(all, part...)
	}
	add(c.lists[listChat])
	add(c.lists[listPersona])
	character := slices.Clone(c.lists[listCharacter])
	slices.SortStableFunc(character, func(a, b listed) int {
		return compareBool(a.extra, b.extra)
	})
	switch c.settings.CharacterStrategy {
	case CharacterFirst:
		add(character)
		add(c.lists[listGlobal])
	case GlobalFirst:
		add(c.lists[listGlobal])
		add(character)
	default:
		add(c.lists[listGlobal], character)
	}
	list := make([]*entry, len(all))
	for i, l := range all {
		list[i] = l.entry
	}
	return list
}

// compareBool puts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// sortListed sorts by order. A missing order equals every other.
func (c *Compiled) sortListed(list []listed) {
	slices.SortStableFunc(list, func(a, b listed) int {
		x, y := a.order, b.order
		if c.settings.OrderAscending {
			x, y = y, x
		}
		switch {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
}

// prematch finds the keys in the static contents, for recursion.
func (c *Compiled) prematch() {
	for _, e := range c.entries {
		if !e.prematched && !e.dynamicContent && !e.preventRecursion && e.content != "" {
			e.prematched = true
			e.contentKeys, e.contentEngine = c.match.scanContent(e.content)
		}
	}
}

// bitset is a set of places in the entry list.
type bitset []uint64

// newBitset returns the empty set with room for the places below n.
func newBitset(n int) bitset        { return make(bitset, (n+63)/64) }
func (b bitset) set(i int)          { b[i>>6] |= 1 << (i & 63) }
func (b bitset) has(i int) bool     { return b[i>>6]&(1<<(i&63)) != 0 }
func (b bitset) reset(n int) bitset { return resized(b, (n+63)/64) }

// resized returns a cleared slice of n elements, reusing b where it can.
func resized[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	b = b[:n]
	clear(b)
	return b
}
