package worldbook

import (
	"encoding/json"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook/internal/match"
)

// Compiled is a set of books ready to be scanned. It is immutable and safe for concurrent use by
// any number of chats. Create it with [Compile]: the zero value must not be used.
type Compiled struct {
	settings ProfileSettings
	directory
	books   []Attachment        // with the names that ids have
	lists   map[Source][]*entry // entries by source, for overlays
	match   *match.Index
	users   *match.Users
	dynamic []match.Spec // keys with macros, compiled per scan
	// keyMacros reports whether a key has macros other than the names.
	keyMacros bool
	loops     loops
	links     *links     // nil without links between entries
	filters   [][]string // the sources that entries read, by number from 1
	limits    []Limit

	cache   *Cache
	extras  *memo[match.Extra] // indexes of dynamic keys, by their expanded texts
	derived *memo[*Compiled]   // with entries of overlays; chats mostly share them
	pool    sync.Pool          // *scan
}

// Compile prepares books for scanning and reports the mistakes in them. A problem never excludes an
// entry and is never fatal: unreadable values have the meaning that SillyTavern gives them.
//
// The order of the entry list decides which entry is examined, rolled and paid first. It is made as
// follows:
//
//  1. A book that is attached several times, recognised by its name, counts once: as global book,
//     else as chat book, else as persona book, else as character book. A different book of that
//     name, with other entries, is renamed "name (2)" and so on, which is reported as a problem. A
//     second book without a name is renamed "(2)" in the same way.
//  2. Inside a source, books keep the given order, with extra character books after the primary
//     one. Their entries are sorted together by descending order (ascending with
//     [ProfileSettings.OrderAscending]). Entries of equal order keep their places.
//  3. Chat entries come first, then persona entries, then global and character
//     entries by [ProfileSettings.CharacterStrategy].
//
// The books and settings are copied.
func Compile(books []Attachment, settings ProfileSettings) (*Compiled, talewright.Problems) {
	c := &Compiled{settings: settings, cache: NewCache(0)}
	c.settings = c.Settings()
	b := newBuilder(&c.settings)
	b.limits = slices.Clip(c.settings.Limits)
	checkSettings(&c.settings, &b.problems)
	c.compileList(&bookList{builder: b, lists: map[Source][]*entry{}}, books)
	c.links.report(c.entries, b)
	c.match, c.filters, c.limits = b.keys.Build(), b.filters, b.limits
	c.buildShared(b.keys.Dynamic)
	return c, b.problems.inOrder()
}

// Settings returns the settings that the books were compiled with.
func (c *Compiled) Settings() ProfileSettings {
	s := c.settings
	s.QuirksOff, s.Limits, s.Fold = slices.Clone(s.QuirksOff), slices.Clone(s.Limits), slices.Clone(s.Fold)
	return s
}

// Len returns the number of entries.
func (c *Compiled) Len() int { return len(c.entries) }

// Books returns the compiled books in their order, with the names that their entries have in ids:
// some may have been renamed, see [Compile]. Do not modify their entries.
func (c *Compiled) Books() []Attachment { return slices.Clone(c.books) }

// Entries returns copies of the entries in the order in which scans examine them. Each comes with
// the id that names it in results, states and forced entries. The book in this id may have been
// renamed, see [Compile].
func (c *Compiled) Entries() iter.Seq2[ID, Entry] {
	return func(yield func(ID, Entry) bool) {
		for _, e := range c.entries {
			if !yield(e.id, e.src.clone()) {
				return
			}
		}
	}
}

// Reach returns the greatest number of newest messages that a scan searches, by the books and their
// settings. An entry of an [Overlay] may need more. The result is at most 1,000.
func (c *Compiled) Reach() int {
	if c == nil {
		return 0
	}
	reach := max(c.loops.maxDepth, reachOf(&c.settings, searchDepth(&c.settings)))
	if c.settings.MinActivations > 0 {
		// one more than the limit: see quirkExtraDepth
		reach = max(reach, reachOf(&c.settings, c.settings.MinActivationsDepthMax+1))
		if c.settings.MinActivationsDepthMax <= 0 {
			reach = match.MaxMessages
		}
	}
	return min(reach, match.MaxMessages)
}

