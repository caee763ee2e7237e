package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// The relations of a rule are read from its parts, not found by running it. So [Vet], cycles and
// the drawings see every rule, also rules that have never fired. Relations say what may happen.
// Whether it happens depends on conditions, which are not considered.

// Three readers use the same list, so that they always agree: Vet checks names, Cycles finds
// cycles, and the drawings show all of it.

// Verb is the way in which a rule or reaction uses something.
//
// Its values:
//
//   - reads: a variable, in a condition or operand
//   - writes: a variable
//   - watches: a variable, as its trigger; "" means any
//   - hears: an event type, perhaps with a wildcard
//   - emits: an event type
//   - toggles: a rule or reaction
//   - triggers: a rule or reaction
//   - injects: a directive
//   - removes: a directive
//   - switches: an entry of a world book
type Verb string

// The verbs.
const (
	verbReads    Verb = "reads"
	verbWrites   Verb = "writes"
	verbWatches  Verb = "watches"
	verbHears    Verb = "hears"
	verbEmits    Verb = "emits"
	verbToggles  Verb = "toggles"
	verbTriggers Verb = "triggers"
	verbInjects  Verb = "injects"
	verbRemoves  Verb = "removes"
	verbSwitches Verb = "switches"
)

// Relation is one thing that a rule or reaction uses.
type Relation struct {
	// From is the id of the rule or reaction. Path is its place in the content.
	From string
	Path string
	Verb Verb
	// Object is the object of the verb: a variable or path, an event type, an id.
	Object string
}

// The beginnings of @ paths that are followed by an id.
const (
	directivePath = "@prompt.directive."
	entryPath     = "@lore.entry."
	forcePath     = "@lore.force."
)

// handler is a rule or reaction with its place.
type handler struct {
	Handler
	path string
}

// handlers returns rules and handlers in one form.
func handlers(c Content) []handler {
	list := make([]handler, 0, len(c.Rules)+len(c.Handlers))
	for i, r := range c.Rules {
		list = append(list, handler{r.Handler(), "rules[" + strconv.Itoa(i) + "]"})
	}
	for i, h := range c.Handlers {
		list = append(list, handler{h, "reactions[" + strconv.Itoa(i) + "]"})
	}
	return list
}

// Relations lists the reads, writes, matches and causes of rules and reactions. It is in the order
// of the content and, within a rule, of trigger, conditions, stop conditions and actions. Repeated
// uses are listed repeatedly. Nothing is compiled: content with mistakes also has relations, and
// these may contain unknown names.
func Relations(c Content) []Relation {
	var out []Relation
	for _, h := range handlers(c) {
		r := relationReader{from: h.ID, path: h.path}
		r.trigger(h.Handler)
		r.conditions(h.Conditions)
		r.conditions(h.StopConditions)
		for _, e := range h.Then {
			r.effect(e)
		}
		out = append(out, r.list...)
	}
	return out
}

// relationReader collects the relations of one rule or reaction.
type relationReader struct {
	from, path string
	list       []Relation
}

// add records a relation.
func (r *relationReader) add(v Verb, object string) {
	r.list = append(r.list, Relation{From: r.from, Path: r.path, Verb: v, Object: object})
}

// trigger records what the WHEN waits for.
func (r *relationReader) trigger(h Handler) {
	// Crossings and changes are drawn to the variable, which is more informative than the event
	// type.
	if h.Trigger == nil {
		switch t := h.When.EventType; {
		case t == event.TypeStateChanged || t == event.TypeStateCrossed:
			r.add(verbWatches, watched(h.When))
		case t != "":
			r.add(verbHears, t)
		}
		return
	}
	switch h.Trigger.Type {
	case VariableCrossed, StateChange:
		r.add(verbWatches, h.Trigger.VariableID)
	case TurnCount, EveryTurn:
		r.add(verbHears, event.TypeTurnComplete)
	case OnSessionStart:
		r.add(verbHears, event.TypeSessionStart)
	case Keyword:
		r.add(verbHears, event.TypePlayerMessage)
	case AIKeyword:
		r.add(verbHears, event.TypeModelMessage)
	case OnAction:
		r.add(verbHears, event.TypeActionFired)
	}
}

// watched returns the variable of a pattern for changes, "" for any. A clause with an operator
// other than eq may match many variables.
func watched(p Pattern) string {
	c, ok := p.Match["variableId"]
	if ok && c.Operator != Eq && p.EventType == event.TypeStateChanged {
		return ""
	}
	id, _ := p.Wanted("variableId").AsText()
	return id
}

// conditions records the variables that are read.
func (r *relationReader) conditions(list []Condition) {
	for _, c := range list {
		r.add(verbReads, c.VariableID)
		r.reference(c.ValueRef)
	}
}

