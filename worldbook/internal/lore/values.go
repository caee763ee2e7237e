package lore

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/worldbook/internal/jsobject"
)

// value is an element of a list or a member of an object.
type value struct {
	name, path string
	raw        json.RawMessage
}

// values lists the elements of a list, or the members of an object in JavaScript
// property order. It stops at the limit on entries, with a problem.
func (s *Source) values(path string, raw json.RawMessage) ([]value, error) {
	var list []value
	r := gjson.ParseBytes(raw)
	if !r.IsObject() && !r.IsArray() {
		return nil, fmt.Errorf("%s: neither a list nor an object", cmp.Or(path, "the file"))
	}
	places := map[string]int{}
	r.ForEach(func(k, v gjson.Result) bool {
		one := value{path: fmt.Sprintf("%s[%d]", path, len(list)), raw: json.RawMessage(v.Raw)}
		if r.IsObject() {
			one.name = memberName(k)
			one.path = fmt.Sprintf("%s[%q]", path, one.name)
			if i, ok := places[one.name]; ok {
				s.Add(Duplicate, one.path, "is there more than once: the last one counts")
				list[i] = one
				return true
			}
			places[one.name] = len(list)
		}
		if len(list) == maxEntries {
			s.Add(TooLarge, path, fmt.Sprintf("has more than %d entries: the others are left out",
				maxEntries))
			return false
		}
		list = append(list, one)
		return true
	})
	slices.SortStableFunc(list, func(a, b value) int { return jsobject.Compare(a.name, b.name) })
	return list, nil
}

// join returns the path of a member.
func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}

// Truthy reports whether JavaScript takes a JSON value for true.
func Truthy(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", "false", `""`:
		return false
	}
	var n float64
	return json.Unmarshal(raw, &n) != nil || n != 0
}

// Given reports whether a member is there and not null.
func Given(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

// Or returns the value of a member, or what stands for a missing or null one.
func Or(raw json.RawMessage, otherwise any) any {
	if Given(raw) {
		return raw
	}
	return otherwise
}

// TruthyOr returns the value of a member if it is truthy, else the other value.
func TruthyOr(raw json.RawMessage, otherwise any) any {
	if Truthy(raw) {
		return raw
	}
	return otherwise
}

// Text returns a member as text, "" if it is none.
func Text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// Texts returns the texts of a list, or the pieces of one text between its
// commas, trimmed and without empty ones. The result is never nil.
func Texts(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		list = strings.Split(Text(raw), ",")
	}
	return NotBlank(list)
}

// SplitTrimmed splits at commas and trims the pieces. Empty pieces stay.
func SplitTrimmed(s string) []string {
	pieces := strings.Split(s, ",")
	for i := range pieces {
		pieces[i] = keyindex.TrimSpace(pieces[i])
	}
	return pieces
}

// NotBlank trims texts and drops the empty ones.
func NotBlank(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = keyindex.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// Blank reports whether a text is empty or white space.
func Blank(s string) bool { return keyindex.TrimSpace(s) == "" }
