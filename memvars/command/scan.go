package command

import (
	"strings"
)

// finder scans a message and reads the calls in it, in one pass.
type finder struct {
	text string
	how  *Reader
	pos  positions
	ops  []Op
	// fuel limits the search ahead that repairs forgotten escapes. Without fuel, strings close at
	// the first mark that can close them.
	fuel int
	// dead records, for each quotation mark, a stretch in which it closes nothing.
	dead   map[string]stretch
	spaces spaces
	// noComment is the offset from which on no comment is closed any more. noHTML is the same for
	// HTML comments.
	noComment, noHTML int
}

type stretch struct{ from, to int }

// find returns the calls in text in the order of their positions.
func (r *Reader) find(text string) []Op {
	f := &finder{text: text, how: r, pos: positions{text: text}, noComment: len(text), noHTML: len(text)}
	f.fuel = 16*len(text) + 1<<16
	done := 0
	for _, part := range r.visible(text) {
		part.from = max(part.from, done)
		done = f.scan(part)
	}
	return f.ops
}

// scan reads the calls that begin within a part and returns the offset where it stopped: a call may
// end outside the part.
//
// Calls may be anywhere in a text, within lines, tags and code fences. Comments, including HTML
// comments, hide them. Two slashes start a comment only at the beginning of a line: elsewhere they
// are mostly part of an address.
func (f *finder) scan(part stretch) int {
	i := part.from
	lineStart := i == 0 || f.text[i-1] == '\n'
	for i < part.to {
		c := f.text[i]
		if lineStart {
			lineStart = false
			if f.commentLine(i) {
				i = nextLine(f.text, i)
				lineStart = true
				continue
			}
		}
		switch {
		case c == '\n':
			lineStart = true
			i++
		case c == '/' && i < f.noComment && strings.HasPrefix(f.text[i:], "/*"):
			i = f.comment(i)
		case c == '<' && i < f.noHTML && strings.HasPrefix(f.text[i:], "<!--"):
			i = f.htmlComment(i)
		case isIdentByte(c) || c == '\\':
			i = f.word(i, part.from)
			lineStart = i > 0 && i <= len(f.text) && f.text[i-1] == '\n'
		default:
			i++
		}
	}
	return i
}

// commentLine reports whether the first visible characters of the line at i, after list bullets,
// are two slashes.
func (f *finder) commentLine(i int) bool {
	for {
		i = skipBlanks(f.text, i)
		switch {
		case strings.HasPrefix(f.text[i:], "//"):
			return true
		case i < len(f.text) && strings.IndexByte("-*>", f.text[i]) >= 0:
			i++
		case strings.HasPrefix(f.text[i:], "•"):
			i += len("•")
		default:
			return false
		}
	}
}

// comment returns the offset after the comment at i. An unclosed comment hides nothing; that is
// recorded, so that the text is searched once.
func (f *finder) comment(i int) int {
	end := strings.Index(f.text[i+2:], "*/")
	if end < 0 {
		f.noComment = i
		return i + 2
	}
	return i + end + 4
}

// htmlComment is comment for HTML comments, which models put around ideas that they only consider.
func (f *finder) htmlComment(i int) int {
	end := strings.Index(f.text[i+4:], "-->")
	if end < 0 {
		f.noHTML = i
		return i + 4
	}
	return i + end + 7
}

// head is the beginning of a call: its start, its name, and the start of its arguments.
type head struct {
	start    int
	name     string
	prefixed bool
	args     int // after the opening parenthesis
}

// word reads the identifier at i, and the call if it begins one. It returns the offset where
// scanning continues.
func (f *finder) word(i, from int) int {
	h, end, ok := f.head(i, from)
	if !ok {
		return end
	}
	op, next := f.call(h)
	if !Known(h.name) {
		op.Fault = &Fault{Code: UnknownCommand}
	}
	f.ops = append(f.ops, op)
	return next
}

// head recognizes the beginning of a call at the identifier at i. end is the end of the identifier.
//
// The character before the name must not continue an ASCII identifier. A dot there must follow an
// accepted prefix, so that cache.delete(…) is not a command. The words memory and delete are
// ordinary words: unless a quotation mark comes first in the parentheses, the text is prose. A
// prefix before any other name makes it an unknown command, which is reported to the model.
func (f *finder) head(i, from int) (h head, end int, ok bool) {
	name, end := identifier(f.text, i)
	if name == "" {
		return head{}, end, false
	}
	paren := skipBlanks(f.text, end)
	n := markLen(f.text, paren, '(')
	if n == 0 {
		return head{}, end, false
	}
	h = head{start: i, name: name, args: paren + n}
	if i > from {
		switch c := f.text[i-1]; {
		case c == '$':
			return head{}, end, false
		case c == '.':
			h.start, h.prefixed = f.prefix(i - 1)
			if !h.prefixed {
				return head{}, end, false
			}
		}
	}
	if !Known(name) {
		return h, end, h.prefixed
	}
	if name == "memory" || name == "delete" {
		// Ordinary words: prose unless a quotation mark follows.
		_, _, quoted := quoteAt(f.text, f.spaces.skip(f.text, h.args))
		return h, end, quoted
	}
	return h, end, true
}

// prefix returns the start of the accepted prefix before the dot.
//
// A prefix of letters must be a separate word. A prefix of signs, such as the star, may follow any
// character, because Markdown uses stars everywhere.
func (f *finder) prefix(dot int) (start int, ok bool) {
	for _, p := range f.how.Prefixes {
		if p == "" || !strings.HasSuffix(f.text[:dot], p) {
			continue
		}
		start = dot - len(p)
		if start > 0 && isIdentByte(p[0]) {
			if c := f.text[start-1]; isIdentByte(c) || c == '$' || c == '.' {
				continue
			}
		}
		return start, true
	}
	return 0, false
}

// identifier reads ASCII letters, digits and underscores, which Markdown may
// have escaped.
func identifier(s string, i int) (name string, end int) {
	start, escaped := i, false
	for i < len(s) {
		switch {
		case isIdentByte(s[i]):
			i++
			continue
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '_':
			escaped = true
			i += 2
			continue
		}
		break
	}
	if i == start {
		return "", i + 1
	}
	name = s[start:i]
	if escaped {
		name = strings.ReplaceAll(name, `\_`, "_")
	}
	return name, i
}

// Known reports whether a name is one of the four commands. Letter case matters.
func Known(name string) bool {
	switch name {
	case "set_attribute", "set_status", "memory", "delete":
		return true
	}
	return false
}

// startsCall reports whether the line at i begins with a call.
//
// It ends unclosed strings: text that looks like a call at the beginning of a line is more likely a
// call than part of a text.
func (f *finder) startsCall(i int) bool {
	from := i
	i = skipBlanks(f.text, i)
	start := i
	for _, p := range f.how.Prefixes {
		if strings.HasPrefix(f.text[i:], p+".") {
			i += len(p) + 1
			break
		}
	}
	if i >= len(f.text) || f.text[i] != 's' && f.text[i] != 'm' && f.text[i] != 'd' {
		return false
	}
	h, _, ok := f.head(i, from)
	return ok && h.start == start && Known(h.name)
}
