package tree

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// Limits of the nesting of lists and objects. Deeper values are neither read nor created; see
// [ErrDepth].
const (
	// MaxDepth is the limit of a [Document], whether it is read, built or edited.
	MaxDepth = 1000
	// MaxNesting is the limit of all other values. It is larger because hosts store a document
	// inside something, such as the record of a turn: every document fits in a value that can be
	// read again.
	MaxNesting = MaxDepth + 100
)

// ParseDocument reads a document from JSON text. The root must be an object, keys must be unique
// within their object, and the text must be valid UTF-8. If the nesting is deeper than [MaxDepth]
// levels, the error wraps [ErrDepth]. Errors have the offset. A byte order mark, which some editors
// add, is skipped. The document keeps a copy of the text in memory.
func ParseDocument(data []byte) (Document, error) {
	v, err := parse(bytes.TrimPrefix(data, []byte("\ufeff")), MaxDepth)
	if err != nil {
		return Document{}, err
	}
	return asDocument(v) // its depth is already checked
}

// ParseValue reads any JSON value of at most [MaxNesting] levels. All other rules are the rules of
// [ParseDocument].
func ParseValue(data []byte) (Value, error) { return parse(data, MaxNesting) }

// parse reads a value of at most levels levels.
func parse(data []byte, levels int) (Value, error) {
	if !utf8.Valid(data) {
		return Value{}, errors.New("tree: JSON is not valid UTF-8")
	}
	return decode(decoder{s: string(data), levels: levels})
}

// ParseLoose is [ParseValue] for text of models: if a key is repeated, the last value is used, at
// the position of the first. One mistake should not lose the rest.
func ParseLoose(text string) (Value, error) {
	if !utf8.ValidString(text) {
		return Value{}, errors.New("tree: JSON is not valid UTF-8")
	}
	return decode(decoder{s: text, levels: MaxNesting, allowDuplicates: true})
}

// decode reads the only value of a text.
func decode(d decoder) (Value, error) {
	v, err := d.value(0)
	if err == nil {
		if d.skipSpace(); d.i < len(d.s) {
			err = errors.New("there is text after the end of the value")
		}
	}
	if err != nil {
		return Value{}, fmt.Errorf("tree: JSON at offset %d: %w", d.i, err)
	}
	return v, nil
}

// decoder reads strict JSON into nodes. Texts, numbers and keys without escapes are substrings of
// s.
type decoder struct {
	s string
	i int
	// levels is the limit of the nesting.
	levels          int
	allowDuplicates bool     // accept duplicate keys
	vals            []Value  // of the open containers, innermost last
	keys            []string // of the open containers, innermost last
}

var (
	errEnd   = errors.New("unexpected end")
	errToken = errors.New("unexpected character")
)

// skipSpace skips the white space that JSON allows between tokens.
func (d *decoder) skipSpace() {
	for d.i < len(d.s) {
		switch d.s[d.i] {
		case ' ', '\t', '\n', '\r':
			d.i++
		default:
			return
		}
	}
}

// value reads the value at the current offset.
func (d *decoder) value(depth int) (Value, error) {
	d.skipSpace()
	if d.i >= len(d.s) {
		return Value{}, errEnd
	}
	if depth > d.levels {
		return Value{}, fmt.Errorf("more than %d levels: %w", d.levels, ErrDepth)
	}
	switch c := d.s[d.i]; {
	case c == '"':
		s, err := d.readText()
		return Value{s}, err
	case c == '{':
		return d.object(depth)
	case c == '[':
		return d.array(depth)
	case c == '-' || c >= '0' && c <= '9':
		return d.number()
	}
	for _, lit := range [...]struct {
		text  string
		value Value
	}{{"true", Value{true}}, {"false", Value{false}}, {"null", Null}} {
		if strings.HasPrefix(d.s[d.i:], lit.text) {
			d.i += len(lit.text)
			return lit.value, nil
		}
	}
	return Value{}, errToken
}

// number reads the longest run of number characters and then checks the grammar. The spelling is
// kept; nothing is computed.
func (d *decoder) number() (Value, error) {
	start := d.i
	for d.i < len(d.s) {
		c := d.s[d.i]
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c|0x20 != 'e' {
			break
		}
		d.i++
	}
	n := d.s[start:d.i]
	if !Number(n).Valid() {
		d.i = start
		return Value{}, errors.New("not a number")
	}
	return Value{Number(n)}, nil
}

