package memvars

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/internal/openjson"
)

// maxDepth bounds the nesting of a document that is loaded.
const maxDepth = 1000

// Load reads a document from JSON text. The root must be an object, keys must
// be unique within their object and the nesting at most 1000 levels deep.
func Load(data []byte) (Document, error) {
	v, err := ParseValue(data)
	if err != nil {
		return Document{}, err
	}
	return NewDocument(v)
}

// ParseValue reads any JSON value, under the rules of [Load].
func ParseValue(data []byte) (Value, error) {
	if deeper(data, maxDepth) {
		return Value{}, fmt.Errorf("memvars: JSON is nested deeper than %d levels", maxDepth)
	}
	if !gjson.ValidBytes(data) {
		return Value{}, errors.New("memvars: not valid JSON")
	}
	if !utf8.Valid(data) {
		return Value{}, errors.New("memvars: JSON is not valid UTF-8")
	}
	return decode(gjson.ParseBytes(data), nil)
}

// decode builds the tree of a valid text.
func decode(r gjson.Result, at Path) (Value, error) {
	switch r.Type {
	case gjson.True:
		return Bool(true), nil
	case gjson.False:
		return Bool(false), nil
	case gjson.Number:
		return Value{Number(r.Raw)}, nil
	case gjson.String:
		return Value{r.Str}, nil
	case gjson.JSON:
		if r.IsArray() {
			return decodeArray(r, at)
		}
		return decodeObject(r, at)
	}
	return Null, nil
}

func decodeArray(r gjson.Result, at Path) (Value, error) {
	a := &array{}
	var err error
	r.ForEach(func(_, e gjson.Result) bool {
		var v Value
		v, err = decode(e, append(at, strconv.Itoa(len(a.vals))))
		a.vals = append(a.vals, v)
		return err == nil
	})
	return Value{a}, err
}

func decodeObject(r gjson.Result, at Path) (Value, error) {
	o := &object{ownKeys: true}
	var err error
	r.ForEach(func(k, e gjson.Result) bool {
		if o.find(k.Str) >= 0 {
			err = fmt.Errorf("memvars: duplicate key at %s", append(slices.Clone(at), k.Str))
			return false
		}
		var v Value
		v, err = decode(e, append(at, k.Str))
		o.put(k.Str, v)
		return err == nil
	})
	return Value{o}, err
}

// deeper reports whether brackets outside of strings nest beyond limit. It runs
// before the recursive parser sees the text.
func deeper(data []byte, limit int) bool {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// AppendJSON appends the compact JSON of v to b. Nothing is HTML-escaped; an
// absent value is written as null.
func (v Value) AppendJSON(b []byte) []byte {
	switch c := v.v.(type) {
	case bool:
		return strconv.AppendBool(b, c)
	case Number:
		return append(b, c...)
	case string:
		return appendQuoted(b, c)
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
			b = append(appendQuoted(b, k), ':')
			b = c.vals[i].AppendJSON(b)
		}
		return append(b, '}')
	}
	return append(b, "null"...)
}

func appendQuoted(b []byte, s string) []byte {
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

// UnmarshalJSON reads any JSON value, under the rules of [Load].
func (v *Value) UnmarshalJSON(data []byte) (err error) {
	*v, err = ParseValue(data)
	return err
}

// MarshalJSON returns the document as compact JSON.
func (d Document) MarshalJSON() ([]byte, error) { return d.Root().AppendJSON(nil), nil }

// UnmarshalJSON reads a document, under the rules of [Load].
func (d *Document) UnmarshalJSON(data []byte) (err error) {
	*d, err = Load(data)
	return err
}

// Of converts a Go value to a document value: nil, booleans, numbers, strings,
// slices, maps (keys sorted) and everything else that encoding/json can encode.
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
		return Value{}, fmt.Errorf("memvars: %T is no JSON value: %w", v, err)
	}
	return ParseValue(data)
}
