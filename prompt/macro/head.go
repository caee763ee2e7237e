package macro

import (
	"strings"
	"unicode"
)

const commentName = "//"

// head is the beginning of a macro: braces, flags, and a name or a variable
// with its operator.
type head struct {
	start, end int
	name       string // lower case
	rawName    string
	closing    bool // flag /
	keepSpace  bool // flag #
	// closesComment marks {{///}}.
	closesComment bool
	expr          expression
}

// parseHead reads what stands behind opening braces. It fails where no macro
// begins.
func parseHead(src string, pos int) (head, bool) {
	var h head
	for pos < len(src) {
		c := src[pos]
		switch {
		case c == '/' && strings.HasPrefix(src[pos:], "//") && !h.closing:
			return commentHead(h, src, pos), true
		case c == '/':
			h.closing = true
		case c == '#':
			h.keepSpace = true
		case c == '!' || c == '?' || c == '~' || c == '>':
		case isSpace(c):
		case c == '.' || c == '$':
			return h, !h.closing && parseExpression(&h, src, pos)
		default:
			return h, nameHead(&h, src, pos)
		}
		pos++
	}
	return h, false
}

// commentHead is the head of a comment at two slashes. A third one makes it the
// closing tag of a comment, where one is open.
func commentHead(h head, src string, pos int) head {
	h.name, h.rawName, h.end = commentName, commentName, pos+2
	if strings.HasPrefix(src[h.end:], "/") {
		h.closesComment = true
		h.end++
	}
	return h
}

// nameHead reads a name, which must be followed by white space, a separator, a
// bar or a brace.
func nameHead(h *head, src string, pos int) bool {
	end := nameEnd(src, pos)
	if end == pos || end == len(src) {
		return false
	}
	if c := src[end]; !isSpace(c) && c != ':' && c != '|' && c != '}' {
		return false
	}
	h.rawName, h.end = src[pos:end], end
	h.name = strings.ToLower(h.rawName)
	return true
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

func isSpace(c byte) bool {
	return c == ' ' || '\t' <= c && c <= '\r'
}

func trimLeft(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }
