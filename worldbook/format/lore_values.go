package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/worldbook/internal/loose"
)

// value is an element of a list or a member of an object.
type value struct {
	name, path string
	raw        json.RawMessage
}

// values returns the elements of a list, or the members of an object in JavaScript property order.
// It stops at the limit on entries and reports a problem.
func (s *source) values(path string, raw json.RawMessage) ([]value, error) {
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
				s.Add(duplicate, one.path, "is given more than once: the last one is used")
				list[i] = one
				return true
			}
			places[one.name] = len(list)
		}
		if len(list) == maxEntries {
			s.Add(tooLarge, path, fmt.Sprintf("has more than %d entries: the others are left out",
				maxEntries))
			return false
		}
		list = append(list, one)
		return true
	})
	slices.SortStableFunc(list, func(a, b value) int { return openjson.Compare(a.name, b.name) })
	return list, nil
}

// join returns the path of a member.
func join(path, name string) string {
	if path == "" || name == "" {
		return path + name
	}
	return path + "." + name
}

// truthy reports whether a JSON value is true in a JavaScript condition.
func truthy(raw json.RawMessage) bool { return loose.Parse(raw).Truthy() }

// loreGiven reports whether a member exists and is not null.
func loreGiven(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) > 0 && !bytes.Equal(raw, []byte("null"))
}

// off reports whether a member that switches an entry on is false. A missing or null member is not
// off.
func off(enabled json.RawMessage) bool { return loreGiven(enabled) && !truthy(enabled) }

// or returns the value of a member, or otherwise for a missing or null member.
func or(raw json.RawMessage, otherwise any) any {
	if loreGiven(raw) {
		return raw
	}
	return otherwise
}

// truthyOr returns the value of a member if it is truthy, else otherwise.
func truthyOr(raw json.RawMessage, otherwise any) any {
	if truthy(raw) {
		return raw
	}
	return otherwise
}

// loreText returns a member as text, or "" if it is not a text.
func loreText(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// TextOf takes a member as text, or "" if it is missing or null. A value of a different type is a
// problem and is read as "".
func (s *source) TextOf(e loreItem, name string) string {
	raw := e.take(name)
	if loreGiven(raw) && raw[0] != '"' {
		s.Add(badType, join(e.Path, name), "must be a text, not "+openjson.Kind(raw)+": read as an empty one")
	}
	return loreText(raw)
}

// Texts takes the texts of a list, or the pieces of one text between its commas, trimmed and
// without empty ones. The result is never nil. Elements that are not texts are left out with a
// problem for each. A value that is neither a list nor a text is left out with a problem too.
func (s *source) Texts(e loreItem, name string) []string {
	raw, path := e.take(name), join(e.Path, name)
	switch {
	case !loreGiven(raw):
		return []string{}
	case raw[0] == '[':
		list, _ := s.List(path, raw)
		return notBlank(list)
	case raw[0] != '"':
		s.Add(badType, path, "must be a list of texts or one text with commas, not "+openjson.Kind(raw)+
			": left out")
	}
	return notBlank(strings.Split(loreText(raw), ","))
}

// List returns the texts of a list unchanged, and whether the list is complete. Elements that are
// not texts are left out with a problem for each.
func (s *source) List(path string, raw json.RawMessage) (list []string, complete bool) {
	at := 0
	gjson.ParseBytes(raw).ForEach(func(_, v gjson.Result) bool {
		if v.Type == gjson.String {
			list = append(list, loreText(json.RawMessage(v.Raw)))
		} else {
			s.Add(badType, fmt.Sprintf("%s[%d]", path, at),
				"must be a text, not "+openjson.Kind(json.RawMessage(v.Raw))+": left out")
		}
		at++
		return true
	})
	return list, len(list) == at
}

// splitTrimmed splits at commas and trims the pieces. Empty pieces are kept.
func splitTrimmed(s string) []string {
	pieces := strings.Split(s, ",")
	for i := range pieces {
		pieces[i] = keyindex.TrimSpace(pieces[i])
	}
	return pieces
}

// notBlank trims texts and removes the empty ones.
func notBlank(list []string) []string {
	out := []string{}
	for _, s := range list {
		if s = keyindex.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	return out
}

// blank reports whether a text is empty or white space.
func blank(s string) bool { return keyindex.TrimSpace(s) == "" }
