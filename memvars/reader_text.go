package memvars

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// This file has the characters, blanks, lines and stretches of a message.

// Character classes of the command language. Full-width forms are tokens like their ASCII forms;
// within strings they are text.

// isIdentByte accepts only ASCII: Chinese text may directly precede or follow the name of a
// command.
func isIdentByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// blankLen returns the length of the blank at i. Without a blank it is 0. A line break is not a blank.
func blankLen(s string, i int) int {
	if i >= len(s) {
		return 0
	}
	switch s[i] {
	case ' ', '\t', '\v', '\f':
		return 1
	}
	if s[i] < utf8.RuneSelf {
		return 0
	}
	switch r, size := utf8.DecodeRuneInString(s[i:]); r {
	case '\u3000', '\u00a0', '\ufeff', '\u2002', '\u2003', '\u2009', '\u200b':
		return size
	}
	return 0
}

// skipBlanks returns the offset of the first character at or after i that is not a blank.
func skipBlanks(s string, i int) int {
	for n := blankLen(s, i); n > 0; n = blankLen(s, i) {
		i += n
	}
	return i
}

// skipSpace skips blanks, line breaks and comments.
func skipSpace(s string, i int) int { return new(spaces).skip(s, i) }

// spaces caches the ends of white space and comments in one text, because many callers may skip the
// same comments.
type spaces struct {
	cached        bool
	from, to      int     // from is the end of a comment, to the end of the white space after it
	line, closing stretch // stretches without a line end, and without the end of a block comment
}

// skip skips blanks, line breaks and comments.
func (m *spaces) skip(s string, i int) int {
	comment := -1 // where the first comment ends
	for i < len(s) {
		n := 0
		switch {
		case s[i] == '\n' || s[i] == '\r':
			i++
			continue
		case strings.HasPrefix(s[i:], "//"):
			n = m.lineEnd(s, i) - i
		case strings.HasPrefix(s[i:], "/*"):
			if n = m.commentEnd(s, i) - i; n < 0 {
				return m.keep(comment, i)
			}
		default:
			if n = blankLen(s, i); n == 0 {
				return m.keep(comment, i)
			}
			i += n
			continue
		}
		i += n
		if m.cached && i == m.from {
			return m.keep(comment, m.to)
		}
		if comment < 0 {
			comment = i
		}
	}
	return m.keep(comment, i)
}

// keep records the offset where skipping from the end of a comment ends, and returns it.
func (m *spaces) keep(comment, to int) int {
	if comment >= 0 {
		m.cached, m.from, m.to = true, comment, to
	}
	return to
}

// lineEnd is a cached version of the function lineEnd.
func (m *spaces) lineEnd(s string, i int) int {
	if i < m.line.from || i >= m.line.to {
		m.line = stretch{i, lineEnd(s, i)}
	}
	return m.line.to
}

// commentEnd returns the offset after the block comment at i, -1 if it is not closed.
func (m *spaces) commentEnd(s string, i int) int {
	if i < m.closing.from || i+2 > m.closing.to {
		end := strings.Index(s[i+2:], "*/")
		if m.closing = (stretch{i, len(s)}); end >= 0 {
			m.closing.to = i + 2 + end
		}
	}
	if m.closing.to == len(s) {
		return -1
	}
	return m.closing.to + len("*/")
}

// lineEnd returns the offset of the line break that ends the line of i.
func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}

// nextLine returns the start of the line after the line of i.
func nextLine(s string, i int) int {
	return min(lineEnd(s, i)+1, len(s))
}

// markLen returns the length of the token c or its full-width form at i.
func markLen(s string, i int, c byte) int {
	if i >= len(s) {
		return 0
	}
	if s[i] == c {
		return 1
	}
	// U+FF01 to U+FF5E are the full-width forms of the signs from ! to ~.
	if wide := rune(c) - '!' + '\uff01'; s[i] == "！"[0] && strings.HasPrefix(s[i:], string(wide)) {
		return len("！")
	}
	return 0
}

// positions converts byte offsets to lines and columns.
type positions struct {
	text  string
	lines []int    // offsets at which lines begin; built on first use
	last  Position // the last result
}

