package macro

import (
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
)

const commentName = "//"

// head is the beginning of a macro: braces, flags, and a name, or a variable with its operator.
type head struct {
	start, end int
	name       string // lower case
	rawName    string
	closes     bool // flag /
	keepSpace  bool // flag #
	// closesComment marks {{///}}.
	closesComment bool
	expr          expression
	// variable marks text that begins like an expression, although it may not be one.
	variable bool
}

// headReader reads the beginnings of macros in a text.
type headReader struct {
	src  string
	stop int // see nameStop
}

// parseHead reads the text after opening braces. It fails if no macro begins there.
func (r *headReader) parseHead(pos int) (head, bool) {
	var h head
	for src := r.src; pos < len(src); {
		c := src[pos]
		size := spaceAt(src, pos)
		switch {
		case size > 0:
			pos += size - 1
		case c == '/' && strings.HasPrefix(src[pos:], "//") && !h.closes:
			return commentHead(h, src, pos), true
		case c == '/':
			h.closes = true
		case c == '#':
			h.keepSpace = true
		case c == '!' || c == '?' || c == '~' || c == '>':
		case c == '.' || c == '$':
			h.variable = true
			return h, r.expressionHead(&h, pos)
		default:
			return h, r.nameHead(&h, pos)
		}
		pos++
	}
	return h, false
}

// commentHead returns the head of a comment at two slashes. A third slash makes it the closing tag
// of an open comment.
func commentHead(h head, src string, pos int) head {
	h.name, h.rawName, h.end = commentName, commentName, pos+2
	if strings.HasPrefix(src[h.end:], "/") {
		h.closesComment = true
		h.end++
	}
	return h
}

// nameHead reads a name. Text between the name and the next white space, separator, bar or brace is
// skipped, as in {{user's}} and {{char，}}.
func (r *headReader) nameHead(h *head, pos int) bool {
	end := nameEnd(r.src, pos)
	if end == pos {
		return false
	}
	h.rawName, h.end = r.src[pos:end], r.nameStop(end)
	h.name = strings.ToLower(h.rawName)
	return h.end < len(r.src)
}

// nameStop returns the offset of the first character from pos on that ends a head. It is cached:
// otherwise each name without an end would be searched to the end of the text.
func (r *headReader) nameStop(pos int) int {
	if r.stop < pos {
		r.stop = pos
		for r.stop < len(r.src) && strings.IndexByte(":|}", r.src[r.stop]) < 0 && spaceAt(r.src, r.stop) == 0 {
			r.stop++
		}
	}
	return r.stop
}

// nameEnd returns the end of the name that begins at pos, or pos.
func nameEnd(src string, pos int) int {
	if pos >= len(src) || !isLetter(src[pos]) {
		return pos
	}
	for pos < len(src) && isNameByte(src[pos]) {
		pos++
	}
	return pos
}

func isLetter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == '_' || c == '-' }

// expression is a variable with an operator, {{.name op value}}.
type expression struct {
	name   string
	global bool // $ instead of .
	op     string
}

// operators in the order of trial: longer ones before their prefixes.
var operators = [...]string{
	"||=", "??=", "||", "??", "++", "--", "+=", "-=", "==", "!=", ">=", "<=", ">", "<", "=",
}

// expressionHead reads the variable and the operator at pos, a '.' or '$'. The flag / has no
// meaning there. Without an operator, and after ++ and --, only the end may follow: text that looks
// like an expression but is not one, {{.hp.max}}, must stay text. One word is skipped, after a
// blank or after ++ and --. Without a name the expression is empty.
func (r *headReader) expressionHead(h *head, pos int) bool {
	src := r.src
	h.expr.global = src[pos] == '$'
	pos = skipSpace(src, pos+1)
	end := nameEnd(src, pos)
	for end > pos && src[end-1] == '-' { // the minus belongs to the operator
		end--
	}
	if end == pos {
		h.name, h.end = "noop", pos
		return strings.HasPrefix(src[pos:], "}}")
	}
	h.expr.name = src[pos:end]
	h.rawName = h.expr.name
	pos = skipSpace(src, end)
	for _, op := range operators {
		if strings.HasPrefix(src[pos:], op) {
			h.expr.op = op
			pos += len(op)
			break
		}
	}
	h.end = pos
	switch h.expr.op {
	case "":
		if pos > end {
			h.end = r.skipWord(pos)
		}
	case "++", "--":
		h.end = r.skipWord(skipSpace(src, pos))
	default:
		return true
	}
	return strings.HasPrefix(src[h.end:], "}}")
}

// skipWord returns the offset after a word at pos, if there is one, and after the white space that
// follows.
func (r *headReader) skipWord(pos int) int {
	if end := nameEnd(r.src, pos); end > pos {
		return skipSpace(r.src, r.nameStop(end))
	}
	return pos
}

// White space is always the white space of JavaScript: many presets contain U+3000 and U+00A0.

// spaceAt returns the length of the white space character at an offset, 0 if there is a different
// character.
func spaceAt(s string, at int) int {
	if at >= len(s) {
		return 0
	}
	if c := s[at]; c < utf8.RuneSelf {
		if c == ' ' || '\t' <= c && c <= '\r' {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(s[at:]); keyindex.IsSpace(r) {
		return size
	}
	return 0
}

// skipSpace returns the offset of the first byte from pos on that is not white space.
func skipSpace(src string, pos int) int {
	for {
		size := spaceAt(src, pos)
		if size == 0 {
			return pos
		}
		pos += size
	}
}

func trim(s string) string      { return keyindex.TrimSpace(s) }
func trimLeft(s string) string  { return strings.TrimLeftFunc(s, keyindex.IsSpace) }
func trimRight(s string) string { return strings.TrimRightFunc(s, keyindex.IsSpace) }
