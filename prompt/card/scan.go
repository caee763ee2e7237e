package card

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// The functions of this file take JSON apart that is known to be valid, because
// it is a part of a text that was checked before. They look at every byte once
// and copy nothing: values are slices of the text.

// clean returns a private copy of a raw value without blanks around it, or nil
// if it is not JSON. Raw values that come from outside pass through here.
func clean(raw json.RawMessage) json.RawMessage {
	var value json.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &value) != nil {
		return nil
	}
	return value
}

// membersOf returns the members of an object; of several with one name the last.
// For other values it returns nil.
func membersOf(raw json.RawMessage) map[string]json.RawMessage {
	if kindOf(raw) != anObject {
		return nil
	}
	members := map[string]json.RawMessage{}
	eachMember(raw, func(name string, value json.RawMessage) { members[name] = value })
	return members
}

// eachMember visits the members of an object as they are written, each of several
// with one name as well.
func eachMember(raw json.RawMessage, visit func(name string, value json.RawMessage)) {
	for i := skipBlanks(raw, 1); raw[i] != '}'; i = skipComma(raw, i) {
		end := skipValue(raw, i)
		name := raw[i:end:end]
		i = skipBlanks(raw, skipBlanks(raw, end)+1) // the colon between blanks
		end = skipValue(raw, i)
		visit(unquote(name), raw[i:end:end])
		i = end
	}
}

// elementsOf returns the elements of a list, never nil. For other values it
// returns nil.
func elementsOf(raw json.RawMessage) []json.RawMessage {
	if kindOf(raw) != aList {
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

// unquote returns the text that a JSON string stands for.
func unquote(raw json.RawMessage) string {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(raw, &s) // valid by contract
	return s
}

// skipValue returns the index behind the value that starts at i.
func skipValue(data []byte, i int) int {
	depth := 0
	for ; ; i++ {
		switch data[i] {
		case '"':
			i = skipString(data, i)
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

// skipLiteral returns the index behind the number, true, false or null at i.
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

// skipBlanks returns the index of the first byte from i on that is no blank.
func skipBlanks(data []byte, i int) int {
	for data[i] == ' ' || data[i] == '\t' || data[i] == '\r' || data[i] == '\n' {
		i++
	}
	return i
}

// skipComma returns the index of the next value behind the one that ends at i,
// or of the bracket that closes.
func skipComma(data []byte, i int) int {
	i = skipBlanks(data, i)
	if data[i] == ',' {
		i = skipBlanks(data, i+1)
	}
	return i
}
