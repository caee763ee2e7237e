package jsregex

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// atomEscape reads the text after a backslash outside a class. A number is a back reference if the
// whole pattern, including the part after it, has this many groups. Otherwise it is an error with
// flag u, and an old octal escape or the digit itself without flag u. The escape \k is a reference
// with flag u or if any group has a name.
func (p *parser) atomEscape() (n *node, quantifiable bool) {
	p.at++
	c := p.peek()
	switch c {
	case 'b', 'B':
		p.at++
		return &node{op: opBoundary, negate: c == 'B'}, false
	case 'k':
		if p.flags.Unicode || p.hasNames {
			p.at++
			if !p.accept("<") {
				p.fail("invalid named reference")
			}
			n = &node{op: opBackref, name: p.groupName()}
			p.backrefs = append(p.backrefs, n)
			return n, true
		}
	}
	if '1' <= c && c <= '9' {
		start := p.at
		if g, _ := p.number(); g <= p.groups {
			return &node{op: opBackref, group: g}, true
		}
		if p.flags.Unicode {
			p.fail("invalid escape")
		}
		p.at = start
	}
	if set := p.classEscapeSet(); set != nil {
		return &node{op: opClass, set: set}, true
	}
	return &node{op: opChar, ch: p.charEscape(false)}, true
}

