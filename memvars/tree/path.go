package tree

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Path leads from the root of a document to a node, one segment per level. A segment is a key,
// taken literally; for an array it is a decimal index without leading zeros.
//
// [ParsePath] reads the text form. The JSON form is an array of strings, so no character of a key
// is special there either.
type Path []string

// ParsePath reads the text form of a path: segments separated by dots, or in brackets with or
// without quotation marks, as in
//
//	a.b[0].c["x.y"]['k[0]'][键]
//
// Blanks around a segment are dropped, blanks inside it are kept. A backslash makes the next
// character literal. Empty segments, empty or unclosed brackets, a stray closing bracket and the
// empty path are errors.
func ParsePath(text string) (Path, error) {
	s := pathScanner{text: text}
	p := make(Path, 0, usualDepth)
	for {
		seg, err := s.segment(len(p) == 0)
		if err != nil {
			return nil, fmt.Errorf("tree: bad path %s: %w", strconv.Quote(text), err)
		}
		p = append(p, seg)
		if s.pos >= len(text) {
			return p, nil
		}
	}
}

// usualDepth is the number of segments that few paths exceed.
const usualDepth = 4

// pathScanner reads the text form of a path from left to right.
type pathScanner struct {
	text string
	pos  int // the offset of the next character
}

// segment reads one segment with its separator: a dot, a bracket, or a dot before a bracket.
func (s *pathScanner) segment(first bool) (string, error) {
	s.blanks()
	switch {
	case s.peek() == '[':
		return s.bracket()
	case s.peek() == '.' && !first:
		s.pos++
		s.blanks()
		if s.peek() == '[' {
			return s.bracket()
		}
	case !first:
		return "", fmt.Errorf("expected '.' or '[' at offset %d", s.pos)
	}
	return s.plain()
}

// plain reads up to the next dot or opening bracket.
func (s *pathScanner) plain() (string, error) {
	start, size := s.pos, strings.IndexAny(s.text[s.pos:], `.[]\`)
	if size < 0 {
		size = len(s.text) - start
	}
	if seg := strings.TrimRightFunc(s.text[start:start+size], unicode.IsSpace); seg != "" && s.endsAt(start+size) {
		s.pos += size
		return seg, nil
	}
	var b strings.Builder
	kept := 0 // length up to the last character that trimming must keep
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if c == '.' || c == '[' {
			break
		}
		if c == ']' {
			return "", fmt.Errorf("stray ']' at offset %d", s.pos)
		}
		kept = s.char(&b, kept)
	}
	if kept == 0 {
		return "", fmt.Errorf("empty segment at offset %d", start)
	}
	return b.String()[:kept], nil
}

// endsAt reports whether a segment without brackets may end at i.
func (s *pathScanner) endsAt(i int) bool {
	return i == len(s.text) || s.text[i] == '.' || s.text[i] == '['
}

// char adds one character, which may be escaped, to a segment. It returns the length that trimming
// must keep; kept is the previous length.
func (s *pathScanner) char(b *strings.Builder, kept int) int {
	escaped := s.text[s.pos] == '\\' && s.pos+1 < len(s.text)
	if escaped {
		s.pos++
	}
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	b.WriteString(s.text[s.pos : s.pos+size])
	s.pos += size
	if escaped || !unicode.IsSpace(r) {
		return b.Len()
	}
	return kept
}

// bracket reads a segment in brackets. In quotation marks every character is literal, also blanks
// and closing brackets; without them the content is trimmed.
func (s *pathScanner) bracket() (string, error) {
	open := s.pos
	s.pos++
	s.blanks()
	quote := s.peek()
	if quote != '"' && quote != '\'' && quote != '`' {
		quote = ']'
	} else {
		s.pos++
	}
	var b strings.Builder
	kept := 0
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		if c == quote {
			return s.closeBracket(open, quote, b.String(), kept)
		}
		kept = s.char(&b, kept)
	}
	return "", fmt.Errorf("unclosed '[' at offset %d", open)
}

// closeBracket reads the closing bracket and the blanks after it. kept is the length of an unquoted
// segment that trimming must keep.
func (s *pathScanner) closeBracket(open int, quote byte, seg string, kept int) (string, error) {
	s.pos++
	if quote == ']' {
		seg = seg[:kept]
	} else {
		s.blanks()
		if s.peek() != ']' {
			return "", fmt.Errorf("unclosed '[' at offset %d", open)
		}
		s.pos++
	}
	if seg == "" {
		return "", fmt.Errorf("empty brackets at offset %d", open)
	}
	s.blanks()
	return seg, nil
}

// peek returns the byte at the current position, 0 at the end.
func (s *pathScanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// blanks skips white space of any kind, including the ideographic space.
func (s *pathScanner) blanks() {
	for s.pos < len(s.text) {
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		if !unicode.IsSpace(r) {
			return
		}
		s.pos += size
	}
}

// String returns the canonical text. [ParsePath] reads it back to the same path.
func (p Path) String() string {
	var b strings.Builder
	for i, seg := range p {
		if plainSegment(seg) {
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(seg)
			continue
		}
		b.WriteString(`["`)
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(seg))
		b.WriteString(`"]`)
	}
	return b.String()
}

// plainSegment reports whether a segment can be written without brackets.
func plainSegment(seg string) bool {
	return seg != "" && !strings.ContainsAny(seg, ".[]\\") && strings.TrimSpace(seg) == seg
}

// Child returns the path one level deeper. p is not modified.
func (p Path) Child(seg string) Path {
	out := make(Path, len(p)+1)
	copy(out, p)
	out[len(p)] = seg
	return out
}

// HasPrefix reports whether p is prefix or lies below it.
func (p Path) HasPrefix(prefix Path) bool {
	return len(p) >= len(prefix) && slices.Equal(p[:len(prefix)], prefix)
}

// Index reads a segment as an index: 0, or digits without a leading zero.
func Index(seg string) (int, bool) {
	if seg == "" || len(seg) > 9 || (len(seg) > 1 && seg[0] == '0') {
		return 0, false
	}
	n := 0
	for i := range len(seg) {
		if seg[i] < '0' || seg[i] > '9' {
			return 0, false
		}
		n = n*10 + int(seg[i]-'0')
	}
	return n, true
}
