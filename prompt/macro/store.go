package macro

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

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
	return showVariable(s.values[name])
}

// write stores a value. Texts count against the work of the run, or a doubling
// variable would grow without an end.
func (s *store) write(name string, value any) {
	s.touch(name, true)
	// JSON has no infinities: a sum that overflows would make the variables of
	// the whole chat unstorable. As a text it reads the same.
	if n, ok := value.(float64); ok && (math.IsInf(n, 0) || math.IsNaN(n)) {
		value = formatNumber(n)
	}
	if text, ok := value.(string); ok && (len(text) > maxResult || !s.run.spend(len(text))) {
		s.run.problem(Problem{Code: Refused, Macro: name, Detail: "the value is too large"})
		return
	}
	if !s.own { // the map of the environment belongs to the host
		s.values = maps.Clone(s.values)
		if s.values == nil {
			s.values = map[string]any{}
		}
		s.own = true
	}
	s.values[name] = value
}

// set stores a text as it is: 007 stays 007 until a macro shows it.
func (s *store) set(name, value string) { s.write(name, value) }

// remove deletes a variable; there need not be one.
func (s *store) remove(name string) {
	s.touch(name, true)
	if _, ok := s.values[name]; ok {
		if !s.own {
			s.values, s.own = maps.Clone(s.values), true
		}
		delete(s.values, name)
	}
}

// add appends to a list, sums numbers, or joins texts, and returns the new
// value as shown. The value is a text, or a float64 of ++ and --.
func (s *store) add(name string, value any) string {
	s.touch(name, false)
	current := s.values[name]
	if list, ok := appended(current, value); ok {
		s.write(name, list)
		return s.show(name)
	}
	a, okA := numberValue(current)
	b, okB := numberValue(value)
	if okA && okB {
		s.write(name, a+b)
	} else {
		s.write(name, showValue(current)+showValue(value))
	}
	return s.show(name)
}

// appended returns a list of the host, or the JSON text of one, with a value
// more; it fails on anything else.
func appended(current, value any) (any, bool) {
	switch list := current.(type) {
	case []any:
		return append(slices.Clone(list), value), true
	case string:
		if !strings.HasPrefix(strings.TrimLeft(list, " \t\r\n"), "[") {
			return nil, false
		}
		var out bytes.Buffer
		element, ok := jsonText(value)
		if !ok || json.Compact(&out, []byte(list)) != nil {
			return nil, false
		}
		out.Truncate(out.Len() - 1)
		if out.Len() > 1 {
			out.WriteByte(',')
		}
		out.WriteString(element + "]")
		return out.String(), true
	}
	return nil, false
}

// subtract is add for numbers only; it reports whether both sides are numbers.
func (s *store) subtract(name, value string) bool {
	a, okA := numberValue(s.values[name])
	b, okB := parseNumber(value)
	if !okA || !okB {
		return false
	}
	s.touch(name, false)
	s.write(name, a-b)
	return true
}

// setKey writes a member of a variable that holds JSON text. A key of digits
// means a list, whose gaps are null.
func (s *store) setKey(name, key, value string) bool {
	s.touch(name, false)
	current := decode(s.values[name])
	if index, ok := listIndex(key); ok {
		list, _ := current.([]any)
		if current != nil && list == nil {
			if object, ok := current.(map[string]any); ok {
				object[key] = value
				return s.writeJSON(name, object)
			}
		}
		for len(list) <= index {
			list = append(list, nil)
		}
		list[index] = value
		return s.writeJSON(name, list)
	}
	object, ok := current.(map[string]any)
	if !ok {
		object = map[string]any{}
	}
	object[key] = value
	return s.writeJSON(name, object)
}

// writeJSON stores a value as JSON text, which is how texts can hold lists.
func (s *store) writeJSON(name string, value any) bool {
	text, ok := jsonText(value)
	if ok {
		s.write(name, text)
	}
	return ok
}

// key shows a member of a variable that holds an object or a list; empty if
// there is none.
func (s *store) key(name, key string) string {
	s.touch(name, false)
	switch v := decode(s.values[name]).(type) {
	case map[string]any:
		return showVariable(v[key])
	case []any:
		if i, ok := listIndex(key); ok && i < len(v) {
			return showVariable(v[i])
		}
	}
	return ""
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

// numberValue reads a number for sums; what is missing or blank is 0.
func numberValue(v any) (float64, bool) {
	switch v := v.(type) {
	case nil:
		return 0, true
	case string:
		if strings.TrimSpace(v) == "" {
			return 0, true
		}
		return parseNumber(v)
	}
	return parseNumber(showValue(v))
}

// showVariable is what getvar gives.
func showVariable(v any) string {
	text, ok := v.(string)
	if !ok {
		return showValue(v)
	}
	if n, ok := parseNumber(text); ok {
		return formatNumber(n)
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
		return formatNumber(v)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case interface{ Float64() float64 }:
		// A number that remembers how it was written. Beyond what a float64 holds
		// exactly the spelling is the better text.
		if n := v.Float64(); math.Abs(n) < 1<<53 {
			return formatNumber(n)
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
	if n, ok := parseNumber(text); ok && !math.IsInf(n, 0) && len(text) < 16 {
		return formatNumber(n)
	}
	return text
}

// jsonText is the compact JSON of a value.
func jsonText(v any) (string, bool) {
	data, err := openjson.Marshal(v)
	return string(data), err == nil
}
