package jsregex

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

// emitter writes a tree as a pattern for regexp2 in ECMAScript mode. The pattern
// is spelled out anew, so that the engine sees one plain form of everything.
type emitter struct {
	strings.Builder
	flags Flags
}

// emit spells the tree of one term out.
func emit(n *node, flags Flags) string {
	e := emitter{flags: flags}
	if flags.Sticky {
		e.WriteString(textStart)
	}
	e.inside(n, flags.Sticky)
	return e.String()
}

// Spellings that keep regexp2 from computing the case closure of a large set
// character by character: negated sets are stored by their small complement.
const (
	dotSpelling  = `[^\n\r\u2028\u2029]`
	anySpelling  = `[^]`
	noneSpelling = `[]`
)

// textStart holds at the beginning of the text only, also with flag m. A sticky
// regex is tried nowhere else.
const textStart = `(?<![^])`

// node writes one node. Alternations inside a concatenation get a group; a back
// reference gets one too, so that a digit behind it does not join its number.
func (e *emitter) node(n *node) {
	switch n.op {
	case opEmpty:
		e.WriteString("(?:)")
	case opChar:
		e.char(n.ch)
	case opClass:
		e.class(n.set)
	case opDot:
		e.dot()
	case opConcat:
		for _, s := range n.subs {
			e.inside(s, s.op == opAlternate)
		}
	case opAlternate:
		for i, s := range n.subs {
			if i > 0 {
				e.WriteByte('|')
			}
			e.node(s)
		}
	case opGroup:
		e.WriteByte('(')
		e.node(n.subs[0])
		e.WriteByte(')')
	case opRepeat:
		e.repeat(n)
	case opLook:
		e.WriteString(lookOpening(n))
		e.node(n.subs[0])
		e.WriteByte(')')
	case opBackref:
		fmt.Fprintf(e, `(?:\%d)`, n.group)
	case opStart:
		e.WriteByte('^')
	case opEnd:
		e.WriteByte('$')
	case opBoundary:
		if n.negate {
			e.WriteString(`\B`)
		} else {
			e.WriteString(`\b`)
		}
	}
}

// lookOpening is the opening of a look-ahead or look-behind. Look-behinds may
// be of any length, and the engine runs them from right to left, as JavaScript
// does.
func lookOpening(n *node) string {
	s := "(?"
	if n.behind {
		s += "<"
	}
	if n.negate {
		return s + "!"
	}
	return s + "="
}

// inside writes s, in a group of its own where asked.
func (e *emitter) inside(s *node, group bool) {
	if group {
		e.WriteString("(?:")
	}
	e.node(s)
	if group {
		e.WriteByte(')')
	}
}

// repeat writes a repeat with both of its bounds. What stands before it needs a
// group unless it is one item to the engine.
func (e *emitter) repeat(n *node) {
	s := n.subs[0]
	if s.op == opLook && n.min == 0 {
		// A look-ahead that may be left out decides nothing; its groups count.
		e.inside(s, true)
		e.WriteString("{0}")
		return
	}
	switch s.op {
	case opChar, opClass, opDot, opGroup:
		e.node(s)
	default:
		e.inside(s, true)
	}
	switch {
	case n.min == 0 && n.max == unbounded:
		e.WriteByte('*')
	case n.min == 1 && n.max == unbounded:
		e.WriteByte('+')
	case n.min == 0 && n.max == 1:
		e.WriteByte('?')
	case n.max == unbounded:
		fmt.Fprintf(e, "{%d,}", n.min)
	default:
		fmt.Fprintf(e, "{%d,%d}", n.min, n.max)
	}
	if n.lazy {
		e.WriteByte('?')
	}
}

// dot writes the dot as a set. JavaScript has four line ends, the engine one.
func (e *emitter) dot() {
	if e.flags.DotAll {
		e.WriteString(anySpelling)
		return
	}
	e.WriteString(dotSpelling)
}

// char writes one character outside a class.
func (e *emitter) char(r rune) {
	switch {
	case utf16.IsSurrogate(r): // cannot stand in a Go text
		e.WriteString(noneSpelling)
	case strings.ContainsRune(`^$\.*+?()[]{}|/`, r):
		e.WriteByte('\\')
		e.WriteRune(r)
	default:
		e.plain(r)
	}
}

// plain writes r, control and invisible characters by number.
func (e *emitter) plain(r rune) {
	if r < ' ' || r == 0x7f || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
		fmt.Fprintf(e, `\u%04x`, r)
		return
	}
	e.WriteRune(r)
}

