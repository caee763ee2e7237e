package macro

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// tree is a variable that holds an object or a list, decoded, so that each use of a
// member costs no more than the member. The variable has its text, which is made
// from the tree when it is asked for.
type tree struct {
	object  map[string]any
	list    []any
	size    int               // of the text, -1 as long as it is not known
	members map[string]member // those asked for so far
	stale   bool              // the variable has an older text
}

// member is what is known of a member: the size of its text and how it is shown.
type member struct {
	size  int
	shown string
}

// newTree decodes a value; what is neither an object nor a list has no members.
func newTree(value any) *tree {
	t := &tree{size: -1}
	switch v := decode(value).(type) {
	case map[string]any:
		t.object = v
	case []any:
		t.list = v
	}
	return t
}

// value is the object or the list, nil if the tree is neither.
func (t *tree) value() any {
	switch {
	case t.object != nil:
		return t.object
	case t.list != nil:
		return t.list
	}
	return nil
}

// get returns the value of a member and its canonical name. A list has members by
// index alone.
func (t *tree) get(key string) (v any, name string, ok bool) {
	if t.object != nil {
		v, ok = t.object[key]
		return v, key, ok
	}
	if i, isIndex := listIndex(key); isIndex && i < len(t.list) {
		return t.list[i], strconv.Itoa(i), true
	}
	return nil, "", false
}

// member returns what is known of a member.
func (t *tree) member(name string, v any) member {
	m, ok := t.members[name]
	if !ok {
		text, _ := jsonText(v)
		m = member{len(text), showVariable(v)}
		note(&t.members, name, m)
	}
	return m
}

// fit returns the tree if it can have a member of the name, or else an empty one
// that can: digits alone ask for a list, all others for an object.
func (t *tree) fit(key string) *tree {
	_, isIndex := listIndex(key)
	switch {
	case t.object != nil || isIndex && t.list != nil:
		return t
	case isIndex:
		return &tree{list: []any{}, size: -1}
	}
	return &tree{object: map[string]any{}, size: -1}
}

// sizeWith is the size of the text with a text as a member.
func (t *tree) sizeWith(key, value string) int {
	if t.size < 0 {
		text, _ := jsonText(t.value())
		t.size = len(text)
	}
	fresh, _ := jsonText(value)
	size := t.size + len(fresh)
	if old, name, ok := t.get(key); ok {
		return size - t.member(name, old).size
	}
	before, more := len(t.object), 1
	if t.object != nil {
		name, _ := jsonText(key)
		size += len(name) + len(":")
	} else {
		i, _ := listIndex(key)
		before, more = len(t.list), i+1-len(t.list)
		size += (more - 1) * len("null")
	}
	return size + min(before+more-1, more) // commas
}

// set stores a member. The gaps of a list are null.
func (t *tree) set(key, value string) {
	t.stale = true
	if t.object != nil {
		t.object[key] = value
		delete(t.members, key)
		return
	}
	i, _ := listIndex(key)
	for len(t.list) <= i {
		t.list = append(t.list, nil)
	}
	t.list[i] = value
	delete(t.members, strconv.Itoa(i))
}

// tree returns a variable, decoded.
func (s *store) tree(name string) *tree {
	t := s.trees[name]
	if t == nil {
		t = newTree(s.values[name])
		note(&s.trees, name, t)
	}
	return t
}

// value returns a variable as it is stored.
func (s *store) value(name string) any {
	if t := s.trees[name]; t != nil && t.stale {
		text, _ := jsonText(t.value())
		s.values[name], t.stale = text, false
	}
	return s.values[name]
}

// all returns all variables.
func (s *store) all() map[string]any {
	for name := range s.trees {
		s.value(name)
	}
	return s.values
}

// setKey writes a member of a variable that holds JSON text. A key of digits
// means a list, whose gaps are null.
func (s *store) setKey(name, key, value string) {
	s.touch(name, false)
	if !utf8.ValidString(key) || !utf8.ValidString(value) {
		s.setBroken(name, key, value)
		return
	}
	t := s.tree(name).fit(key)
	size := t.sizeWith(key, value)
	s.touch(name, true)
	if !s.charge(name, size) {
		return
	}
	if _, ok := s.values[name]; !ok {
		s.put(name, nil)
	}
	s.claim()
	s.forget(name)
	t.set(key, value)
	t.size = size
	note(&s.trees, name, t)
}

// setBroken is setKey for bytes that are no UTF-8. The text, unlike a tree, has them
// as escapes.
func (s *store) setBroken(name, key, value string) {
	t := newTree(s.value(name)).fit(key)
	t.set(key, value)
	text, _ := jsonText(t.value())
	s.write(name, text)
}

// key shows a member of a variable that holds an object or a list; empty if
// there is none.
func (s *store) key(name, key string) string {
	s.touch(name, false)
	t := s.tree(name)
	v, member, ok := t.get(key)
	if !ok {
		return ""
	}
	return t.member(member, v).shown
}

// listIndex reads a list index; larger ones are keys of objects.
func listIndex(key string) (int, bool) {
	if len(key) == 0 || len(key) > 4 {
		return 0, false
	}
	i, err := strconv.Atoi(key)
	return i, err == nil && i >= 0 && i < maxRepeat && isDigit(key[0])
}

// decode returns a fresh JSON value: that of a JSON text, or a copy of a value
// of the host. nil is anything else.
func decode(v any) any {
	text, ok := v.(string)
	if !ok {
		if text, ok = jsonText(v); !ok {
			return nil
		}
	}
	var out any
	if json.Unmarshal([]byte(text), &out) != nil {
		return nil
	}
	return out
}
