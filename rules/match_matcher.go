package rules

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// The WHEN of rules and reactions is compiled into one type. Its method Matches decides one event
// slowly; the index decides for many units at once. Matches is kept complete on purpose: the index
// may use it to check its results, patterns need it, and tests compare the two.
//
// Three decisions are important. First, a pattern tests an event and a condition tests the state.
// So a missing field is unequal to everything, but a missing variable is not. Second, a crossing is
// derived from the two values of a change and needs no event of its own. Third, a watched path
// covers more than its node: with a schema events name whole variables, without a schema single
// nodes. So a watcher also matches changes around the path and inside it.

// matcher is a compiled WHEN. Its kind decides which of the fields are used.
type matcher struct {
	Kind kind
	Type string // of events

	Clauses  []clause  // OnPattern, onCrossing by a pattern
	variable string    // onChange, onCrossing; "" is any
	inside   tree.Path // the variable as a path, if it is one
	around   []string  // the texts of the paths around it, outermost first
	// Walk follows a path from a node after its first n segments, through leaves.
	Walk         func(v tree.Value, path tree.Path, n int) tree.Value
	Rises, Drops bool    // which crossings count
	Limit        float64 // threshold
	At           float64 // onTurn; NaN: none
	Every        float64 // onTurn; 0: none
	Text         *matchText
}

// kind is the kind of thing that a matcher waits for.
type kind uint8

const (
	onNothing  kind = iota // no effect, or only fired by hand
	onPattern              // type and clauses
	onChange               // a variable changed
	onCrossing             // a number crossed
	onTurn                 // a single turn or a period
	onText                 // keywords
)

// clause is one compiled test of an event's fields. It holds if any of the fields satisfies it.
type clause struct {
	Fields []string
	Op     Operator
	Value  tree.Value
	Parts  []string // contains: the alternatives, folded
}

// Matches decides without the index. It needs the complete event. A change of a variable and an
// event of that type are the same here.
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
	// A period decides alone. On any other event its clause cannot hold.
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

// holds reports whether one of its fields is accepted. Only the shorthand zone has several fields.
func (c *clause) holds(e event.Event) bool {
	for _, field := range c.Fields {
		if c.accepts(e.Get(field)) {
			return true
		}
	}
	return false
}

// accepts decides one field. Unlike in conditions, a missing field is unequal to everything: an
// event without a zone is not in the forest.
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

// concerns reports whether an event concerns the watched variable: the variable itself, a node
// inside it, or a variable around it whose node at the path changed.
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

// within returns the old and new node at a watched path inside the variable that an event names.
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
		// Only numbers cross, so a node inside the watched path does not matter here. But the path
		// may be inside the variable that changed.
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

// crossed decides a crossing. Leaving the threshold counts and landing on it does not, so that each
// crossing counts once.
func (m *matcher) crossed(from, to float64) bool {
	return m.Rises && from <= m.Limit && to > m.Limit || m.Drops && from >= m.Limit && to < m.Limit
}

// due reports whether the turn is the required one or a multiple of the period.
func (m *matcher) due(turn float64) bool {
	return turn == m.At || m.Every > 0 && turn > 0 && math.Mod(turn, m.Every) == 0
}

// turnOf returns the event's turn count, or else the state's turn.
func turnOf(e event.Event, turn int) float64 {
	if n, ok := e.Fields.Get("turnCount").AsFloat(); ok {
		return n
	}
	return float64(turn)
}

// contentOf returns the text of a message, or "".
func contentOf(e event.Event) string {
	s, _ := e.Fields.Get("content").AsText()
	return s
}

// Watch stores the variable. A path is split now, with the texts of all paths around it, because
// events name those.
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

// maxWatched limits the number of stored paths around a watched one, because their total length is
// quadratic. A write more than this many levels above the path is not matched.
const maxWatched = 32
