package template

import (
	"maps"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// Build is the state of one prompt: variables, definitions and used limits. It is for one
// goroutine.
type Build struct {
	library *library
	env     Env
	dry     bool // variables are not written, unless a text asks for it
	stores  [scopes]tree.Value
	writes  []Write

	defined         map[string]value // by define, and by assignments to names without a declaration
	definedIsShared bool             // defined is also the state that a failing text returns to

	usage
	previewed           usage   // of all previews together
	depth, calls, level int     // of templates, of functions, and of expressions, see limits.go
	args                []value // a stack with the arguments of the calls that run
	lastIndexes         map[*pattern]int

	entriesByID   map[worldbook.ID]origin // nil until an entry is sought
	sortedEntries map[*worldbook.Book][]*worldbook.Entry
	placed        []authored                // entries for places in the prompt, nil until they are needed
	activated     map[*worldbook.Entry]bool // the entries that activewi named, and whether it forces them
	pulled        []worldbook.ID
	problems      talewright.Problems

	beforePrompt   string // the texts of entries before the first message
	generateBuffer string // the value of the name generateBuffer
}

// The stores of variables. cacheScope is the merged store. It has the root members of the others, of which
// message has precedence over chat, initial and global, and what texts have written since.
const (
	messageScope = iota
	chatScope
	globalScope
	initialScope
	cacheScope
	scopes // the number of stores
)

// usage counts what a build has used of its limits.
type usage struct {
	steps  int
	output int // bytes
	memory int // bytes of new values
	stored int // bytes of the values that texts have stored in variables
}

// library has the methods of values and the built-in names.
type library struct {
	methods [wrappedKind + 1]map[string]method // by kind
	common  map[string]method                  // of all kinds
	names   map[string]value
}

// frame is the run of one text.
type frame struct {
	build        *Build
	src          *source
	macroResults []string         // in the order of Template.macros
	names        map[string]value // that the caller of the text gave
	origins      []origin         // of each piece of a unit; any other text has one origin
	out          *strings.Builder
	pieceStarts  []int  // the offsets in out at which the pieces after the first begin
	at           int    // the offset of the running code
	caller       *frame // of a function of library.js: its errors have the place of the caller
}

// currentEntry returns the entry whose text is running. Both results are nil for any other text.
func (f *frame) currentEntry() (*worldbook.Book, *worldbook.Entry) {
	i := 0
	if len(f.origins) > 1 {
		i = f.src.piece(f.at)
	}
	if i >= len(f.origins) {
		return nil, nil
	}
	return f.origins[i].book, f.origins[i].entry
}

// define gives a name a value for the rest of the build.
func (b *Build) define(name string, v value) {
	if b.definedIsShared {
		b.defined, b.definedIsShared = maps.Clone(b.defined), false
	}
	put(&b.defined, name, v)
}

// put stores a value in a map, which may be nil: most texts fill none.
func put[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}
