package rules

import (
	"slices"

	"github.com/talewright/talewright/internal/utf8text"
)

// Rule A causes rule B if it writes a variable that B watches, emits an event that B matches, or
// switches or triggers B. Cycles are found by a depth-first search of that graph. A chain ends in
// every cycle, because each id fires once. But the author should know where this happens.

// causation is the graph of possible causes. Its first nodes are rules and reactions. The other
// nodes are between them: variables by their roots, and event types. Without those nodes a variable
// that a thousand rules write and watch would have a million edges.
type causation struct {
	edges [][]int
	rules int // nodes that are rules
	nodes map[about]int
}

// node returns the node of a variable or event type.
func (g *causation) node(verb Verb, object string) int {
	key := about{verb, object}
	n, ok := g.nodes[key]
	if !ok {
		n = len(g.edges)
		g.nodes[key] = n
		g.edges = append(g.edges, nil)
	}
	return n
}

// connect adds an edge.
func (g *causation) connect(from, to int) { g.edges[from] = append(g.edges[from], to) }

// causes builds the graph of the rules with these ids.
func causes(relations []Relation, ids []string) *causation {
	g := &causation{edges: make([][]int, len(ids)), rules: len(ids), nodes: make(map[about]int)}
	// Of rules that share an id the first represents all: a cycle through one of them is shown
	// once. The shared id is a separate problem.
	place := make(map[string]int, len(ids))
	for i, id := range ids {
		if _, twice := place[id]; !twice {
			place[id] = i
		}
	}
	for _, r := range relations {
		switch i := place[r.From]; r.Verb {
		case verbWatches:
			// A write to one node may concern rules that watch a different node of the variable.
			// With roots, the cycles are possible ones, not certain ones.
			root := ""
			if r.Object != "" {
				root = rootOf(r.Object)
			}
			g.connect(g.node(verbWatches, root), i)
		case verbHears:
			g.connect(g.node(verbHears, r.Object), i)
		case verbWrites:
			g.connect(i, g.node(verbWrites, rootOf(r.Object)))
		case verbEmits:
			g.connect(i, g.node(verbEmits, r.Object))
		case verbToggles, verbTriggers:
			// Switching a rule on lets it fire later, which is also a cause.
			if to, ok := place[r.Object]; ok {
				g.connect(i, to)
			}
		}
	}
	g.join()
	for i := range g.edges {
		slices.Sort(g.edges[i])
		g.edges[i] = slices.Compact(g.edges[i])
	}
	return g
}

// join connects writes to watchers, and emitted events to rules that match them: by their own name,
// the areas around it, and everything.
func (g *causation) join() {
	to := func(from int, verb Verb, object string) {
		if n, ok := g.nodes[about{verb, object}]; ok {
			g.connect(from, n)
		}
	}
	for key, n := range g.nodes { // each iteration adds only to its own edges, which are sorted later
		switch key.verb {
		case verbWrites:
			to(n, verbWatches, key.object)
			to(n, verbWatches, "")
		case verbEmits:
			to(n, verbHears, key.object)
			to(n, verbHears, "*")
			typ := key.object[:min(len(key.object), utf8text.MaxWord)]
			for i := range len(typ) {
				if typ[i] == ':' {
					to(n, verbHears, typ[:i+1]+"*")
				}
			}
		}
	}
}

// cycles returns the cycles in which rules and reactions cause each other. One causes the next by
// writing a variable that the next watches, by emitting an event that it matches, or by switching
// or triggering it. Each cycle is a list of ids in order; the last causes the first. Of cycles that
// share members only one is returned. Conditions are not considered, so a cycle may never close in
// play. Apart from cycles with shared members, every possible cycle is returned.
func cycles(c Content) [][]string {
	list := handlers(c)
	ids := make([]string, len(list))
	for i, h := range list {
		ids[i] = h.ID
	}
	var out [][]string
	for _, circle := range circles(causes(Relations(c), ids).edges) {
		var names []string
		for _, i := range circle {
			if i < len(ids) {
				names = append(names, ids[i])
			}
		}
		out = append(out, names)
	}
	return out
}

// maxWalked limits the number of visited cycle members.
const maxWalked = 1_000_000

// circles searches a graph depth first and returns the path back at each closed cycle. A cycle that
// shares a member with a returned one is left out, because breaking one often breaks the other. The
// walk back along cycles is limited: if there are thousands, the first ones show the mistake.
func circles(edges [][]int) [][]int {
	s := search{edges: edges, state: make([]nodeState, len(edges)), inCircle: make([]bool, len(edges)), depth: make([]int, len(edges))}
	for start := range edges {
		if s.state[start] != unseen {
			continue
		}
		s.enter(start)
		for len(s.stack) > 0 {
			if s.step(); s.walked > maxWalked {
				return s.found
			}
		}
	}
	return s.found
}

// search is a depth-first search for cycles. It has its own stack, because untrusted content may be a
// chain of a hundred thousand rules.
type search struct {
	edges    [][]int
	state    []nodeState
	stack    []visit
	depth    []int  // of the open nodes, in the stack
	inCircle []bool // the node is in a cycle that was found
	walked   int    // members of cycles, also of cycles that are left out
	found    [][]int
}

// nodeState says how far the search of a node is.
type nodeState uint8

const (
	unseen nodeState = iota
	open             // on the stack
	done
)

// visit is an open node and its next edge.
type visit struct{ node, next int }

// enter puts a node on the stack.
func (s *search) enter(node int) {
	s.state[node], s.depth[node] = open, len(s.stack)
	s.stack = append(s.stack, visit{node, 0})
}

// step follows the next edge of the node on top of the stack, or removes the node after its last edge.
func (s *search) step() {
	top := &s.stack[len(s.stack)-1]
	if top.next == len(s.edges[top.node]) {
		s.state[top.node] = done
		s.stack = s.stack[:len(s.stack)-1]
		return
	}
	to := s.edges[top.node][top.next]
	top.next++
	switch s.state[to] {
	case unseen:
		s.enter(to)
	case open:
		s.closeCircle(to)
	}
}

// closeCircle records the cycle from an open node to the top of the stack.
func (s *search) closeCircle(start int) {
	members := s.stack[s.depth[start]:]
	if s.walked += len(members); s.walked > maxWalked {
		return
	}
	var circle []int
	isKnown := false
	for _, m := range members {
		circle = append(circle, m.node)
		isKnown = isKnown || s.inCircle[m.node]
		s.inCircle[m.node] = true
	}
	if !isKnown {
		s.found = append(s.found, circle)
	}
}
