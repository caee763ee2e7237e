package template

import (
	"strings"

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
)

// value is one value of the language. The zero value is undefined.
type value struct {
	kind kind
	num  float64 // of a number; 1 for true
	text string  // of a text; the spelling of a number that comes from a document
	ref  any     // *list, *object, *function or *pattern
}

// list is an array. It may share a value of a document until it is used.
type list struct {
	items []value
	src   tree.Value
}

// object is a set of members in the order of their creation. It may share a value of a document
// until it is used.
type object struct {
	keys  []string
	vals  []value
	index map[string]int // nil while there are few keys
	src   tree.Value
}

// function is an arrow function of a text, or a function of this package.
type function struct {
	arrow *arrow
	scope *scope
	owner *frame
	call  func(f *frame, args []value) value
	// members of a name such as Math. Without call the name is no function.
	members map[string]value
}

// pattern is a regular expression.
type pattern struct{ re *jsregex.Regexp }

// scope has the values of the names of a block.
type scope struct {
	outer *scope
	names []slot
}

// slot is a name and its value.
type slot struct {
	name     string
	v        value
	ready    bool // its declaration has run
	constant bool
}

// method is a function of a value.
type method = func(f *frame, of value, args []value) value

// library has the methods of values and the built-in names.
type library struct {
	texts, lists, numbers, common map[string]method
	names                         map[string]value
	test                          method // of patterns
	context                       func(f *frame, name string) (value, bool)
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
	depth, calls, level   int

	active    map[*worldbook.Entry]bool // entries of activewi, and whether it forces them
	sorted    map[*worldbook.Book][]*worldbook.Entry
	before    string // the texts in front of the first message
	pulled    []worldbook.ID
	generated string // the text for generateBuffer
	problems  talewright.Problems
}

// frame is the run of one text.
type frame struct {
	build  *Build
	src    *source
	macros []string // their results
	data   map[string]value
	book   *worldbook.Book  // of the entry, nil for any other text
	entry  *worldbook.Entry // nil for any other text
	out    *strings.Builder
	at     int // the offset for errors
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
