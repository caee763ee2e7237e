package macro

// pairTags joins the opening and closing tags of one level. Tags match by name, the nearest first,
// also if the opening tag is in a scope that ends before the closing one. Such a pair is not a
// scope. Macros between the tags of a scope belong to it. A macro opens a scope if a call with one
// more argument is still valid. A closing tag of a macro that cannot take the content turns both
// tags into text, so that the author sees the mistake: {{user}}…{{/user}}.
//
// Every macro is pushed and popped once, so the cost is linear.
func pairTags(nodes []node) {
	if !hasCloser(nodes) {
		return
	}
	closers := matchTags(nodes)
	ends := []int{len(nodes)} // of the scopes around the node, the innermost last
	for i := range nodes {
		n, last := &nodes[i], len(ends)-1
		switch closer := closers[i]; {
		case i == ends[last]:
			ends = ends[:last]
		case n.kind == closeNode:
			n.asText = n.name != commentName
		case closer == 0 || closer > ends[last]:
		case n.takesContent():
			n.span = closer - i
			ends = append(ends, closer)
		default:
			n.asText = true
		}
	}
}

// matchTags returns the closing tag of each opening one, 0 for all other nodes.
func matchTags(nodes []node) []int {
	closers := make([]int, len(nodes))
	// The open macros by name, newest last: able ones can take content, unable ones cannot.
	type tags struct{ able, unable []int }
	open := map[string]*tags{}
	for i := range nodes {
		n := &nodes[i]
		if n.kind != macroNode && n.kind != closeNode {
			continue
		}
		t := open[n.name]
		if t == nil {
			t = &tags{}
			open[n.name] = t
		}
		list := &t.able
		switch {
		case n.kind == macroNode && n.takesContent():
			t.able = append(t.able, i)
			continue
		case n.kind == macroNode:
			t.unable = append(t.unable, i)
			continue
		case len(t.able) == 0:
			list = &t.unable
		}
		if last := len(*list) - 1; last >= 0 {
			closers[(*list)[last]] = i
			*list = (*list)[:last]
		}
	}
	return closers
}

// hasCloser is a cheap test: most levels have no scope.
func hasCloser(nodes []node) bool {
	for i := range nodes {
		if nodes[i].kind == closeNode {
			return true
		}
	}
	return false
}

// takesContent reports whether the content of a scope may be the last argument.
func (n *node) takesContent() bool {
	if n.spec == nil || n.malformed {
		return false
	}
	if n.name == commentName || n.spec.name == commentName {
		return len(n.args) == 0
	}
	return !n.spec.anyNumber && n.spec.accepts(len(n.args)+1)
}
