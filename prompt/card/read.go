package card

import (
	"bytes"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// reader turns JSON values into Go values, leniently: what has another type
// than asked is converted where that is safe, and reported either way.
//
// Its methods take a value that is not null and the path to report. The second
// result is false if nothing of the value could be used.
type reader struct {
	report
}

// text reads a text; a number counts as its text.
func (r *reader) text(path string, raw json.RawMessage) (string, bool) {
	switch kindOf(raw) {
	case aText:
		text := unquote(raw)
		if brokenPair(raw, text) {
			r.add(BadText, path, "half of a surrogate pair; read as U+FFFD")
		}
		return text, true
	case aNumber:
		r.add(BadType, path, "a number where a text is asked; read as its text")
		return string(raw), true
	}
	r.add(BadType, path, kindOf(raw).String()+" where a text is asked; read as empty")
	return "", false
}

// brokenPair reports whether a text has a U+FFFD that its JSON did not write: what
// encoding/json makes of an escape that is half of a surrogate pair.
func brokenPair(raw json.RawMessage, text string) bool {
	return strings.Contains(text, "\uFFFD") && !bytes.Contains(raw, []byte("\uFFFD")) &&
		!bytes.Contains(bytes.ToLower(raw), []byte(`\ufffd`))
}

// texts reads a list of texts; one text or number counts as a list of one. Nulls
// and unreadable elements become empty texts, since positions in a list count.
func (r *reader) texts(path string, raw json.RawMessage) ([]string, bool) {
	switch kindOf(raw) {
	case aList:
	case aText, aNumber:
		r.add(BadType, path, "a single value where a list is asked; read as a list of one")
		if kindOf(raw) == aNumber {
			return []string{string(raw)}, true
		}
		text, _ := r.text(path, raw)
		return []string{text}, true
	default:
		r.add(BadType, path, kindOf(raw).String()+" where a list is asked; read as empty")
		return nil, false
	}
	elements := elementsOf(raw)
	if len(elements) == 0 {
		return nil, true
	}
	list := make([]string, len(elements))
	for i, element := range elements {
		list[i], _ = r.text(member(path, strconv.Itoa(i)), element)
	}
	return list, true
}

// textMap reads an object of texts. Members that are no text are left out.
func (r *reader) textMap(path string, raw json.RawMessage) (map[string]string, bool) {
	members, ok := r.object(path, raw)
	if !ok {
		return nil, false
	}
	texts := make(map[string]string, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if text, ok := r.text(member(path, name), members[name]); ok {
			texts[name] = text
		}
	}
	return texts, true
}

// number reads a finite number; a text that holds one counts as that.
func (r *reader) number(path string, raw json.RawMessage) (float64, bool) {
	literal := string(raw)
	kind := kindOf(raw)
	if kind == aText {
		literal = strings.TrimSpace(unquote(raw))
	}
	n, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) || kind != aText && kind != aNumber {
		r.add(BadType, path, kind.String()+" where a number is asked; read as missing")
		return 0, false
	}
	if kind == aText {
		r.add(BadType, path, "a text where a number is asked; read as the number in it")
	}
	return n, true
}

// whole reads a whole number; a fraction is cut off, and of a number that is written
// with one or with an exponent only 53 bits are exact.
func (r *reader) whole(path string, raw json.RawMessage) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true // as it is written, however large
	}
	n, ok := r.number(path, raw)
	if !ok {
		return 0, false
	}
	if math.Abs(n) > 1<<53 {
		r.add(BadType, path, "a number too large to be exact; read as missing")
		return 0, false
	}
	if n != math.Trunc(n) {
		r.add(BadType, path, "a fraction where a whole number is asked; read without it")
	}
	return int64(n), true
}

// truth reads a boolean; 0, 1 and the texts "true" and "false" count as such.
func (r *reader) truth(path string, raw json.RawMessage) (value, ok bool) {
	switch string(raw) {
	case "true":
		return true, true
	case "false":
		return false, true
	case "1", `"true"`:
		value, ok = true, true
	case "0", `"false"`:
		value, ok = false, true
	}
	if ok {
		r.add(BadType, path, kindOf(raw).String()+" where true or false is asked; read as such")
	} else {
		r.add(BadType, path, kindOf(raw).String()+" where true or false is asked; "+
			"read as missing")
	}
	return value, ok
}

// object reads the members of an object; of several with one name the last.
func (r *reader) object(path string, raw json.RawMessage) (map[string]json.RawMessage, bool) {
	if kindOf(raw) != anObject {
		r.add(BadType, path, kindOf(raw).String()+" where an object is asked; read as empty")
		return nil, false
	}
	members := map[string]json.RawMessage{}
	eachMember(raw, func(name string, value json.RawMessage) {
		if _, ok := members[name]; ok {
			r.add(Duplicate, member(path, name), "this member is there twice; the last one counts")
		}
		members[name] = value
	})
	return members, true
}

// kind is the type of a JSON value.
type kind int

const (
	aNull kind = iota
	aText
	aNumber
	aTruth
	aList
	anObject
)

// String returns the kind as the subject of a sentence.
func (k kind) String() string {
	return [...]string{"null", "a text", "a number", "true or false", "a list", "an object"}[k]
}

func kindOf(raw json.RawMessage) kind {
	if len(raw) == 0 {
		return aNull
	}
	switch raw[0] {
	case 'n':
		return aNull
	case '"':
		return aText
	case '{':
		return anObject
	case '[':
		return aList
	case 't', 'f':
		return aTruth
	}
	return aNumber
}

// member returns the path of a member or element below path.
func member(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
