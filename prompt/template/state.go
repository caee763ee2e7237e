package template

import (
	"strings"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// kind is the kind of a value of the language.
type kind uint8

const (
	undefinedKind kind = iota
	nullKind
	boolKind
	numberKind
	textKind
	listKind
	objectKind
	functionKind
	patternKind
	collectionKind
	dateKind
	wrappedKind // a value in a chain of lodash
)

// value is one value of the language. The zero value is undefined.
type value struct {
	kind kind
	num  float64 // of a number; 1 for true
	text string  // of a text; the spelling of a number that comes from a document
	ref  any     // *list, *object, *function, *pattern, *collection, *date or *wrapped; of a text in the code perhaps its *tree.Path
}

// list is an array. It may share a value of a document until it is used.
type list struct {
	items []value
	src   tree.Value
	match *object // of the result of a search: the place and the named groups
}

// object is a set of members in the order of their creation. It may share a value of a document
// until it is used.
type object struct {
	keys  []string
	vals  []value
	index map[string]int // nil while there are few keys
	src   tree.Value
	// isError says that the object is an error of the language.
	isError bool
}

// function is an arrow function of a text, or a function of this package.
type function struct {
	arrow *arrow
	scope *scope
	owner *frame
	call  native
	// members of a name such as Math. Without call the name is no function.
	members map[string]value
}

// pattern is a regular expression. Its next search by exec begins at a place that the build knows.
type pattern struct{ re *jsregex.Regexp }

// date is a Date: milliseconds since 1970. Its zone is UTC everywhere, so that a prompt is
// repeatable. A template has no clock: a Date is made of a time of the story.
type date struct{ ms float64 }

func (d *date) time() time.Time { return time.UnixMilli(int64(d.ms)).UTC() }

// String is the text of a date.
func (d *date) String() string {
	if !finite(d.ms) {
		return "Invalid Date"
	}
	return d.time().Format("2006-01-02T15:04:05.000Z")
}

// wrapped is a value in a chain of lodash. explicit says that only value ends the chain.
type wrapped struct {
	v        value
	explicit bool
}

// scope has the values of the names of a block.
type scope struct {
	outer *scope
	names []slot
	few   [2]slot // room for the names of a small block
}

// slot is a name and its value.
type slot struct {
	name     string
	v        value
	ready    bool // its declaration has run
	constant bool
}

// native is a function of the library.
type native = func(f *frame, args []value) value

// method is a function of a value.
type method = func(f *frame, of value, args []value) value

// library has the methods of values and the built-in names.
type library struct {
	texts, lists, numbers, common, collections, dates, patterns, functions map[string]method

	names map[string]value
}

// Build is the state of one prompt: variables, definitions and used limits. It is for one
// goroutine.
type Build struct {
	library *library
	env     Env
	stores  [scopes]tree.Value
	writes  []Write
	defined map[string]value
	shared  bool // defined belongs to the state before the present text
	dry     bool

	steps, output, memory int
	stored                int // bytes of values that texts have stored
	previewed             usage
	depth, calls, level   int
	args                  []value          // of the calls that run
	sought                map[*pattern]int // the ends of the last matches that exec found

	byID      map[worldbook.ID]origin   // nil until an entry is sought
	placed    []placed                  // nil until a place is asked for
	active    map[*worldbook.Entry]bool // entries of activewi, and whether it forces them
	sorted    map[*worldbook.Book][]*worldbook.Entry
	before    string // the texts before the first message
	pulled    []worldbook.ID
	generated string // the text for generateBuffer
	problems  talewright.Problems
}

// usage are the used limits of a build.
type usage struct{ steps, output, memory, stored int }

// placed is an entry for a place in the prompt.
type placed struct {
	at            special
	book          *worldbook.Book
	e             *worldbook.Entry
	content, path string
}

// special says that an entry has a purpose of its own and is no lore.
type special struct {
	kind    specialKind
	after   bool
	message int // of generate: its place, -1 for the ends of the prompt
}

type specialKind uint8

const (
	lore     specialKind = iota
	generate             // for a place in the prompt
	initial              // values of variables
	display              // for the screen of SillyTavern
)

// frame is the run of one text.
type frame struct {
	build  *Build
	src    *source
	macros []string // their results
	data   map[string]value
	// origins has the entry of each piece of a unit. Any other text has one origin.
	origins []origin
	out     *strings.Builder
	starts  []int  // where the output of the pieces after the first begins
	at      int    // the offset of the running code
	caller  *frame // of a function of the library: errors have its place
}

// origin is the entry whose content a text is. Both are nil for any other text.
type origin struct {
	book  *worldbook.Book
	entry *worldbook.Entry
}

// source returns the entry whose text is running. Both are nil for any other text.
func (f *frame) source() (*worldbook.Book, *worldbook.Entry) {
	i := 0
	if len(f.origins) > 1 {
		i = f.src.piece(f.at)
	}
	if i >= len(f.origins) {
		return nil, nil
	}
	return f.origins[i].book, f.origins[i].entry
}

// The stores of variables. cacheScope has the root members of all, the later ones of global,
// initial, chat and message first, and what texts have written since.
const (
	messageScope = iota
	chatScope
	globalScope
	initialScope
	cacheScope
	scopes
)

// collection is a Set or a Map. A member that was removed leaves a gap, so that a loop over the
// collection keeps its place.
type collection struct {
	isMap bool
	items []collected
	index map[value]int // by the key
}

type collected struct {
	key, value value
	removed    bool
}
