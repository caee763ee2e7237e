package rules

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/param"
	"github.com/talewright/talewright/rules/internal/report"
)

// The WHEN of rules and reactions is compiled into one type, whose method matches decides
// alone and slowly what the index decides for many at once. It is kept complete on
// purpose: the index may narrow with it, [Pattern.Matches] needs it, and the tests hold
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
	kind matchKind
	typ  string // of events

	clauses  []clause  // onPattern, onCrossing by a pattern
	variable string    // onChange, onCrossing; "" is any
	inside   tree.Path // the variable as a path, if it is one
	around   []string  // the texts of the paths around it, outermost first
	program  *Program  // for its leaves
	dir      Direction
	limit    float64 // threshold
	at       float64 // onTurn; NaN: none
	every    float64 // onTurn; 0: none
	text     *textTrigger
}

type matchKind uint8

const (
	onNothing  matchKind = iota // inert, or by hand only
	onPattern                   // type and clauses
	onChange                    // a variable changed
	onCrossing                  // a number crossed
	onTurn                      // a certain turn or period
	onText                      // keywords
)

// clause is one compiled test of an event's fields. Any of the fields will do.
type clause struct {
	fields []string
	op     condition.Operator
	value  tree.Value
	parts  []string // contains: the alternatives, folded
}

// matches decides by itself, without the index. It is given the event spelled out, and takes
// a change of a variable and an event of that name for the same thing.
func (m *matcher) matches(e event.Event, turn int) bool {
	switch m.kind {
	case onPattern:
		return covers(m.typ, e.Type) && m.holds(e, turn)
	case onChange:
		return e.Type == event.TypeStateChanged && m.concerns(e)
	case onCrossing:
		return e.Type == event.TypeStateChanged && m.crosses(e) ||
			m.typ == event.TypeStateCrossed && e.Type == event.TypeStateCrossed && m.holds(e, turn)
	case onTurn:
		return e.Type == event.TypeTurnComplete && m.due(turnOf(e, turn))
	case onText:
		return e.Type == m.typ && m.text.found(contentOf(e))
	}
	return false
}

// holds decides the clauses.
func (m *matcher) holds(e event.Event, turn int) bool {
	// A period decides alone. On any other event it is a clause that cannot hold.
	if m.every > 0 {
		return e.Type == event.TypeTurnComplete && m.due(turnOf(e, turn))
	}
	for i := range m.clauses {
		if !m.clauses[i].holds(e) {
			return false
		}
	}
	return true
}

// holds wants one of its fields to be accepted; all but the shorthand zone have one.
func (c *clause) holds(e event.Event) bool {
	for _, field := range c.fields {
		if c.accepts(e.Get(field)) {
			return true
		}
	}
	return false
}