// budgetFor returns the number of tokens that entries may use.
func (c *Compiled) budgetFor(context int) int {
	return entryBudget(c.settings.Budget, context, c.settings.BudgetCap)
}

// compileList compiles books, adds them to the books of s, and makes the entry list.
func (c *Compiled) compileList(s *bookList, books []Attachment) {
	c.books = s.compileBooks(books)
	entries := s.entries()
	s.builder.compileKeys(entries)
	c.lists, c.directory = s.lists, newDirectory(entries)
	c.links = newLinks(&c.directory)
}

// loops has the data that is the same for the loops of every scan.
type loops struct {
	levels   []float64 // delay levels, ascending; levels of different types may be equal
	always   match.Set // entries that every loop examines
	maxDepth int       // the greatest scan depth of an entry's own
	oneLoop  bool      // every scan has one loop at most
}

// loopsOf collects what entries and settings demand of the loops.
func loopsOf(entries []*entry, set *ProfileSettings) loops {
	l := loops{always: match.New(len(entries))}
	levels := map[level]bool{}
	for i, e := range entries {
		if e.alwaysExamined {
			l.always.Put(i)
		}
		if e.waitsForRecursion && !levels[e.level] {
			levels[e.level] = true
			l.levels = append(l.levels, e.level.number)
		}
		if e.scanDepth >= 0 {
			l.maxDepth = max(l.maxDepth, reachOf(set, int(e.scanDepth)))
		}
	}
	slices.Sort(l.levels)
	l.oneLoop = !set.Recursive && set.MinActivations <= 0 && len(l.levels) == 0
	return l
}

// buildShared creates what scans share, and finds the keys in static contents, for recursion.
func (c *Compiled) buildShared(dynamic []match.Spec) {
	c.dynamic, c.loops = dynamic, loopsOf(c.entries, &c.settings)
	c.keyMacros = slices.ContainsFunc(dynamic, func(s match.Spec) bool { return hasMoreThanNames(s.Text) })
	c.extras, c.derived = new(memo[match.Extra]), new(memo[*Compiled])
	c.users = c.listUsers()
	c.findContentKeys()
}

// listUsers lists, for each primary key, the entries that use it.
func (c *Compiled) listUsers() *match.Users {
	users := match.NewUsers(c.match)
	for i, e := range c.entries {
		for k, ref := range e.keys.List {
			users.Add(ref, i, k)
		}
		if e.hasExpression && !e.hasKeys { // its keys announce it instead
			for k, ref := range e.own.when.refs {
				users.Add(ref, i, k)
			}
		}
	}
	return users
}

// findContentKeys finds the keys in the static contents, for recursion.
func (c *Compiled) findContentKeys() {
	for _, e := range c.entries {
		if !e.prematched && !e.dynamicContent && !e.preventRecursion && e.content != "" {
			e.prematched = true
			e.contentKeys, e.contentNeedsSearch = c.match.ScanContent(e.content)
		}
	}
}

// bookList holds the compiled books by their sources.
type bookList struct {
	builder *builder
	lists   map[Source][]*entry // nil for an entry that an overlay removed
	sources map[string][]Source
	seen    map[string]bool
	// places are the places of removed entries, by name. An added entry of the name gets the place.
	places map[Source]map[string]int
}

// compileBooks compiles the books, each once, and returns them with distinct names.
func (s *bookList) compileBooks(books []Attachment) []Attachment {
	s.sources, s.seen = map[string][]Source{}, map[string]bool{}
	books = s.renameDuplicates(books)
	for _, a := range books {
		if len(a.Sources) == 0 {
			a.Sources = []Source{SourceGlobal}
		}
		s.sources[a.Book.Name] = append(s.sources[a.Book.Name], a.Sources...)
	}
	for _, a := range books {
		s.attach(a)
	}
	return books
}

