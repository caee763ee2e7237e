package macro

import (
	"slices"
	"strings"

	"github.com/talewright/talewright"
)

// parser builds the nodes of a template in one pass. Open macros are frames. Until the end of a
// frame is found, it is text in the surrounding level, so nothing has to be undone if the end is
// missing.
type parser struct {
	headReader
	set    *Set
	pos    int
	text   int // start of the text that is not yet a node
	nodes  []node
	frames []frame
	// beyond counts the open macros that are nested too deep to be macros.
	beyond   int
	picks    bool
	problems talewright.Problems
}

// frame is a macro whose end has not been found yet. nodes[at] is its beginning as text; the nodes
// after it are its content.
type frame struct {
	at   int
	head head
	// broken and rest are the ends of the part of a value that is left out, see breakValue.
	broken, rest int
}

// parse reads the whole text. Only braces and angle brackets can begin or end anything, so it jumps
// from one to the next.
func (p *parser) parse() {
	for p.pos < len(p.src) {
		i := strings.IndexAny(p.src[p.pos:], "{}<")
		if i < 0 {
			break
		}
		p.pos += i
		switch p.src[p.pos] {
		case '{':
			p.open()
		case '}':
			p.close()
		default:
			p.angle()
		}
	}
	p.flush(len(p.src))
	pair(p.nodes)
}

// flush makes the text up to end a node.
func (p *parser) flush(end int) {
	if p.text < end {
		p.add(node{kind: textNode, start: p.text, end: end})
	}
	p.text = end
}

// add appends a node to the current level. The capacity doubles: nodes are large, and smaller steps
// would copy them too often.
func (p *parser) add(n node) {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = slices.Grow(p.nodes, max(8, len(p.nodes)))
	}
	p.nodes = append(p.nodes, n)
}

// open reads a run of opening braces. The last two begin a macro if a valid
// head follows.
func (p *parser) open() {
	run := p.pos
	for p.pos < len(p.src) && p.src[p.pos] == '{' {
		p.pos++
	}
	if p.pos-run < 2 {
		return
	}
	start := p.pos - 2
	if n := timeZoneForm(p.src[p.pos:]); n > 0 {
		p.timeZone(start, n)
		return
	}
	h, ok := p.parseHead(p.pos)
	if !ok {
		p.breakValue(h)
		return
	}
	h.start = start
	if len(p.frames) >= maxDepth {
		p.beyond++
		p.problems = appendProblem(p.problems, problem(codeRefused, h.rawName, start, "nested too deep"))
		return
	}
	p.flush(start)
	p.frames = append(p.frames, frame{at: len(p.nodes), head: h})
	p.add(node{kind: textNode, start: start, end: h.end})
	p.pos, p.text = h.end, h.end
}

// breakValue marks the innermost expression if its value contains text that looks like an
// expression but is not one. The value ends there: the value of {{.hp = a{{.mp.max}}}} is a. If the
// text has no valid name, the value contains it: the value of {{.hp = a{{.血 > 1}}}} is a血 > 1.
func (p *parser) breakValue(h head) {
	n := len(p.frames)
	if n == 0 || !h.variable {
		return
	}
	if f := &p.frames[n-1]; f.head.expr.op != "" && f.broken == 0 {
		f.broken, f.rest = p.pos-len("{{"), len(p.src)
		if h.expr.name == "" {
			f.rest = h.end
		}
	}
}

// value returns the nodes of the value of an expression, without the part that is left out.
func (f *frame) value(content []node) []node {
	if f.broken == 0 {
		return content
	}
	var out []node
	for _, n := range content {
		if n.kind != textNode || n.end <= f.broken || n.start >= f.rest {
			if n.start < f.broken || n.start >= f.rest {
				out = append(out, n)
			}
			continue
		}
		before, after := n, n
		before.end, after.start = f.broken, min(f.rest, n.end)
		out = append(out, before, after)
	}
	return out
}

// close ends the innermost open macro at "}}".
func (p *parser) close() {
	if p.pos+1 >= len(p.src) || p.src[p.pos+1] != '}' || len(p.frames) == 0 {
		p.pos++
		return
	}
	p.pos += 2
	if p.beyond > 0 {
		p.beyond--
		return
	}
	// The nodes after the head are the content. They move into the node of the macro. Each moves
	// once for every level that it leaves, so the cost is linear in the text.
	f := p.frames[len(p.frames)-1]
	p.frames = p.frames[:len(p.frames)-1]
	p.flush(p.pos - 2)
	content := append([]node(nil), p.nodes[f.at+1:]...)
	p.nodes = p.nodes[:f.at]
	p.add(p.build(f, content, p.pos))
	p.text = p.pos
}

// angle reads <USER> and similar forms.
func (p *parser) angle() {
	name, n := angle(p.src[p.pos+1:])
	if n == 0 {
		p.pos++
		return
	}
	p.flush(p.pos)
	p.pos += 1 + n
	p.add(node{
		kind: macroNode, start: p.text, end: p.pos, head: p.pos,
		name: name, spec: p.set.lookup(name),
	})
	p.text = p.pos
}

