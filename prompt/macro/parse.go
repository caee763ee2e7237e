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
	set       *Set
	pos       int
	textStart int // start of the text that is not yet a node
	nodes     []node
	frames    []frame
	// tooDeep counts the open macros that are nested too deep to be macros.
	tooDeep  int
	hasPick  bool
	problems talewright.Problems
}

// frame is a macro whose end has not been found yet. nodes[at] is its beginning as text; the nodes
// after it are its content.
type frame struct {
	at   int
	head head
	// The part of a value from cutFrom to cutTo is left out; see breakValue. 0: nothing is left out.
	cutFrom, cutTo int
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
			p.readOpening()
		case '}':
			p.readClosing()
		default:
			p.readAngle()
		}
	}
	p.endText(len(p.src))
	pairTags(p.nodes)
}

// endText makes the text up to end a node.
func (p *parser) endText(end int) {
	if p.textStart < end {
		p.addNode(node{kind: textNode, start: p.textStart, end: end})
	}
	p.textStart = end
}

// addNode appends a node to the current level. The capacity doubles: nodes are large, and smaller
// steps would copy them too often.
func (p *parser) addNode(n node) {
	if len(p.nodes) == cap(p.nodes) {
		p.nodes = slices.Grow(p.nodes, max(8, len(p.nodes)))
	}
	p.nodes = append(p.nodes, n)
}

// readOpening reads a run of opening braces. The last two begin a macro if a valid
// head follows.
func (p *parser) readOpening() {
	run := p.pos
	for p.pos < len(p.src) && p.src[p.pos] == '{' {
		p.pos++
	}
	if p.pos-run < 2 {
		return
	}
	start := p.pos - 2
	if n := timeZoneForm(p.src[p.pos:]); n > 0 {
		p.readTimeZone(start, n)
		return
	}
	h, ok := p.parseHead(p.pos)
	if !ok {
		p.breakValue(h)
		return
	}
	h.start = start
	if len(p.frames) >= maxDepth {
		p.tooDeep++
		p.problems = appendProblem(p.problems, problem(codeRefused, h.rawName, start, "nested too deep"))
		return
	}
	p.endText(start)
	p.frames = append(p.frames, frame{at: len(p.nodes), head: h})
	p.addNode(node{kind: textNode, start: start, end: h.end})
	p.pos, p.textStart = h.end, h.end
}

// breakValue marks the innermost expression if its value contains text that looks like an
// expression but is not one. The value ends there: the value of {{.hp = a{{.mp.max}}}} is a. If the
// text has no valid name, the value contains it: the value of {{.hp = a{{.血 > 1}}}} is a血 > 1.
func (p *parser) breakValue(h head) {
	n := len(p.frames)
	if n == 0 || !h.variable {
		return
	}
	if f := &p.frames[n-1]; f.head.expr.op != "" && f.cutFrom == 0 {
		f.cutFrom, f.cutTo = p.pos-len("{{"), len(p.src)
		if h.expr.name == "" {
			f.cutTo = h.end
		}
	}
}

// value returns the nodes of the value of an expression, without the part that is left out.
func (f *frame) value(content []node) []node {
	if f.cutFrom == 0 {
		return content
	}
	var out []node
	for _, n := range content {
		before, after := n, n
		if n.kind == textNode {
			before.end, after.start = min(n.end, f.cutFrom), max(n.start, f.cutTo)
		}
		if n.start < f.cutFrom {
			out = append(out, before)
		}
		if f.cutTo <= after.start && after.start < n.end {
			out = append(out, after)
		}
	}
	return out
}

// readClosing ends the innermost open macro at "}}".
func (p *parser) readClosing() {
	if p.pos+1 >= len(p.src) || p.src[p.pos+1] != '}' || len(p.frames) == 0 {
		p.pos++
		return
	}
	p.pos += 2
	if p.tooDeep > 0 {
		p.tooDeep--
		return
	}
	// The nodes after the head are the content. They move into the node of the macro. Each moves
	// once for every level that it leaves, so the cost is linear in the text.
	f := p.frames[len(p.frames)-1]
	p.frames = p.frames[:len(p.frames)-1]
	p.endText(p.pos - 2)
	content := append([]node(nil), p.nodes[f.at+1:]...)
	p.nodes = p.nodes[:f.at]
	p.addNode(p.buildMacro(f, content, p.pos))
	p.textStart = p.pos
}

// readAngle reads <USER> and similar forms.
func (p *parser) readAngle() {
	name, n := angleMacro(p.src[p.pos+1:])
	if n == 0 {
		p.pos++
		return
	}
	p.endText(p.pos)
	p.pos += 1 + n
	p.addNode(node{
		kind: macroNode, start: p.textStart, end: p.pos, head: p.pos,
		name: name, spec: p.set.lookup(name),
	})
	p.textStart = p.pos
}

// readTimeZone reads {{time_UTC+2}}, an older form without arguments, as {{time::UTC+2}}. n is the
// length of the name. The reader of names cannot do this, because a plus ends a name.
func (p *parser) readTimeZone(start, n int) {
	p.endText(start)
	zone := node{kind: textNode, start: p.pos + len("time_"), end: p.pos + n}
	p.pos += n + 2
	p.addNode(node{
		kind: macroNode, start: start, end: p.pos, head: zone.start,
		name: "time", spec: p.set.lookup("time"), args: [][]node{{zone}},
	})
	p.textStart = p.pos
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

// buildMacro makes the node of a complete macro. Tags in the value of an expression are not paired,
// as in SillyTavern.
func (p *parser) buildMacro(f frame, content []node, end int) node {
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
	pairTags(content)
	switch {
	case h.closes: // with arguments, too
		n.kind = closeNode
		return n
	case h.name == commentName && h.closesComment && isBlankContent(p.src, content):
		n.kind = closeNode
	}
	n.spec = p.set.lookup(h.name)
	p.hasPick = p.hasPick || h.name == "pick"
	if h.name == commentName {
		n.head = h.end
		if !isBlankContent(p.src, content) {
			n.args = [][]node{content}
		}
		return n
	}
	if n.spec != nil && n.spec.exactForm {
		p.readExactArgument(&n, h.end, content)
	} else {
		p.readArguments(&n, h.end, content)
	}
	return n
}

// readExactArgument takes everything after {{name:: as one argument. Any other form is malformed.
func (p *parser) readExactArgument(n *node, at int, content []node) {
	if len(content) == 0 || content[0].kind != textNode ||
		at != n.start+len("{{")+len(n.name) || !strings.HasPrefix(p.src[at:content[0].end], "::") {
		p.readArguments(n, at, content)
		n.malformed = true
		return
	}
	n.head = at + len("::")
	content[0].start = n.head
	n.args = [][]node{content}
}

// readArguments splits the content of a macro. "::" separates any number of arguments. A single ":"
// or white space begins one argument that runs to the end.
func (p *parser) readArguments(n *node, at int, content []node) {
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

// isBlankContent reports whether nodes are only white space.
func isBlankContent(src string, nodes []node) bool {
	return !slices.ContainsFunc(nodes, func(n node) bool { return n.kind != textNode || trimLeft(src[n.start:n.end]) != "" })
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
	if p.hasPick {
		t.hash = hashText(text)
	}
	return t
}
