package template

import (
	"math"
	"time"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// value is one value of the language. The zero value is undefined.
type value struct {
	kind kind
	num  float64 // of a number; 1 for true
	text string  // of a text; of a number from a document its spelling there; of a pattern its code: /a+/g
	// ref is a *list, *object, *function, *pattern, *collection, *date or *wrapped, by the kind. A text that
	// is a constant of the code may have a *tree.Path, see dividePath.
	ref any
}

// kind is the kind of a value. The order has a meaning: all kinds before listKind are primitive.
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

// list is an array. It may share a value of a document until its elements are used.
type list struct {
	items []value
	src   tree.Value // absent after the elements were copied
	match *object    // of the result of a search with a pattern: index, input and groups
}

// object is a set of members in the order of their creation. It may share a value of a document until
// its members are used.
type object struct {
	keys    []string
	vals    []value
	index   map[string]int // from a key to its place, nil while there are few keys
	src     tree.Value     // absent after the members were copied
	isError bool           // the object is an error of the language
}

// function is a function of a text, or a function of the library.
type function struct {
	// arrow is the code of a function of a text, which runs in a scope and belongs to the text of owner.
	arrow *arrow
	scope *scope
	owner *frame
	// call is a function of the library.
	call native
	// members of a name such as Math. A name without call is not a function.
	members map[string]value
}

// native is a function of the library.
type native = func(f *frame, args []value) value

// method is a function of the library that is called on a value.
type method = func(f *frame, of value, args []value) value

// pattern is a regular expression. Build.lastIndexes has its property lastIndex.
type pattern struct{ re *jsregex.Regexp }

// collection is a Set or a Map. A removed element leaves a gap, so that a loop over the collection keeps
// its place.
type collection struct {
	isMap bool
	items []collected
	index map[value]int // from the keyOf an element to its place in items
}

// collected is an element of a Map, or of a Set with the same key and value.
type collected struct {
	key, value value
	removed    bool
}

func (c *collection) name() string {
	if c.isMap {
		return "Map"
	}
	return "Set"
}

// date is a Date: milliseconds since 1970, or NaN. The zone is always UTC and no Date reads a clock, so
// that a prompt is repeatable.
type date struct{ ms float64 }

func (d *date) time() time.Time { return time.UnixMilli(int64(d.ms)).UTC() }

// String is the text of a date.
func (d *date) String() string {
	if !finite(d.ms) {
		return "Invalid Date"
	}
	return d.time().Format("2006-01-02T15:04:05.000Z")
}

// wrapped is a value in a chain of lodash.
type wrapped struct {
	v        value
	explicit bool // _.chain began the chain, so only value() ends it
}

// scope has the names of a block and their values.
type scope struct {
	outer *scope
	names []slot
	few   [2]slot // the array of names in a small block: it saves an allocation
}

// slot is a name and its value.
type slot struct {
	name     string
	v        value
	ready    bool // its declaration has run
	constant bool
}

var null = value{kind: nullKind}

func boolean(b bool) value {
	if b {
		return value{kind: boolKind, num: 1}
	}
	return value{kind: boolKind}
}

func number(n float64) value   { return value{kind: numberKind, num: n} }
func text(s string) value      { return value{kind: textKind, text: s} }
func listOf(v ...value) value  { return value{kind: listKind, ref: &list{items: v}} }
func objectOf(o *object) value { return value{kind: objectKind, ref: o} }

// textsOf returns texts as values.
func textsOf(texts []string) []value {
	out := make([]value, len(texts))
	for i, s := range texts {
		out[i] = text(s)
	}
	return out
}

// numberText returns the text of a number.
func numberText(n float64) string { return openjson.FormatNumber(n) }

func (v value) isNullish() bool { return v.kind <= nullKind }

// isTrue converts to a boolean.
func (v value) isTrue() bool {
	switch v.kind {
	case undefinedKind, nullKind:
		return false
	case boolKind:
		return v.num != 0
	case numberKind:
		return v.num != 0 && !math.IsNaN(v.num)
	case textKind:
		return v.text != ""
	}
	return true
}

// typeName returns what typeof returns.
func (v value) typeName() string {
	switch v.kind {
	case undefinedKind:
		return "undefined"
	case boolKind:
		return "boolean"
	case numberKind:
		return "number"
	case textKind:
		return "string"
	case functionKind:
		if fn := v.ref.(*function); fn.arrow != nil || fn.call != nil {
			return "function"
		}
	}
	return "object"
}

// identical compares without conversion.
func identical(a, b value) bool {
	if a.kind != b.kind {
		return false
	}
	switch a.kind {
	case undefinedKind, nullKind:
		return true
	case boolKind, numberKind:
		return a.num == b.num
	case textKind:
		return a.text == b.text
	}
	return a.ref == b.ref
}
