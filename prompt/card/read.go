package card

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
)

// reader converts JSON values to Go values, leniently: a value of a wrong type is converted if that
// is safe, and always reported.
//
// Its methods take a value that is not null and the path to report. The second result is false if
// the value is unusable.
type reader struct {
	report
}

// text reads a text; a number counts as its text.
func (r *reader) text(path string, raw json.RawMessage) (string, bool) {
	switch kindOf(raw) {
	case isText:
		text := openjson.Unquote(raw)
		if brokenPair(raw, text) {
			r.add(codeBadText, path, "half of a surrogate pair; read as U+FFFD")
		}
		return text, true
	case isNumber:
		r.add(codeBadType, path, "a number where a text is expected; read as its text")
		return string(raw), true
	}
	r.add(codeBadType, path, kindOf(raw)+" where a text is expected; read as empty")
	return "", false
}

// brokenPair reports whether a text has a U+FFFD that its JSON does not contain. encoding/json
// writes it for an escape that is half of a surrogate pair.
func brokenPair(raw json.RawMessage, text string) bool {
	return strings.Contains(text, "\uFFFD") && !bytes.Contains(raw, []byte("\uFFFD")) &&
		!bytes.Contains(bytes.ToLower(raw), []byte(`\ufffd`))
}

// texts reads a list of texts; one text or number counts as a list of one. Nulls and unreadable
// elements become empty texts, because positions in a list count.
func (r *reader) texts(path string, raw json.RawMessage) ([]string, bool) {
	switch kindOf(raw) {
	case isList:
	case isText, isNumber:
		r.add(codeBadType, path, "a single value where a list is expected; read as a list of one")
		if kindOf(raw) == isNumber {
			return []string{string(raw)}, true
		}
		text, _ := r.text(path, raw)
		return []string{text}, true
	default:
		r.add(codeBadType, path, kindOf(raw)+" where a list is expected; read as empty")
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

// textMap reads an object of texts. Members that are not texts are left out.
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

// number reads a finite number, or a text that contains one.
func (r *reader) number(path string, raw json.RawMessage) (float64, bool) {
	literal := string(raw)
	kind := kindOf(raw)
	if kind == isText {
		literal = strings.TrimSpace(openjson.Unquote(raw))
	}
	n, err := strconv.ParseFloat(literal, 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) || kind != isText && kind != isNumber {
		r.add(codeBadType, path, kind+" where a number is expected; read as missing")
		return 0, false
	}
	if kind == isText {
		r.add(codeBadType, path, "a text where a number is expected; read as the number in it")
	}
	return n, true
}

// whole reads a whole number. A fraction is cut off. If the number is written with a fraction or an
// exponent, only 53 bits are exact.
func (r *reader) whole(path string, raw json.RawMessage) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true // exact, however large
	}
	n, ok := r.number(path, raw)
	if !ok {
		return 0, false
	}
	if math.Abs(n) > 1<<53 {
		r.add(codeBadType, path, "a number too large to be exact; read as missing")
		return 0, false
	}
	if n != math.Trunc(n) {
		r.add(codeBadType, path, "a fraction where a whole number is expected; read without it")
	}
	return int64(n), true
}

// truth reads a boolean; 0, 1 and the texts "true" and "false" are accepted too.
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
		r.add(codeBadType, path, kindOf(raw)+" where true or false is expected; read as such")
	} else {
		r.add(codeBadType, path, kindOf(raw)+" where true or false is expected; "+
			"read as missing")
	}
	return value, ok
}

// object reads the members of an object; of a repeated name it returns the last.
func (r *reader) object(path string, raw json.RawMessage) (map[string]json.RawMessage, bool) {
	if kindOf(raw) != isObject {
		r.add(codeBadType, path, kindOf(raw)+" where an object is expected; read as empty")
		return nil, false
	}
	members := map[string]json.RawMessage{}
	for c := openjson.Scan(raw); c.Next(); {
		name := c.Key()
		if _, ok := members[name]; ok {
			r.add(codeDuplicate, member(path, name), "this member is given twice; the last one is used")
		}
		members[name] = c.Value
	}
	return members, true
}

// objects reads the objects of a list, and leaves out all other elements. names are the names of the
// elements in paths; nil means their numbers.
func objects[T any](r *reader, path string, list []json.RawMessage, names []string,
	read func(path string, members map[string]json.RawMessage) T) []T {
	out := make([]T, 0, len(list))
	for i, element := range list {
		name := strconv.Itoa(i)
		if names != nil {
			name = names[i]
		}
		at := member(path, name)
		if members, ok := r.object(at, element); ok {
			out = append(out, read(at, members))
		}
	}
	return out
}

// member returns the path of a member or element of path.
func member(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// root reads the members of the object that the whole text must be. noun is the name of the
// expected content in messages.
func (r *reader) root(data []byte, noun string) (map[string]json.RawMessage, error) {
	if err := checkShape(data); err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		r.add(codeBadText, "", "the text is not UTF-8; its broken bytes are read as U+FFFD")
	}
	// Bytes that are not UTF-8 become U+FFFD in names and in texts. If this were done later, two
	// different broken names could become equal.
	trimmed := trimStart(data)
	root := json.RawMessage(bytes.ToValidUTF8(trimmed, []byte("\uFFFD")))
	if !json.Valid(root) {
		if lenient, mended := openjson.Lenient(root); mended != "" && json.Valid(lenient) {
			if err := checkShape(lenient); err != nil {
				return nil, err
			}
			r.add(codeMendedJSON, "", "the text is JSON with "+mended+"; read without them")
			root = lenient
		}
	}
	if !json.Valid(root) {
		// Unmarshal returns the position, but takes twice as long.
		err := json.Unmarshal(root, new(json.RawMessage))
		at := int64(len(data) - len(trimmed))
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			at += syntax.Offset
		}
		return nil, &Error{Code: codeBadJSON, Path: fmt.Sprintf("@%d", at), Err: err,
			Message: "the text is not valid JSON. The file may have been edited by hand or " +
				"cut off; export it again"}
	}
	if noun == "card" && kindOf(root) == isList {
		var list []json.RawMessage
		if err := json.Unmarshal(root, &list); err == nil && len(list) == 1 && kindOf(list[0]) == isObject {
			r.add(codeInList, "", "the card is in a list of one; read nevertheless")
			root = list[0]
		}
	}
	if kindOf(root) != isObject {
		return nil, notA(noun, "the JSON is "+kindOf(root)+", not an object")
	}
	members, _ := r.object("", root)
	return members, nil
}

// notA returns the error for JSON that is not what noun names.
func notA(noun, why string) *Error {
	code := codeNotACard
	if noun != "card" {
		code = codeNotABook
	}
	return fail(code, fmt.Sprintf("this is not a character %s: %s. Choose a file that was "+
		"exported as character %s", noun, why, noun))
}

// trimStart drops a byte order mark and blanks before a text.
func trimStart(data []byte) []byte {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	return bytes.TrimLeft(data, " \t\r\n")
}