// reference records a variable that is an operand. A parameter of an event is not recorded.
func (r *relationReader) reference(ref string) {
	if _, param := report.Key(ref); ref != "" && !param {
		r.add(verbReads, ref)
	}
}

// effect records what an effect causes, and its event.
func (r *relationReader) effect(e effect.Effect) {
	// An effect that is also an event, such as a notice, is listed as that event.
	switch e := e.(type) {
	case effect.SetVariable:
		r.write(e)
	case effect.InjectDirective:
		r.add(verbInjects, e.ID)
	case effect.RemoveDirective:
		r.add(verbRemoves, e.ID)
	case effect.ToggleRule:
		r.add(verbToggles, e.ID)
	case effect.TriggerRule:
		r.add(verbTriggers, e.ID)
	case effect.UpdateEntry:
		r.add(verbSwitches, e.ID)
	case effect.RemoveEntry:
		r.add(verbSwitches, e.ID)
	case effect.ForceEntry:
		r.add(verbSwitches, e.ID)
	case effect.ToggleEntry:
		r.add(verbSwitches, e.ID)
	default:
		if event, ok := effect.EventOf(e); ok {
			r.add(verbEmits, event.Type)
		}
	}
	if m, ok := e.(effect.ShowMoment); ok && m.Collect != "" {
		r.add(verbWrites, m.Collect)
	}
}

// write records a write. The names of @ paths show their meaning.
func (r *relationReader) write(e effect.SetVariable) {
	// The list of a random operand is read; its history is read and written.
	if e.Random != nil {
		for _, ref := range []string{e.Random.CandidatesVar, e.Random.HistoryVar} {
			r.reference(ref)
		}
		if e.Random.HistoryVar != "" {
			r.add(verbWrites, e.Random.HistoryVar)
		}
	}
	// These paths have the same meaning as actions of package rules and are listed in the same way.
	// The drawing should not depend on the author's choice of form.
	if id, ok := strings.CutPrefix(e.Path, "@rules.disabled."); ok {
		r.add(verbToggles, id)
		return
	}
	if id, ok := strings.CutPrefix(e.Path, "@prompt.entry."); ok {
		r.add(verbSwitches, id)
		return
	}
	for _, head := range []string{entryPath, forcePath} {
		if id, ok := strings.CutPrefix(e.Path, head); ok {
			r.add(verbSwitches, id)
			return
		}
	}
	if id, ok := strings.CutPrefix(e.Path, "@prompt.directive."); ok {
		if on, isFlag := e.Value.AsBool(); isFlag && !on {
			r.add(verbRemoves, id)
			return
		}
		r.add(verbInjects, id)
		return
	}
	if e.Path != "" && e.Path[0] == '@' {
		return // for the host, or without a lasting effect
	}
	r.reference(e.ValueRef)
	r.add(verbWrites, e.Path)
}

// rootOf returns the variable that a path leads into.
func rootOf(path string) string {
	if p, err := tree.ParsePath(path); err == nil {
		return p[0]
	}
	return path
}

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

// The drawing functions write the relations of rules and reactions to variables, events and each other, as text
// for Mermaid and for Graphviz. Rules that cause each other in a cycle are marked.

// The drawing shows relations through variables, events, switches, directives and entries. It omits
// conditions' values and effects' texts: it answers "which rules use this". The rules themselves
// answer "when".

// graphNode is one thing in the drawing.
type graphNode struct {
	kind    graphKind // a rule and a variable may share a name
	name    string    // as in the content
	inCycle bool      // part of a cycle
}

// graphKind is the kind of a thing in the drawing.
type graphKind string

const (
	graphRule     graphKind = "rule"
	graphVariable graphKind = "variable"
	graphEvent    graphKind = "event"
	directive     graphKind = "directive"
	entry         graphKind = "entry"
)

// objectKinds are the kinds of the objects of relations, other than rules.
var objectKinds = map[Verb]graphKind{
	verbReads: graphVariable, verbWatches: graphVariable, verbWrites: graphVariable,
	verbHears: graphEvent, verbEmits: graphEvent,
	verbInjects: directive, verbRemoves: directive, verbSwitches: entry,
}

// edge is an arrow in the direction of cause: from the thing that is read to its reader, from the
// writer to the thing that is written.
type edge struct {
	from, to int
	verb     Verb
	inCycle  bool // both ends are in one cycle
}

// drawing is the content as nodes and edges.
type drawing struct {
	nodes []graphNode
	edges []edge
	place map[graphNode]int // of the nodes
	drawn map[edge]bool
}

