package macro

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
)

// A store has the variables of a chat, or of all chats, for macros. Values are texts, and a text
// that reads as a number counts as a number. Lists and objects are JSON texts, or Go values that
// the host has given. The semantics are the semantics of SillyTavern's language.
//
// Each function here reports its use of a variable (Touch, with true for a write) and counts the
// bytes that it creates (charge). It stores a value with put, which forgets what is cached about the
// variable. Then it caches what it knows about the new value (note), so that a list or a text that
// grows by one element at a time is not read and written again as a whole.

// Add appends to a list, sums numbers, or joins texts. The value is a text, or a float64 for ++ and
// --.
func (s *store) Add(name string, value any) {
	s.touch(name, false)
	current := s.value(name)
	switch list := current.(type) {
	case []any:
		s.extend(name, list, unmarkValue(value))
		return
	case string:
		if s.extendText(name, list, unmarkValue(value)) {
			return
		}
	}
	a, okA := s.Number(name)
	b, okB := number(value)
	if okA && okB {
		s.Set(name, a+b)
		return
	}
	text := s.text(name, current)
	if okA && keyindex.TrimSpace(text) != "" { // a number is joined in its shown form, 0 as an empty text
		if text = openjson.FormatNumber(a); a == 0 {
			text = ""
		}
	}
	s.join(name, text, variablesText(value))
}

// join appends a text to a text. A variable that grows piece by piece keeps its buffer, so only the
// pieces cost time.
func (s *store) join(name, before, more string) {
	s.touch(name, true)
	buffer := s.cache.joinedTexts[name]
	cost := len(more)
	if buffer == nil || buffer.Len() != len(before) {
		buffer, cost = &strings.Builder{}, len(before)+len(more)
		buffer.WriteString(before)
	}
	if len(before)+len(more) > maxText {
		s.refuse(name)
		return
	}
	if !s.charge(name, cost) {
		return
	}
	buffer.WriteString(more)
	s.put(name, buffer.String())
	note(&s.cache.joinedTexts, name, buffer)
}

// Count adds a number and returns the sum as a text.
func (s *store) Count(name string, by float64) string {
	s.Add(name, by)
	// The text of a growing list is created again each time. That is work even if the text is not
	// used.
	if b := s.cache.listTexts[name]; b != nil && !s.charge(name, len(b)) {
		return ""
	}
	return s.Show(name)
}

// extend adds an element to a list that the host has given. The first write copies the list; further
// ones append to the copy. If the JSON text of the list is known, it is extended, too.
func (s *store) extend(name string, list []any, value any) {
	text, isCopy := s.cache.listTexts[name], s.cache.copiedLists[name]
	if text == nil && s.cache.shownTexts[name] != "" {
		text = []byte(s.cache.shownTexts[name])
	}
	if !isCopy {
		list = slices.Clip(list)
	}
	s.touch(name, true)
	s.put(name, append(list, value))
	note(&s.cache.copiedLists, name, true)
	if element, ok := jsonText(value); ok && len(text) > 1 && text[0] == '[' {
		text = text[:len(text)-1]
		if len(text) > 1 {
			text = append(text, ',')
		}
		note(&s.cache.listTexts, name, append(append(text, element...), ']'))
	}
}

// extendText adds an element to a text that is a JSON list. It returns false, without a change, if
// the text is not a list. The compact form of the list is cached.
func (s *store) extendText(name, text string, value any) bool {
	list, isCached := s.cache.compactLists[name]
	if !isCached {
		if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "[") {
			return false
		}
		var out bytes.Buffer
		if json.Compact(&out, []byte(text)) == nil {
			list = out.String()
		}
		note(&s.cache.compactLists, name, list)
	}
	element, ok := jsonText(value)
	if !ok || list == "" {
		return false
	}
	size := len(list) + len(element)
	if list != "[]" {
		size += len(",")
	}
	s.touch(name, true)
	if s.charge(name, size) {
		list = withElement(list, element)
		s.put(name, list)
		note(&s.cache.compactLists, name, list)
	}
	return true
}

// withElement adds an element to the compact text of a list.
func withElement(list, element string) string {
	if list == "[]" {
		return "[" + element + "]"
	}
	return list[:len(list)-1] + "," + element + "]"
}

// Subtract adds the negated number. It returns false if value is not a number. A text variable
// joins it like any other value.
func (s *store) Subtract(name, value string) bool {
	n, ok := number(value)
	if ok {
		s.Add(name, -n)
	}
	return ok
}

// SetKey writes a member of a variable with JSON text. If the variable does not exist, a number as
// the key creates a list, whose gaps are null. It returns why it failed, or "".
func (s *store) SetKey(name, key, value string) (why string) {
	s.touch(name, false)
	// JSON has only valid UTF-8; with other bytes the sizes would be wrong.
	key = strings.ToValidUTF8(key, string(utf8.RuneError))
	value = strings.ToValidUTF8(value, string(utf8.RuneError))
	t := s.tree(name)
	isNew := t.kind == nothing
	if why = t.prepareFor(key); why == "" {
		s.touch(name, true)
		if size := t.sizeWith(key, value); s.charge(name, size) {
			s.storeMember(name, t, key, value, size)
			return ""
		}
	}
	switch {
	case isNew && why == badIndex: // as in SillyTavern, an empty list is created
		s.Set(name, "[]")
	case isNew: // still empty: the next key decides whether it is a list or an object
		delete(s.cache.trees, name)
	}
	return why
}

// storeMember sets a member of a variable whose tree is t. size is the size of the text after that.
func (s *store) storeMember(name string, t *tree, key, value string, size int) {
	s.recordOld(name)
	if _, ok := s.values[name]; !ok {
		s.put(name, nil)
	}
	s.copyValues()
	s.cache.forget(name)
	t.set(key, value)
	t.size = size
	note(&s.cache.trees, name, t)
}
