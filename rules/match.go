package rules

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// This file has the compiled WHEN of rules and reactions. Its method Matches decides one event for
// one unit. The index in index.go decides for many units at once. Matches can decide every event
// alone: the index checks some of its results with it, patterns need it, and tests compare the two.
//
// Three decisions are important:
//
//   - A pattern tests an event, and a condition tests the state. A missing field is therefore unequal
//     to everything, but a missing variable is not.
//   - A crossing is derived from the two values of a change. It needs no event of its own.
//   - A watched path covers more than its node: with a schema events name whole variables, without a
//     schema single nodes. A watcher therefore also matches changes around the path and inside it.

// matcher is a compiled WHEN. Its kind decides which of the fields are used.
type matcher struct {
	Kind kind
	Type string // of events

	Clauses      []clause  // onPattern, onCrossing by a pattern
	variable     string    // onChange, onCrossing; "" is any
	inside       tree.Path // the variable as a path, if it is one
	around       []string  // the texts of the paths around it, outermost first
	seen         *leaves   // that the path leads through
	Rises, Drops bool      // which crossings count
	Limit        float64   // threshold
	At           float64   // onTurn; NaN: none
	Every        float64   // onTurn; 0: none
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

// Matches reports whether an event is what the unit waits for. It does not use the index and needs
// the complete event. A change of a variable and an event of that type are the same here.
func (m *matcher) Matches(e event.Event, turn int) bool {
	switch m.Kind {
	case onPattern:
		return covers(m.Type, e.Type) && m.clausesHold(e, turn)
	case onChange:
		return e.Type == event.TypeStateChanged && m.concernsWatched(e)
	case onCrossing:
		return e.Type == event.TypeStateChanged && m.crosses(e) ||
			m.Type == event.TypeStateCrossed && e.Type == event.TypeStateCrossed && m.clausesHold(e, turn)
	case onTurn:
		return e.Type == event.TypeTurnComplete && m.isDue(turnOf(e, turn))
	case onText:
		return e.Type == m.Type && m.Text.matches(contentOf(e))
	}
	return false
}

// clausesHold reports whether an event satisfies all clauses.
func (m *matcher) clausesHold(e event.Event, turn int) bool {
	// A period decides alone. On any other event its clause cannot hold.
	if m.Every > 0 {
		return e.Type == event.TypeTurnComplete && m.isDue(turnOf(e, turn))
	}
	for i := range m.Clauses {
		if !m.Clauses[i].holds(e) {
			return false
		}
	}
	return true
}

// holds reports whether the value of one of its fields is accepted. Only the shorthand zone has
// several fields.
func (c *clause) holds(e event.Event) bool {
	for _, field := range c.Fields { // a closure would copy the event to the heap
		if c.accepts(e.Get(field)) {
			return true
		}
	}
	return false
}

// accepts reports whether the value of a field satisfies the clause. Unlike in conditions, a
// missing field is unequal to everything: an event without a zone is not in the forest.
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
		limit, limitOK := c.Value.AsNumber()
		return ok && limitOK && c.Op.Orders(n.Cmp(limit))
	}
	return false
}

// concernsWatched reports whether an event concerns the watched variable: the variable itself, a node
// inside it, or a variable around it whose node at the path changed.
func (m *matcher) concernsWatched(e event.Event) bool {
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
	before, after, ok := m.watchedNodes(e, id)
	return ok && !before.Equal(after)
}

// watchedNodes returns the old and the new node at the watched path. id is the variable that the event
// names. ok is false if that variable is not around the watched path.
func (m *matcher) watchedNodes(e event.Event, id string) (before, after tree.Value, ok bool) {
	n := slices.Index(m.around, id) + 1 // the number of segments of id
	if n == 0 {
		return before, after, false
	}
	before = m.seen.Walk(e.Fields.Get("oldValue"), m.inside, n)
	after = m.seen.Walk(e.Fields.Get("newValue"), m.inside, n)
	return before, after, true
}

// crosses reports whether the numbers of a change cross the threshold.
func (m *matcher) crosses(e event.Event) bool {
	before, after := e.Fields.Get("oldValue"), e.Fields.Get("newValue")
	if m.variable != "" {
		// A change inside the watched path does not matter, because only numbers cross. A change
		// around it does.
		id, _ := e.Fields.Get("variableId").AsText()
		if id != m.variable {
			var ok bool
			if before, after, ok = m.watchedNodes(e, id); !ok {
				return false
			}
		}
	}
	from, isNumber := before.AsFloat()
	to, staysNumber := after.AsFloat()
	return isNumber && staysNumber && m.crossesLimit(from, to)
}

// crossesLimit reports whether a change from one number to another counts as a crossing. Leaving the
// threshold counts and landing on it does not, so that each crossing counts once.
func (m *matcher) crossesLimit(from, to float64) bool {
	return m.Rises && from <= m.Limit && to > m.Limit || m.Drops && from >= m.Limit && to < m.Limit
}

// isDue reports whether the turn is the required one or a multiple of the period.
func (m *matcher) isDue(turn float64) bool {
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

// Watch sets the watched variable. For a path it also prepares the texts of the paths around it,
// because an event may name any of them.
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

// covers reports whether an event type, or a pattern such as "area:*", covers typ.
func covers(pattern, typ string) bool {
	if pattern == typ || pattern == "*" {
		return pattern != ""
	}
	area, wild := strings.CutSuffix(pattern, "*")
	return wild && strings.HasSuffix(area, ":") && strings.HasPrefix(typ, area)
}