// class writes a class in brackets. An empty one, [], matches nothing, and [^]
// everything; the engine reads both so in this mode.
func (e *emitter) class(c *class) {
	if k, ok := c.single(); ok {
		e.kind(k)
		return
	}
	if i := slices.IndexFunc(c.kinds, isUpper); i >= 0 && e.flags.IgnoreCase && len(c.props) == 0 {
		e.wide(c, c.kinds[i])
		return
	}
	e.WriteByte('[')
	if c.negate {
		e.WriteByte('^')
	}
	for _, x := range c.ranges {
		e.charRange(x)
	}
	if c.negate && len(c.ranges) == 1 && c.ranges[0].lo > 0xffff {
		// Where [^x]|y begins a pattern, regexp2 2.12 takes all characters behind
		// an x above U+FFFF for excluded. No text has the one that is added.
		e.WriteString(`\ud800`)
	}
	for _, k := range c.kinds {
		e.WriteString(`\` + string(rune(k)))
	}
	for _, p := range c.props {
		e.WriteString(p)
	}
	e.WriteByte(']')
}

// wide writes a class with \D, \S or \W in it, under flag i, by the few characters
// that it leaves out: those of the small escape that nothing else in the class
// equals. Spelled as it stands it would take the engine 16 ms to compile.
func (e *emitter) wide(c *class, kind byte) {
	e.WriteByte('[')
	if !c.negate {
		e.WriteByte('^')
	}
	for _, x := range smallRanges(kind) {
		for r := x.lo; r <= x.hi; r++ {
			if !c.equals(r, e.flags.Unicode) {
				e.classChar(r)
			}
		}
	}
	e.WriteByte(']')
}

func isUpper(kind byte) bool { return kind < 'a' }

// smallRanges lists what the opposite of \D, \S or \W takes. Under flags i and u
// the long s and the Kelvin sign go with s and k.
func smallRanges(kind byte) []charRange {
	switch kind {
	case 'D':
		return []charRange{{'0', '9'}}
	case 'S':
		return spaceRanges
	}
	return []charRange{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
}

// equals reports whether a character of the class, leaving negation aside, equals r
// under flag i. The long s and the Kelvin sign count where they are listed only: an
// escape that takes them for no letter does not, under flag u.
func (c *class) equals(r rune, u bool) bool {
	inside := *c
	inside.negate = false
	return slices.ContainsFunc(equivalents(r, u), func(x rune) bool {
		return inside.contains(x, true) && !(u && (x == 'ſ' || x == '\u212a') && !inside.lists(x))
	})
}

// lists reports whether a range of the class holds r.
func (c *class) lists(r rune) bool {
	return slices.ContainsFunc(c.ranges, func(x charRange) bool { return x.lo <= r && r <= x.hi })
}

// single returns the escape letter of a class that is nothing but that escape.
func (c *class) single() (byte, bool) {
	if len(c.kinds) == 1 && len(c.ranges) == 0 && len(c.props) == 0 {
		k := c.kinds[0]
		if c.negate {
			k ^= 0x20
		}
		return k, true
	}
	return 0, false
}

// kind writes an escape for a class outside brackets.
func (e *emitter) kind(k byte) {
	if k < 'a' { // \D, \S, \W
		e.WriteString(`[^\` + string(rune(k|0x20)) + "]")
		return
	}
	e.WriteString(`\` + string(rune(k)))
}

// charRange writes a range without the surrogates in it.
func (e *emitter) charRange(x charRange) {
	if x.lo < firstSurrogate && x.hi >= firstSurrogate {
		e.charRange(charRange{x.lo, firstSurrogate - 1})
		x.lo = firstSurrogate
	}
	if x.lo >= firstSurrogate && x.lo <= lastSurrogate {
		if x.hi <= lastSurrogate {
			return
		}
		x.lo = lastSurrogate + 1
	}
	e.classChar(x.lo)
	if x.lo < x.hi {
		e.WriteByte('-')
		e.classChar(x.hi)
	}
}

// classChar writes one end of a range. Characters that mean something in a
// class are written by number: the engine knows subtraction and class names
// too, which JavaScript does not.
func (e *emitter) classChar(r rune) {
	if strings.ContainsRune(`\]^-[`, r) {
		e.WriteString(`\u` + strconv.FormatInt(int64(r)|0x10000, 16)[1:])
		return
	}
	e.plain(r)
}
