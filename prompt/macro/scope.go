package macro

// pair joins the opening and closing tags of one level. Tags match by name, the nearest first.
// Macros between matched tags belong to the scope. A macro opens a scope if a call with one more
// argument is still valid. A closing tag of a macro that cannot take the content turns both tags
// into text.
//
// Every macro is pushed and popped once, so the cost is linear.
func pair(nodes []node) {
	if !hasCloser(nodes) {
		return
	}
	s := scopes{nodes: nodes, stack: make([]int, 0, len(nodes)), byName: map[string]*openTags{}}
	for i := range nodes {
		switch n := &nodes[i]; n.kind {
		case macroNode:
			s.push(i)
		case closeNode:
			if !s.match(i) && n.name != commentName {
				n.asText = true
			}
		}
	}
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

// scopes are the macros of a level that can still be closed, newest last.
type scopes struct {
	nodes  []node
	stack  []int
	byName map[string]*openTags
}

// openTags are the open macros of one name: able ones can take content, unable ones cannot.
type openTags struct{ able, unable []int }

func (s *scopes) tags(name string) *openTags {
	t := s.byName[name]
	if t == nil {
		t = &openTags{}
		s.byName[name] = t
	}
	return t
}

// push adds a macro that a later tag may close.
func (s *scopes) push(i int) {
	n := &s.nodes[i]
	t := s.tags(n.name)
	if n.takesContent() {
		t.able = append(t.able, i)
	} else {
		t.unable = append(t.unable, i)
	}
	s.stack = append(s.stack, i)
}

// match finds the partner of a closing tag. It reports whether a partner takes the content.
func (s *scopes) match(closer int) bool {
	t := s.tags(s.nodes[closer].name)
	if n := len(t.able); n > 0 {
		opener := t.able[n-1]
		s.nodes[opener].span = closer - opener
		s.popTo(opener)
		return true
	}
	// {{user}}…{{/user}}: both tags stay as text, so that the author sees the mistake.
	if n := len(t.unable); n > 0 {
		opener := t.unable[n-1]
		s.nodes[opener].asText = true
		t.unable = t.unable[:n-1]
	}
	return false
}

// popTo removes the macros from opener on.
func (s *scopes) popTo(opener int) {
	for {
		last := len(s.stack) - 1
		i := s.stack[last]
		s.stack = s.stack[:last]
		t := s.tags(s.nodes[i].name)
		t.able = dropLast(t.able, i)
		t.unable = dropLast(t.unable, i)
		if i == opener {
			return
		}
	}
}

// dropLast removes i from the end of a list, if it is there.
func dropLast(list []int, i int) []int {
	if n := len(list); n > 0 && list[n-1] == i {
		return list[:n-1]
	}
	return list
}

// takesContent reports whether the content of a scope may be the last argument.
func (n *node) takesContent() bool {
	if n.spec == nil || n.malformed {
		return false
	}
	if n.name == commentName || n.spec.name == commentName {
		return len(n.args) == 0
	}
	return !n.spec.list && n.spec.accepts(len(n.args)+1)
}
