package openjson

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// Cursor divides an object or a list of JSON in place; it copies nothing:
//
//	for c := openjson.Scan(data); c.Next(); {
//		… c.Name, c.Value …
//	}
//
// It checks the text between the members. The reader of a member checks the member.
type Cursor[T ~[]byte] struct {
	Name  []byte // the name of a member, as written, without its quotation marks
	Value T      // the text of a member or an element, without blanks around it

	data T
	at   int
	end  byte // the closing bracket, 0 after a mistake
	over bool // the closing bracket was read
}

// Scan returns a cursor before the first member or element. Other values have none.
func Scan[T ~[]byte](data T) Cursor[T] {
	c := Cursor[T]{data: data}
	if c.take('{') {
		c.end = '}'
	} else if c.take('[') {
		c.end = ']'
	}
	return c
}

// Next moves to the next member or element. It reports false at the end, and at a mistake.
func (c *Cursor[T]) Next() bool {
	if c.end == 0 || c.over {
		return false
	}
	if c.over = c.take(c.end); c.over {
		return false
	}
	ok := c.Value == nil || c.take(',')
	if ok && c.end == '}' {
		name := c.value()
		if ok = len(name) > 1 && name[0] == '"' && c.take(':'); ok {
			c.Name = name[1 : len(name)-1]
		}
	}
	if ok {
		c.Value = c.value()
		ok = len(c.Value) > 0
	}
	if !ok {
		c.end = 0
	}
	return ok
}

// Key returns the decoded name of a member. It may be called only for valid JSON.
func (c *Cursor[T]) Key() string {
	if isPlain(c.Name) {
		return string(c.Name)
	}
	return Unquote(append(append([]byte{'"'}, c.Name...), '"'))
}

// ended reports whether the whole text was divided, without a mistake.
func (c *Cursor[T]) ended() bool {
	c.space()
	return c.over && c.at == len(c.data)
}

func (c *Cursor[T]) space() {
	for c.at < len(c.data) && (c.data[c.at] == ' ' || c.data[c.at] == '\n' || c.data[c.at] == '\r' || c.data[c.at] == '\t') {
		c.at++
	}
}

// take reads a byte, after white space, if it is the next one.
func (c *Cursor[T]) take(b byte) bool {
	c.space()
	if c.at == len(c.data) || c.data[c.at] != b {
		return false
	}
	c.at++
	return true
}

// value returns the text up to the end of the next value. It is empty if there is no value.
func (c *Cursor[T]) value() T {
	c.space()
	rest := c.data[c.at:]
	n := valueEnd(rest)
	c.at += n
	return rest[:n:n]
}

// valueEnd returns the end of the value at the beginning of data.
func valueEnd(data []byte) int {
	level := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '"':
			if i = TextEnd(data, i); level == 0 {
				return i
			}
			i--
		case '{', '[':
			level++
		case '}', ']':
			if level == 0 {
				return i
			}
			if level--; level == 0 {
				return i + 1
			}
		case ',', ':', ' ', '\n', '\r', '\t':
			if level == 0 {
				return i
			}
		}
	}
	return len(data)
}

// TextEnd returns the end of the JSON string whose opening mark is at an index: the index after its
// closing mark, or the length of data if there is no closing mark.
func TextEnd(data []byte, at int) int {
	for i := at + 1; i < len(data); i++ {
		next := bytes.IndexByte(data[i:], '"')
		if next < 0 {
			break
		}
		i += next
		slashes := 0
		for data[i-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i + 1
		}
	}
	return len(data)
}

// Unquote returns the text of a JSON string. It may be called only for valid JSON.
func Unquote(text []byte) string {
	if inner := text[1 : len(text)-1]; isPlain(inner) {
		return string(inner)
	}
	var s string
	_ = json.Unmarshal(text, &s) // valid by contract
	return s
}

// isPlain reports whether the inner text of a JSON string is its decoded text.
func isPlain(inner []byte) bool { return bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) }

// Deeper reports whether JSON text has more than this number of levels. A scalar has no level. A
// list or an object has one level more than its deepest element. It does not check the syntax.
func Deeper(data []byte, levels int) bool {
	level := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '{', '[':
			if level++; level > levels {
				return true
			}
		case '}', ']':
			level--
		case '"':
			i = TextEnd(data, i) - 1
		}
	}
	return false
}
