package macro

import "strings"

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
	// variable marks what begins like an expression, although it may be none.
	variable bool
}

// parseHead reads what stands behind opening braces. It fails where no macro
// begins.
func (p *parser) parseHead(pos int) (head, bool) {
	var h head
	for src := p.src; pos < len(src); {
		c := src[pos]
		size := spaceAt(src, pos)
		switch {
		case size > 0:
			pos += size - 1
		case c == '/' && strings.HasPrefix(src[pos:], "//") && !h.closing:
			return commentHead(h, src, pos), true
		case c == '/':
			h.closing = true
		case c == '#':
			h.keepSpace = true
		case c == '!' || c == '?' || c == '~' || c == '>':
		case c == '.' || c == '$':
			h.variable = true
			return h, !h.closing && parseExpression(&h, src, pos)
		default:
			return h, p.nameHead(&h, pos)
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

// nameHead reads a name. What stands between the name and the next white space,
// separator, bar or brace is passed over, as in {{user's}} and {{char，}}.
func (p *parser) nameHead(h *head, pos int) bool {
	end := nameEnd(p.src, pos)
	if end == pos {
		return false
	}
	h.rawName, h.end = p.src[pos:end], p.nameStop(end)
	h.name = strings.ToLower(h.rawName)
	return h.end < len(p.src)
}

// nameStop returns the place of the first character from pos on that ends a head.
// It is remembered: names that nothing ends would be searched to the end of the
// text each.
func (p *parser) nameStop(pos int) int {
	if p.stop < pos {
		p.stop = pos
		for p.stop < len(p.src) && strings.IndexByte(":|}", p.src[p.stop]) < 0 && spaceAt(p.src, p.stop) == 0 {
			p.stop++
		}
	}
	return p.stop
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
