// Package rawjson splits JSON into parts without decoding it. Values stay as written, and repeated
// members of one name are all kept. All functions except [Clean] need valid JSON; they are called
// with parts of a text that was checked before. They read every byte once and copy nothing: values
// are slices of the text.
package rawjson

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Kind is the type of a JSON value.
type Kind int

// The kinds. A missing value counts as null.
const (
	Null Kind = iota
	Text
	Number
	Truth
	List
	Object
)

// String returns the kind as the subject of a sentence.
func (k Kind) String() string {
	return [...]string{"null", "a text", "a number", "true or false", "a list", "an object"}[k]
}

// KindOf returns the kind of a value that has no leading blanks.
func KindOf(raw json.RawMessage) Kind {
	if len(raw) == 0 {
		return Null
	}
	switch raw[0] {
	case 'n':
		return Null
	case '"':
		return Text
	case '{':
		return Object
	case '[':
		return List
	case 't', 'f':
		return Truth
	}
	return Number
}

// Clean returns a copy of a raw value without surrounding blanks, or nil if it is not JSON. Use it
// for raw values from outside.
func Clean(raw json.RawMessage) json.RawMessage {
	var value json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
}

// Members returns the members of an object; of a repeated name it returns the last. For other
// values it returns nil.
func Members(raw json.RawMessage) map[string]json.RawMessage {
	if KindOf(raw) != Object {
		return nil
	}
	members := map[string]json.RawMessage{}
	Each(raw, func(name string, value json.RawMessage) { members[name] = value })
	return members
}

// Each visits the members of an object in the written order, including every member of a repeated
// name.
func Each(raw json.RawMessage, visit func(name string, value json.RawMessage)) {
	for i := skipBlanks(raw, 1); raw[i] != '}'; i = skipComma(raw, i) {
		end := skipValue(raw, i)
		name := raw[i:end:end]
		i = skipBlanks(raw, skipBlanks(raw, end)+1) // the colon, with blanks around it
		end = skipValue(raw, i)
		visit(Unquote(name), raw[i:end:end])
		i = end
	}
}

// Elements returns the elements of a list, never nil. For other values it
// returns nil.
func Elements(raw json.RawMessage) []json.RawMessage {
	if KindOf(raw) != List {
		return nil
	}
	list := []json.RawMessage{}
	for i := skipBlanks(raw, 1); raw[i] != ']'; i = skipComma(raw, i) {
		end := skipValue(raw, i)
		list = append(list, raw[i:end:end])
		i = end
	}
	return list
}

// Unquote returns the text of a JSON string.
func Unquote(raw json.RawMessage) string {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(raw, &s) // valid by contract
	return s
}

// skipValue returns the index after the value that starts at i.
func skipValue(data []byte, i int) int {
	depth := 0
	for ; ; i++ {
		switch data[i] {
		case '"':
			i = EndOfText(data, i)
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				return skipLiteral(data, i)
			}
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
}

// skipLiteral returns the index after the number, true, false or null at i.
func skipLiteral(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ',', '}', ']', ' ', '\t', '\r', '\n':
			return i
		}
		i++
	}
	return i
}

// skipBlanks returns the index of the first byte from i on that is not a blank.
func skipBlanks(data []byte, i int) int {
	for data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n' {
		i++
	}
	return i
}

// skipComma returns the index of the value after the value that ends at i, or of the closing
// bracket.
func skipComma(data []byte, i int) int {
	i = skipBlanks(data, i)
	if data[i] == ',' {
		i = skipBlanks(data, i+1)
	}
	return i
}

// EndOfText returns the index of the quote that closes the string opened at i, or the last index of
// data if it is never closed.
func EndOfText(data []byte, i int) int {
	for {
		n := bytes.IndexByte(data[i+1:], '"')
		if n < 0 {
			return len(data) - 1
		}
		end := i + 1 + n
		slashes := 0
		for slashes < n && data[end-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end
		}
		// An escaped quote. The next search starts after it, so that the backslash count does not
		// include characters before the quote.
		i = end
	}
}