// at returns the line and column of an offset. Lines are counted once per message. Columns count
// code points, as editors do.
func (p *positions) at(offset int) Position {
	if p.lines == nil {
		p.lines = append(p.lines, 0)
		for i := 0; i < len(p.text); i++ {
			n := strings.IndexByte(p.text[i:], '\n')
			if n < 0 {
				break
			}
			i += n
			p.lines = append(p.lines, i+1)
		}
	}
	line := sort.SearchInts(p.lines, offset+1)
	from, col := p.lines[line-1], 1
	if p.last.Line == line && p.last.Offset <= offset { // all commands may be on one line
		from, col = p.last.Offset, p.last.Col
	}
	col += utf8.RuneCountInString(p.text[from:offset])
	at := Position{Line: line, Col: col, Offset: offset}
	if offset == len(p.text) || utf8.RuneStart(p.text[offset]) {
		p.last = at
	}
	return at
}

// stretch is a part of a message.
type stretch struct{ from, to int }

// tag is an opening or closing tag in a message.
type tag struct {
	from, to int
	name     string // lower case
	closing  bool
}

// tags finds the tags with the given names (lower case), in order.
func tags(text string, names []string) []tag {
	found := make([]tag, 0, strings.Count(text, "<")) // one allocation, even if the text consists only of tags
	for i := 0; i < len(text); i++ {
		next := strings.IndexByte(text[i:], '<')
		if next < 0 {
			break
		}
		i += next
		t := tag{from: i}
		rest := text[i+1:]
		rest, t.closing = strings.CutPrefix(rest, "/")
		for _, name := range names {
			if len(rest) <= len(name) || !strings.EqualFold(rest[:len(name)], name) {
				continue
			}
			if c := rest[len(name)]; c != '>' && c != '/' && c != '\n' && blankLen(rest, len(name)) == 0 {
				continue
			}
			end := strings.IndexAny(rest, "<>")
			if end < 0 || rest[end] == '<' {
				continue
			}
			t.name, t.to = name, len(text)-len(rest)+end+1
			if rest[end-1] != '/' {
				found = append(found, t)
			}
			break
		}
	}
	return found
}

// hiddenIn returns the stretches that reasoning tags hide. An unclosed opening tag hides the rest. A
// closing tag without an opening tag hides everything before it.
//
// If a model's template puts the opening tag into the prompt, the reply has only a closing tag. A
// reply that was cut off has only an opening tag. In both cases, commands that the model only
// considered must not be run.
func hiddenIn(tags []tag, length int) []stretch {
	var out []stretch
	open := -1
	for i, t := range tags {
		switch {
		case open >= 0:
			if t.closing && t.name == tags[open].name {
				out = append(out, stretch{tags[open].from, t.to})
				open = -1
			}
		case t.closing:
			out = append(out[:0], stretch{0, t.to})
		default:
			open = i
		}
	}
	if open >= 0 {
		out = append(out, stretch{tags[open].from, length})
	}
	return out
}

// inside returns the stretches between block tags. An unclosed block extends to the end.
func inside(tags []tag, length int) []stretch {
	var out []stretch
	open := -1
	for i, t := range tags {
		switch {
		case open < 0 && !t.closing:
			open = i
		case open >= 0 && t.closing && t.name == tags[open].name:
			out = append(out, stretch{tags[open].to, t.from})
			open = -1
		}
	}
	if open >= 0 {
		out = append(out, stretch{tags[open].to, length})
	}
	return out
}

// subtract returns the remaining stretches of a text without the given ordered stretches.
func subtract(text string, removed []stretch) []stretch {
	var out []stretch
	at := 0
	for _, part := range removed {
		if part.from > at {
			out = append(out, stretch{at, part.from})
		}
		at = max(at, part.to)
	}
	if at < len(text) {
		out = append(out, stretch{at, len(text)})
	}
	return out
}

// intersect returns the common parts of two ordered lists of stretches.
func intersect(a, b []stretch) []stretch {
	var out []stretch
	for len(a) > 0 && len(b) > 0 {
		if s := (stretch{max(a[0].from, b[0].from), min(a[0].to, b[0].to)}); s.from < s.to {
			out = append(out, s)
		}
		if a[0].to < b[0].to {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return out
}
