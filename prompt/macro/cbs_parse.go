package macro

import (
	"slices"
	"strings"
)

// cbsKind is the kind of a node of a text in the language of RisuAI.
type cbsKind uint8

const (
	cbsText  cbsKind = iota
	cbsCall          // {{name::a::b}}
	cbsBlock         // {{#name …}} … {{/name}}, or the old form {#if …
	cbsElse          // {{:else}}
)

// cbsNode is a piece of a text. All offsets are offsets in the text. A piece of plain text has no
// parts.
type cbsNode struct {
	kind       cbsKind
	start, end int
	*cbsParts
}

// cbsParts are the parts of a macro or a block.
type cbsParts struct {
	// name is the name in the form of [cbsName]. It is empty if macros are part of it.
	name string
	// args are the pieces between the separators: the name first. In a block they are the head.
	args [][]cbsNode
	seps []int // offsets of the separators
	wide bool  // the separator is "::", else ":"
	// body is the content of a block, which lies from bodyStart to bodyEnd.
	body               []cbsNode
	bodyStart, bodyEnd int
	otherwise          int  // index in body of the else that divides it, or -1
	old                bool // a block in the form {#if …
}

// cbsFrame is an open macro or block. The frame at the bottom of the stack is the text itself.
type cbsFrame struct {
	kind      cbsKind
	node      cbsNode
	nodes     []cbsNode // of the present argument, or of the content
	textStart int
	braces    int  // open braces of JSON
	headDone  bool // of an old block: the condition is complete
	wideOnly  bool // of the head of a block: only a double colon separates
	plain     bool // of a macro that is an expression, a comment or a tag: no colon separates
}

// cbsParser reads a text. Each byte is read once. An unclosed macro or block becomes text, with its
// inner pieces.
type cbsParser struct {
	src   string
	stack []cbsFrame
}

// cbsBlocks are the names of the blocks, in the form of [cbsName]. A true value means that the
// content is used as it is written.
var cbsBlocks = map[string]bool{
	"if": false, "ifpure": false, "when": false, "each": false, "code": false,
	"pure": true, "puredisplay": true, "escape": true, "func": false,
}

// parseCBS reads a text.
func parseCBS(src string) []cbsNode {
	p := cbsParser{src: src, stack: []cbsFrame{{node: cbsNode{cbsParts: &cbsParts{}}}}}
	for i := 0; i < len(src); {
		i = p.step(i)
	}
	for len(p.stack) > 1 {
		p.flatten()
	}
	p.flush(len(src))
	return p.stack[0].nodes
}

// top returns the innermost open frame.
func (p *cbsParser) top() *cbsFrame { return &p.stack[len(p.stack)-1] }

// flush ends the text before an offset.
func (p *cbsParser) flush(at int) {
	f := p.top()
	if f.textStart < at {
		f.nodes = append(f.nodes, cbsNode{start: f.textStart, end: at})
	}
	f.textStart = at
}

// step reads the part at an offset and returns the offset after it.
func (p *cbsParser) step(i int) int {
	rest, f := p.src[i:], p.top()
	switch rest[0] {
	case '{':
		return p.openBrace(i)
	case '}':
		switch {
		case f.kind != cbsCall:
		case f.braces > 0:
			f.braces--
		case strings.HasPrefix(rest, "}}"):
			p.flush(i)
			p.closeCall(i + 2)
			return i + 2
		}
	case '\n':
		if f.node.old && !f.headDone {
			p.flush(i)
			f.node.args, f.nodes, f.headDone = [][]cbsNode{f.nodes}, nil, true
			f.textStart, f.node.bodyStart = i+1, i+1
		}
	case '#':
		if f.headDone && strings.HasPrefix(rest, "#}") {
			p.flush(i)
			p.closeBlock(i, i+2)
			return i + 2
		}
	case ':':
		if f.kind == cbsCall {
			return p.separate(i)
		}
	case '<':
		return p.angleName(i)
	}
	return i + 1
}

