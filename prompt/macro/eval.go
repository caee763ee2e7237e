package macro

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright"
)

// evaluator expands one template.
type evaluator struct {
	run          *Run
	template     *Template
	locals       *Locals
	names        bool // mode Names
	usedOriginal bool // {{original}} was used
	out          []byte
	column       column   // of out
	data         []string // for the places of the template
}

// expandNodes expands nodes into a separate text, marks included.
func (e *evaluator) expandNodes(nodes []node) string {
	switch {
	case len(nodes) == 0:
		return ""
	case len(nodes) == 1 && nodes[0].kind == textNode && len(e.data) == 0:
		return e.template.text[nodes[0].start:nodes[0].end]
	}
	outer, at := e.out, e.column
	e.out, e.column = nil, column{}
	e.writeNodes(nodes)
	text := string(e.out)
	e.out, e.column = outer, at
	return text
}

// expandArgument is level without the white space at the ends. Only white space that the author
// wrote is removed; {{space}} at an end stays. lead and trail are the removed pieces.
func (e *evaluator) expandArgument(nodes []node) (lead, text, trail string) {
	src, inner := e.template.text, nodes
	for len(inner) > 0 && inner[0].kind == textNode {
		first := inner[0]
		rest := trimLeft(src[first.start:first.end])
		lead += src[first.start : first.end-len(rest)]
		if first.start = first.end - len(rest); rest != "" {
			inner = withFirst(inner, first)
			break
		}
		inner = inner[1:]
	}
	for len(inner) > 0 && inner[len(inner)-1].kind == textNode {
		last := inner[len(inner)-1]
		rest := trimRight(src[last.start:last.end])
		trail = src[last.start+len(rest):last.end] + trail
		inner = inner[:len(inner)-1]
		if last.end = last.start + len(rest); rest != "" {
			inner = append(inner[:len(inner):len(inner)], last)
			break
		}
	}
	return lead, e.expandNodes(inner), trail
}

// withFirst returns nodes with the first node replaced.
func withFirst(nodes []node, first node) []node {
	if nodes[0].start == first.start {
		return nodes
	}
	return append([]node{first}, nodes[1:]...)
}

// writeNodes expands a level into the current output. Scopes are skipped: the macro that opens a
// scope handles it.
func (e *evaluator) writeNodes(nodes []node) {
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		switch n.kind {
		case textNode:
			e.writeSource(n.start, n.end)
		case closeNode:
			if e.names || n.asText || n.name != commentName {
				e.writeSource(n.start, n.end)
			}
		case exprNode:
			e.writeExpression(n)
		case macroNode:
			e.writeMacro(n, nodes[i+1:])
			i += n.span
		}
	}
}

// writeSource copies a piece of the template, with the data in its places.
func (e *evaluator) writeSource(start, end int) {
	for i := sort.SearchInts(e.template.places, start); i < len(e.template.places) && e.template.places[i] < end; i++ {
		e.out = append(e.out, e.template.text[start:e.template.places[i]]...)
		e.out = append(e.out, e.data[i]...)
		start = e.template.places[i] + 1
	}
	e.out = append(e.out, e.template.text[start:end]...)
}

// writeResult writes the result of a macro, unless it exceeds a limit.
func (e *evaluator) writeResult(n *node, text string) bool {
	if e.locals.Result != nil {
		text = e.locals.Result(text)
	}
	if len(e.out)+len(text) > maxResult || !e.run.spend(len(text)) {
		e.report(n, codeRefused, "the result is too large")
		return false
	}
	e.out = append(e.out, text...)
	return true
}

// report records a problem of a node, under its name as written.
func (e *evaluator) report(n *node, code talewright.Code, detail string) {
	e.run.problem(problem(code, e.template.written(n), n.start, detail))
}

// isLetterRune is isLetter for a character.
func isLetterRune(r rune) bool { return r < 0x80 && isLetter(byte(r)) }