// accepts decides one field. A missing one is unequal to everything here, unlike in
// conditions: an event without a zone is indeed not in the forest.
func (c *clause) accepts(v tree.Value) bool {
	switch c.op {
	case condition.Neq:
		return !v.Exists() || !v.Equal(c.value)
	case condition.Contains:
		s, ok := v.AsText()
		return ok && containsAny(s, c.parts)
	case condition.Eq:
		return v.Exists() && v.Equal(c.value)
	case condition.Gt, condition.Gte, condition.Lt, condition.Lte:
		n, ok := v.AsNumber()
		limit, numeric := c.value.AsNumber()
		return ok && numeric && c.op.Orders(n.Cmp(limit))
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
	before = m.program.walk(e.Fields.Get("oldValue"), m.inside, n)
	after = m.program.walk(e.Fields.Get("newValue"), m.inside, n)
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
	return ok && too && crossed(m.dir, m.limit, from, to)
}

// crossed decides a crossing. Leaving the threshold counts and landing on it does not, so
// that each crossing counts once.
func crossed(dir Direction, limit, from, to float64) bool {
	rises := from <= limit && to > limit
	drops := from >= limit && to < limit
	switch dir {
	case RisesAbove:
		return rises
	case DropsBelow:
		return drops
	case "":
		return rises || drops
	}
	return false
}

// due reports whether the turn is the one, or one of the period.
func (m *matcher) due(turn float64) bool {
	return turn == m.at || m.every > 0 && turn > 0 && math.Mod(turn, m.every) == 0
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

// matcher compiles the WHEN of a handler and names what can never match.
func (c *compiler) matcher(path string, h Handler) matcher {
	var m matcher
	if h.Trigger != nil {
		m = c.triggerMatcher(path, h, h.Trigger)
	} else {
		// The other mistakes of patterns are found by Vet: they may be meant for a host.
		if h.When.EventType == "" {
			c.problems.Add(path+".when", h.ID, BadPattern,
				"no eventType; the reaction never fires; write one as in \"turn:complete\"")
		}
		m = compilePattern(h.When)
	}
	m.program = c.set
	return m
}

// triggerMatcher compiles a rule's trigger. Triggers that need nothing of their own become
// patterns; the others have a kind each, for which the index has a shelf.
func (c *compiler) triggerMatcher(path string, h Handler, t *Trigger) matcher {
	problems, usable := t.misread(path+".trigger", h.ID)
	c.problems = append(c.problems, problems...)
	if !usable {
		return matcher{}
	}
	switch t.Type {
	case VariableCrossed:
		return c.crossing(path, h.ID, t)
	case StateChange:
		m := matcher{kind: onChange, typ: event.TypeStateChanged}
		m.watch(t.VariableID)
		return m
	case TurnCount:
		return c.turnCount(path, h.ID, t)
	case OnSessionStart:
		return matcher{kind: onPattern, typ: event.TypeSessionStart}
	case EveryTurn:
		return matcher{kind: onPattern, typ: event.TypeTurnComplete}
	case OnAction:
		m := matcher{kind: onPattern, typ: event.TypeActionFired}
		if t.ActionID != "" {
			m.clauses = []clause{{fields: []string{"actionId"}, op: condition.Eq, value: tree.Text(t.ActionID)}}
		}
		return m
	case Keyword:
		return matcher{kind: onText, typ: event.TypePlayerMessage, text: c.textTrigger(path, h.ID, t)}
	case AIKeyword:
		return matcher{kind: onText, typ: event.TypeModelMessage, text: c.textTrigger(path, h.ID, t)}
	case Manual:
		return matcher{}
	}
	// A trigger that nobody understands must not fire: better a silent rule and a
	// problem than a rule that fires for the wrong reason.
	if t.Type != "" {
		c.problems.Add(path+".trigger", h.ID, BadTrigger,
			"unknown trigger "+strconv.Quote(string(t.Type))+"; the rule is inert; "+
				report.Hint(t.Type, triggerTypes[:]...))
	} else if len(h.Problems.Of(BadTrigger)) == 0 && !ofWhole(h.Problems) {
		c.problems.Add(path+".trigger", h.ID, BadTrigger, "no trigger type; the rule is inert; "+
			report.Hint("", triggerTypes[:]...))
	}
	return matcher{}
}

// crossing compiles variable-crossed. Without a threshold there is nothing to cross.
func (c *compiler) crossing(path, id string, t *Trigger) matcher {
	switch t.Direction {
	case RisesAbove, DropsBelow, "":
	default:
		c.problems.Add(path+".trigger.direction", id, BadTrigger,
			"unknown direction "+strconv.Quote(string(t.Direction))+"; "+
				report.Hint(t.Direction, RisesAbove, DropsBelow))
	}
	if t.Threshold == nil {
		c.problems.Add(path+".trigger.threshold", id, NeverFires,
			"no threshold; the rule never fires; add a number")
		return matcher{}
	}
	m := matcher{kind: onCrossing, typ: event.TypeStateChanged, limit: *t.Threshold, dir: t.Direction}
	m.watch(t.VariableID)
	return m
}

// turnCount compiles turn-count. No turn equals NaN, which stands for a missing atTurn.
func (c *compiler) turnCount(path, id string, t *Trigger) matcher {
	m := matcher{kind: onTurn, typ: event.TypeTurnComplete, at: math.NaN()}
	if t.AtTurn != nil {
		m.at = *t.AtTurn
	}
	if t.EveryNTurns != nil { // 0 and less are no period
		m.every = max(*t.EveryNTurns, 0)
	}
	if t.AtTurn == nil && m.every == 0 {
		c.problems.Add(path+".trigger", id, NeverFires,
			"no turn; the rule never fires; give atTurn or a positive everyNTurns")
	}
	return m
}

// ofWhole reports whether there is nothing to read at all: then its parts are not missed one
// by one.
func ofWhole(ps talewright.Problems) bool {
	return slices.ContainsFunc(ps, func(p talewright.Problem) bool { return p.Path == "" })
}

// watch notes the variable. A path is taken apart now, with the texts of all paths around
// it, because events name those.
func (m *matcher) watch(variable string) {
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

// zoneFields are the fields that satisfy the shorthand "zone".
var zoneFields = []string{"zone", "zoneId", "zoneName"}

// compilePattern compiles an event pattern. Fields are taken in the order of their names,
// so that nothing depends on the order of a map.
func compilePattern(p Pattern) matcher {
	m := matcher{kind: onPattern, typ: p.EventType, at: math.NaN()}
	for _, field := range slices.Sorted(maps.Keys(p.Equal)) {
		fields := []string{field}
		if field == "zone" {
			fields = zoneFields
		}
		m.clauses = append(m.clauses, clause{fields: fields, op: condition.Eq, value: p.Equal[field]})
	}
	for _, field := range slices.Sorted(maps.Keys(p.Match)) {
		src := p.Match[field]
		if src.Operator == Every && field == "turnCount" && p.Covers(event.TypeTurnComplete) {
			m.every = periodOf(src.Value)
			if m.every == 0 {
				return matcher{}
			}
		}
		cl := clause{fields: []string{field}, op: src.Operator, value: src.Value}
		// Split and folded once; the value itself stays for whoever prints the clause.
		if s, ok := src.Value.AsText(); ok && src.Operator == condition.Contains {
			cl.parts = alternatives(s)
		}
		m.clauses = append(m.clauses, cl)
	}
	if limit, ok := p.Wanted("threshold").AsFloat(); ok && p.EventType == event.TypeStateCrossed {
		m.deriveCrossing(p, limit)
	}
	return m
}

// Wanted is the value that a pattern names for a field, as a clause or as shorthand. Of a
// clause only the value is read: a crossing has its own way to compare.
func (p Pattern) Wanted(field string) tree.Value {
	if c, ok := p.Match[field]; ok {
		return c.Value
	}
	return p.Equal[field]
}

// deriveCrossing makes the pattern listen to changes too. A variable or direction that is
// no text is a slip that no change satisfies; only explicit events can match it then.
func (m *matcher) deriveCrossing(p Pattern, limit float64) {
	for _, field := range []string{"variableId", "direction"} {
		v := p.Wanted(field)
		if _, isText := v.AsText(); !isText && v.Exists() && !v.IsNull() {
			return
		}
	}
	m.kind, m.limit = onCrossing, limit
	dir, _ := p.Wanted("direction").AsText()
	m.dir = Direction(dir)
	id, _ := p.Wanted("variableId").AsText()
	m.watch(id)
}

// periodOf reads the number of turns of an every clause, 0 for what is none.
func periodOf(v tree.Value) float64 {
	if s, ok := v.AsText(); ok {
		v, _ = param.Numeric(s)
	}
	n, _ := v.AsFloat()
	return max(n, 0)
}
