package memvars

import (
	"strings"
)

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
			i = f.readWord(i, part.from)
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

// maxRoom limits the number of commands for which memory is allocated in advance.
const maxRoom = 128

// readWord reads the identifier at i, and the call if it begins one. It returns the offset where
// scanning continues.
func (f *finder) readWord(i, from int) int {
	h, end, ok := f.head(i, from)
	if !ok {
		return end
	}
	op, next := f.readCall(h)
	if !isCommand(h.name) {
		op.Fault = &Fault{Code: UnknownCommand}
	}
	if f.ops == nil {
		f.ops = make([]Op, 0, min(strings.Count(f.text[h.start:], ";")+1, maxRoom))
	}
	f.ops = append(f.ops, op)
	return next
}
