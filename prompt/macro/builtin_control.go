package macro

import "strings"

// control adds the macros that need unexpanded nodes.
func (t table) control() {
	t.add("if", 2, 2, nil).scope = evalIf
	t.add("else", 0, 0, func(*Call) string { return markElse })
	t.add("trim", 0, 1, nil).scope = evalTrim
}

// evalTrim marks the place, or returns the content of a scope. The content is trimmed unless the
// flag
// # keeps its white space.
func evalTrim(e *evaluator, n *node, rest []node) {
	switch {
	case n.span > 0:
		e.out = append(e.out, scopeArgument(e.expandNodes(rest[:n.span-1]), n.keepSpace)...)
	default:
		for _, arg := range n.args { // the value is discarded, but the side effects stay
			e.expandNodes(arg)
		}
		e.out = append(e.out, markTrim...)
	}
}

// evalIf evaluates the condition first and expands only the chosen branch, so that only that branch
// has side effects. It therefore gets nodes and not expanded arguments. In the condition, the name
// of a variable or a macro means its value.
func evalIf(e *evaluator, n *node, rest []node) {
	var content []node
	if n.span > 0 {
		content = rest[:n.span-1]
	} else {
		content = n.args[1]
	}
	yes, no := branches(content)
	branch := no
	if e.condition(n.args[0]) {
		branch = yes
	}
	if n.keepSpace {
		e.writeNodes(branch)
		return
	}
	e.out = append(e.out, scopeArgument(strings.ReplaceAll(e.expandNodes(branch), markElse, ""), false)...)
}

// branches splits a level at its first {{else}} that is not in a scope. Unlike other names, else
// must be in lower case. Its arguments are ignored.
func branches(nodes []node) (yes, no []node) {
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		if n.kind == macroNode && n.name == "else" && n.exactElse {
			return nodes[:i], nodes[i+1:]
		}
		i += n.span
	}
	return nodes, nil
}

// condition evaluates a condition. A leading ! inverts, .name and $name are variables, the name of
// a macro without required arguments is its value, and any other text is itself. Names must be in
// the author's own text: a message that reads "user" is a text.
func (e *evaluator) condition(nodes []node) bool {
	invert, bare := false, false
	if len(nodes) > 0 && nodes[0].kind == textNode {
		first := nodes[0]
		text := trimLeft(e.template.text[first.start:first.end])
		if strings.HasPrefix(text, "!") {
			invert = true
			first.start = first.end - len(text) + 1
			nodes = append([]node{first}, nodes[1:]...)
		}
		text = trimLeft(e.template.text[first.start:first.end])
		bare = text != "" && text[0] != placeMark
	}
	_, value, _ := e.expandArgument(nodes)
	if bare {
		value = e.resolve(value)
	}
	return falsy(value) == invert
}

// resolve returns the value of a bare word in a condition.
func (e *evaluator) resolve(value string) string {
	if value == "" {
		return ""
	}
	if value[0] == '.' || value[0] == '$' {
		name := trim(value[1:])
		if name != "" && nameEnd(name, 0) == len(name) {
			return e.run.store(value[0] == '$').Condition(name)
		}
		return value
	}
	if nameEnd(value, 0) != len(value) {
		return value
	}
	name := strings.ToLower(value)
	if text, ok := e.run.buildMacros[name]; ok {
		return text
	}
	if s := e.template.set.lookup(name); s != nil && s.min == 0 && s.eval != nil {
		call := Call{eval: e, node: &node{kind: macroNode, name: name, spec: s}}
		if text := s.eval(&call); !call.leftAsWritten {
			return text
		}
	}
	return value
}
