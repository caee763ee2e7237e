package tree

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/openjson"
)

// AppendJSON appends the compact JSON of v to b. It does not escape HTML. An absent value is
// written as null.
func (v Value) AppendJSON(b []byte) []byte {
	switch c := v.v.(type) {
	case bool:
		return strconv.AppendBool(b, c)
	case Number:
		return append(b, c...)
	case string:
		return AppendText(b, c)
	case *array:
		b = append(b, '[')
		for i, e := range c.vals {
			if i > 0 {
				b = append(b, ',')
			}
			b = e.AppendJSON(b)
		}
		return append(b, ']')
	case *object:
		b = append(b, '{')
		for i, k := range c.keys {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(AppendText(b, k), ':')
			b = c.vals[i].AppendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

// AppendText appends a JSON string. It escapes only what JSON requires: prompts and stored
// documents keep characters such as <, > and &. Bytes that are not UTF-8 become the replacement
// character.
func AppendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(append(b, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += size
			continue
		}
		if c >= 0x20 && c != '"' && c != '\\' {
			i++
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

// String returns v as compact JSON.
func (v Value) String() string { return string(v.AppendJSON(nil)) }

// MarshalJSON returns v as compact JSON.
func (v Value) MarshalJSON() ([]byte, error) { return v.AppendJSON(nil), nil }

// UnmarshalJSON reads any JSON value, under the rules of [ParseDocument].
func (v *Value) UnmarshalJSON(data []byte) (err error) {
	*v, err = ParseValue(data)
	return err
}

// MarshalJSON returns the document as compact JSON.
func (d Document) MarshalJSON() ([]byte, error) { return d.Root().AppendJSON(nil), nil }

// UnmarshalJSON reads a document, under the rules of [ParseDocument].
func (d *Document) UnmarshalJSON(data []byte) (err error) {
	*d, err = ParseDocument(data)
	return err
}

// Of converts a Go value to a document value: nil, booleans, numbers, strings, slices, maps (keys
// sorted) and every other value that encoding/json can encode.
func Of(v any) (Value, error) {
	switch x := v.(type) {
	case nil:
		return Null, nil
	case Value:
		return x, nil
	case Document:
		return x.Root(), nil
	case bool:
		return Bool(x), nil
	case string:
		return Text(x), nil
	case int:
		return Int(int64(x)), nil
	case int64:
		return Int(x), nil
	case float64:
		return Float(x), nil
	case Number:
		return Num(x), nil
	}
	data, err := openjson.Marshal(v)
	if err != nil {
		return Value{}, fmt.Errorf("tree: %T is no JSON value: %w", v, err)
	}
	return ParseValue(data)
}
