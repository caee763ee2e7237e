package macro

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/jsnumber"
	"github.com/talewright/talewright/internal/openjson"
)

// store is one of the two sets of variables. The map of the environment is
// copied before the first write.
type store struct {
	run    *Run
	values map[string]any
	global bool
	own    bool           // values is a copy
	used   map[string]int // places in the trace

	// What is known of variables as they are now, so that a second use costs less.
	trees map[string]*tree
	shown map[string]string // lists and objects of the host, as text
	lists map[string]string // texts that begin like a list, compact; empty: no list
	owned map[string]bool   // lists of the host that are copies already
	bytes map[string][]byte // their texts, which grow with them

	marked  map[string]bool             // texts that have or had marks
	buffers map[string]*strings.Builder // texts that were joined
	before  map[string]earlier          // variables as they were, see Try
}

// forget drops what is known of a variable, which is about to change.
func (s *store) forget(name string) {
	delete(s.trees, name)
	delete(s.shown, name)
	delete(s.lists, name)
	delete(s.owned, name)
	delete(s.bytes, name)
	delete(s.buffers, name)
}

// note adds to what is known of a variable.
func note[V any](known *map[string]V, name string, v V) {
	if *known == nil {
		*known = map[string]V{}
	}
	(*known)[name] = v
}

// touch records the use of a variable.
func (s *store) touch(name string, write bool) {
	list := s.run.trace.Access
	if i, ok := s.used[name]; ok {
		list[i].Read = list[i].Read || !write
		list[i].Write = list[i].Write || write
		return
	}
	if len(list) >= maxProblems {
		return
	}
	if s.used == nil {
		s.used = map[string]int{}
	}
	s.used[name] = len(list)
	s.run.trace.Access = append(list, Access{name, s.global, !write, write})
}

// has reports whether the variable exists; an empty one does.
func (s *store) has(name string) bool {
	s.touch(name, false)
	_, ok := s.values[name]
	return ok
}

// show is the value as a text: what reads as a number is shown as that number.
func (s *store) show(name string) string {
	s.touch(name, false)
	v := s.value(name)
	if text, ok := v.(string); ok {
		return showVariable(text)
	}
	return s.text(name, v)
}

// text is [showValue] of a variable.
func (s *store) text(name string, v any) string {
	if plain(v) {
		return showValue(v)
	}
	text, ok := s.shown[name]
	if !ok {
		if b := s.bytes[name]; b != nil {
			text = string(b)
		} else {
			text = showValue(v)
		}
		note(&s.shown, name, text)
	}
	return text
}

// condition is show for those who ask whether the value is true: lists and objects
// are, whatever is in them.
func (s *store) condition(name string) string {
	switch s.value(name).(type) {
	case []any, map[string]any:
		s.touch(name, false)
		return "true"
	}
	return s.show(name)
}

// number is [numberValue] of a variable.
func (s *store) number(name string) (float64, bool) {
	v := s.value(name)
	switch v.(type) {
	case []any, map[string]any:
		return 0, false
	}
	if plain(v) {
		return numberValue(v)
	}
	return jsnumber.Parse(s.text(name, v))
}

// write stores a value.
func (s *store) write(name string, value any) {
	s.touch(name, true)
	// JSON has no infinities: a sum that overflows would make the variables of
	// the whole chat unstorable. As a text it reads the same.
	if n, ok := value.(float64); ok && (math.IsInf(n, 0) || math.IsNaN(n)) {
		value = jsnumber.Format(n)
	}
	if text, ok := value.(string); ok && !s.charge(name, len(text)) {
		return
	}
	s.put(name, value)
}

// charge counts a text of a size against the work of the run, or a doubling
// variable would grow without an end. It reports whether the text may be stored.
func (s *store) charge(name string, size int) bool {
	if size <= maxResult && s.run.spend(size) {
		return true
	}
	s.refuse(name)
	return false
}

func (s *store) refuse(name string) {
	s.run.problem(problem(Refused, name, 0, "the value is too large"))
}

// put stores a value that is charged.
func (s *store) put(name string, value any) {
	s.remember(name)
	s.claim()
	s.forget(name)
	s.values[name] = value
	if text, ok := value.(string); ok && hasMark(text) {
		note(&s.marked, name, true)
	}
}

// claim makes the values a copy, since the map of the environment belongs to the
// host.
func (s *store) claim() {
	if s.own {
		return
	}
	s.values, s.own = maps.Clone(s.values), true
	if s.values == nil {
		s.values = map[string]any{}
	}
}

// set stores a text as it is: 007 stays 007 until a macro shows it.
func (s *store) set(name, value string) { s.write(name, value) }

// remove deletes a variable; there need not be one.
func (s *store) remove(name string) {
	s.touch(name, true)
	if _, ok := s.values[name]; ok {
		s.remember(name)
		s.claim()
		s.forget(name)
		delete(s.values, name)
	}
}

