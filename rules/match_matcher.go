package rules

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// The WHEN of rules and reactions is compiled into one type, whose method matches decides
// alone and slowly what the index decides for many at once. It is kept complete on
// purpose: the index may narrow with it, patterns need it, and the tests hold
// the two against each other.
//
// Three decisions are worth knowing. A pattern looks at an event and a condition at the
// state, which is why a missing field is unequal to everything and a missing variable is
// not. A crossing is derived from the two values of a change and needs no event of its
// own. And a watched path is not only the node itself: events name variables as a whole
// where there is a schema, and single nodes where there is none, so a watcher hears both
// what is around it and what is inside.

// matcher is a compiled WHEN. Its kind says which of the fields count.
type matcher struct {
	Kind kind
	Type string // of events

	Clauses  []clause  // OnPattern, onCrossing by a pattern
	variable string    // onChange, onCrossing; "" is any
	inside   tree.Path // the variable as a path, if it is one
	around   []string  // the texts of the paths around it, outermost first
	// Walk follows a path from a node behind its first n segments; it knows the leaves.
	Walk         func(v tree.Value, path tree.Path, n int) tree.Value
	Rises, Drops bool    // which crossings count
	Limit        float64 // threshold
	At           float64 // OnTurn; NaN: none
	Every        float64 // OnTurn; 0: none
	Text         *matchText
}

// kind is what a matcher waits for.
type kind uint8

const (
	onNothing  kind = iota // inert, or by hand only
	onPattern              // type and clauses
	onChange               // a variable changed
	onCrossing             // a number crossed
	onTurn                 // a certain turn or period
	onText                 // keywords
)

// clause is one compiled test of an event's fields. Any of the fields will do.
type clause struct {
	Fields []string
	Op     Operator
	Value  tree.Value
	Parts  []string // contains: the alternatives, folded
}

// Matches decides by itself, without the index. It is given the event spelled out, and takes
// a change of a variable and an event of that name for the same thing.
func (m *matcher) Matches(e event.Event, turn int) bool {
	switch m.Kind {
	case onPattern:
		return covers(m.Type, e.Type) && m.holds(e, turn)
	case onChange:
		return e.Type == event.TypeStateChanged && m.concerns(e)
	case onCrossing:
		return e.Type == event.TypeStateChanged && m.crosses(e) ||
			m.Type == event.TypeStateCrossed && e.Type == event.TypeStateCrossed && m.holds(e, turn)
	case onTurn:
		return e.Type == event.TypeTurnComplete && m.due(turnOf(e, turn))
	case onText:
		return e.Type == m.Type && m.Text.found(contentOf(e))
	}
	return false
}

// holds decides the clauses.
func (m *matcher) holds(e event.Event, turn int) bool {
	// A period decides alone. On any other event it is a clause that cannot hold.
	if m.Every > 0 {
		return e.Type == event.TypeTurnComplete && m.due(turnOf(e, turn))
	}
	for i := range m.Clauses {
		if !m.Clauses[i].holds(e) {
			return false
		}
	}
	return true
}

// holds wants one of its fields to be accepted; all but the shorthand zone have one.
func (c *clause) holds(e event.Event) bool {
	for _, field := range c.Fields {
		if c.accepts(e.Get(field)) {
			return true
		}
	}
	return false
}

// accepts decides one field. A missing one is unequal to everything here, unlike in
// conditions: an event without a zone is indeed not in the forest.
func (c *clause) accepts(v tree.Value) bool {
	switch c.Op {
	case Neq:
		return !v.Exists() || !v.Equal(c.Value)
	case Contains:
		s, ok := v.AsText()
		return ok && containsAny(s, c.Parts)
	case Eq:
		return v.Exists() && v.Equal(c.Value)
	case Gt, Gte, Lt, Lte:
		n, ok := v.AsNumber()
		limit, numeric := c.Value.AsNumber()
		return ok && numeric && c.Op.Orders(n.Cmp(limit))
	}
	return false
}

// concerns reports whether the changed variable is the one watched: it itself, a
// node inside it, or a variable around it whose node changed.
func (m *matcher) concerns(e event.Event) bool {
	if m.variable == "" {
		return true
	}
	id, ok := e.Fields.Get("variableId").AsText()
	if !ok {
		return false
	}
	if id == m.variable || strings.HasPrefix(id, m.variable+".") {
		return true
	}
	before, after, ok := m.within(e, id)
	return ok && !before.Equal(after)
}

// within returns the old and new node of a watched path inside the variable that
// an event names.
func (m *matcher) within(e event.Event, id string) (before, after tree.Value, ok bool) {
	n := slices.Index(m.around, id) + 1
	if n == 0 {
		return before, after, false
	}
	before = m.Walk(e.Fields.Get("oldValue"), m.inside, n)
	after = m.Walk(e.Fields.Get("newValue"), m.inside, n)
	return before, after, true
}

// crosses reports whether the numbers of a change cross the threshold.
func (m *matcher) crosses(e event.Event) bool {
	before, after := e.Fields.Get("oldValue"), e.Fields.Get("newValue")
	if m.variable != "" {
		// Only numbers cross, so that a node inside the watched path is of no interest here,
		// while the path may well lie inside the variable that changed.
		id, _ := e.Fields.Get("variableId").AsText()
		if id != m.variable {
			var ok bool
			if before, after, ok = m.within(e, id); !ok {
				return false
			}
		}
	}
	from, ok := before.AsFloat()
	to, too := after.AsFloat()
	return ok && too && m.crossed(from, to)
}

// crossed decides a crossing. Leaving the threshold counts and landing on it does not, so
// that each crossing counts once.
func (m *matcher) crossed(from, to float64) bool {
	return m.Rises && from <= m.Limit && to > m.Limit || m.Drops && from >= m.Limit && to < m.Limit
}

// due reports whether the turn is the one, or one of the period.
func (m *matcher) due(turn float64) bool {
	return turn == m.At || m.Every > 0 && turn > 0 && math.Mod(turn, m.Every) == 0
}

// turnOf is the event's turn count, or else the state's.
func turnOf(e event.Event, turn int) float64 {
	if n, ok := e.Fields.Get("turnCount").AsFloat(); ok {
		return n
	}
	return float64(turn)
}

// contentOf is the text of a message, "" if it has none.
func contentOf(e event.Event) string {
	s, _ := e.Fields.Get("content").AsText()
	return s
}

// Watch notes the variable. A path is taken apart now, with the texts of all paths around
// it, because events name those.
func (m *matcher) Watch(variable string) {
	m.variable = variable
	p, err := tree.ParsePath(variable)
	if err != nil || len(p) < 2 {
		return
	}
	m.inside = p
	for n := 1; n < min(len(p), maxWatched); n++ {
		m.around = append(m.around, p[:n].String())
	}
}

// maxWatched bounds how many paths around a watched one are known: all of them together take
// the square of its length. A write beyond so many levels is not heard by who watches it.
const maxWatched = 32
