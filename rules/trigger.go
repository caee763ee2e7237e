package rules

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/keyexpr"
	"github.com/talewright/talewright/rules/internal/match"
	"github.com/talewright/talewright/rules/internal/param"
	"github.com/talewright/talewright/rules/internal/place"
	"github.com/talewright/talewright/rules/internal/report"
)

// matcher compiles the WHEN of a handler and names what can never match.
func (c *compiler) matcher(path string, h Handler) match.Matcher {
	var m match.Matcher
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
	m.Walk = c.walk
	return m
}

// triggerMatcher compiles a rule's trigger. Triggers that need nothing of their own become
// patterns; the others have a kind each, for which the index has a shelf.
func (c *compiler) triggerMatcher(path string, h Handler, t *Trigger) match.Matcher {
	problems, usable := t.misread(path+".trigger", h.ID)
	c.problems = append(c.problems, problems...)
	if !usable {
		return match.Matcher{}
	}
	switch t.Type {
	case VariableCrossed:
		return c.crossing(path, h.ID, t)
	case StateChange:
		m := match.Matcher{Kind: match.OnChange, Type: event.TypeStateChanged}
		m.Watch(c.watched(t.VariableID))
		return m
	case TurnCount:
		return c.turnCount(path, h.ID, t)
	case OnSessionStart:
		return match.Matcher{Kind: match.OnPattern, Type: event.TypeSessionStart}
	case EveryTurn:
		return match.Matcher{Kind: match.OnPattern, Type: event.TypeTurnComplete}
	case OnAction:
		m := match.Matcher{Kind: match.OnPattern, Type: event.TypeActionFired}
		if t.ActionID != "" {
			m.Clauses = []match.Clause{{Fields: []string{"actionId"}, Op: condition.Eq, Value: tree.Text(t.ActionID)}}
		}
		return m
	case Keyword:
		return match.Matcher{Kind: match.OnText, Type: event.TypePlayerMessage, Text: c.textTrigger(path, h.ID, t)}
	case AIKeyword:
		return match.Matcher{Kind: match.OnText, Type: event.TypeModelMessage, Text: c.textTrigger(path, h.ID, t)}
	case Manual:
		return match.Matcher{}
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
	return match.Matcher{}
}

// crossing compiles variable-crossed. Without a threshold there is nothing to cross.
func (c *compiler) crossing(path, id string, t *Trigger) match.Matcher {
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
		return match.Matcher{}
	}
	m := match.Matcher{Kind: match.OnCrossing, Type: event.TypeStateChanged, Limit: *t.Threshold}
	m.Rises, m.Drops = t.Direction.ways()
	m.Watch(c.watched(t.VariableID))
	return m
}

