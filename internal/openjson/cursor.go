package openjson

import (
	"bytes"
	"iter"
)

// cursor divides an object or a list of JSON. It checks the text between the members. The reader of a
// member checks the member.
type cursor struct {
	data []byte
	at   int
	over bool // the last bracket was read
}

// ended reports whether the whole text was divided, without a mistake.
func (c *cursor) ended() bool {
	c.space()
	return c.over && c.at == len(c.data)
}

// members yields the names and values of an object. It stops at a mistake, and at a name with an
// escape or with a character that is not ASCII.
func (c *cursor) members() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for range c.between('{', '}') {
			name := c.value()
			if !plainName(name) || !c.take(':') {
				return
			}
			value := c.value()
			if len(value) == 0 || !yield(string(name[1:len(name)-1]), value) {
				return
			}
		}
	}
}

// elements yields the values of a list. It stops at a mistake.
func (c *cursor) elements() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for range c.between('[', ']') {
			value := c.value()
			if len(value) == 0 || !yield(value) {
				return
			}
		}
	}
}

// between yields once for each member between two brackets, after the comma before it.
func (c *cursor) between(first, last byte) iter.Seq[struct{}] {
	return func(yield func(struct{}) bool) {
		if !c.take(first) {
			return
		}
		for n := 0; ; n++ {
			if c.over = c.take(last); c.over || n > 0 && !c.take(',') || !yield(struct{}{}) {
				return
			}
		}
	}
}

// plainName reports whether text is a JSON text of printable ASCII without escapes.
func plainName(text []byte) bool {
	return len(text) > 1 && text[0] == '"' &&
		!bytes.ContainsFunc(text, func(r rune) bool { return r < ' ' || r >= 0x7f || r == '\\' })
}

func (c *cursor) space() {
	for c.at < len(c.data) && (c.data[c.at] == ' ' || c.data[c.at] == '\n' || c.data[c.at] == '\r' || c.data[c.at] == '\t') {
		c.at++
	}
}

// take reads a byte, after white space, if it is the next one.
func (c *cursor) take(b byte) bool {
	c.space()
	if c.at == len(c.data) || c.data[c.at] != b {
		return false
	}
	c.at++
	return true
}

// value returns the text up to the end of the next value. It is empty if there is no value.
func (c *cursor) value() []byte {
	c.space()
	start, level := c.at, 0
	for ; c.at < len(c.data); c.at++ {
		switch c.data[c.at] {
		case '"':
			if c.text(); level == 0 {
				return c.data[start:c.at]
			}
			c.at--
		case '{', '[':
			level++
		case '}', ']':
			if level == 0 {
				return c.data[start:c.at]
			}
			if level--; level == 0 {
				c.at++
				return c.data[start:c.at]
			}
		case ',', ':', ' ', '\n', '\r', '\t':
			if level == 0 {
				return c.data[start:c.at]
			}
		}
	}
	return c.data[start:c.at]
}

// text skips a text.
func (c *cursor) text() {
	for c.at++; c.at < len(c.data) && c.data[c.at] != '"'; c.at++ {
		if c.data[c.at] == '\\' {
			c.at++
		}
	}
	c.at = min(c.at+1, len(c.data))
}