// nextElement moves to the next element of a container. Unless it is the first, a comma must
// precede it. done is true at the closing bracket.
func (d *decoder) nextElement(first bool, end byte) (done bool, err error) {
	d.skipSpace()
	if d.i >= len(d.s) {
		return false, errEnd
	}
	switch {
	case d.s[d.i] == end:
		d.i++
		return true, nil
	case first:
		return false, nil
	case d.s[d.i] != ',':
		return false, errToken
	}
	d.i++
	if d.skipSpace(); d.i < len(d.s) && d.s[d.i] == end {
		return false, errToken
	}
	return false, nil
}

// array reads the list at the current offset. Its elements are collected on a stack that all open
// containers share, so that the list is allocated once, with its final size.
func (d *decoder) array(depth int) (Value, error) {
	d.i++
	base := len(d.vals)
	for first := true; ; first = false {
		done, err := d.nextElement(first, ']')
		if err != nil {
			return Value{}, err
		}
		if done {
			break
		}
		v, err := d.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		d.vals = append(d.vals, v)
	}
	a := &array{vals: slices.Clone(d.vals[base:])}
	d.vals = d.vals[:base]
	return Value{a}, nil
}

// object reads the object at the current offset. It collects members as array does.
func (d *decoder) object(depth int) (Value, error) {
	d.i++
	base, keyBase := len(d.vals), len(d.keys)
	for first := true; ; first = false {
		done, err := d.nextElement(first, '}')
		if err != nil {
			return Value{}, err
		}
		if done {
			break
		}
		if d.i >= len(d.s) || d.s[d.i] != '"' {
			return Value{}, errors.New("a key is missing")
		}
		key, err := d.readText()
		if err != nil {
			return Value{}, err
		}
		if d.skipSpace(); d.i >= len(d.s) || d.s[d.i] != ':' {
			return Value{}, errors.New("a colon is missing")
		}
		d.i++
		d.keys = append(d.keys, key)
		v, err := d.value(depth + 1)
		if err != nil {
			return Value{}, err
		}
		d.vals = append(d.vals, v)
	}
	o := &object{
		keys: slices.Clone(d.keys[keyBase:]), vals: slices.Clone(d.vals[base:]), ownKeys: true,
	}
	d.vals, d.keys = d.vals[:base], d.keys[:keyBase]
	o.reindex()
	err := o.unique()
	if err != nil && d.allowDuplicates {
		folded := &object{ownKeys: true}
		for i, k := range o.keys {
			folded.put(k, o.vals[i])
		}
		return Value{folded}, nil
	}
	return Value{o}, err
}

// unique returns an error if a key occurs twice.
func (o *object) unique() error {
	if o.index != nil {
		if len(o.index) == len(o.keys) {
			return nil
		}
		for i, k := range o.keys {
			if o.index[k] != i {
				return fmt.Errorf("duplicate key %s", strconv.Quote(k))
			}
		}
	}
	for i, k := range o.keys {
		if slices.Index(o.keys, k) != i {
			return fmt.Errorf("duplicate key %s", strconv.Quote(k))
		}
	}
	return nil
}

// readText reads a string.
func (d *decoder) readText() (string, error) {
	start := d.i + 1
	for i := start; i < len(d.s); i++ {
		switch c := d.s[i]; {
		case c == '"':
			d.i = i + 1
			return d.s[start:i], nil
		case c == '\\':
			return d.readEscaped(start, i)
		case c < ' ':
			d.i = i
			return "", errors.New("a control character in a string")
		}
	}
	d.i = len(d.s)
	return "", errEnd
}

// readEscaped reads a string whose first escape is at i. It is slower than readText, but most
// strings have no escape.
func (d *decoder) readEscaped(start, i int) (string, error) {
	var b strings.Builder
	b.WriteString(d.s[start:i])
	for i < len(d.s) {
		c := d.s[i]
		switch {
		case c == '"':
			d.i = i + 1
			return b.String(), nil
		case c < ' ':
			d.i = i
			return "", errors.New("a control character in a string")
		case c != '\\':
			b.WriteByte(c)
			i++
			continue
		}
		n := jsonEscape(&b, d.s[i:])
		if n == 0 {
			d.i = i
			return "", errors.New("a bad escape")
		}
		i += n
	}
	d.i = len(d.s)
	return "", errEnd
}

// jsonEscape decodes the escape at the start of s and returns its length, 0 if it is not a JSON
// escape. Half a surrogate pair becomes the replacement character.
func jsonEscape(b *strings.Builder, s string) int {
	if len(s) < 2 {
		return 0
	}
	if i := strings.IndexByte(`nrtbf/\"`, s[1]); i >= 0 {
		b.WriteByte("\n\r\t\b\f/\\\""[i])
		return 2
	}
	r, length := utf8text.UnicodeEscape(s)
	if length > 0 {
		b.WriteRune(r)
	}
	return length
}
