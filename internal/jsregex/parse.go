package jsregex

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxNesting is the greatest recursion depth of the parser.
const maxNesting = 500

// parser reads a JavaScript pattern. Without flag u it also accepts the additions of Annex B of the
// language standard.
type parser struct {
	src   []rune
	at    int
	flags Flags
	depth int

	groups   int // capturing groups in the whole pattern
	byName   map[string]int
	hasNames bool
	opened   int // capturing groups opened so far
	backrefs []*node
}

// syntaxError is a panic value inside the parser.
type syntaxError struct{ error }

// fail ends the parse with an error at the current position.
func (p *parser) fail(what string) {
	panic(syntaxError{fmt.Errorf("%s at %d", what, p.at)})
}

// parse returns the syntax tree.
func parse(pattern string, flags Flags) (*node, error) {
	root, _, err := parseNamed(pattern, flags)
	return root, err
}

// parseNamed returns the syntax tree and the named groups.
func parseNamed(pattern string, flags Flags) (root *node, names map[string]int, err error) {
	if !utf8.ValidString(pattern) {
		return nil, nil, errors.New("invalid UTF-8")
	}
	p := &parser{src: []rune(pattern), flags: flags, byName: map[string]int{}}
	if !flags.Unicode {
		p.src = units(pattern)
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case syntaxError:
			root, names, err = nil, nil, r.error
		default:
			panic(r)
		}
	}()
	p.countGroups() // escapes may refer to later groups
	root = p.alternation()
	if p.at < len(p.src) { // alternation stops only at ) or the end
		p.fail("unmatched )")
	}
	p.resolveNames()
	if !flags.Unicode {
		standInUnits(root)
	}
	return root, p.byName, nil
}

// countGroups counts the capturing groups and checks whether any group has a name. Both decide the
// meaning of escapes.
func (p *parser) countGroups() {
	inClass := false
	for i := 0; i < len(p.src); i++ {
		switch p.src[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '(':
			if inClass {
				continue
			}
			if !p.lookingAt(i+1, "?") {
				p.groups++
			} else if p.lookingAt(i+1, "?<") && !p.lookingAt(i+1, "?<=") && !p.lookingAt(i+1, "?<!") {
				p.groups++
				p.hasNames = true
			}
		}
	}
}

// lookingAt reports whether s is at position i.
func (p *parser) lookingAt(i int, s string) bool {
	for _, r := range s {
		if i >= len(p.src) || p.src[i] != r {
			return false
		}
		i++
	}
	return true
}

// accept skips s if it comes next, and reports whether it did.
func (p *parser) accept(s string) bool {
	if !p.lookingAt(p.at, s) {
		return false
	}
	p.at += utf8.RuneCountInString(s)
	return true
}

// peek returns the next character, or -1 at the end.
func (p *parser) peek() rune {
	if p.at >= len(p.src) {
		return -1
	}
	return p.src[p.at]
}

// alternation reads branches up to the end of a group or of the pattern.
func (p *parser) alternation() *node {
	if p.depth++; p.depth > maxNesting {
		p.fail("nested too deeply")
	}
	defer func() { p.depth-- }()
	subs := []*node{p.concatenation()}
	for p.accept("|") {
		subs = append(subs, p.concatenation())
	}
	if len(subs) == 1 {
		return subs[0]
	}
	return &node{op: opAlternate, subs: subs}
}

// concatenation reads one branch. It may be empty.
func (p *parser) concatenation() *node {
	var subs []*node
	for p.at < len(p.src) && p.peek() != '|' && p.peek() != ')' {
		subs = append(subs, p.term())
	}
	switch len(subs) {
	case 0:
		return &node{op: opEmpty}
	case 1:
		return subs[0]
	}
	return &node{op: opConcat, subs: subs}
}

// term reads an assertion, or an atom with its quantifier.
func (p *parser) term() *node {
	n, quantifiable := p.atom()
	min, max, ok := p.quantifier()
	if !ok {
		return n
	}
	if !quantifiable {
		p.fail("nothing to repeat")
	}
	if max != unbounded && min > max {
		p.fail("numbers out of order in quantifier")
	}
	return &node{op: opRepeat, subs: []*node{n}, min: min, max: max, lazy: p.accept("?")}
}

