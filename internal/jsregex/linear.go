package jsregex

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"
)

// linearizer writes a tree as a pattern of the standard package, whose engine
// needs linear time. Yes and no are the same; captures do not matter.
type linearizer struct {
	strings.Builder
	flags Flags
	bad   bool
}

// compileLinear returns nil if the regex cannot be expressed: back references,
// look-around, line anchors, large repeats, properties, and under flag i sets
// that are too large to close over case.
func compileLinear(root *node, flags Flags) *regexp.Regexp {
	l := linearizer{flags: flags}
	if flags.Sticky {
		l.WriteString(`\A`)
	}
	l.group(root)
	if l.bad {
		return nil
	}
	re, err := regexp.Compile(l.String())
	if err != nil {
		return nil
	}
	return re
}

// node writes one node. Groups do not capture: nothing refers to them in a
// pattern that gets this far.
func (l *linearizer) node(n *node) {
	switch n.op {
	case opEmpty:
		l.WriteString("(?:)")
	case opChar:
		l.set([]charRange{{n.ch, n.ch}}, nil, false)
	case opClass:
		l.bad = l.bad || len(n.set.props) > 0
		l.set(n.set.ranges, n.set.kinds, n.set.negate)
	case opDot:
		if l.flags.DotAll {
			l.WriteString("(?s:.)")
		} else {
			l.WriteString(`[^\n\r\x{2028}\x{2029}]`)
		}
	case opConcat:
		for _, s := range n.subs {
			l.group(s)
		}
	case opAlternate:
		for i, s := range n.subs {
			if i > 0 {
				l.WriteByte('|')
			}
			l.group(s)
		}
	case opGroup:
		l.group(n.subs[0])
	case opRepeat:
		l.repeat(n)
	default:
		l.assertion(n)
	}
}

// assertion writes what takes no character. ^ and $ with flag m would need the
// four line ends of JavaScript. \b under flags i and u takes the long s and the
// Kelvin sign for letters, which the standard package does not.
func (l *linearizer) assertion(n *node) {
	switch {
	case n.op == opStart && !l.flags.Multiline:
		l.WriteString(`\A`)
	case n.op == opEnd && !l.flags.Multiline:
		l.WriteString(`\z`)
	case n.op == opBoundary && !(l.flags.IgnoreCase && l.flags.Unicode):
		if n.negate {
			l.WriteString(`\B`)
		} else {
			l.WriteString(`\b`)
		}
	default:
		l.bad = true
	}
}

// group writes a node in a group of its own.
func (l *linearizer) group(n *node) {
	l.WriteString("(?:")
	l.node(n)
	l.WriteByte(')')
}

// maxLinearRepeat is the largest count that the standard package takes.
const maxLinearRepeat = 1000

// repeat writes a repeat. Lazy or not makes no difference to whether there is a
// match.
func (l *linearizer) repeat(n *node) {
	if n.min > maxLinearRepeat || n.max > maxLinearRepeat {
		l.bad = true
		return
	}
	l.group(n.subs[0])
	switch {
	case n.max == unbounded:
		fmt.Fprintf(l, "{%d,}", n.min)
	default:
		fmt.Fprintf(l, "{%d,%d}", n.min, n.max)
	}
}

// maxClosure is the size of a range up to which its case closure is spelled out.
const maxClosure = 512

// spaceRanges are the characters of \s.
var spaceRanges = []charRange{
	{'\t', '\r'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a},
	{0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff},
}

// isSpace reports whether \s takes r.
func isSpace(r rune) bool {
	for _, x := range spaceRanges {
		if x.lo <= r && r <= x.hi {
			return true
		}
	}
	return false
}

// set writes a class. Under flag i it spells its case closure out, because the
// standard package folds otherwise: it takes the Kelvin sign for k.
func (l *linearizer) set(ranges []charRange, kinds []byte, negate bool) {
	if len(ranges)+len(kinds) == 0 { // [] and [^]
		negate = !negate
		ranges = []charRange{{0, 0x10ffff}}
	}
	l.WriteByte('[')
	if negate {
		l.WriteByte('^')
	}
	for _, x := range ranges {
		l.charRange(x)
		if l.flags.IgnoreCase && x != (charRange{0, 0x10ffff}) {
			l.closure(x)
		}
	}
	for _, k := range kinds {
		l.kind(k)
	}
	l.WriteByte(']')
}

// charRange writes a range. Half a surrogate pair can stand in no Go pattern.
func (l *linearizer) charRange(x charRange) {
	if utf16.IsSurrogate(x.lo) || utf16.IsSurrogate(x.hi) {
		l.bad = true
		return
	}
	fmt.Fprintf(l, `\x{%x}-\x{%x}`, x.lo, x.hi)
}

// closure adds the characters that equal one of a range under flag i. A large
// range must be known to have none.
func (l *linearizer) closure(x charRange) {
	if x.hi-x.lo > maxClosure {
		l.bad = l.bad || !caseless(x)
		return
	}
	for r := x.lo; r <= x.hi; r++ {
		for _, eq := range equivalents(r, l.flags.Unicode) {
			if eq < x.lo || eq > x.hi {
				l.charRange(charRange{eq, eq})
			}
		}
	}
}

// caseless reports whether a large range is known to have no case: ideographs,
// kana and Hangul syllables.
func caseless(x charRange) bool {
	return x.lo >= 0x3040 && x.hi <= 0xa000 || x.lo >= 0xac00 && x.hi <= 0xd7a3
}

// kind writes an escape inside a class.
func (l *linearizer) kind(k byte) {
	l.bad = l.bad || l.flags.IgnoreCase && l.flags.Unicode && k|0x20 == 'w'
	switch k {
	case 's':
		for _, x := range spaceRanges {
			l.charRange(x)
		}
	case 'S':
		from := rune(0)
		for _, x := range spaceRanges {
			l.charRange(charRange{from, x.lo - 1})
			from = x.hi + 1
		}
		l.charRange(charRange{from, 0x10ffff})
	default:
		l.WriteString(`\` + string(rune(k)))
	}
}