// openBrace reads an opening brace: of a macro, of an old block, of JSON, or of text.
func (p *cbsParser) openBrace(i int) int {
	rest, f, isTooDeep := p.src[i:], p.top(), len(p.stack) > maxDepth
	switch {
	case strings.HasPrefix(rest, "{{"):
		if !isTooDeep {
			p.flush(i)
			p.open(i)
		}
		return i + 2
	case strings.HasPrefix(rest, "{#if ") && !isTooDeep:
		p.flush(i)
		n := cbsNode{kind: cbsBlock, start: i, cbsParts: &cbsParts{old: true}}
		i += len("{#if ")
		p.stack = append(p.stack, cbsFrame{kind: cbsBlock, node: n, textStart: i})
		return i
	case f.kind == cbsCall && opensJSON(rest[1:]):
		f.braces++
	}
	return i + 1
}

// angleName reads <user> or <char>.
func (p *cbsParser) angleName(i int) int {
	name, n := angleMacro(p.src[i+1:])
	if name != "user" && name != "char" {
		return i + 1
	}
	p.flush(i)
	f, end := p.top(), i+1+n
	parts := cbsParts{name: name, args: [][]cbsNode{{{start: i + 1, end: end - 1}}}}
	f.nodes = append(f.nodes, cbsNode{kind: cbsCall, start: i, end: end, cbsParts: &parts})
	f.textStart = end
	return end
}

// open begins a macro at an offset.
func (p *cbsParser) open(at int) {
	f := cbsFrame{kind: cbsCall, node: cbsNode{kind: cbsCall, start: at, cbsParts: &cbsParts{}}, textStart: at + 2}
	inner := p.src[at+2:]
	switch {
	case strings.HasPrefix(inner, "?"), strings.HasPrefix(inner, "/"), strings.HasPrefix(inner, ":else"):
		f.plain = true
	case strings.HasPrefix(inner, "#"):
		f.wideOnly = true
	}
	p.stack = append(p.stack, f)
}

// opensJSON reports whether the text after a brace is the inside of an object of JSON.
func opensJSON(rest string) bool {
	at := skipSpace(rest, 0)
	return at < len(rest) && (rest[at] == '"' || rest[at] == '}')
}

// separate ends an argument at a colon, if the colon separates arguments.
func (p *cbsParser) separate(i int) int {
	f := p.top()
	double := strings.HasPrefix(p.src[i:], "::")
	if f.plain || f.braces > 0 || f.wideOnly && !double {
		return i + 1
	}
	if len(f.node.seps) == 0 {
		f.node.wide = double
	}
	if f.node.wide && !double {
		return i + 1
	}
	p.flush(i)
	f.node.args, f.nodes = append(f.node.args, f.nodes), nil
	f.node.seps = append(f.node.seps, i)
	end := i + f.node.width()
	f.textStart = end
	return end
}

// width is the number of bytes of a separator.
func (n *cbsNode) width() int {
	if n.wide {
		return 2
	}
	return 1
}

// closeCall ends the macro at the top: a call, the head of a block, the end of one, or an else.
func (p *cbsParser) closeCall(end int) {
	f := p.pop()
	n := f.node
	n.args, n.end = append(n.args, f.nodes), end
	head := trimLeft(n.headText(p.src))
	outer := p.top()
	outer.textStart = end
	if strings.HasPrefix(head, "#") {
		name := blockName(head)
		if _, known := cbsBlocks[name]; known {
			n.kind, n.name, n.bodyStart = cbsBlock, name, end
			p.stack = append(p.stack, cbsFrame{kind: cbsBlock, node: n, textStart: end})
			return
		}
	}
	if strings.HasPrefix(head, "/") && !strings.HasPrefix(head, "//") && outer.kind == cbsBlock && !outer.node.old {
		p.closeBlock(n.start, end)
		return
	}
	if strings.HasPrefix(head, ":") && trim(p.src[n.start+2:end-2]) == ":else" {
		n.kind = cbsElse
	}
	if len(n.args[0]) == 1 && n.args[0][0].kind == cbsText {
		n.name = cbsName(n.headText(p.src))
	}
	outer.nodes = append(outer.nodes, n)
}

