package yaml

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// flow reads the YAML values that end with a mark: texts in quotation marks, lists and mappings in
// brackets. They may extend over lines.
type flow struct {
	src    string
	at     int
	parent int // indentation of the parent of the value

	anchors *anchors // nil: there are none
}

func isFlowSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// Quoted reads a text in single or double quotation marks. No text may follow it.
func Quoted(s string) (text string, ok bool) {
	p := flow{src: s, parent: -1}
	text, err := p.quoted()
	return text, err == nil && p.at == len(s)
}

// skipSpace skips blanks, line breaks and comments.
func (p *flow) skipSpace() {
	for p.at < len(p.src) {
		switch c := p.src[p.at]; {
		case isFlowSpace(c):
			p.at++
		case c == '#' && (p.at == 0 || isFlowSpace(p.src[p.at-1])):
			if n := strings.IndexByte(p.src[p.at:], '\n'); n >= 0 {
				p.at += n
			} else {
				p.at = len(p.src)
			}
		default:
			return
		}
	}
}

// peek returns the byte at the current position, 0 at the end.
func (p *flow) peek() byte {
	if p.at < len(p.src) {
		return p.src[p.at]
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
			return p.anchoredValue(depth)
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

// anchoredValue reads an anchor and its value.
func (p *flow) anchoredValue(depth int) (tree.Value, error) {
	name, rest := p.anchors.cutAnchor(p.src[p.at:])
	if name == "" || rest == "" {
		return tree.Value{}, errSyntax
	}
	p.at = len(p.src) - len(rest)
	v, err := p.value(depth + 1)
	if err == nil {
		p.anchors.set(name, v)
	}
	return v, err
}

// list reads elements separated by single commas; a comma may also follow the last one.
func (p *flow) list(depth int) (tree.Value, error) {
	p.at++
	elems := []tree.Value{}
	for {
		if p.skipSpace(); p.peek() == ']' {
			p.at++
			return tree.Array(elems...), nil
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return tree.Value{}, err
		}
		elems = Append(elems, v)
		if !p.readComma(']') {
			return tree.Value{}, errSyntax
		}
	}
}

// object reads members as list reads elements. A member without a value is null.
func (p *flow) object(depth int) (tree.Value, error) {
	p.at++
	var members []tree.Member
	known := map[string]bool{}
	for {
		if p.skipSpace(); p.peek() == '}' {
			p.at++
			members, err := p.anchors.merge(members)
			return tree.Object(members...), err
		}
		from := p.at
		var err error
		if c := p.peek(); c == '"' || c == '\'' {
			_, err = p.quoted()
		} else {
			_, err = p.plain()
		}
		if err != nil || strings.Contains(p.src[from:p.at], "\n") {
			return tree.Value{}, errSyntax
		}
		key, err := keyText(strings.TrimRight(p.src[from:p.at], blanks))
		if err != nil || known[key] {
			return tree.Value{}, errSyntax
		}
		known[key] = true
		v := tree.Null
		if p.skipSpace(); p.peek() == ':' {
			p.at++
			p.skipSpace()
			if c := p.peek(); c != ',' && c != '}' {
				if v, err = p.value(depth + 1); err != nil {
					return tree.Value{}, err
				}
			}
		}
		members = Append(members, tree.Member{Key: key, Value: v})
		if !p.readComma('}') {
			return tree.Value{}, errSyntax
		}
	}
}

// readComma reads the comma after a member. Before the closing bracket the comma is optional.
func (p *flow) readComma(end byte) bool {
	p.skipSpace()
	if p.peek() == ',' {
		p.at++
		return true
	}
	return p.peek() == end
}

// plain reads a scalar without quotation marks up to its end in brackets. A scalar that continues
// on the next line is refused.
func (p *flow) plain() (string, error) {
	start := p.at
	for p.at < len(p.src) {
		c := p.src[p.at]
		next := byte(0)
		if p.at+1 < len(p.src) {
			next = p.src[p.at+1]
		}
		isComment := c == '#' && p.at > start && isFlowSpace(p.src[p.at-1])
		isColon := c == ':' && (next == 0 || isFlowSpace(next) || strings.IndexByte(",[]{}", next) >= 0)
		if isComment || isColon || strings.IndexByte(",[]{}\n\r", c) >= 0 {
			break
		}
		p.at++
	}
	text := strings.TrimRight(p.src[start:p.at], blanks)
	if text == "" {
		return "", errSyntax
	}
	if at := p.at; p.peek() == '\n' || p.peek() == '\r' || p.peek() == '#' {
		p.skipSpace()
		if c := p.peek(); c != ',' && c != ']' && c != '}' {
			return "", errSyntax
		}
		p.at = at
	}
	return text, nil
}

// quoted reads the text in quotation marks at the current position. Line breaks in it are folded.
// The lines after them must be indented more than the parent of the text.
func (p *flow) quoted() (string, error) {
	mark := p.src[p.at]
	p.at++
	var b []byte
	solid := 0 // the first solid bytes of b come from escapes or earlier lines: blanks there are not trimmed
	for p.at < len(p.src) {
		c := p.src[p.at]
		switch {
		case c == mark && mark == '\'' && strings.HasPrefix(p.src[p.at+1:], "'"):
			b = append(b, c)
			p.at += 2
		case c == mark:
			p.at++
			return string(b), nil
		case c == '\\' && mark == '"':
			var ok bool
			if b, ok = p.escape(b); !ok {
				return "", errSyntax
			}
			solid = len(b)
		case c == '\n' || c == '\r' && strings.HasPrefix(p.src[p.at+1:], "\n"):
			b = append(b[:solid], bytes.TrimRight(b[solid:], blanks)...)
			empty, ok := p.lineBreak()
			if !ok {
				return "", errSyntax
			}
			b = append(b, foldedBreak(empty)...)
			solid = len(b)
		default:
			b = append(b, c)
			p.at++
		}
	}
	return "", errSyntax
}

// lineBreak skips a line break, empty lines, and the indentation of the next line. It counts the
// empty lines.
func (p *flow) lineBreak() (empty int, ok bool) {
	for first := true; ; first = false {
		p.at += strings.IndexByte(p.src[p.at:], '\n') + 1
		start := p.at
		for p.at < len(p.src) && p.src[p.at] == ' ' {
			p.at++
		}
		indent := p.at - start
		for p.at < len(p.src) && (p.src[p.at] == ' ' || p.src[p.at] == '\t') {
			p.at++
		}
		if !first {
			empty++
		}
		if p.at < len(p.src) && p.src[p.at] != '\n' && !strings.HasPrefix(p.src[p.at:], "\r\n") {
			return empty, indent > p.parent && !isDocumentMarker(p.src[start:])
		}
		if p.at >= len(p.src) {
			return empty, false
		}
	}
}

// escape decodes the escape at the current position.
func (p *flow) escape(b []byte) ([]byte, bool) {
	rest := p.src[p.at+1:]
	if rest == "" {
		return b, false
	}
	const codes, means = "0abt\tnvfre \"/\\N_LP", "\x00\a\b\t\t\n\v\f\r\x1b \"/\\\u0085\u00a0\u2028\u2029"
	if i := strings.IndexByte(codes, rest[0]); i >= 0 {
		p.at += 2
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
		p.at++
		empty, ok := p.lineBreak()
		return append(b, strings.Repeat("\n", empty)...), ok
	}
	if digits == 0 || len(rest) <= digits {
		return b, false
	}
	if r, length := utf8text.UnicodeEscape(p.src[p.at:]); length > 6 { // the halves of a surrogate pair
		p.at += length
		return utf8.AppendRune(b, r), true
	}
	n, err := strconv.ParseUint(rest[1:1+digits], 16, 32)
	if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return b, false
	}
	p.at += 2 + digits
	return utf8.AppendRune(b, rune(n)), true
}

// anchors are the named values of a text. A nil pointer reads no names.
type anchors struct {
	values       map[string]tree.Value
	copiedValues int // values that aliases have repeated
}

// maxCopied limits the values that aliases repeat.
const maxCopied = 1 << 16

// cutAnchor splits an anchor off a value. A value without an anchor has no name.
func (a *anchors) cutAnchor(text string) (name, rest string) {
	if a == nil || !strings.HasPrefix(text, "&") {
		return "", text
	}
	end := strings.IndexAny(text, " \t\r\n,[]{}")
	if end < 0 {
		return text[1:], ""
	}
	if end == 1 {
		return "", text
	}
	return text[1:end], strings.TrimLeft(text[end:], blanks)
}

// set names a value.
func (a *anchors) set(name string, v tree.Value) {
	if a != nil && name != "" {
		a.values[name] = v
	}
}

// get returns the value of an alias.
func (a *anchors) get(text string) (tree.Value, bool) {
	if a == nil || !strings.HasPrefix(text, "*") {
		return tree.Value{}, false
	}
	v, ok := a.values[text[1:]]
	if ok {
		a.copiedValues += v.Size(maxCopied)
	}
	return v, ok && a.copiedValues <= maxCopied
}

// merge replaces the merge key by the members of its mappings that the own mapping lacks.
func (a *anchors) merge(members []tree.Member) ([]tree.Member, error) {
	if a == nil {
		return members, nil
	}
	at := -1
	known := map[string]bool{}
	for i, m := range members {
		if known[m.Key] = true; m.Key == "<<" {
			at = i
		}
	}
	if at < 0 {
		return members, nil
	}
	out, ok := AppendMerged(append(members[:at:at], members[at+1:]...), known, members[at].Value)
	if !ok {
		return nil, errSyntax
	}
	return out, nil
}

// AppendMerged adds the members that the value of a merge key stands for, except for known names. The
// value is an object or a list of objects; ok is false for any other value. The new names become known.
func AppendMerged(members []tree.Member, known map[string]bool, value tree.Value) (out []tree.Member, ok bool) {
	sources := []tree.Value{value}
	if value.IsArray() {
		sources = value.List()
	}
	for _, source := range sources {
		if !source.IsObject() {
			return nil, false
		}
		for key, v := range source.Members() {
			if !known[key] {
				known[key] = true
				members = append(members, tree.Member{Key: key, Value: v})
			}
		}
	}
	return members, true
}