// timeZone reads {{time_UTC+2}}, an older form without arguments, as {{time::UTC+2}}. n is the
// length of the name. The reader of names cannot do this, because a plus ends a name.
func (p *parser) timeZone(start, n int) {
	p.flush(start)
	zone := node{kind: textNode, start: p.pos + len("time_"), end: p.pos + n}
	p.pos += n + 2
	p.add(node{
		kind: macroNode, start: start, end: p.pos, head: zone.start,
		name: "time", spec: p.set.lookup("time"), args: [][]node{{zone}},
	})
	p.text = p.pos
}

// timeZoneForm returns the length of time_UTC±n if text begins with it and
// closing braces.
func timeZoneForm(text string) int {
	const prefix = "time_UTC"
	n := len(prefix)
	if len(text) <= n || !strings.EqualFold(text[:n], prefix) ||
		(text[n] != '+' && text[n] != '-') {
		return 0
	}
	n++
	digits := n
	for n < len(text) && isDigit(text[n]) {
		n++
	}
	if n == digits || !strings.HasPrefix(text[n:], "}}") {
		return 0
	}
	return n
}

// build makes the node of a complete macro. Tags in the value of an expression are not paired, as
// in SillyTavern.
func (p *parser) build(f frame, content []node, end int) node {
	h := f.head
	n := node{
		kind: macroNode, start: h.start, end: end, name: h.name,
		keepSpace: h.keepSpace, exactElse: h.rawName == "else",
	}
	if h.expr.name != "" {
		n.kind, n.expr, n.head = exprNode, &h.expr, h.end
		n.args = [][]node{f.value(content)}
		return n
	}
	pair(content)
	switch {
	case h.closing: // with arguments, too
		n.kind = closeNode
		return n
	case h.name == commentName && h.closesComment && blank(p.src, content):
		n.kind = closeNode
	}
	n.spec = p.set.lookup(h.name)
	p.picks = p.picks || h.name == "pick"
	if h.name == commentName {
		n.head = h.end
		if !blank(p.src, content) {
			n.args = [][]node{content}
		}
		return n
	}
	if n.spec != nil && n.spec.exact {
		p.exactArgument(&n, h.end, content)
	} else {
		p.arguments(&n, h.end, content)
	}
	return n
}

// exactArgument takes everything after {{name:: as one argument. Any other form is malformed.
func (p *parser) exactArgument(n *node, at int, content []node) {
	if len(content) == 0 || content[0].kind != textNode ||
		at != n.start+len("{{")+len(n.name) || !strings.HasPrefix(p.src[at:content[0].end], "::") {
		p.arguments(n, at, content)
		n.malformed = true
		return
	}
	n.head = at + len("::")
	content[0].start = n.head
	n.args = [][]node{content}
}

// arguments splits the content of a macro. "::" separates any number of arguments. A single ":" or
// white space begins one argument that runs to the end.
func (p *parser) arguments(n *node, at int, content []node) {
	n.head = at
	if len(content) == 0 {
		return
	}
	first := &content[0]
	if first.kind != textNode { // no separator between name and nested macro
		n.malformed, n.args = true, [][]node{content}
		return
	}
	rest := trimLeft(p.src[first.start:first.end])
	cut := first.end - len(rest)
	many := strings.HasPrefix(rest, "::")
	switch {
	case many:
		cut += 2
	case strings.HasPrefix(rest, ":"):
		cut++
	case rest == "" && len(content) == 1:
		return
	case cut == first.start:
		n.malformed, n.args = true, [][]node{content}
		return
	}
	n.head = cut
	first.start = cut
	if many {
		n.args = splitArguments(p.src, content)
	} else {
		n.args = [][]node{content}
	}
}

// splitArguments splits a level at the "::" of its own text. The content of a scope belongs to the
// macro of the scope. The result of a nested macro is not inspected: a value with "::" stays one
// argument.
func splitArguments(src string, content []node) [][]node {
	var args [][]node
	var arg []node
	for i := 0; i < len(content); i++ {
		c := content[i]
		if c.kind != textNode {
			arg = append(arg, content[i:i+c.span+1]...)
			i += c.span
			continue
		}
		for {
			j := strings.Index(src[c.start:c.end], "::")
			if j < 0 {
				break
			}
			piece := c
			piece.end = c.start + j
			args = append(args, append(arg, piece))
			arg = nil
			c.start = piece.end + 2
		}
		arg = append(arg, c)
	}
	return append(args, arg)
}

// blank reports whether nodes are only white space.
func blank(src string, nodes []node) bool {
	for _, n := range nodes {
		if n.kind != textNode || trimLeft(src[n.start:n.end]) != "" {
			return false
		}
	}
	return true
}

// Compile compiles a text for the macros of the set; see [Compile].
func (s *Set) Compile(text string) *Template {
	t := &Template{text: text, set: s}
	if !strings.Contains(text, "{{") && !hasAngle(text) {
		t.plain = !hasEscape(text)
		return t
	}
	p := parser{headReader: headReader{src: text}, set: s}
	p.parse()
	t.nodes = p.nodes
	t.problems = p.problems
	t.plain = len(t.nodes) == 0 && !hasEscape(text)
	if p.picks {
		t.hash = hashText(text)
	}
	return t
}