// renameDuplicates renames books that have the name of an earlier book but different entries. Files have
// different names, but many cards use the same name for their book.
func (s *bookList) renameDuplicates(books []Attachment) []Attachment {
	byName := map[string][]Entry{} // the entries of the first book with a name, given or new
	add := func(b Book) {
		if _, known := byName[b.Name]; !known {
			byName[b.Name] = b.Entries
		}
	}
	for _, a := range books {
		add(a.Book)
	}
	out := slices.Clone(books)
	for i, a := range books {
		b := &out[i].Book
		for n := 2; !sameEntries(byName[b.Name], b.Entries); n++ {
			b.Name = strings.TrimSpace(a.Book.Name + " (" + strconv.Itoa(n) + ")")
			add(*b)
		}
		if a.Book.Name != "" && b.Name != a.Book.Name {
			s.builder.problems.add(codeDuplicateName, a.Book.Name,
				"a different book has the same name: this one is renamed to %q", b.Name)
		}
	}
	return out
}

// sameEntries reports whether two books have the same entries in the same order.
func sameEntries(a, b []Entry) bool { return len(a) == len(b) && reflect.DeepEqual(a, b) }

// attach compiles the entries of a book into the list of its source.
func (s *bookList) attach(a Attachment) {
	name := a.Book.Name
	if name != "" && s.seen[name] {
		return
	}
	list := s.listOf(a)
	s.seen[name] = true
	s.readBookLimit(a.Book)
	s.lists[list] = slices.Grow(s.lists[list], len(a.Book.Entries))
	of := &bookOfEntry{name, list}
	sources, compiled := make([]Entry, len(a.Book.Entries)), make([]entry, len(a.Book.Entries))
	for i := range a.Book.Entries {
		sources[i] = a.Book.Entries[i].clone()
		s.builder.compileEntry(&compiled[i], of, i, &sources[i])
		s.add(list, &compiled[i])
	}
}

// add adds an entry to the list of its source, or puts it into the place of a removed entry with its
// id.
func (s *bookList) add(list Source, e *entry) {
	if i, ok := s.places[list][e.name()]; ok {
		s.lists[list][i] = e
		delete(s.places[list], e.name())
		return
	}
	s.lists[list] = append(s.lists[list], e)
}

// readBookLimit reads the limit that a book has for itself.
func (s *bookList) readBookLimit(b Book) {
	raw, ok := ownExtension(b.Extra["extensions"])
	if !ok {
		return
	}
	var l Limit
	if err := json.Unmarshal(raw, &l); err != nil {
		s.builder.problems.add(codeBadOption, b.Name+optionsPath, "is not a limit: write tokens and entries as whole numbers")
		return
	}
	if l.Book, l.Source = b.Name, ""; l.Tokens > 0 || l.Entries > 0 {
		s.builder.limits = append(s.builder.limits, l)
	}
}

// listOf returns the list of the source that counts for a book. Later attachments of the same name
// are considered too.
func (s *bookList) listOf(a Attachment) Source {
	sources := s.sources[a.Book.Name]
	if a.Book.Name == "" {
		sources = a.Sources
	}
	if len(sources) == 0 {
		return SourceGlobal
	}
	for _, source := range allSources {
		if slices.Contains(sources, source) {
			return source
		}
	}
	return SourceCharacterExtra
}

// entries joins the sources. Each part is sorted separately, so that a chat entry of order 1 comes
// before a global entry of order 100.
func (s *bookList) entries() []*entry {
	size := 0
	for _, l := range s.lists {
		size += len(l)
	}
	all := make([]*entry, 0, size)
	add := func(lists ...Source) {
		from := len(all)
		for _, list := range lists {
			for _, e := range s.lists[list] {
				if e != nil {
					all = append(all, e)
				}
			}
		}
		sortByOrder(all[from:], s.builder.set.OrderAscending)
	}
	add(SourceChat)
	add(SourcePersona)
	switch s.builder.set.CharacterStrategy {
	case StrategyCharacterFirst:
		add(SourceCharacter, SourceCharacterExtra)
		add(SourceGlobal)
	case StrategyGlobalFirst:
		add(SourceGlobal)
		add(SourceCharacter, SourceCharacterExtra)
	default:
		add(SourceGlobal, SourceCharacter, SourceCharacterExtra)
	}
	return all
}

// sortByOrder sorts by order. A missing order equals every other.
func sortByOrder(list []*entry, ascending bool) {
	slices.SortStableFunc(list, func(a, b *entry) int {
		if ascending {
			a, b = b, a
		}
		return compareOrders(b.order, a.order)
	})
}

// compareOrders compares as JavaScript subtracts: NaN is equal to every number.
func compareOrders(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
