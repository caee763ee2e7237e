package jsregex

// CompileMarked is [Compile] for texts that begin with U+0001 or are empty, as
// windows do. There ^ without flag m stands before U+0001 only, so that branches
// like the first one of (?:^|\W)word can never match: they are taken out, which
// makes most such patterns decidable part by part. [Plan.Never] says that
// nothing is left.
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

// pruneMarked returns what is left of a regex for texts that begin with U+0001.
func pruneMarked(root *node, flags Flags) *node {
	if flags.Multiline || flags.Sticky {
		return root
	}
	return prune(root, true)
}

// prune takes out what cannot match because U+0001 would have to follow ^. next
// says that U+0001 or the end of the match may come behind n. It returns nil if
// nothing of n can match. Groups are kept where something refers to them by
// keeping the numbering: a pruned branch with a group in it stays.
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

// pruneConcat goes from right to left, because what follows decides whether ^
// can hold.
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

// pruneAlternate takes the branches out that cannot match.
func pruneAlternate(n *node, next bool) *node {
	out := *n
	out.subs = nil
	for _, s := range n.subs {
		sub := prune(s, next)
		if sub == nil && hasGroup(s) {
			sub = s // the numbers of later groups count on it
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

// edges says what a match of a node can begin and end with.
type edges struct {
	firstMark   bool // begins with U+0001
	lastNewline bool // ends with a newline
	crosses     bool // holds a newline followed by U+0001
}

// edgesOf says what a match of n can begin and end with. It may say yes too
// often: that costs speed only.
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

// edgesOfConcat joins the edges of parts. A part that can be empty lets its
// neighbours touch.
func edgesOfConcat(subs []*node) edges {
	e := edges{}
	first := true // nothing has been consumed for certain yet
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

// joint are the characters that a match must take to leave a part.
const (
	jointNewline = '\n'
	jointMark    = '\x01'
)