// classEscapeSet reads d D s S w W p P after a backslash; it returns nil for any other letter.
func (p *parser) classEscapeSet() *class {
	c := p.peek()
	switch {
	case c > 0 && strings.ContainsRune("dDsSwW", c):
		p.at++
		return &class{kinds: []byte{byte(c)}}
	case (c == 'p' || c == 'P') && p.flags.Unicode:
		p.at++
		start := p.at
		if !p.accept("{") {
			p.fail("invalid property name")
		}
		for p.at < len(p.src) && p.src[p.at] != '}' {
			p.at++
		}
		if !p.accept("}") {
			p.fail("invalid property name")
		}
		prop := `\` + string(c) + string(p.src[start:p.at])
		if property(prop) == nil {
			p.fail("invalid property name")
		}
		return &class{props: []string{prop}}
	}
	return nil
}

// charEscape reads an escape for one character. With flag u only syntax characters may be escaped
// unnecessarily. Without flag u any character may be escaped, and an incomplete escape (\x4, \u12)
// means its letter.
func (p *parser) charEscape(inClass bool) rune {
	if p.at >= len(p.src) {
		p.fail("\\ at end of pattern")
	}
	c := p.src[p.at]
	p.at++
	switch c {
	case 't':
		return '\t'
	case 'n':
		return '\n'
	case 'v':
		return '\v'
	case 'f':
		return '\f'
	case 'r':
		return '\r'
	case 'c':
		return p.controlEscape(inClass)
	case 'x':
		if r, ok := p.hex(2); ok {
			return r
		}
	case 'u':
		if r, ok := p.unicodeEscape(p.flags.Unicode); ok {
			return r
		}
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return p.octalEscape(c)
	case '-':
		if inClass {
			return c
		}
	}
	if p.flags.Unicode && !strings.ContainsRune(`^$\.*+?()[]{}|/`, c) {
		p.fail("invalid escape")
	}
	if c == 'k' && p.hasNames {
		p.fail("invalid named reference")
	}
	return c
}

// controlEscape reads the text after \c. In a class without flag u, digits and _ are also allowed.
func (p *parser) controlEscape(inClass bool) rune {
	c := p.peek()
	letter := 'a' <= c|0x20 && c|0x20 <= 'z'
	if letter || inClass && !p.flags.Unicode && (c == '_' || '0' <= c && c <= '9') {
		p.at++
		return c & 31
	}
	if p.flags.Unicode {
		p.fail("invalid unicode escape")
	}
	p.at-- // the backslash means itself; the c follows as a character
	return '\\'
}

// octalEscape reads \0 and, without flag u, the old octal escapes.
func (p *parser) octalEscape(first rune) rune {
	if p.flags.Unicode { // only \0 is valid
		if first != '0' || '0' <= p.peek() && p.peek() <= '9' {
			p.fail("invalid decimal escape")
		}
		return 0
	}
	r := first - '0'
	for range 2 {
		c := p.peek()
		if c < '0' || c > '7' || r*8+c-'0' > 0o377 {
			break
		}
		r = r*8 + c - '0'
		p.at++
	}
	return r
}

// hex reads exactly n hexadecimal digits, or nothing.
func (p *parser) hex(n int) (rune, bool) {
	if p.at+n > len(p.src) {
		return 0, false
	}
	var r rune
	for _, c := range p.src[p.at : p.at+n] {
		d := hexDigit(c)
		if d < 0 {
			return 0, false
		}
		r = r<<4 | d
	}
	p.at += n
	return r, true
}

// hexDigit returns the value of a digit, or -1.
func hexDigit(c rune) rune {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return -1
}

// unicodeEscape reads the text after \u: four digits. If full is set, it also reads two surrogates
// as one character, and {…}.
func (p *parser) unicodeEscape(full bool) (rune, bool) {
	start := p.at
	if full && p.accept("{") {
		var r rune
		digits := 0
		for hexDigit(p.peek()) >= 0 && r <= unicode.MaxRune {
			r = r<<4 | hexDigit(p.peek())
			digits++
			p.at++
		}
		if digits > 0 && r <= unicode.MaxRune && p.accept("}") {
			return r, true
		}
		p.at = start
		return 0, false
	}
	r, ok := p.hex(4)
	if !ok || !full || !utf16.IsSurrogate(r) {
		return r, ok
	}
	second := p.at // a low half must follow; otherwise the high half is a separate character
	if p.accept(`\u`) {
		if low, ok := p.hex(4); ok {
			if pair := utf16.DecodeRune(r, low); pair != unicode.ReplacementChar {
				return pair, true
			}
		}
	}
	p.at = second
	return r, true
}

// class reads a class in brackets. A hyphen at either end means itself. Without flag u, so does a
// hyphen next to an escape for several characters: [a-\d] is a, a hyphen, or a digit.
func (p *parser) class() *node {
	p.at++
	c := &class{negate: p.accept("^")}
	for {
		if p.at >= len(p.src) {
			p.fail("unterminated character class")
		}
		if p.accept("]") {
			return &node{op: opClass, set: c}
		}
		lo, single := p.classAtom(c)
		if p.peek() != '-' || p.lookingAt(p.at, "-]") {
			c.add(lo, lo, single)
			continue
		}
		p.at++
		if p.at >= len(p.src) {
			p.fail("unterminated character class")
		}
		hi, singleHi := p.classAtom(c)
		switch {
		case single && singleHi && lo > hi:
			p.fail("range out of order in character class")
		case single && singleHi:
			c.add(lo, hi, true)
		case p.flags.Unicode:
			p.fail("invalid character class")
		default: // a range with an escape like \d: its ends and the hyphen
			c.add(lo, lo, single)
			c.add('-', '-', true)
			c.add(hi, hi, singleHi)
		}
	}
}

// add adds a range if ok is set. If it is not set, the escape was already added.
func (c *class) add(lo, hi rune, ok bool) {
	if ok {
		c.ranges = append(c.ranges, charRange{lo, hi})
	}
}

// include adds the kinds of an escape, each once, and its properties.
func (c *class) include(set *class) {
	for _, k := range set.kinds {
		if !slices.Contains(c.kinds, k) {
			c.kinds = append(c.kinds, k)
		}
	}
	c.props = append(c.props, set.props...)
}

// classAtom reads one character, or adds an escape for several characters to c.
func (p *parser) classAtom(c *class) (r rune, single bool) {
	r = p.src[p.at]
	p.at++
	if r != '\\' {
		return r, true
	}
	if set := p.classEscapeSet(); set != nil {
		c.include(set)
		return 0, false
	}
	if p.accept("b") { // inside a class, \b is not a word boundary
		return '\b', true
	}
	return p.charEscape(true), true
}

// isNameChar reports whether a group name may contain a character, by the rules for identifiers.
func isNameChar(r rune, first bool) bool {
	return r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) ||
		!first && (r == '\u200c' || r == '\u200d' ||
			unicode.In(r, unicode.Nd, unicode.Mn, unicode.Mc, unicode.Pc))
}