// watched is how events call what a trigger watches: a path may be written in more than one way.
func (c *compiler) watched(text string) string {
	if _, declared := c.set.schema.withID(text); declared || !strings.ContainsAny(text, `[\`) {
		return text
	}
	if path, err := tree.ParsePath(text); err == nil {
		return event.NameOf(path)
	}
	return text
}

// turnCount compiles turn-count. No turn equals NaN, which stands for a missing atTurn.
func (c *compiler) turnCount(path, id string, t *Trigger) match.Matcher {
	m := match.Matcher{Kind: match.OnTurn, Type: event.TypeTurnComplete, At: math.NaN()}
	if t.AtTurn != nil {
		m.At = *t.AtTurn
	}
	if t.EveryNTurns != nil { // 0 and less are no period
		m.Every = max(*t.EveryNTurns, 0)
	}
	if t.AtTurn == nil && m.Every == 0 {
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

// secondaryLogic gives the logics their meaning; any other is that of [AndAny].
var secondaryLogic = map[Secondary]match.Logic{AndAny: match.OneOf, AndAll: match.AllOf, NotAny: match.NoneOf, NotAll: match.NotEach}

// textTrigger compiles the words of a trigger and enters them into the index of their
// side.
func (c *compiler) textTrigger(path, id string, t *Trigger) *match.Text {
	side := 0
	if t.Type == AIKeyword {
		side = 1
	}
	out := &match.Text{Logic: secondaryLogic[t.SecondaryKeywordLogic]}
	out.Primary = c.keywordList(side, path+".trigger.keywords", id, t.Keywords, t.MatchWholeWords)
	out.Secondary = c.keywordList(side, path+".trigger.secondaryKeywords", id,
		t.SecondaryKeywords, t.MatchWholeWords)
	if len(out.Primary) == 0 {
		c.problems.Add(path+".trigger.keywords", id, NeverFires,
			"no keywords; the rule never fires; add some")
	}
	if _, set := t.Extra["useFuzzyMatch"]; set {
		c.problems.Add(path+".trigger.useFuzzyMatch", id, Ignored,
			"there is no fuzzy matching; add the spellings as keywords")
	}
	return out
}

// keywordList compiles words and says which will do nothing.
func (c *compiler) keywordList(side int, path, id string, keys []string, whole bool) []match.Keyword {
	var out []match.Keyword
	for i, key := range keys {
		at := path + "[" + strconv.Itoa(i) + "]"
		k, ok := match.CompileKeyword(key, whole)
		if !ok {
			c.problems.Add(at, id, Ignored, "a blank keyword is in no text; remove it")
			continue
		}
		// A path in slashes looks like one too, so that this is said and not refused.
		if keyexpr.Looks(key) && k.Regex == nil {
			c.problems.Add(at, id, Ignored, "not a regular expression, so taken as text: "+key+
				"; repair it, or write it without the slashes")
		}
		k.ID = c.keywords[side].Add(k)
		out = append(out, k)
	}
	return out
}

// zoneFields are the fields that satisfy the shorthand "zone".
var zoneFields = []string{"zone", "zoneId", "zoneName"}

// compilePattern compiles an event pattern. Fields are taken in the order of their names,
// so that nothing depends on the order of a map.
func compilePattern(p Pattern) match.Matcher {
	m := match.Matcher{Kind: match.OnPattern, Type: p.EventType, At: math.NaN()}
	for _, field := range slices.Sorted(maps.Keys(p.Equal)) {
		fields := []string{field}
		if field == "zone" {
			fields = zoneFields
		}
		m.Clauses = append(m.Clauses, match.Clause{Fields: fields, Op: condition.Eq, Value: p.Equal[field]})
	}
	for _, field := range slices.Sorted(maps.Keys(p.Match)) {
		src := p.Match[field]
		if src.Operator == Every && field == "turnCount" && p.Covers(event.TypeTurnComplete) {
			m.Every = periodOf(src.Value)
			if m.Every == 0 {
				return match.Matcher{}
			}
		}
		cl := match.Clause{Fields: []string{field}, Op: src.Operator, Value: src.Value}
		// Split and folded once; the value itself stays for whoever prints the clause.
		if s, ok := src.Value.AsText(); ok && src.Operator == condition.Contains {
			cl.Parts = match.Alternatives(s)
		}
		m.Clauses = append(m.Clauses, cl)
	}
	if limit, ok := p.Wanted("threshold").AsFloat(); ok && p.EventType == event.TypeStateCrossed {
		deriveCrossing(&m, p, limit)
	}
	return m
}

// deriveCrossing makes the pattern listen to changes too. A variable or direction that is
// no text is a slip that no change satisfies; only explicit events can match it then.
func deriveCrossing(m *match.Matcher, p Pattern, limit float64) {
	for _, field := range []string{"variableId", "direction"} {
		v := p.Wanted(field)
		if _, isText := v.AsText(); !isText && v.Exists() && !v.IsNull() {
			return
		}
	}
	m.Kind, m.Limit = match.OnCrossing, limit
	dir, _ := p.Wanted("direction").AsText()
	m.Rises, m.Drops = Direction(dir).ways()
	id, _ := p.Wanted("variableId").AsText()
	m.Watch(id)
}

// periodOf reads the number of turns of an every clause, 0 for what is none.
func periodOf(v tree.Value) float64 {
	if s, ok := v.AsText(); ok {
		v, _ = param.Numeric(s)
	}
	n, _ := v.AsFloat()
	return max(n, 0)
}

// MatchKeyword reports whether a text has a keyword in it. Blank keywords are in no
// text.
//
//  1. A keyword written /pattern/flags is a regular expression, in any case.
//     If it is none, or is not found, it goes on as ordinary text. One that takes too
//     many steps for the length of the text is given up, and was not found.
//  2. For whole words, a letter, digit or underscore at an edge of the keyword must
//     not have another one beside it; so "c++" is found in "c++," and café not in
//     cafés. Keywords in Chinese, Japanese or Korean are found anywhere.
//  3. Otherwise the keyword is found anywhere, in any case.
func MatchKeyword(text, key string, wholeWords bool) bool {
	k, ok := match.CompileKeyword(key, wholeWords)
	s := keyexpr.NewSearch(len(text))
	return ok && k.Found(text, keyindex.FoldString(text), &s)
}

// Matches reports whether the event satisfies the pattern. The turn stands in for
// the turn count of a [event.TypeTurnComplete] event that carries none.
func (p Pattern) Matches(e event.Event, turn int) bool {
	m := compilePattern(p)
	m.Walk = (&place.Leaves{}).Walk
	return m.Matches(e, turn)
}
