package macro

import (
	"maps"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/jsnumber"
)

// tree is a variable that holds an object or a list, decoded, so that each use of a
// member costs no more than the member. The variable has its text, which is made
// from the tree when it is asked for.
type tree struct {
	kind    treeKind
	object  *object
	list    []any
	size    int               // of the text, -1 as long as it is not known
	members map[string]member // those asked for so far
	stale   bool              // the variable has an older text
}

type treeKind uint8

const (
	plainText  treeKind = iota // no JSON
	scalar                     // a number, a text in quotation marks, true or false
	nothing                    // null, or no variable: it becomes a list or an object
	collection                 // a list or an object
)

// member is what is known of a member: the size of its text and how it is shown.
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

// text is the compact JSON of the tree.
func (t *tree) text() string {
	if t.object != nil {
		return string(appendJSON(nil, t.object))
	}
	return string(appendJSON(nil, t.list))
}

// get returns the value of a member and its canonical name. A list has members by
// index, and its length.
func (t *tree) get(key string) (v any, name string, ok bool) {
	n, isNumber := memberNumber(key)
	if isNumber {
		key = jsnumber.Format(n)
	}
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

// memberNumber reads a key that is a number; a blank one is 0.
func memberNumber(key string) (float64, bool) {
	if trim(key) == "" {
		return 0, true
	}
	return jsnumber.Parse(key)
}

// member returns what is known of a member.
func (t *tree) member(name string, v any) member {
	if name == "length" && t.list != nil { // it changes without being set
		return member{shown: showMember(v)}
	}
	m, ok := t.members[name]
	if !ok {
		m = member{len(appendJSON(nil, v)), showMember(v)}
		note(&t.members, name, m)
	}
	return m
}

// fit makes nothing a list for a number and an object for all other keys. It says
// why a tree cannot have the member; such a variable is left alone, whatever it
// holds is worth more than the member.
func (t *tree) fit(key string) (why string) {
	n, isNumber := memberNumber(key)
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
		return "the key of a list is a whole number from 0"
	case n >= maxRepeat:
		return "a list has at most " + strconv.Itoa(maxRepeat) + " elements"
	}
	return ""
}

// sizeWith is the size of the text with a text as a member.
func (t *tree) sizeWith(key, value string) int {
	if t.size < 0 {
		t.size = len(t.text())
	}
	fresh, _ := jsonText(value)
	size := t.size + len(fresh)
	if old, name, ok := t.get(key); ok {
		return size - t.member(name, old).size
	}
	n, isNumber := memberNumber(key)
	if isNumber {
		key = jsnumber.Format(n)
	}
	if t.object != nil {
		name, _ := jsonText(key)
		return size + len(name) + len(":") + min(len(t.object.names), 1)
	}
	before, more := len(t.list), int(n)+1-len(t.list)
	return size + (more-1)*len("null") + min(before+more-1, more) // commas
}

// set stores a member. The gaps of a list are null.
func (t *tree) set(key, value string) {
	t.stale = true
	n, isNumber := memberNumber(key)
	if isNumber {
		key = jsnumber.Format(n)
	}
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

// tree returns a variable, decoded.
func (s *store) tree(name string) *tree {
	t := s.trees[name]
	if t == nil {
		t = &tree{size: -1, kind: nothing}
		if v, ok := s.values[name]; ok {
			t = newTree(v)
		}
		note(&s.trees, name, t)
	}
	return t
}

// value returns a variable as it is stored.
func (s *store) value(name string) any {
	if t := s.trees[name]; t != nil && t.stale {
		s.values[name], t.stale = t.text(), false
	}
	return s.values[name]
}

// all returns all variables. A {{trim}} that one carries is a text from now on.
func (s *store) all() map[string]any {
	for name := range s.trees {
		s.value(name)
	}
	if len(s.marked) == 0 {
		return s.values
	}
	values := maps.Clone(s.values)
	for name := range s.marked {
		if text, ok := values[name].(string); ok {
			values[name] = unmark(text)
		}
	}
	return values
}

// setKey writes a member of a variable that holds JSON text. Without a variable a
// number as the key means a list, whose gaps are null. It says why it cannot.
func (s *store) setKey(name, key, value string) (why string) {
	s.touch(name, false)
	// JSON has no other bytes; the sizes would be wrong.
	key = strings.ToValidUTF8(key, string(utf8.RuneError))
	value = strings.ToValidUTF8(value, string(utf8.RuneError))
	t := s.tree(name)
	fresh := t.kind == nothing
	if why = t.fit(key); why == "" {
		s.touch(name, true)
	}
	size := 0
	if why == "" {
		size = t.sizeWith(key, value)
	}
	if why != "" || !s.charge(name, size) {
		if fresh { // still nothing: the next key decides
			delete(s.trees, name)
		}
		return why
	}
	s.remember(name)
	if _, ok := s.values[name]; !ok {
		s.put(name, nil)
	}
	s.claim()
	s.forget(name)
	t.set(key, value)
	t.size = size
	note(&s.trees, name, t)
	return ""
}

// key shows a member of a variable that holds an object or a list; empty if there
// is none. A text that is no JSON is shown itself.
func (s *store) key(name, key string) string {
	s.touch(name, false)
	t := s.tree(name)
	if t.kind == plainText {
		return s.show(name)
	}
	v, member, ok := t.get(key)
	if !ok {
		return ""
	}
	return t.member(member, v).shown
}
