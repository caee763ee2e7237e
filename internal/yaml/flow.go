package yaml

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// flow reads the YAML values that end with a mark: texts in quotation marks, lists and mappings in
// brackets. They may extend over lines.
type flow struct {
	s      string
	i      int
	parent int // indentation of the parent of the value

	anchors *anchors // nil: there are none
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// Quoted reads a text in single or double quotation marks. No text may follow it.
func Quoted(s string) (text string, ok bool) {
	p := flow{s: s, parent: -1}
	text, err := p.quoted()
	return text, err == nil && p.i == len(s)
}

// space skips blanks, line breaks and comments.
func (p *flow) space() {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case isSpace(c):
			p.i++
		case c == '#' && (p.i == 0 || isSpace(p.s[p.i-1])):
			if n := strings.IndexByte(p.s[p.i:], '\n'); n >= 0 {
				p.i += n
			} else {
				p.i = len(p.s)
			}
		default:
			return
		}
	}
}

// peek returns the byte at the current position, 0 at the end.
func (p *flow) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// value reads the value at the current position.
func (p *flow) value(depth int) (tree.Value, error) {
	if depth > maxDepth {
		return tree.Value{}, errSyntax
	}
	switch p.peek() {
	case '{':
		return p.object(depth)
	case '[':
		return p.list(depth)
	case '"', '\'':
		text, err := p.quoted()
		return tree.Text(text), err
	case '&':
		if p.anchors != nil {
			return p.anchored(depth)
		}
	}
	text, err := p.plain()
	if err != nil {
		return tree.Value{}, err
	}
	if v, ok := p.anchors.get(text); ok {
		return v, nil
	}
	return plainValue(text)
}

// anchored reads an anchor and its value.
func (p *flow) anchored(depth int) (tree.Value, error) {
	name, rest := p.anchors.cut(p.s[p.i:])
	if name == "" || rest == "" {
		return tree.Value{}, errSyntax
	}
	p.i = len(p.s) - len(rest)
	v, err := p.value(depth + 1)
	if err == nil {
		p.anchors.set(name, v)
	}
	return v, err
}

// list reads elements separated by single commas; a comma may also follow the last one.
func (p *flow) list(depth int) (tree.Value, error) {
	p.i++
	elems := []tree.Value{}
	for {
		if p.space(); p.peek() == ']' {
			p.i++
			return tree.Array(elems...), nil
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return tree.Value{}, err
		}
		elems = Append(elems, v)
		if !p.comma(']') {
			return tree.Value{}, errSyntax
		}
	}
}

// object reads members as list reads elements. A member without a value is null.
func (p *flow) object(depth int) (tree.Value, error) {
	p.i++
	var members []tree.Member
	known := map[string]bool{}
	for {
		if p.space(); p.peek() == '}' {
			p.i++
			members, err := p.anchors.merge(members)
			return tree.Object(members...), err
		}
		from := p.i
		var err error
		if c := p.peek(); c == '"' || c == '\'' {
			_, err = p.quoted()
		} else {
			_, err = p.plain()
		}
		if err != nil || strings.Contains(p.s[from:p.i], "\n") {
			return tree.Value{}, errSyntax
		}
		key, err := keyText(strings.TrimRight(p.s[from:p.i], blanks))
		if err != nil || known[key] {
			return tree.Value{}, errSyntax
		}
		known[key] = true
		v := tree.Null
		if p.space(); p.peek() == ':' {
			p.i++
			p.space()
			if c := p.peek(); c != ',' && c != '}' {
				if v, err = p.value(depth + 1); err != nil {
					return tree.Value{}, err
				}
			}
		}
		members = Append(members, tree.Member{Key: key, Value: v})
		if !p.comma('}') {
			return tree.Value{}, errSyntax
		}
	}
}

// comma reads the comma after a member. Before the closing bracket the comma is optional.
func (p *flow) comma(end byte) bool {
	p.space()
	if p.peek() == ',' {
		p.i++
		return true
	}
	return p.peek() == end
}

