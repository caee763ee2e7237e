package rules

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars"
)

// matcher is a compiled WHEN.
type matcher struct {
	kind matchKind
	typ  string // of events

	clauses  []clause     // onPattern, onCrossing by a pattern
	variable string       // onChange, onCrossing; "" is any
	inside   memvars.Path // the variable as a path, if it is one
	around   []string     // the texts of the paths around it, outermost first
	program  *Program     // for its leaves
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
	op     Operator
	value  memvars.Value
	parts  []string // contains: the alternatives, folded
}

// matches decides by itself, without the index.
func (m *matcher) matches(e Event, turn int) bool {
	switch m.kind {
	case onPattern:
		return matchesType(m.typ, e.Type) && m.holds(e, turn)
	case onChange:
		return e.Type == TypeStateChanged && m.concerns(e)
	case onCrossing:
		return e.Type == TypeStateChanged && m.crosses(e) ||
			m.typ == TypeStateCrossed && e.Type == TypeStateCrossed && m.holds(e, turn)
	case onTurn:
		return e.Type == TypeTurnComplete && m.due(turnOf(e, turn))
	case onText:
		return e.Type == m.typ && m.text.found(contentOf(e))
	}
	return false
}

// holds decides the clauses.
func (m *matcher) holds(e Event, turn int) bool {
	if m.every > 0 {
		return e.Type == TypeTurnComplete && m.due(turnOf(e, turn))
	}
	for i := range m.clauses {
		if !m.clauses[i].holds(e) {
			return false
		}
	}
	return true
}

func (c *clause) holds(e Event) bool {
	for _, field := range c.fields {
		if c.accepts(e.Fields.Get(field)) {
			return true
		}
	}
	return false
}

func (c *clause) accepts(v memvars.Value) bool {
	switch c.op {
	case Neq:
		return !v.Exists() || !v.Equal(c.value)
	case Contains:
		s, ok := v.AsText()
		return ok && containsAny(s, c.parts)
	case Eq:
		return v.Exists() && v.Equal(c.value)
	case Gt, Gte, Lt, Lte:
		n, ok := v.AsNumber()
		limit, numeric := c.value.AsNumber()
		return ok && numeric && orders(c.op, n.Cmp(limit))
	}
	return false
}

