package macro

import "strings"

// control adds the macros that look at unexpanded nodes.
func (t table) control() {
	t.add("if", 2, 2, nil).scope = evalIf
	t.add("else", 0, 0, func(*Call) string { return "" })
	t.add("trim", 0, 1, nil).scope = evalTrim
}

// evalTrim marks the place, or gives its content, which is trimmed.
func evalTrim(e *evaluator, n *node, rest []node) {
	switch {
	case n.span > 0:
		content := e.level(rest[:n.span-1])
		if !n.keepSpace {
			content = dedent(content)
		}
		e.out.b = append(e.out.b, strings.TrimSpace(content)...)
	case len(n.args) > 0:
		e.out.b = append(e.out.b, strings.TrimSpace(e.level(n.args[0]))...)
	default:
		e.out.marks = append(e.out.marks, len(e.out.b))
	}
}

// evalIf decides before it expands: only the chosen branch has side effects. That
// is why it gets nodes and not arguments, as does the condition, in which the name
// of a variable or a macro stands for its value.
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
		e.nodes(branch)
		return
	}
	e.branch(branch)
}

// branch writes a branch trimmed and dedented. A {{trim}} at one of its ends
// reaches beyond the branch.
func (e *evaluator) branch(nodes []node) {
	o := e.nested(nodes)
	before, after := o.marksAtEnds()
	if before {
		e.out.marks = append(e.out.marks, len(e.out.b))
	}
	e.out.b = append(e.out.b, strings.TrimSpace(dedent(o.flatten()))...)
	if after {
		e.out.marks = append(e.out.marks, len(e.out.b))
	}
}

// branches cuts a level at its first {{else}} that is not in a scope.
func branches(nodes []node) (yes, no []node) {
	for i := 0; i < len(nodes); i++ {
		n := &nodes[i]
		if n.kind == macroNode && n.name == "else" && len(n.args) == 0 {
			return nodes[:i], nodes[i+1:]
		}
		i += n.span
	}
	return nodes, nil
}

// condition decides: a leading ! inverts, .name and $name are variables, the
// name of a macro that needs no arguments is its value, all else is itself.
func (e *evaluator) condition(nodes []node) bool {
	invert := false
	if len(nodes) > 0 && nodes[0].kind == textNode {
		first := nodes[0]
		text := trimLeft(e.t.text[first.start:first.end])
		if strings.HasPrefix(text, "!") {
			invert = true
			first.start = first.end - len(text) + 1
			nodes = append([]node{first}, nodes[1:]...)
		}
	}
	value := strings.TrimSpace(e.level(nodes))
	return falsy(e.resolve(value)) == invert
}

// resolve gives the value that a bare word of a condition stands for.
func (e *evaluator) resolve(value string) string {
	if value == "" {
		return ""
	}
	if value[0] == '.' || value[0] == '$' {
		name := strings.TrimSpace(value[1:])
		if name != "" && nameEnd(name, 0) == len(name) {
			return e.run.store(value[0] == '$').show(name)
		}
		return value
	}
	if nameEnd(value, 0) != len(value) {
		return value
	}
	name := strings.ToLower(value)
	if text, ok := e.run.call(name); ok {
		return text
	}
	if s := e.t.set.lookup(name); s != nil && s.min == 0 && s.eval != nil {
		n := node{kind: macroNode, name: name, spec: s}
		return s.eval(&Call{eval: e, node: &n})
	}
	return value
}