// draw builds nodes and edges in the order of the content. So a small change of the content is a
// small change of the drawing: authors keep drawings under version control.
func draw(c Content) *drawing {
	d := &drawing{place: make(map[graphNode]int), drawn: make(map[edge]bool)}
	// cycles are numbered, because an arrow between two cycles is in neither.
	circleOf := make(map[string]int)
	for i, circle := range cycles(c) {
		for _, id := range circle {
			circleOf[id] = i + 1
		}
	}
	for _, r := range Relations(c) {
		from := d.add(graphRule, r.From, circleOf[r.From] > 0)
		if r.Verb == verbToggles || r.Verb == verbTriggers {
			same := circleOf[r.From] > 0 && circleOf[r.From] == circleOf[r.Object]
			d.connect(from, d.add(graphRule, r.Object, circleOf[r.Object] > 0), r.Verb, same)
			continue
		}
		name := r.Object
		if r.Verb == verbWatches {
			name = cmp.Or(name, "any variable")
		}
		to := d.add(objectKinds[r.Verb], name, false)
		if r.Verb == verbReads || r.Verb == verbWatches || r.Verb == verbHears { // the object leads to the rule
			from, to = to, from
		}
		d.connect(from, to, r.Verb, false)
	}
	return d
}

// add returns the node of a thing. Each thing is drawn once.
func (d *drawing) add(k graphKind, name string, circle bool) int {
	n := graphNode{k, name, circle}
	if i, ok := d.place[n]; ok {
		return i
	}
	d.place[n] = len(d.nodes)
	d.nodes = append(d.nodes, n)
	return len(d.nodes) - 1
}

// connect draws one arrow for each verb, even if a rule writes a variable in three of its actions.
func (d *drawing) connect(from, to int, verb Verb, circle bool) {
	e := edge{from, to, verb, circle}
	if !d.drawn[e] {
		d.drawn[e] = true
		d.edges = append(d.edges, e)
	}
}

// Mermaid returns a flowchart for Markdown viewers. Rules are boxes, variables are rounded, events
// are flags, directives and entries are slanted. Rules in a cycle are red, and the arrows between
// them thick. Equal content gives equal text. See [Relations] for the drawn relations and cycles
// for the definition of a cycle.
func Mermaid(c Content) string {
	d := draw(c)
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	// Nodes have numbers as names, because ids of authors may contain any character.
	for i, n := range d.nodes {
		label := mermaidText(n.name)
		switch n.kind {
		case graphRule:
			fmt.Fprintf(&b, "  n%d[\"%s\"]\n", i, label)
		case graphVariable:
			fmt.Fprintf(&b, "  n%d([\"%s\"])\n", i, label)
		case graphEvent:
			fmt.Fprintf(&b, "  n%d>\"%s\"]\n", i, label)
		default:
			fmt.Fprintf(&b, "  n%d[/\"%s: %s\"/]\n", i, n.kind, label)
		}
	}
	for _, e := range d.edges {
		arrow := "-->"
		if e.inCycle {
			arrow = "==>"
		}
		fmt.Fprintf(&b, "  n%d %s|%s| n%d\n", e.from, arrow, e.verb, e.to)
	}
	for i, n := range d.nodes {
		if n.inCycle {
			fmt.Fprintf(&b, "  style n%d stroke:#c00,stroke-width:3px\n", i)
		}
	}
	return b.String()
}

// mermaidText escapes characters that would end a label. Mermaid has its own entities, and its
// viewers read angle brackets as markup.
func mermaidText(s string) string {
	return strings.NewReplacer(`"`, "#quot;", "\n", " ", "<", "#lt;", ">", "#gt;").Replace(s)
}

// DOT returns a directed graph for Graphviz. Rules are boxes, variables ellipses, events flags,
// directives and entries notes. Rules in a cycle are red. Equal content gives equal text.
func DOT(c Content) string {
	d := draw(c)
	var b strings.Builder
	b.WriteString("digraph rules {\n  rankdir=LR;\n")
	for i, n := range d.nodes {
		shape := map[graphKind]string{graphRule: "box", graphVariable: "ellipse", graphEvent: "cds"}[n.kind]
		if shape == "" {
			shape = "note"
		}
		color := ""
		if n.inCycle {
			color = " color=red penwidth=2"
		}
		fmt.Fprintf(&b, "  n%d [label=%s shape=%s%s];\n", i, dotText(n.name), shape, color)
	}
	for _, e := range d.edges {
		color := ""
		if e.inCycle {
			color = " color=red"
		}
		fmt.Fprintf(&b, "  n%d -> n%d [label=%s%s];\n", e.from, e.to, dotText(string(e.verb)), color)
	}
	b.WriteString("}\n")
	return b.String()
}

// dotText quotes a label.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
