package macro

import (
	"strings"
)

// control adds the macros that look at unexpanded nodes.
func (t table) control() {
	t.add("if", 2, 2, nil).scope = evalIf
	t.add("else", 0, 0, func(*Call) string { return markElse })
	t.add("trim", 0, 1, nil).scope = evalTrim
}

// evalTrim marks the place, or gives the content of a scope, which is trimmed
// unless the flag # keeps its white space.
func evalTrim(e *evaluator, n *node, rest []node) {
	switch {
	case n.span > 0:
		e.out = append(e.out, scoped(e.level(rest[:n.span-1]), n.keepSpace)...)
	default:
		for _, arg := range n.args { // given up, but what it does is done
			e.level(arg)
		}
		e.out = append(e.out, markTrim...)
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
	e.out = append(e.out, scoped(without(e.level(branch), markElse), false)...)
}

// branches cuts a level at its first {{else}} that is not in a scope. Unlike other
// names this one is written in small letters. Arguments of it mean nothing.
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

// condition decides: a leading ! inverts, .name and $name are variables, the
// name of a macro that needs no arguments is its value, all else is itself. Names
// begin with what the author wrote: a message that reads "user" is a text.
func (e *evaluator) condition(nodes []node) bool {
	invert, bare := false, false
	if len(nodes) > 0 && nodes[0].kind == textNode {
		first := nodes[0]
		text := trimLeft(e.t.text[first.start:first.end])
		if strings.HasPrefix(text, "!") {
			invert = true
			first.start = first.end - len(text) + 1
			nodes = append([]node{first}, nodes[1:]...)
		}
		text = trimLeft(e.t.text[first.start:first.end])
		bare = text != "" && text[0] != place
	}
	_, value, _ := e.argument(nodes)
	if bare {
		value = e.resolve(value)
	}
	return falsy(value) == invert
}

// resolve gives the value that a bare word of a condition stands for.
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
	if text, ok := e.run.call(name); ok {
		return text
	}
	if s := e.t.set.lookup(name); s != nil && s.min == 0 && s.eval != nil {
		call := Call{eval: e, node: &node{kind: macroNode, name: name, spec: s}}
		if text := s.eval(&call); !call.stays {
			return text
		}
	}
	return value
}
