package template

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/worldbook"
)

// loreFunctions are the functions for entries of books.
func loreFunctions() map[string]native {
	return map[string]native{
		"getwi": (*frame).entryText, "getWorldInfo": (*frame).entryText,
		"activewi": (*frame).activateEntry, "activateWorldInfo": (*frame).activateEntry,
		"getWorldInfoData": func(f *frame, args []value) value {
			book := f.bookOf(arg(args, 0))
			if book == nil {
				return listOf()
			}
			var list []value
			for _, e := range f.sortedEntries(book) {
				list = append(list, f.entryValue(book, e))
			}
			return f.newList(list)
		},
	}
}

// entryText is getwi: the content of an entry, evaluated.
func (f *frame) entryText(args []value) value {
	book, title, data := splitArguments(args, objectKind)
	found, e := f.findEntry(book, title)
	if e == nil {
		return text("")
	}
	_, content := cutDecorators(e.Content)
	if f.build.env.Regex != nil {
		content = f.build.env.Regex(content)
	}
	f.chargeBytes(16 * len(content))
	t, err := f.build.compiled(f.build.env.Cache, content)
	if err != nil {
		err := *err
		err.Entry = e.Comment
		panic(&err)
	}
	out := f.build.run(t, f.namesWith(data), origin{found, e})
	if id := idOf(found, e); !slices.Contains(f.build.pulled, id) {
		f.chargeSteps(len(f.build.pulled))
		f.build.pulled = append(f.build.pulled, id)
	}
	return text(out)
}

// splitArguments returns book, title and data of (book, title, data), (title, data) or (title). The
// kind is the kind of the data argument.
func splitArguments(args []value, kind kind) (book, title, data value) {
	if len(args) == 1 || len(args) == 2 && args[1].kind == kind {
		return value{}, args[0], arg(args, 1)
	}
	return arg(args, 0), arg(args, 1), arg(args, 2)
}

// bookOf returns a book by its name, or by the name of the world of the character. Without a name it
// is the book of the entry that runs, else the first.
func (f *frame) bookOf(name value) *worldbook.Book {
	if name.isNullish() || name.kind == textKind && name.text == "" {
		if book, _ := f.currentEntry(); book != nil {
			return book
		}
		if len(f.build.env.Books) > 0 {
			return &f.build.env.Books[0]
		}
		return nil
	}
	sought := f.toText(name)
	for i := range f.build.env.Books {
		if f.build.env.Books[i].Name == sought {
			return &f.build.env.Books[i]
		}
	}
	// A card names its own book in its extensions, also if the file calls it differently.
	if e := &f.build.env; sought != "" && len(e.Cards) > 0 && len(e.Books) > 0 && e.Cards[0].World() == sought {
		return &e.Books[0]
	}
	return nil
}

// sortedEntries returns the entries of a book in the order in which they are searched: highest rank first, then
// by order, then the last uid first.
func (f *frame) sortedEntries(book *worldbook.Book) []*worldbook.Entry {
	if list, ok := f.build.sortedEntries[book]; ok {
		return list
	}
	deepest := 0
	for i := range book.Entries {
		if e := &book.Entries[i]; e.Position == worldbook.PositionAtDepth {
			deepest = max(deepest, depthOf(e))
		}
	}
	type row struct {
		e    *worldbook.Entry
		rank int
		uid  float64 // 0 for a text
	}
	rows := make([]row, len(book.Entries))
	for i := range book.Entries {
		e := &book.Entries[i]
		uid, _ := strconv.ParseFloat(e.UID, 64)
		rows[i] = row{e, searchRank(e, deepest), uid}
	}
	f.chargeSteps(4 * len(rows))
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(b.rank-a.rank, cmp.Compare(a.e.Order, b.e.Order),
			cmp.Compare(b.uid, a.uid), cmp.Compare(b.e.UID, a.e.UID))
	})
	list := make([]*worldbook.Entry, len(rows))
	for i := range rows {
		list[i] = rows[i].e
	}
	put(&f.build.sortedEntries, book, list)
	return list
}

// searchRank returns how early an entry is searched. deepest is the largest depth of an entry of its book.
func searchRank(e *worldbook.Entry, deepest int) int {
	switch e.Position {
	case worldbook.PositionAtDepth:
		return depthOf(e)
	case worldbook.PositionBeforeCharacter:
		return deepest + 4
	case worldbook.PositionAfterCharacter:
		return deepest + 3
	case worldbook.PositionBeforeExamples:
		return deepest + 2
	case worldbook.PositionAfterExamples:
		return deepest + 1
	case worldbook.PositionNoteTop:
		return deepest + 7
	case worldbook.PositionNoteBottom:
		return deepest + 5
	}
	return deepest
}

// findEntry returns the first entry of a book that a title means, in the order of sortedEntries.
func (f *frame) findEntry(bookName, title value) (*worldbook.Book, *worldbook.Entry) {
	book := f.bookOf(bookName)
	if book == nil || title.isNullish() {
		return nil, nil
	}
	isMeant := f.titleTest(title)
	for _, e := range f.sortedEntries(book) {
		if f.step(); isMeant(e) {
			return book, e
		}
	}
	return nil, nil
}

// titleTest returns a test of entries for a title: it is the title or the uid of the entry, or a pattern
// that matches its title. A text that is not a valid pattern is only compared.
func (f *frame) titleTest(title value) func(e *worldbook.Entry) bool {
	if title.kind == patternKind {
		return func(e *worldbook.Entry) bool { return f.nameMatches(e.Comment, title) }
	}
	sought := f.toText(title)
	f.chargeBytes(64 * len(sought))
	isNamed := func(e *worldbook.Entry) bool { return e.Comment == sought || e.UID == sought }
	if !strings.ContainsAny(sought, `\^$.|?*+()[]{}/`) { // without signs, a pattern is only contained
		return func(e *worldbook.Entry) bool { return strings.Contains(e.Comment, sought) || e.UID == sought }
	}
	p, err := newPattern(sought, "")
	if err != nil {
		return isNamed
	}
	return func(e *worldbook.Entry) bool { return isNamed(e) || f.nameMatches(e.Comment, p) }
}

// activateEntry is activewi: it puts an entry into the next scan.
func (f *frame) activateEntry(args []value) value {
	book, title, force := splitArguments(args, boolKind)
	found, e := f.findEntry(book, title)
	if e == nil {
		return null
	}
	put(&f.build.activated, e, f.build.activated[e] || force.isTrue())
	return f.entryValue(found, e)
}