// concerns reports whether the changed variable is the one watched: it itself, a
// node inside it, or a variable around it whose node changed.
func (m *matcher) concerns(e Event) bool {
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
func (m *matcher) within(e Event, id string) (before, after memvars.Value, ok bool) {
	n := slices.Index(m.around, id) + 1
	if n == 0 {
		return before, after, false
	}
	at, rest := m.inside[:n], m.inside[n:]
	before = m.program.walk(e.Fields.Get("oldValue"), at, rest)
	after = m.program.walk(e.Fields.Get("newValue"), at, rest)
	return before, after, true
}

// crosses reports whether the numbers of a change cross the threshold.
func (m *matcher) crosses(e Event) bool {
	before, after := e.Fields.Get("oldValue"), e.Fields.Get("newValue")
	if m.variable != "" {
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
func turnOf(e Event, turn int) float64 {
	if n, ok := e.Fields.Get("turnCount").AsFloat(); ok {
		return n
	}
	return float64(turn)
}

func contentOf(e Event) string {
	s, _ := e.Fields.Get("content").AsText()
	return s
}

// matcher compiles the WHEN of a handler and names what can never match.
func (c *compiler) matcher(path string, h Handler) matcher {
	if h.Trigger == nil {
		if h.When.EventType == "" {
			c.problems.add(path+".when", h.ID, BadPattern, "no eventType; the reaction never fires")
		}
		m := compilePattern(h.When)
		m.program = c.set
		return m
	}
	t := h.Trigger
	m := matcher{kind: onPattern, at: math.NaN(), program: c.set}
	switch t.Type {
	case VariableCrossed:
		c.checkCrossing(path, h.ID, t)
		if t.Threshold == nil {
			return matcher{}
		}
		m.kind, m.typ, m.limit = onCrossing, TypeStateChanged, *t.Threshold
		m.dir = t.Direction
		m.watch(t.VariableID)
	case StateChange:
		m.kind, m.typ = onChange, TypeStateChanged
		m.watch(t.VariableID)
	case TurnCount:
		m.kind, m.typ = onTurn, TypeTurnComplete
		if t.AtTurn != nil {
			m.at = *t.AtTurn
		}
		if t.EveryNTurns != nil && *t.EveryNTurns > 0 {
			m.every = *t.EveryNTurns
		}
		if t.AtTurn == nil && m.every == 0 {
			c.problems.add(path+".trigger", h.ID, NeverFires, "give atTurn or a positive everyNTurns")
		}
	case OnSessionStart:
		m.typ = TypeSessionStart
	case EveryTurn:
		m.typ = TypeTurnComplete
	case OnAction:
		m.typ = TypeActionFired
		if t.ActionID != "" {
			m.clauses = []clause{{fields: []string{"actionId"}, op: Eq, value: memvars.Text(t.ActionID)}}
		}
	case Keyword, AIKeyword:
		m.kind, m.typ = onText, TypePlayerMessage
		if t.Type == AIKeyword {
			m.typ = TypeModelMessage
		}
		m.text = c.textTrigger(path, h.ID, t)
	case Manual:
		return matcher{}
	default:
		if t.Type != "" {
			c.problems.add(path+".trigger", h.ID, BadTrigger,
				"unknown trigger "+strconv.Quote(string(t.Type))+"; the rule is inert")
		} else if !h.Problems.has(BadTrigger) {
			c.problems.add(path+".trigger", h.ID, BadTrigger, "no trigger type; the rule is inert")
		}
		return matcher{}
	}
	return m
}

func (ps Problems) has(code Code) bool { return len(ps.Of(code)) > 0 }

func (m *matcher) watch(variable string) {
	m.variable = variable
	p, err := memvars.ParsePath(variable)
	if err != nil || len(p) < 2 {
		return
	}
	m.inside = p
	for n := 1; n < len(p); n++ {
		m.around = append(m.around, p[:n].String())
	}
}

func (c *compiler) checkCrossing(path, id string, t *Trigger) {
	switch t.Direction {
	case RisesAbove, DropsBelow, "":
	default:
		c.problems.add(path+".trigger.direction", id, BadTrigger,
			"unknown direction "+strconv.Quote(string(t.Direction))+"; write rises-above or drops-below")
	}
	if t.Threshold == nil {
		c.problems.add(path+".trigger.threshold", id, NeverFires, "no threshold; the rule never fires")
	}
}

// zoneFields are the fields that satisfy the shorthand "zone".
var zoneFields = []string{"zone", "zoneId", "zoneName"}

func compilePattern(p Pattern) matcher {
	m := matcher{kind: onPattern, typ: p.EventType, at: math.NaN()}
	for _, field := range slices.Sorted(maps.Keys(p.Equal)) {
		fields := []string{field}
		if field == "zone" {
			fields = zoneFields
		}
		m.clauses = append(m.clauses, clause{fields: fields, op: Eq, value: p.Equal[field]})
	}
	for _, field := range slices.Sorted(maps.Keys(p.Match)) {
		src := p.Match[field]
		if src.Operator == Every && field == "turnCount" && p.EventType == TypeTurnComplete {
			m.every = periodOf(src.Value)
			if m.every == 0 {
				return matcher{}
			}
		}
		cl := clause{fields: []string{field}, op: src.Operator, value: src.Value}
		if s, ok := src.Value.AsText(); ok && src.Operator == Contains {
			cl.parts = alternatives(s)
		}
		m.clauses = append(m.clauses, cl)
	}
	if p.EventType == TypeStateCrossed {
		if limit, ok := p.Match["threshold"].Value.AsFloat(); ok {
			m.kind, m.limit = onCrossing, limit
			dir, _ := p.Match["direction"].Value.AsText()
			m.dir = Direction(dir)
			id, _ := p.Match["variableId"].Value.AsText()
			m.watch(id)
		}
	}
	return m
}

func periodOf(v memvars.Value) float64 {
	if s, ok := v.AsText(); ok {
		v, _ = numeric(s)
	}
	n, _ := v.AsFloat()
	return max(n, 0)
}
