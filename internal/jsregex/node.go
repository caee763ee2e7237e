package jsregex

import "slices"

// op is the kind of a node.
type op uint8

const (
	opEmpty     op = iota
	opChar         // ch
	opClass        // set
	opDot          // . with the meaning of flag s
	opConcat       // subs
	opAlternate    // subs
	opGroup        // subs[0], capturing
	opRepeat       // subs[0], min, max, lazy
	opLook         // subs[0], behind, negate
	opBackref      // group
	opStart        // ^
	opEnd          // $
	opBoundary     // \b, or \B with negate
)

// unbounded is the maximum of *, + and {n,}.
const unbounded = -1

// node is one node of the syntax tree.
type node struct {
	op       op
	ch       rune
	set      *class
	subs     []*node
	min, max int
	lazy     bool
	behind   bool
	negate   bool
	group    int    // number of opGroup and opBackref
	name     string // name of an opBackref, resolved at the end
}

// class is a character class as written.
type class struct {
	negate bool
	ranges []charRange
	// kinds are the escapes \d \D \s \S \w \W in the class, as letters.
	kinds []byte
	// props are the escapes \p{…} and \P{…} in the class, as written.
	props []string
}

type charRange struct{ lo, hi rune }

// mayContain reports whether the class, without flag i, contains r. A Unicode property and its
// negation count as containing everything.
func (c *class) mayContain(r rune) bool {
	in := false
	for _, x := range c.ranges {
		in = in || x.lo <= r && r <= x.hi
	}
	for _, k := range c.kinds {
		in = in || kindContains(k, r)
	}
	if len(c.props) > 0 && !in {
		return true
	}
	return in != c.negate
}

// kindContains reports whether a class escape matches r, without flag i.
func kindContains(kind byte, r rune) bool {
	switch kind {
	case 'd':
		return '0' <= r && r <= '9'
	case 'w':
		return isWord(r)
	case 's':
		return isSpace(r)
	}
	return !kindContains(kind|0x20, r)
}

// isWord reports whether \w matches r. Only ASCII letters are word characters, with any flags. The
// exceptions are the long s and the Kelvin sign with flags i and u together; see isLetter.
func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// isLineEnd reports whether . without flag s does not match r.
func isLineEnd(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029'
}

// walk calls f for n and all nodes below it. It stops when f returns false, and reports whether it
// visited all nodes.
func (n *node) walk(f func(*node) bool) bool {
	if !f(n) {
		return false
	}
	for _, s := range n.subs {
		if !s.walk(f) {
			return false
		}
	}
	return true
}

// nullable reports whether n can match the empty string.
func (n *node) nullable() bool {
	switch n.op {
	case opChar, opClass, opDot:
		return false
	case opConcat:
		return !slices.ContainsFunc(n.subs, func(s *node) bool { return !s.nullable() })
	case opAlternate:
		return slices.ContainsFunc(n.subs, (*node).nullable)
	case opGroup:
		return n.subs[0].nullable()
	case opRepeat:
		return n.min == 0 || n.subs[0].nullable()
	}
	return true
}

// spaceRanges are the characters of \s.
var spaceRanges = []charRange{
	{'\t', '\r'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a},
	{0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff},
}

// isSpace reports whether \s matches r.
func isSpace(r rune) bool {
	return slices.ContainsFunc(spaceRanges, func(x charRange) bool { return x.lo <= r && r <= x.hi })
}

// isLetter reports whether \w matches r. With flags i and u together (both), it also matches the
// long s and the Kelvin sign.
func isLetter(r rune, both bool) bool {
	return isWord(r) || both && (r == 'ſ' || r == '\u212a')
}