// writeExpression writes the value of a variable expression.
func (e *evaluator) writeExpression(n *node) {
	if e.names {
		e.writeAsWritten(n, []string{e.expandNodes(n.args[0])})
		return
	}
	if !e.run.enter() {
		e.report(n, codeRefused, "nested too deep")
		e.writeSource(n.start, n.end)
		return
	}
	defer e.run.leave()
	if !e.writeResult(n, e.evalExpression(n)) {
		e.writeSource(n.start, n.end)
	}
}

// writeMacro expands a call. rest are the nodes after it in its level. The first n.span of them are
// its scope.
func (e *evaluator) writeMacro(n *node, rest []node) {
	end := n.end
	if n.span > 0 {
		end = rest[n.span-1].end
	}
	if !e.run.enter() {
		e.report(n, codeRefused, "nested too deep")
		e.writeSource(n.start, end)
		return
	}
	defer e.run.leave()
	// In mode Names everything except a name is text, and nothing is reported: players' texts do
	// not have macro mistakes.
	if e.names && (n.spec == nil || !n.spec.names) || n.asText {
		e.writeUnexpanded(n, rest)
		return
	}
	if !e.names {
		if text, ok := e.run.buildMacros[n.name]; ok {
			e.writeText(n, rest, text)
			return
		}
	}
	switch args := len(n.args) + min(n.span, 1); {
	case n.spec == nil:
		e.writeUnknown(n, rest)
	case n.malformed || !n.spec.accepts(args):
		e.report(n, Arity, "")
		e.writeUnexpanded(n, rest)
	case n.spec.scope != nil:
		n.spec.scope(e, n, rest)
	default:
		e.callMacro(n, rest)
	}
}

// writeUnknown looks for a variable of the host with the exact name.
func (e *evaluator) writeUnknown(n *node, rest []node) {
	if n.span == 0 && len(n.args) == 0 && !n.malformed && len(e.run.env.Bare) > 0 {
		name := strings.Trim(e.template.text[n.start:n.end], "{} \t\r\n!?~>#/")
		if v, ok := e.run.env.Bare[name]; ok {
			e.writeText(n, rest, e.run.shown("bare "+name, v))
			return
		}
	}
	e.report(n, Unknown, "")
	e.writeUnexpanded(n, rest)
}

// writeText writes the text of a macro without arguments.
func (e *evaluator) writeText(n *node, rest []node, text string) {
	if n.span > 0 || len(n.args) > 0 || n.malformed {
		e.report(n, Arity, "")
		e.writeUnexpanded(n, rest)
	} else if !e.writeResult(n, text) {
		e.writeSource(n.start, n.end)
	}
}

// callMacro expands the arguments and calls the function of the macro.
func (e *evaluator) callMacro(n *node, rest []node) {
	raw := make([]string, len(n.args), len(n.args)+1)
	c := Call{Offset: n.start, eval: e, node: n}
	for i, arg := range n.args {
		var lead, text, trail string
		if n.spec.exactForm {
			text = e.expandNodes(arg)
		} else {
			lead, text, trail = e.expandArgument(arg)
		}
		c.Args = append(c.Args, text)
		if raw[i] = text; lead != "" || trail != "" {
			raw[i] = lead + text + trail
		}
	}
	content := ""
	if n.span > 0 {
		content = e.expandNodes(rest[:n.span-1])
		c.Args = append(c.Args, scopeArgument(content, n.keepSpace))
	}
	if !n.spec.keepsMarks {
		for i, arg := range c.Args {
			c.Args[i] = unmark(arg)
		}
	}
	// The arguments are already expanded. If the macro stays as written, it is rebuilt from them: a
	// second expansion would repeat side effects.
	if n.spec.usesColumn {
		e.column.count(e.out, true)
	}
	text := n.spec.eval(&c)
	if !c.leftAsWritten && e.writeResult(n, text) {
		if n.spec.usesColumn {
			e.column.count(e.out, false)
		}
		return
	}
	e.writeAsWritten(n, raw)
	if n.span > 0 {
		e.out = append(e.out, content...)
		e.writeSource(rest[n.span-1].start, rest[n.span-1].end)
	}
}

