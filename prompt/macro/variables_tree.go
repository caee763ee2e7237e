package macro

import (
	"math"
	"strconv"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
)

// tree is a decoded variable with an object or a list, so that a use of a member costs only that
// member. The text of the variable is created from the tree on demand.
type tree struct {
	kind      treeKind
	object    *object
	list      []any
	size      int               // of the text, -1 if not known
	members   map[string]member // members used so far
	textIsOld bool              // the variable has an older text
}

// treeKind is the kind of the value of a variable.
type treeKind uint8

const (
	plainText  treeKind = iota // not JSON
	scalar                     // a number, a text in quotation marks, true or false
	nothing                    // null, or a missing variable: it becomes a list or an object
	collection                 // a list or an object
)

// member caches facts about a member: the size of its text and its shown text.
type member struct {
	size  int
	shown string
}

// newTree decodes a value.
func newTree(value any) *tree {
	t := &tree{size: -1}
	text, ok := value.(string)
	if !ok {
		text, ok = jsonText(value)
	}
	if !ok {
		return t
	}
	v, ok := readJSON(text)
	if !ok {
		return t
	}
	switch v := v.(type) {
	case nil:
		t.kind = nothing
	case *object:
		t.kind, t.object = collection, v
	case []any:
		t.kind, t.list = collection, v
	default:
		t.kind = scalar
	}
	return t
}

// text returns the compact JSON of the tree.
func (t *tree) text() string {
	if t.object != nil {
		return string(appendJSON(nil, t.object))
	}
	return string(appendJSON(nil, t.list))
}

// get returns the value of a member and its canonical name. A list has members by index, and its
// length.
func (t *tree) get(key string) (v any, name string, ok bool) {
	key, n, isNumber := memberName(key)
	switch {
	case t.object != nil:
		v, ok = t.object.values[key]
		return v, key, ok
	case key == "length" && t.list != nil:
		return float64(len(t.list)), key, true
	case isNumber && n >= 0 && n < float64(len(t.list)) && n == math.Trunc(n):
		return t.list[int(n)], key, true
	}
	return nil, "", false
}

// memberName returns the canonical name of a key, and its number if it is one. A blank key is 0.
func memberName(key string) (name string, n float64, isNumber bool) {
	if keyindex.TrimSpace(key) == "" {
		return "0", 0, true
	}
	if n, isNumber = openjson.ParseNumber(key); isNumber {
		key = openjson.FormatNumber(n)
	}
	return key, n, isNumber
}

// member returns the cached facts about a member.
func (t *tree) member(name string, v any) member {
	if name == "length" && t.list != nil { // the length changes without a set
		return member{shown: showMember(v)}
	}
	m, ok := t.members[name]
	if !ok {
		m = member{len(appendJSON(nil, v)), showMember(v)}
		note(&t.members, name, m)
	}
	return m
}

// badIndex is the reason if a list cannot have such a member.
const badIndex = "the key of a list is a whole number from 0"

// prepareFor turns an empty tree into a list for a number key, and into an object for other keys. It
// returns why a tree cannot have the member. Such a variable is not changed: its value is worth
// more than the member.
func (t *tree) prepareFor(key string) (why string) {
	_, n, isNumber := memberName(key)
	switch t.kind {
	case plainText, scalar:
		return "the variable is neither a list nor an object"
	case nothing:
		t.kind = collection
		if isNumber {
			t.list = []any{}
		} else {
			t.object = &object{values: map[string]any{}}
		}
	}
	switch {
	case t.object != nil:
		return ""
	case !isNumber || n < 0 || n != math.Trunc(n):
		return badIndex
	case n >= maxList:
		return "a list has at most " + strconv.Itoa(maxList) + " elements"
	}
	return ""
}

// sizeWith returns the size of the text after a member is set to a text.
func (t *tree) sizeWith(key, value string) int {
	if t.size < 0 {
		t.size = len(t.text())
	}
	fresh, _ := jsonText(value)
	size := t.size + len(fresh)
	if old, name, ok := t.get(key); ok {
		return size - t.member(name, old).size
	}
	key, n, _ := memberName(key)
	if t.object != nil {
		name, _ := jsonText(key)
		return size + len(name) + len(":") + min(len(t.object.names), 1)
	}
	before, more := len(t.list), int(n)+1-len(t.list)
	return size + (more-1)*len("null") + min(before+more-1, more) // commas
}

// set stores a member. Gaps of the list become null.
func (t *tree) set(key, value string) {
	t.textIsOld = true
	key, n, _ := memberName(key)
	delete(t.members, key)
	if t.object != nil {
		t.object.set(key, value)
		return
	}
	for float64(len(t.list)) <= n {
		t.list = append(t.list, nil)
	}
	t.list[int(n)] = value
}