// plain reads a scalar without quotation marks up to its end in brackets. A scalar that continues
// on the next line is refused.
func (p *flow) plain() (string, error) {
	start := p.i
	for p.i < len(p.s) {
		c := p.s[p.i]
		next := byte(0)
		if p.i+1 < len(p.s) {
			next = p.s[p.i+1]
		}
		if strings.IndexByte(",[]{}\n\r", c) >= 0 || c == '#' && p.i > start && isSpace(p.s[p.i-1]) ||
			c == ':' && (next == 0 || isSpace(next) || strings.IndexByte(",[]{}", next) >= 0) {
			break
		}
		p.i++
	}
	text := strings.TrimRight(p.s[start:p.i], blanks)
	if text == "" {
		return "", errSyntax
	}
	if at := p.i; p.peek() == '\n' || p.peek() == '\r' || p.peek() == '#' {
		p.space()
		if c := p.peek(); c != ',' && c != ']' && c != '}' && c != ':' {
			return "", errSyntax
		}
		if p.peek() == ':' {
			return "", errSyntax
		}
		p.i = at
	}
	return text, nil
}

// quoted reads the text in quotation marks at the current position. Line breaks in it are folded.
// The lines after them must be indented more than the parent of the text.
func (p *flow) quoted() (string, error) {
	mark := p.s[p.i]
	p.i++
	var b []byte
	solid := 0 // length that must not be trimmed at the end of a line
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch {
		case c == mark && mark == '\'' && strings.HasPrefix(p.s[p.i+1:], "'"):
			b = append(b, c)
			p.i += 2
		case c == mark:
			p.i++
			return string(b), nil
		case c == '\\' && mark == '"':
			var ok bool
			if b, ok = p.escape(b); !ok {
				return "", errSyntax
			}
			solid = len(b)
		case c == '\n' || c == '\r' && strings.HasPrefix(p.s[p.i+1:], "\n"):
			b = append(b[:solid], bytes.TrimRight(b[solid:], blanks)...)
			empty, ok := p.lineBreak()
			if !ok {
				return "", errSyntax
			}
			b = append(b, folded(empty)...)
			solid = len(b)
		default:
			b = append(b, c)
			p.i++
		}
	}
	return "", errSyntax
}

// lineBreak skips a line break, empty lines, and the indentation of the next line. It counts the
// empty lines.
func (p *flow) lineBreak() (empty int, ok bool) {
	for first := true; ; first = false {
		p.i += strings.IndexByte(p.s[p.i:], '\n') + 1
		start := p.i
		for p.i < len(p.s) && p.s[p.i] == ' ' {
			p.i++
		}
		indent := p.i - start
		for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\t') {
			p.i++
		}
		if !first {
			empty++
		}
		if p.i < len(p.s) && p.s[p.i] != '\n' && !strings.HasPrefix(p.s[p.i:], "\r\n") {
			return empty, indent > p.parent && !marker(p.s[start:])
		}
		if p.i >= len(p.s) {
			return empty, false
		}
	}
}

// escape decodes the escape at the current position.
func (p *flow) escape(b []byte) ([]byte, bool) {
	rest := p.s[p.i+1:]
	if rest == "" {
		return b, false
	}
	const codes, means = "0abt\tnvfre \"/\\N_LP", "\x00\a\b\t\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029"
	if i := strings.IndexByte(codes, rest[0]); i >= 0 {
		p.i += 2
		return utf8.AppendRune(b, []rune(means)[i]), true
	}
	digits := 0
	switch rest[0] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	case '\r', '\n':
		p.i++
		empty, ok := p.lineBreak()
		return append(b, strings.Repeat("\n", empty)...), ok
	}
	if digits == 0 || len(rest) <= digits {
		return b, false
	}
	if r, ok := pairEscape(rest); ok {
		p.i += 12
		return utf8.AppendRune(b, r), true
	}
	n, err := strconv.ParseUint(rest[1:1+digits], 16, 32)
	if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return b, false
	}
	p.i += 2 + digits
	return utf8.AppendRune(b, rune(n)), true
}

// pairEscape decodes two escapes that are the halves of a surrogate pair.
func pairEscape(s string) (rune, bool) {
	if len(s) < 11 || s[0] != 'u' || s[5:7] != `\u` {
		return 0, false
	}
	v, err := tree.ParseValue([]byte(`"\` + s[:11] + `"`))
	text, _ := v.AsText()
	r, size := utf8.DecodeRuneInString(text)
	return r, err == nil && size == len(text) && r > 0xFFFF
}