// writeUnexpanded writes a macro as written, with all nested macros expanded. The arguments of an
// if are not expanded: only if decides which of them are.
func (e *evaluator) writeUnexpanded(n *node, rest []node) {
	if n.spec != nil && n.spec.name == "if" {
		n = &node{start: n.start, end: n.end, span: n.span}
	}
	raw := make([]string, len(n.args))
	for i, arg := range n.args {
		raw[i] = e.expandNodes(arg)
	}
	e.writeAsWritten(n, raw)
	if n.span > 0 {
		e.writeNodes(rest[:n.span-1])
		e.writeSource(rest[n.span-1].start, rest[n.span-1].end)
	}
}

// writeAsWritten writes a macro with arguments that are already expanded. Expanding them again would
// repeat their side effects.
func (e *evaluator) writeAsWritten(n *node, args []string) {
	if len(args) == 0 {
		e.writeSource(n.start, n.end)
		return
	}
	e.writeSource(n.start, n.head)
	for i, arg := range args {
		if i > 0 {
			e.out = append(e.out, "::"...)
		}
		e.out = append(e.out, arg...)
	}
	e.out = append(e.out, "}}"...)
}

// scopeArgument returns the text of a scope as an argument.
func scopeArgument(text string, keepSpace bool) string {
	if keepSpace {
		return text
	}
	return trim(dedent(text))
}

// dedent removes the indentation of the first non-blank line from every line, as far as the line
// has it.
func dedent(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	indent := 0
	for _, line := range lines {
		if rest := trimLeft(line); rest != "" {
			indent = utf8.RuneCountInString(line[:len(line)-len(rest)])
			break
		}
	}
	if indent == 0 {
		return text
	}
	for i, line := range lines {
		for n := 0; n < indent; n++ {
			size := spaceAt(line, 0)
			if size == 0 {
				break
			}
			line = line[size:]
		}
		lines[i] = line
	}
	return strings.Join(lines, "\n")
}

// unescape replaces \{ and \} by braces.
func unescape(text string) string {
	if !hasEscape(text) {
		return text
	}
	return escapes.Replace(text)
}

var escapes = strings.NewReplacer(`\{`, `{`, `\}`, `}`)

// Call is one use of a macro.
type Call struct {
	// Args are the arguments, expanded and trimmed. A scope's content is last.
	Args []string
	// Offset is the offset of the macro in its template, in bytes.
	Offset int

	eval          *evaluator
	node          *node
	leftAsWritten bool
}

// Env returns the environment of the build.
func (c *Call) Env() *Env { return &c.eval.run.env }

// Stay leaves the macro as written and reports why. code is "bad_value" or "refused".
func (c *Call) Stay(code talewright.Code, detail string) string {
	c.leftAsWritten = true
	c.eval.report(c.node, code, detail)
	return ""
}

// Random draws a number from the random source and records it. Without a source it leaves the macro
// as written and returns false.
func (c *Call) Random() (float64, bool) {
	x, ok := c.eval.run.draw(c.node.spec.name, c.Offset)
	if !ok {
		c.Stay(codeRefused, noRandom)
	}
	return x, ok
}

// column counts the UTF-16 units between the start of the present line and the end of an output.
// Line breaks in the results of format macros do not start a line.
type column struct {
	from  int // the output that is already counted
	units int
}

// count counts the output up to its present end.
func (c *column) count(out []byte, lines bool) {
	text := unescape(markRemover.Replace(string(out[c.from:])))
	c.from = len(out)
	if lines {
		if n := strings.LastIndexByte(text, '\n'); n >= 0 {
			c.units, text = 0, text[n+1:]
		}
	}
	c.units += utf16Length(text)
}
