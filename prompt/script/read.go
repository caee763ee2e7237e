package script

import (
	"encoding/json"
	"math"
	"strconv"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
)

// memberReader reads the members of a script from its JSON. It converts values of wrong types as
// JavaScript does.
type memberReader struct {
	members map[string]json.RawMessage
	odd     []wrongMember
}

// take returns a decoded member and removes it; a missing member is nil.
func (r *memberReader) take(name string) any {
	raw, ok := r.members[name]
	delete(r.members, name)
	if !ok {
		return nil
	}
	var v any
	if json.Unmarshal(raw, &v) != nil { // a number beyond all bounds
		r.report(name, "a value that JSON can hold")
	}
	return v
}

// report records a problem of a member, once.
func (r *memberReader) report(name, want string) {
	if n := len(r.odd); n > 0 && r.odd[n-1].member == name {
		return
	}
	r.odd = append(r.odd, wrongMember{name, "should be " + want})
}

// text reads a text; a number becomes its digits.
func (r *memberReader) text(name string) string {
	switch v := r.take(name).(type) {
	case nil:
		return ""
	case string:
		return v
	case float64: // IDs may be written by hand
		r.report(name, "a text")
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	r.report(name, "a text")
	return ""
}

// texts reads a list of texts and leaves out other elements.
func (r *memberReader) texts(name string) []string {
	list, ok := r.list(name, "a list of texts")
	if !ok {
		return nil
	}
	var texts []string
	for _, v := range list {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		} else {
			r.report(name, "a list of texts")
		}
	}
	return texts
}

func (r *memberReader) list(name, want string) ([]any, bool) {
	v := r.take(name)
	list, ok := v.([]any)
	if !ok && v != nil {
		r.report(name, want)
	}
	return list, ok
}

// placements keeps only numbers: "2" matches no text.
func (r *memberReader) placements(name string) []Placement {
	const want = "a list of the numbers 1, 2, 3, 5 and 6"
	list, _ := r.list(name, want)
	var out []Placement
	for _, v := range list {
		if n, ok := v.(float64); ok && n == math.Trunc(n) && math.Abs(n) < 1<<31 {
			out = append(out, Placement(n))
		} else {
			r.report(name, want)
		}
	}
	return out
}

// boolean returns false for false, 0, the empty text and null, else true.
func (r *memberReader) boolean(name string) bool {
	switch v := r.take(name).(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		r.report(name, "true or false")
		return v != ""
	case float64:
		r.report(name, "true or false")
		return v != 0
	}
	r.report(name, "true or false")
	return true
}

// mode reads a macro mode; unknown values are NoMacros.
func (r *memberReader) mode(name string) MacroMode {
	v := r.take(name)
	if v == nil {
		return NoMacros
	}
	n, ok := number(v)
	if _, exact := v.(float64); !exact || n != 0 && n != 1 && n != 2 {
		r.report(name, "0, 1 or 2")
	}
	if ok && (n == 1 || n == 2) {
		return MacroMode(n)
	}
	return NoMacros
}

// depth reads a bound; a value that is not a number is no bound.
func (r *memberReader) depth(name string) *float64 {
	v := r.take(name)
	if v == nil {
		return nil
	}
	if _, exact := v.(float64); !exact {
		r.report(name, "a number or null")
	}
	if n, ok := number(v); ok {
		return &n
	}
	return nil
}

// number reads a value as JavaScript does: the empty text is 0.
func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		if keyindex.TrimSpace(v) == "" {
			return 0, true
		}
		n, ok := openjson.ParseNumber(v)
		return n, ok && !math.IsInf(n, 0)
	}
	return 0, false
}
