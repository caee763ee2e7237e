package rules

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/rules/effect"
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

// circles searches a graph depth first and returns the path back at each closed cycle. It uses its
// own stack, because untrusted content may be a chain of a hundred thousand rules. A cycle that
// shares a member with a returned one is left out, because breaking one often breaks the other. The
// walk back along cycles is limited: if there are thousands, the first ones show the mistake.
func circles(edges [][]int) [][]int {
	const (
		unseen = iota
		open
		done
	)
	type frame struct{ node, next int }
	state := make([]int, len(edges))
	told := make([]bool, len(edges))
	at := make([]int, len(edges)) // indexes on the stack
	walked := 0
	var out [][]int
	for start := range edges {
		if state[start] != unseen {
			continue
		}
		state[start], at[start] = open, 0
		stack := []frame{{start, 0}}
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(edges[top.node]) {
				state[top.node] = done
				stack = stack[:len(stack)-1]
				continue
			}
			to := edges[top.node][top.next]
			top.next++
			switch state[to] {
			case unseen:
				state[to], at[to] = open, len(stack)
				stack = append(stack, frame{to, 0})
			case open: // it is still on the stack, so the path back to it is a cycle
				var circle []int
				known := false
				if walked += len(stack) - at[to]; walked > maxWalked {
					return out
				}
				for _, f := range stack[at[to]:] {
					circle = append(circle, f.node)
					known = known || told[f.node]
					told[f.node] = true
				}
				if !known {
					out = append(out, circle)
				}
			}
		}
	}
	return out
}

// cycles reports each cycle at its first member.
func (v *vetting) cycles() {
	place := make(map[string]string)
	for _, h := range v.list {
		if place[h.ID] == "" {
			place[h.ID] = h.path
		}
	}
	for _, circle := range cycles(v.content) {
		way := strings.Join(append(slices.Clone(circle), circle[0]), " → ")
		v.note(place[circle[0]], circle[0], codeCycle,
			"causes itself: "+way+"; each fires once per chain; "+
				"break the circle if that is not meant")
	}
}

// conflicts reports pairs of rules that set one variable to different values for the same trigger,
// without conditions that could separate them.
func (v *vetting) conflicts() {
	type claim struct{ id, value string }
	// Triggers are compared by their complete JSON: two different triggers may fire at different
	// times.
	claims := make(map[string]claim)
	for _, h := range v.list {
		// Conditions may separate the two rules, and patterns match in too many ways to compare.
		if len(h.Conditions) > 0 || h.Trigger == nil || h.Trigger.Type == Manual {
			continue
		}
		trigger, err := h.Trigger.MarshalJSON()
		if err != nil {
			continue
		}
		for _, e := range h.Then {
			set, ok := e.(effect.SetVariable)
			constant := ok && set.ValueRef == "" && set.Random == nil &&
				(set.Operation == effect.Set || set.Operation == "")
			if !constant {
				continue
			}
			// Different priorities express which rule should win.
			key := string(trigger) + "\x00" + set.Path + "\x00" + numberText(h.Priority)
			was, claimed := claims[key]
			if claimed && was.id != h.ID && was.value != set.Value.String() {
				v.note(h.path, h.ID, codeConflict, "sets "+set.Path+" to "+set.Value.String()+
					" where "+was.id+" sets it to "+was.value+
					", for the same trigger; the later one wins; give them priorities or conditions")
			}
			claims[key] = claim{h.ID, set.Value.String()}
		}
	}
}
