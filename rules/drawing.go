package rules

import (
	"cmp"
	"fmt"
	"strings"
)

// The drawing functions write the relations of rules and reactions to variables, events and each other, as
// text for Mermaid and for Graphviz. Rules that cause each other in a cycle are marked.

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

// graphShape is the form of a node: the brackets around its label and a beginning of the label in
// Mermaid, and the name of the shape in DOT.
type graphShape struct{ open, end, before, dot string }

// shapeOf returns the form of the nodes of a kind.
func shapeOf(k graphKind) graphShape {
	switch k {
	case graphRule:
		return graphShape{"[", "]", "", "box"}
	case graphVariable:
		return graphShape{"([", "])", "", "ellipse"}
	case graphEvent:
		return graphShape{">", "]", "", "cds"}
	}
	return graphShape{"[/", "/]", string(k) + ": ", "note"}
}

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
		shape := shapeOf(n.kind)
		fmt.Fprintf(&b, "  n%d%s\"%s\"%s\n", i, shape.open, mermaidText(shape.before+n.name), shape.end)
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
		color := ""
		if n.inCycle {
			color = " color=red penwidth=2"
		}
		fmt.Fprintf(&b, "  n%d [label=%s shape=%s%s];\n", i, dotText(n.name), shapeOf(n.kind).dot, color)
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