// atom reads one item without its quantifier. Ends of the text and look-behinds cannot be repeated.
// Without flag u a lone ] or } means itself, and so does a { that does not begin a quantifier.
func (p *parser) atom() (n *node, quantifiable bool) {
	c := p.src[p.at]
	switch c {
	case '^', '$':
		p.at++
		if c == '^' {
			return &node{op: opStart}, false
		}
		return &node{op: opEnd}, false
	case '(':
		return p.group()
	case '.':
		p.at++
		return &node{op: opDot}, true
	case '[':
		return p.class(), true
	case '\\':
		return p.atomEscape()
	case '*', '+', '?':
		p.fail("nothing to repeat")
	case '{': // a quantifier here has nothing to repeat
		start := p.at
		if _, _, ok := p.quantifier(); ok || p.flags.Unicode {
			p.at = start
			p.fail("nothing to repeat")
		}
	case '}', ']':
		if p.flags.Unicode {
			p.fail("lone quantifier bracket")
		}
	}
	p.at++
	return &node{op: opChar, ch: c}, true
}

// quantifier reads * + ? {n} {n,} {n,m}. It does not consume any other text. Braces that are not a
// quantifier are an error with flag u and plain text without it.
func (p *parser) quantifier() (min, max int, ok bool) {
	switch p.peek() {
	case '*':
		p.at++
		return 0, unbounded, true
	case '+':
		p.at++
		return 1, unbounded, true
	case '?':
		p.at++
		return 0, 1, true
	case '{':
		start := p.at
		p.at++
		if min, max, ok = p.countInBraces(); ok {
			return min, max, true
		}
		p.at = start
	}
	return 0, 0, false
}

// countInBraces reads the text after the opening brace of a quantifier. {,n} is not a quantifier in
// JavaScript.
func (p *parser) countInBraces() (min, max int, ok bool) {
	min, ok = p.number()
	if !ok {
		return 0, 0, false
	}
	if p.accept("}") {
		return min, min, true
	}
	if !p.accept(",") {
		return 0, 0, false
	}
	if p.accept("}") {
		return min, unbounded, true
	}
	max, ok = p.number()
	return min, max, ok && p.accept("}")
}

// maxCount replaces larger repeat counts: no text is that long.
const maxCount = 1<<31 - 1

// number reads a decimal number.
func (p *parser) number() (n int, ok bool) {
	for '0' <= p.peek() && p.peek() <= '9' {
		n = min(n*10+int(p.peek()-'0'), maxCount)
		p.at++
		ok = true
	}
	return n, ok
}

// group reads a group or look-around. Every other text that begins with (? is an error: atomic
// groups, comments, inline flags, names in quotes.
func (p *parser) group() (n *node, quantifiable bool) {
	p.at++
	n, quantifiable = &node{op: opGroup}, true
	switch {
	case p.accept("?:"):
		n = nil
	case p.accept("?="), p.accept("?!"):
		// Annex B allows repeated look-aheads.
		n = &node{op: opLook, negate: p.src[p.at-1] == '!'}
		quantifiable = !p.flags.Unicode
	case p.accept("?<="), p.accept("?<!"):
		n = &node{op: opLook, behind: true, negate: p.src[p.at-1] == '!'}
		quantifiable = false
	case p.accept("?<"): // look-behinds were handled above
		p.opened++
		n.group = p.opened
		p.recordName(p.groupName())
	case p.peek() == '?':
		p.fail("invalid group")
	default:
		p.opened++
		n.group = p.opened
	}
	body := p.alternation()
	if !p.accept(")") {
		p.fail("unterminated group")
	}
	if n == nil {
		return body, quantifiable
	}
	n.subs = []*node{body}
	return n, quantifiable
}

// recordName records the name of the group that was opened last. A name must not occur twice, even in
// different branches.
func (p *parser) recordName(name string) {
	if _, ok := p.byName[name]; ok {
		p.fail("duplicate capture group name")
	}
	p.byName[name] = p.opened
}

// groupName reads a name and the closing bracket.
func (p *parser) groupName() string {
	var name strings.Builder
	for {
		if p.at >= len(p.src) {
			p.fail("invalid capture group name")
		}
		c := p.src[p.at]
		p.at++
		switch {
		case c == '>' && name.Len() > 0:
			return name.String()
		case c == '\\':
			r, ok := rune(0), false
			if p.accept("u") {
				r, ok = p.unicodeEscape(true)
			}
			if !ok || !isNameChar(r, name.Len() == 0) {
				p.fail("invalid capture group name")
			}
			name.WriteRune(r)
		case isNameChar(c, name.Len() == 0):
			name.WriteRune(c)
		default:
			p.fail("invalid capture group name")
		}
	}
}

// resolveNames connects back references by name, which may come before the group.
func (p *parser) resolveNames() {
	for _, n := range p.backrefs {
		g, ok := p.byName[n.name]
		if !ok {
			p.fail("invalid named reference")
		}
		n.group = g
	}
}