// closeBlock ends the block at the top. Its content ends before an offset.
func (p *cbsParser) closeBlock(at, end int) {
	f := p.pop()
	f.node.body, f.node.bodyEnd, f.node.end = f.nodes, at, end
	f.node.otherwise = f.node.elseOf(p.src)
	outer := p.top()
	outer.nodes, outer.textStart = append(outer.nodes, f.node), end
}

// pop removes the innermost open frame and returns it.
func (p *cbsParser) pop() cbsFrame {
	f := *p.top()
	p.stack = p.stack[:len(p.stack)-1]
	return f
}

// flatten makes the frame at the top text, because the text ends before it does. A head of a block
// stays a call, of a name that does not exist.
func (p *cbsParser) flatten() {
	p.flush(len(p.src))
	f := p.pop()
	outer := p.top()
	if f.kind == cbsBlock && !f.node.old {
		f.node.kind, f.node.name = cbsCall, ""
		outer.nodes = append(append(outer.nodes, f.node), f.nodes...)
	} else {
		outer.nodes = append(outer.nodes, f.written(len(p.src))...)
	}
	outer.textStart = len(p.src)
}

// written returns an unclosed macro as it is written: its inner macros, with text between them up to an
// offset.
func (f *cbsFrame) written(end int) (nodes []cbsNode) {
	at := f.node.start
	text := func(to int) {
		if at < to {
			nodes = append(nodes, cbsNode{start: at, end: to})
		}
		at = to
	}
	for _, arg := range append(f.node.args, f.nodes) {
		if len(arg) > 0 {
			text(arg[0].start)
			nodes = append(nodes, arg...)
			at = arg[len(arg)-1].end
		}
	}
	text(end)
	return nodes
}

// headText returns the text at the beginning of a macro that its author wrote.
func (n *cbsNode) headText(src string) string {
	if n.cbsParts == nil || len(n.args) == 0 || len(n.args[0]) == 0 || n.args[0][0].kind != cbsText {
		return ""
	}
	return src[n.args[0][0].start:n.args[0][0].end]
}

// blockName returns the name of a block in the form of [cbsName]. The head begins with #.
func blockName(head string) string {
	head = strings.TrimPrefix(head, "#")
	for i := range len(head) {
		if spaceAt(head, i) > 0 {
			head = head[:i]
			break
		}
	}
	return cbsName(head)
}

// maxCBSName limits the bytes of a name as it is written. A longer one is unknown.
const maxCBSName = 200

// cbsName returns a name without the differences that do not count, or "" if it is too long.
func cbsName(name string) string {
	if len(name) > maxCBSName {
		return ""
	}
	return strings.ToLower(cbsFold.Replace(name))
}

var cbsFold = strings.NewReplacer(" ", "", "_", "", "-", "", "\t", "", "\n", "", "\r", "")

// elseOf returns the index of the else that divides the content of a when block, or -1. In a content
// of several lines an else divides only if it is alone in its line.
func (n *cbsNode) elseOf(src string) int {
	text := src[n.bodyStart:n.bodyEnd]
	lines := strings.Contains(text, "\n")
	return slices.IndexFunc(n.body, func(e cbsNode) bool {
		return e.kind == cbsElse && (!lines || aloneInLine(text, e.start-n.bodyStart, e.end-n.bodyStart))
	})
}

// aloneInLine reports whether only blanks are in the line of a part of a text, apart from the part.
func aloneInLine(text string, start, end int) bool {
	for start > 0 && (text[start-1] == ' ' || text[start-1] == '\t' || text[start-1] == '\r') {
		start--
	}
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r') {
		end++
	}
	return (start == 0 || text[start-1] == '\n') && (end == len(text) || text[end] == '\n')
}
