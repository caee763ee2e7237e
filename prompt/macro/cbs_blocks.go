package macro

import (
	"slices"
	"strconv"
	"strings"
)

// expandBlock expands a block.
func (e *cbsRun) expandBlock(n *cbsNode) string {
	if n.old {
		if c := trim(e.expandNodes(n.args[0])); c == "" || c == "0" || c == "-1" {
			return ""
		}
		return trim(e.expandNodes(n.body))
	}
	raw := e.src[n.bodyStart:n.bodyEnd]
	switch n.name {
	case "if", "ifpure":
		c, _, _ := strings.Cut(e.headOf(n), " ")
		switch {
		case c != "1" && c != "true":
			return ""
		case n.name == "if":
			return trimLines(e.expandNodes(n.body))
		}
		return e.expandNodes(n.body)
	case "when":
		return e.expandWhen(n)
	case "each":
		return e.expandEach(n)
	case "code":
		return cbsCode(e.expandNodes(n.body))
	case "func":
		fields := strings.Fields(e.headOf(n))
		if len(fields) == 0 {
			e.report(n, "#func", codeBadValue, "a function without a name")
			return ""
		}
		note(&e.funcs, fields[0], n)
		return ""
	case "puredisplay":
		return cbsBraces.Replace(trim(raw))
	}
	return trim(raw) // pure, escape
}

// cbsBraces writes braces so that no later pass reads them as macros.
var cbsBraces = strings.NewReplacer("{", `\{`, "}", `\}`)

// headOf returns the head of a block after its name.
func (e *cbsRun) headOf(n *cbsNode) string {
	args := e.arguments(n.args)
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.text
	}
	head := trimLeft(strings.Join(texts, "::"))
	for i := range len(head) {
		if spaceAt(head, i) > 0 || strings.HasPrefix(head[i:], "::") {
			return trimLeft(strings.TrimPrefix(head[i:], "::"))
		}
	}
	return ""
}

// expandWhen expands a when block.
func (e *cbsRun) expandWhen(n *cbsNode) string {
	args := e.arguments(n.args)
	first := trimLeft(args[0].text) // "#when", or "#when c"
	if at := strings.IndexFunc(first, isBlank); at >= 0 {
		args[0].text = trimLeft(first[at:])
	} else {
		args = args[1:]
	}
	holds, mode := e.evalCondition(args)
	part, other := n.body, []cbsNode(nil)
	if n.otherwise >= 0 {
		part, other = n.body[:n.otherwise], n.body[n.otherwise+1:]
	}
	if !holds {
		part = other
	}
	text := e.expandNodes(part)
	switch {
	case mode == "keep":
	case mode == "legacy":
		text = trimLines(text)
	case strings.Contains(text, "\n"):
		text = withoutEmptyEnds(text)
	}
	return text
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

// evalCondition evaluates the condition of a when block from the right. A result of a macro is never an
// operator.
func (e *cbsRun) evalCondition(args []cbsArg) (holds bool, mode string) {
	pop := func() cbsArg {
		if len(args) == 0 {
			return cbsArg{}
		}
		last := args[len(args)-1]
		args = args[:len(args)-1]
		return last
	}
	c := pop().text
	for len(args) > 0 {
		op := pop()
		name := strings.ToLower(trim(op.text))
		if op.data {
			name = ""
		}
		var result bool
		switch name {
		case "not":
			result = !isTrue(c)
		case "and":
			result = isTrue(pop().text) && isTrue(c)
		case "or":
			result = isTrue(pop().text) || isTrue(c)
		case "is":
			result = pop().text == c
		case "isnot":
			result = pop().text != c
		case ">", "<", ">=", "<=":
			result = inOrder(name, cbsNumber(pop().text), cbsNumber(c))
		case "var":
			result = isTrue(e.variable(c))
		case "vis":
			result = e.variable(pop().text) == c
		case "visnot", "vnotis":
			result = e.variable(pop().text) != c
		case "toggle":
			result = isTrue(e.global("toggle_" + c))
		case "tis":
			result = e.global("toggle_"+pop().text) == c
		case "tisnot", "tnotis":
			result = e.global("toggle_"+pop().text) != c
		case "keep", "legacy":
			mode, result = name, isTrue(c)
		default:
			result = isTrue(c)
		}
		c = cbsTruth(result)
	}
	return isTrue(c), mode
}

// isTrue reports whether a condition of a block holds.
func isTrue(c string) bool {
	c = trim(c)
	return c == "1" || c == "true"
}

// expandEach expands a content once for each element of a list.
func (e *cbsRun) expandEach(n *cbsNode) string {
	list := trim(e.headOf(n))
	keeps := false
	if rest, ok := strings.CutPrefix(list, "keep "); ok {
		list, keeps = trim(rest), true
	}
	at := strings.LastIndexFunc(list, isBlank)
	if at < 0 {
		e.report(n, "#each", codeBadValue, "no name for the element: write LIST as name")
		return ""
	}
	name := list[at+1:]
	list = trim(list[:at])
	if rest, ok := strings.CutSuffix(list, " as"); ok {
		list = trim(rest)
	} else if rest, ok := strings.CutPrefix(list, "as "); ok {
		list = trim(rest)
	}
	if list == "" || list == cbsNull {
		return ""
	}
	items := cbsList(list)
	if !e.run.spend(len(list)) || len(items) > cbsItems {
		e.stop(n, "the list is too long")
		return ""
	}
	outer, had := e.elements[name]
	var out strings.Builder
	for _, item := range items {
		note(&e.elements, name, item)
		text := e.expandNodes(n.body)
		if e.stopped {
			break
		}
		if !keeps {
			text = trimLines(text)
		}
		if out.WriteString(text); out.Len() > maxResult {
			e.stop(n, "the result is too large")
			break
		}
	}
	if delete(e.elements, name); had {
		e.elements[name] = outer
	}
	return out.String()
}

// cbsCode returns the content of a code block: the lines joined, with escapes as \n replaced.
func cbsCode(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = trim(line)
	}
	text = strings.Join(lines, "")
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'u':
			if n, err := strconv.ParseUint(text[i+1:min(i+5, len(text))], 16, 16); err == nil && i+5 <= len(text) {
				b.WriteRune(rune(n))
				i += 4
				continue
			}
			b.WriteByte('u')
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}

// trimLines returns a text without white space at its ends and at the beginning of its lines.
func trimLines(text string) string {
	text = trim(text)
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = trimLeft(line)
	}
	return strings.Join(lines, "\n")
}

// withoutEmptyEnds returns a text without the empty lines at both ends.
func withoutEmptyEnds(text string) string {
	lines := strings.Split(text, "\n")
	full := func(line string) bool { return trim(line) != "" }
	first := slices.IndexFunc(lines, full)
	if first < 0 {
		return ""
	}
	last := len(lines)
	for !full(lines[last-1]) {
		last--
	}
	return strings.Join(lines[first:last], "\n")
}
