package jsregex

import (
	"fmt"
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

func emit(n *node, flags Flags) string {
	e := emitter{flags: flags}
	e.node(n)
	return e.String()
}

// Spellings that keep regexp2 from computing the case closure of a large set
// character by character: negated sets are stored by their small complement.
const (
	dotSpelling  = `[^\n\r\u2028\u2029]`
	anySpelling  = `[^]`
	noneSpelling = `[]`
)

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

func (e *emitter) class(c *class) {
	if k, ok := c.single(); ok {
		e.kind(k)
		return
	}
	e.WriteByte('[')
	if c.negate {
		e.WriteByte('^')
	}
	for _, x := range c.ranges {
		e.charRange(x)
	}
	for _, k := range c.kinds {
		e.WriteString(`\` + string(rune(k)))
	}
	for _, p := range c.props {
		e.WriteString(p)
	}
	e.WriteByte(']')
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

func (e *emitter) classChar(r rune) {
	if strings.ContainsRune(`\]^-[`, r) {
		e.WriteString(`\u` + strconv.FormatInt(int64(r)|0x10000, 16)[1:])
		return
	}
	e.plain(r)
}