// add appends to a list, sums numbers, or joins texts. The value is a text, or a
// float64 of ++ and --.
func (s *store) add(name string, value any) {
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
	a, okA := s.number(name)
	b, okB := numberValue(value)
	if okA && okB {
		s.write(name, a+b)
		return
	}
	s.join(name, s.text(name, current), showValue(value))
}

// join adds a text to a text. A variable that grows piece by piece keeps its buffer,
// and pays for the pieces.
func (s *store) join(name, before, more string) {
	s.touch(name, true)
	buffer := s.buffers[name]
	cost := len(more)
	if buffer == nil || buffer.Len() != len(before) {
		buffer, cost = &strings.Builder{}, len(before)+len(more)
		buffer.WriteString(before)
	}
	if len(before)+len(more) > maxResult {
		s.refuse(name)
		return
	}
	if !s.charge(name, cost) {
		return
	}
	buffer.WriteString(more)
	s.put(name, buffer.String())
	note(&s.buffers, name, buffer)
}

// unmarkValue is [unmark] of a text; JSON has no place for marks.
func unmarkValue(value any) any {
	if text, ok := value.(string); ok {
		return unmark(text)
	}
	return value
}

// count adds a number and shows the sum.
func (s *store) count(name string, by float64) string {
	s.add(name, by)
	// The text of a list that grows is made anew each time, which is work even where
	// nobody sees it.
	if b := s.bytes[name]; b != nil && !s.charge(name, len(b)) {
		return ""
	}
	return s.show(name)
}

// extend adds an element to a list of the host, which is copied the first time.
func (s *store) extend(name string, list []any, value any) {
	text, owned := s.bytes[name], s.owned[name]
	if text == nil && s.shown[name] != "" {
		text = []byte(s.shown[name])
	}
	if !owned {
		list = slices.Clip(list)
	}
	s.touch(name, true)
	s.put(name, append(list, value))
	note(&s.owned, name, true)
	if element, ok := jsonText(value); ok && len(text) > 1 && text[0] == '[' {
		text = text[:len(text)-1]
		if len(text) > 1 {
			text = append(text, ',')
		}
		note(&s.bytes, name, append(append(text, element...), ']'))
	}
}

// extendText adds an element to the JSON text of a list; it fails on anything else.
func (s *store) extendText(name, text string, value any) bool {
	list, known := s.lists[name]
	if !known {
		if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "[") {
			return false
		}
		var out bytes.Buffer
		if json.Compact(&out, []byte(text)) == nil {
			list = out.String()
		}
		note(&s.lists, name, list)
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
		note(&s.lists, name, list)
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

// subtract adds a number with the other sign; it reports whether it is a number. To
// a text it is joined like any other value.
func (s *store) subtract(name, value string) bool {
	n, ok := numberValue(value)
	if ok {
		s.add(name, -n)
	}
	return ok
}

// numberValue reads a number for sums; what is missing or blank is 0.
func numberValue(v any) (float64, bool) {
	switch v := v.(type) {
	case nil:
		return 0, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		if trim(v) == "" {
			return 0, true
		}
		return jsnumber.Parse(v)
	}
	return jsnumber.Parse(showValue(v))
}

// plain reports whether a value is shown at once. To show another one is work that
// grows with it.
func plain(v any) bool {
	switch v.(type) {
	case nil, string, bool, float64, int, int64:
		return true
	}
	return false
}

// showVariable is what getvar gives.
func showVariable(v any) string {
	text, ok := v.(string)
	if !ok {
		return showValue(v)
	}
	if n, ok := jsnumber.Parse(text); ok {
		return jsnumber.Format(n)
	}
	return text
}

// showValue writes a value of the host: texts as they are, numbers in their
// shortest form, lists and objects as compact JSON, null as nothing.
func showValue(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return boolText(v)
	case float64:
		return jsnumber.Format(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case interface{ Float64() float64 }:
		// A number that remembers how it was written. Beyond what a float64 holds
		// exactly the spelling is the better text.
		if n := v.Float64(); math.Abs(n) < 1<<53 {
			return jsnumber.Format(n)
		}
	}
	text, _ := jsonText(v)
	return unquote(text)
}

// unquote undoes the JSON form of scalars that a host type encodes to.
func unquote(text string) string {
	if text == "null" {
		return ""
	}
	if strings.HasPrefix(text, `"`) {
		var s string
		if json.Unmarshal([]byte(text), &s) == nil {
			return s
		}
	}
	if n, ok := jsnumber.Parse(text); ok && !math.IsInf(n, 0) && len(text) < 16 {
		return jsnumber.Format(n)
	}
	return text
}

// jsonText is the compact JSON of a value.
func jsonText(v any) (string, bool) {
	data, err := openjson.Marshal(v)
	return string(data), err == nil
}
