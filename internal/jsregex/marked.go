package jsregex

// CompileMarked is [Compile] for texts that begin with U+0001 or are empty, like windows. In such a
// text ^ without flag m matches only before U+0001. So a branch like the first one of (?:^|\W)word
// can never match and is removed. After that, most such patterns can be decided part by part.
// [Plan.Never] reports that no branch is left.
func CompileMarked(pattern string, flags Flags) (*Regexp, error) {
	root, err := parse(pattern, flags)
	if err != nil {
		return nil, err
	}
	pruned := pruneMarked(root, flags)
	if pruned == nil {
		return &Regexp{pattern: pattern, flags: flags, plan: Plan{Never: true}}, nil
	}
	r := newRegexp(pattern, pruned, flags)
	r.marked = true
	return r, nil
}

// pruneMarked returns the remaining part of a regex for texts that begin with U+0001.
func pruneMarked(root *node, flags Flags) *node {
	if flags.Multiline || flags.Sticky {
		return root
	}
	return prune(root, true)
}

// prune removes the parts that cannot match because U+0001 would have to follow ^. next says that
// U+0001 or the end of the match may follow n. It returns nil if no part of n can match. The
// numbers of groups must not change, so a pruned branch with a group is kept.
func prune(n *node, next bool) *node {
	switch n.op {
	case opStart:
		if !next {
			return nil
		}
	case opConcat:
		return pruneConcat(n, next)
	case opAlternate:
		return pruneAlternate(n, next)
	case opGroup:
		body := prune(n.subs[0], next)
		if body == nil {
			return nil
		}
		return &node{op: opGroup, subs: []*node{body}, group: n.group}
	}
	return n
}

// pruneConcat goes from right to left, because the text after ^ decides whether ^ can match.
func pruneConcat(n *node, next bool) *node {
	out := *n
	out.subs = make([]*node, len(n.subs))
	for i := len(n.subs) - 1; i >= 0; i-- {
		sub := prune(n.subs[i], next)
		if sub == nil {
			return nil
		}
		out.subs[i] = sub
		next = edgesOf(sub).firstMark || sub.nullable() && next
	}
	return &out
}

// pruneAlternate removes the branches that cannot match.
func pruneAlternate(n *node, next bool) *node {
	out := *n
	out.subs = nil
	for _, s := range n.subs {
		sub := prune(s, next)
		if sub == nil && hasGroup(s) {
			sub = s // the numbers of later groups depend on it
		}
		if sub != nil {
			out.subs = append(out.subs, sub)
		}
	}
	switch len(out.subs) {
	case 0:
		return nil
	case 1:
		return out.subs[0]
	}
	return &out
}

// hasGroup reports whether n captures anything.
func hasGroup(n *node) bool {
	return !n.walk(func(n *node) bool { return n.op != opGroup })
}

// edges describes how a match of a node can begin and end.
type edges struct {
	firstMark   bool // begins with U+0001
	lastNewline bool // ends with a newline
	crosses     bool // contains a newline followed by U+0001
}

// edgesOf returns how a match of n can begin and end. It may return true too often; that only costs
// speed.
func edgesOf(n *node) edges {
	switch n.op {
	case opChar:
		return edges{firstMark: n.ch == jointMark, lastNewline: n.ch == jointNewline}
	case opDot:
		return edges{firstMark: true, lastNewline: true}
	case opClass:
		return edges{
			firstMark:   n.set.mayContain(jointMark),
			lastNewline: n.set.mayContain(jointNewline),
		}
	case opGroup:
		return edgesOf(n.subs[0])
	case opRepeat:
		e := edgesOf(n.subs[0])
		if n.max == unbounded || n.max > 1 {
			e.crosses = e.crosses || e.lastNewline && e.firstMark
		}
		return e
	case opAlternate:
		var e edges
		for _, s := range n.subs {
			x := edgesOf(s)
			e.firstMark = e.firstMark || x.firstMark
			e.lastNewline = e.lastNewline || x.lastNewline
			e.crosses = e.crosses || x.crosses
		}
		return e
	case opConcat:
		return edgesOfConcat(n.subs)
	case opBackref:
		return edges{true, true, true}
	}
	return edges{}
}

// edgesOfConcat combines the edges of parts. If a part can be empty, its neighbours can touch.
func edgesOfConcat(subs []*node) edges {
	e := edges{}
	first := true // nothing has certainly been matched yet
	for _, s := range subs {
		x := edgesOf(s)
		e.crosses = e.crosses || x.crosses || e.lastNewline && x.firstMark
		e.firstMark = e.firstMark || first && x.firstMark
		if s.nullable() {
			e.lastNewline = e.lastNewline || x.lastNewline
		} else {
			e.lastNewline = x.lastNewline
			first = false
		}
	}
	return e
}

// The characters that a match must contain to leave a part.
const (
	jointNewline = '\n'
	jointMark    = '\x01'
)
