package tavern

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"

	"github.com/talewright/talewright"
)

// badType is the code of a member with a wrong type.
const badType talewright.Code = "bad_type"

// presetfileFit converts a value to the type of its field. Programs in loosely typed languages
// write presets this way, and their users neither notice nor can repair a wrong type. Whole numbers
// may be in quotation marks ("4", 4.0). odd describes the mistake and the conversion; fitted is nil
// for a value that is left out. A list loses the elements that cannot be converted. These are not
// reported in odd, see [vet].
func presetfileFit(raw json.RawMessage, t reflect.Type) (fitted json.RawMessage, odd string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	raw = bytes.TrimSpace(raw)
	is := func(first byte) bool { return len(raw) > 0 && raw[0] == first }
	switch t.Kind() {
	case reflect.Bool:
		if string(raw) == "true" || string(raw) == "false" {
			return raw, ""
		}
		is := strconv.FormatBool(isTruthy(raw))
		return json.RawMessage(is), "must be true or false, not " + kindOf(raw) + ": it is read as " + is
	case reflect.String:
		if is('"') {
			return raw, ""
		}
		if isNumber(raw) {
			return json.RawMessage(strconv.Quote(string(raw))), "must be a text, not " + kindOf(raw) + ": its digits are read as a text"
		}
		return nil, "must be a text, not " + kindOf(raw) + leftOut
	case reflect.Int:
		if n, ok := wholeNumber(raw); ok {
			return json.RawMessage(strconv.Itoa(n)), ""
		}
		if _, err := strconv.Atoi(string(raw)); err == nil {
			return raw, ""
		}
		return nil, "must be a whole number in range, not " + kindOf(raw) + leftOut
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 { // raw JSON
			return raw, ""
		}
		if !is('[') {
			return nil, "must be a list, not " + kindOf(raw) + leftOut
		}
		return fitList(raw, t.Elem()), ""
	case reflect.Struct:
		if !is('{') {
			return nil, "must be an object, not " + kindOf(raw) + leftOut
		}
	}
	return raw, ""
}

const leftOut = ": it is left out"

// fitList leaves out the elements of a list that cannot be converted.
func fitList(raw json.RawMessage, t reflect.Type) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return raw
	}
	kept := make([]json.RawMessage, 0, len(list))
	for _, e := range list {
		if string(e) == "null" {
			kept = append(kept, e) // an empty element
		} else if fitted, _ := presetfileFit(e, t); fitted != nil {
			kept = append(kept, fitted)
		}
	}
	out, err := json.Marshal(kept)
	if err != nil {
		return raw
	}
	return out
}

// isTruthy returns false for false, 0, the empty text and null, else true.
func isTruthy(raw json.RawMessage) bool {
	var n float64
	switch {
	case string(raw) == "false" || string(raw) == "null" || string(raw) == `""`:
		return false
	case isNumber(raw) && json.Unmarshal(raw, &n) == nil:
		return n != 0
	}
	return true
}

func isNumber(raw json.RawMessage) bool {
	return len(raw) > 0 && (raw[0] == '-' || '0' <= raw[0] && raw[0] <= '9')
}

// kindOf returns the name of a value's kind for a problem.
func kindOf(raw json.RawMessage) string {
	switch {
	case len(raw) == 0:
		return "nothing"
	case raw[0] == '"':
		return "a text"
	case raw[0] == '[':
		return "a list"
	case raw[0] == '{':
		return "an object"
	case isNumber(raw):
		return fmt.Sprintf("the number %.20s", raw)
	}
	return string(raw)
}

// maxOdd is the maximum number of problems that [vet] returns.
const maxOdd = 100

// vet returns a problem for each member of a wrong type, at most 100. The argument src is a struct
// as for [encode], and read has its members as they were read. A value that was left out is an
// error, a converted value a warning.
func vet(src any, read presetfileMembers) talewright.Problems {
	var found talewright.Problems
	vetObject(reflect.TypeOf(src), read, "", &found)
	return found
}

func vetObject(t reflect.Type, members presetfileMembers, path string, found *talewright.Problems) {
	for i := range t.NumField() {
		f := t.Field(i)
		if raw, ok := members[memberName(f)]; ok && string(bytes.TrimSpace(raw)) != "null" {
			presetfileVet(f.Type, raw, path+memberName(f), found)
		}
	}
}

func presetfileVet(t reflect.Type, raw json.RawMessage, path string, found *talewright.Problems) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	fitted, odd := presetfileFit(raw, t)
	switch {
	case len(*found) >= maxOdd:
	case odd != "":
		p := talewright.Problem{Path: path, Code: badType, Severity: talewright.Warning, Text: odd}
		if fitted == nil {
			p.Severity = talewright.Error
		}
		*found = append(*found, p)
	case t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8:
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // it was readable
		for i, e := range list {
			if string(e) == "null" {
				continue
			}
			presetfileVet(t.Elem(), e, fmt.Sprintf("%s[%d]", path, i), found)
		}
	case t.Kind() == reflect.Struct:
		var members presetfileMembers
		_ = json.Unmarshal(raw, &members) // it was readable
		vetObject(t, members, path+".", found)
	}
}
