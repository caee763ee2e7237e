package macro

import (
	"maps"
	"math"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// The largest text of a variable, in bytes, and the longest list that a macro writes.
const (
	maxText = 1 << 20
	maxList = 1000
)

// store is one set of variables: of the chat, or of all chats. The original map is copied before the
// first write.
type store struct {
	run    *Run
	global bool
	values map[string]any
	traced map[string]int // the places of variables in the list Access of the trace
	isCopy bool           // values is not the map of the environment any more
	cache  valueCache
	marked map[string]bool // texts that have or had marks
	// recording says that oldValues has the values of variables from before Begin.
	recording bool
	oldValues map[string]oldValue
}

// touch records the use of a variable in the trace.
func (s *store) touch(name string, write bool) {
	list := s.run.trace.Access
	if i, ok := s.traced[name]; ok {
		list[i].Read = list[i].Read || !write
		list[i].Write = list[i].Write || write
		return
	}
	if len(list) >= maxProblems {
		return
	}
	note(&s.traced, name, len(list))
	s.run.trace.Access = append(list, Access{name, s.global, !write, write})
}

// refuse reports a variable whose value would be too large.
func (s *store) refuse(name string) {
	s.run.problem(problem(codeRefused, name, 0, "the value is too large"))
}

// valueCache caches facts about the current values of variables, so that a second use costs less.
type valueCache struct {
	trees        map[string]*tree
	shownTexts   map[string]string           // lists and objects of the host, as text
	compactLists map[string]string           // texts that begin like a list, compact; empty: not a list
	copiedLists  map[string]bool             // lists of the host that are already copied
	listTexts    map[string][]byte           // their texts, which grow with them
	joinedTexts  map[string]*strings.Builder // texts that were joined
}

// forget removes the cached facts of a variable before it changes.
func (k *valueCache) forget(name string) {
	delete(k.trees, name)
	delete(k.shownTexts, name)
	delete(k.compactLists, name)
	delete(k.copiedLists, name)
	delete(k.listTexts, name)
	delete(k.joinedTexts, name)
}

// note stores a value in a map, which may be nil.
func note[V any](known *map[string]V, name string, v V) {
	if *known == nil {
		*known = map[string]V{}
	}
	(*known)[name] = v
}

// Has reports whether the variable exists; it may be empty.
func (s *store) Has(name string) bool {
	s.touch(name, false)
	_, ok := s.values[name]
	return ok
}

// Show returns the value as a text. A value that reads as a number is shown as that number.
func (s *store) Show(name string) string {
	s.touch(name, false)
	switch v := s.value(name).(type) {
	case string, bool:
		return showVariable(v)
	case nil:
		if _, ok := s.values[name]; ok {
			return "0"
		}
		return ""
	case []any:
		if n, ok := listNumber(v); ok {
			return n
		}
		return s.text(name, v)
	default:
		return s.text(name, v)
	}
}

// text returns [variablesText] of a variable.
func (s *store) text(name string, v any) string {
	if isCheap(v) {
		return variablesText(v)
	}
	text, ok := s.cache.shownTexts[name]
	if !ok {
		if b := s.cache.listTexts[name]; b != nil {
			text = string(b)
		} else {
			text = variablesText(v)
		}
		note(&s.cache.shownTexts, name, text)
	}
	return text
}

// Condition is Show for conditions. Objects are true, and lists too unless they are shown as a
// number.
func (s *store) Condition(name string) string {
	s.touch(name, false)
	switch v := s.value(name).(type) {
	case []any:
		if n, ok := listNumber(v); ok {
			return n
		}
		return "true"
	case map[string]any:
		return "true"
	}
	return s.Show(name)
}

// Number returns [number] of a variable.
func (s *store) Number(name string) (float64, bool) {
	s.touch(name, false)
	v := s.value(name)
	switch v.(type) {
	case []any, map[string]any:
		return 0, false
	}
	if isCheap(v) {
		return number(v)
	}
	return openjson.ParseNumber(s.text(name, v))
}

// Set counts and stores a new value. A text stays unchanged: 007 stays 007 until a macro shows it.
func (s *store) Set(name string, value any) {
	s.touch(name, true)
	// JSON has no infinities: a sum that overflows would make it impossible to store the variables
	// of the chat. As a text it has the same meaning.
	if n, ok := value.(float64); ok && (math.IsInf(n, 0) || math.IsNaN(n)) {
		value = openjson.FormatNumber(n)
	}
	if text, ok := value.(string); ok && !s.charge(name, len(text)) {
		return
	}
	s.put(name, value)
}

// charge counts a text of a size against the limit of the run; otherwise a doubling variable would
// grow without limit. It reports whether the text may be stored.
func (s *store) charge(name string, size int) bool {
	if size <= maxText && s.run.spend(size) {
		return true
	}
	s.refuse(name)
	return false
}

// put stores a value that is already charged.
func (s *store) put(name string, value any) {
	s.recordOld(name)
	s.copyValues()
	s.cache.forget(name)
	s.values[name] = value
	if text, ok := value.(string); ok && hasMark(text) {
		note(&s.marked, name, true)
	}
}

// copyValues makes values a copy, because the map of the environment belongs to the host.
func (s *store) copyValues() {
	if s.isCopy {
		return
	}
	s.values, s.isCopy = maps.Clone(s.values), true
	if s.values == nil {
		s.values = map[string]any{}
	}
}

// Remove deletes a variable, if it exists.
func (s *store) Remove(name string) {
	s.touch(name, true)
	if _, ok := s.values[name]; ok {
		s.recordOld(name)
		s.copyValues()
		s.cache.forget(name)
		delete(s.values, name)
	}
}

// tree returns a decoded variable.
func (s *store) tree(name string) *tree {
	t := s.cache.trees[name]
	if t == nil {
		t = &tree{size: -1, kind: nothing}
		if v, ok := s.values[name]; ok {
			t = newTree(v)
		}
		note(&s.cache.trees, name, t)
	}
	return t
}

// value returns a variable in its stored form.
func (s *store) value(name string) any {
	if t := s.cache.trees[name]; t != nil && t.textIsOld {
		s.values[name], t.textIsOld = t.text(), false
	}
	return s.values[name]
}

// All returns all variables. A {{trim}} in a value becomes plain text.
func (s *store) All() (values map[string]any, written bool) {
	for name := range s.cache.trees {
		s.value(name)
	}
	if len(s.marked) == 0 {
		return s.values, s.isCopy
	}
	values = maps.Clone(s.values)
	for name := range s.marked {
		if text, ok := values[name].(string); ok {
			values[name] = unmark(text)
		}
	}
	return values, s.isCopy
}

// Key returns a member of a variable that has an object or a list as text, or an empty text if it
// does not exist. A text that is not JSON is returned itself.
func (s *store) Key(name, key string) string {
	s.touch(name, false)
	t := s.tree(name)
	switch _, ok := s.values[name]; {
	case t.kind == plainText:
		return s.Show(name)
	case t.kind == nothing && ok:
		return "0"
	}
	v, member, ok := t.get(key)
	if !ok {
		return ""
	}
	return t.member(member, v).shown
}

// oldValue is the old value of a variable.
type oldValue struct {
	value   any
	existed bool // the variable existed
}

// recordOld records the value of a variable before the first write after Begin.
func (s *store) recordOld(name string) {
	if !s.recording {
		return
	}
	if _, known := s.oldValues[name]; known {
		return
	}
	v := s.value(name)
	_, ok := s.values[name]
	note(&s.oldValues, name, oldValue{v, ok})
}

// Begin starts to record the old values of variables, until End.
func (s *store) Begin() { s.recording = true }

// End discards the recorded values if keep is true, else it restores them. The order does not
// matter: each name is recorded once.
func (s *store) End(keep bool) {
	if !keep {
		for name, was := range s.oldValues {
			s.cache.forget(name)
			if was.existed {
				s.values[name] = was.value
			} else {
				delete(s.values, name)
			}
		}
	}
	s.recording, s.oldValues = false, nil
}
