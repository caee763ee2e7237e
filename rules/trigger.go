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
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// matcher compiles the WHEN of a handler and reports a WHEN that can never match.
func (c *compiler) matcher(path string, h Handler) matcher {
	var m matcher
	if h.Trigger != nil {
		m = c.triggerMatcher(path, h, h.Trigger)
	} else {
		// Vet reports other mistakes of patterns, because they may be meant for a host.
		if h.When.EventType == "" {
			c.problems.Add(path+".when", h.ID, BadPattern,
				"no eventType; the reaction never fires; write one as in \"turn:complete\"")
		}
		m = compilePattern(h.When)
	}
	m.seen = &c.set.seen
	return m
}

// triggerMatcher compiles a rule's trigger. Triggers without fields of their own become patterns.
// The others have one kind each, with its own part of the index.
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
		m := matcher{Kind: onChange, Type: t.Type.EventType()}
		m.Watch(c.watchedName(t.VariableID))
		return m
	case TurnCount:
		return c.turnCount(path, h.ID, t)
	case OnSessionStart, EveryTurn:
		return matcher{Kind: onPattern, Type: t.Type.EventType()}
	case OnAction:
		m := matcher{Kind: onPattern, Type: t.Type.EventType()}
		if t.ActionID != "" {
			m.Clauses = []clause{{Fields: []string{"actionId"}, Op: Eq, Value: tree.Text(t.ActionID)}}
		}
		return m
	case Keyword, AIKeyword:
		return matcher{Kind: onText, Type: t.Type.EventType(), Text: c.textTrigger(path, h.ID, t)}
	case Manual:
		return matcher{}
	}
	// An unknown trigger must not fire: a silent rule with a problem is better than a rule that
	// fires for the wrong reason.
	if t.Type != "" {
		c.problems.Add(path+".trigger", h.ID, BadTrigger,
			"unknown trigger %q; the rule is inert; %s", t.Type, report.Hint(t.Type, triggerTypes[:]...))
	} else if len(h.Problems.Of(BadTrigger)) == 0 && !wholeUnreadable(h.Problems) {
		c.problems.Add(path+".trigger", h.ID, BadTrigger,
			"no trigger type; the rule is inert; %s", report.Hint("", triggerTypes[:]...))
	}
	return matcher{}
}

// crossing compiles variable-crossed. Without a threshold the rule never fires.
func (c *compiler) crossing(path, id string, t *Trigger) matcher {
	switch t.Direction {
	case RisesAbove, DropsBelow, "":
	default:
		c.problems.Add(path+".trigger.direction", id, BadTrigger,
			"unknown direction %q; %s", t.Direction, report.Hint(t.Direction, RisesAbove, DropsBelow))
	}
	if t.Threshold == nil {
		c.problems.Add(path+".trigger.threshold", id, NeverFires,
			"no threshold; the rule never fires; add a number")
		return matcher{}
	}
	m := matcher{Kind: onCrossing, Type: event.TypeStateChanged, Limit: *t.Threshold}
	m.Rises, m.Drops = t.Direction.ways()
	m.Watch(c.watchedName(t.VariableID))
	return m
}

// watchedName returns the name that events use for a watched variable: a path may be written in more
// than one way.
func (c *compiler) watchedName(text string) string {
	if _, declared := c.set.schema.withID(text); declared || !strings.ContainsAny(text, `[\`) {
		return text
	}
	if path, err := tree.ParsePath(text); err == nil {
		return event.NameOf(path)
	}
	return text
}

// turnCount compiles turn-count. A missing atTurn is NaN, which equals no turn.
func (c *compiler) turnCount(path, id string, t *Trigger) matcher {
	m := matcher{Kind: onTurn, Type: event.TypeTurnComplete, At: math.NaN()}
	if t.AtTurn != nil {
		m.At = *t.AtTurn
	}
	if t.EveryNTurns != nil { // 0 and less are not a period
		m.Every = max(*t.EveryNTurns, 0)
	}
	if t.AtTurn == nil && m.Every == 0 {
		c.problems.Add(path+".trigger", id, NeverFires,
			"no turn; the rule never fires; give atTurn or a positive everyNTurns")
	}
	return m
}

// wholeUnreadable reports whether the whole trigger could not be read. Then its missing parts are
// not reported separately.
func wholeUnreadable(ps talewright.Problems) bool {
	return slices.ContainsFunc(ps, func(p talewright.Problem) bool { return p.Path == "" })
}

// secondaryLogic maps the logics; any other value means [AndAny].
var secondaryLogic = map[Secondary]logic{AndAny: oneOf, AndAll: allOf, NotAny: noneOf, NotAll: notEach}

// textTrigger compiles the keywords of a trigger and adds them to the index of their side.
func (c *compiler) textTrigger(path, id string, t *Trigger) *matchText {
	side := 0
	if t.Type == AIKeyword {
		side = 1
	}
	out := &matchText{Logic: secondaryLogic[t.SecondaryKeywordLogic]}
	out.Primary = c.keywordList(side, path+".trigger.keywords", id, t.Keywords, t.MatchWholeWords)
	out.Secondary = c.keywordList(side, path+".trigger.secondaryKeywords", id,
		t.SecondaryKeywords, t.MatchWholeWords)
	if len(out.Primary) == 0 {
		c.problems.Add(path+".trigger.keywords", id, NeverFires, "no keywords; the rule never fires; add some")
	}
	if _, set := t.Extra["useFuzzyMatch"]; set {
		c.problems.Add(path+".trigger.useFuzzyMatch", id, Ignored,
			"there is no fuzzy matching; add the spellings as keywords")
	}
	return out
}

// keywordList compiles keywords and reports those without effect.
func (c *compiler) keywordList(side int, path, id string, keys []string, whole bool) []keyword {
	var out []keyword
	for i, key := range keys {
		at := path + "[" + strconv.Itoa(i) + "]"
		k, ok := compileKeyword(key, whole)
		if !ok {
			c.problems.Add(at, id, Ignored, "a blank keyword is in no text; remove it")
			continue
		}
		// A path between slashes has the same form, so this is reported but not refused.
		if report.Looks(key) && k.Regex == nil {
			c.problems.Add(at, id, Ignored,
				"not a regular expression, so taken as text: %s; repair it, or write it without the slashes", key)
		}
		k.ID = c.keywords[side].Add(k)
		out = append(out, k)
	}
	return out
}

// zoneFields are the fields that satisfy the shorthand "zone".
var zoneFields = []string{"zone", "zoneId", "zoneName"}

// compilePattern compiles an event pattern. Fields are processed in the order of their names, so
// that nothing depends on map order.
func compilePattern(p Pattern) matcher {
	m := matcher{Kind: onPattern, Type: p.EventType, At: math.NaN()}
	for _, field := range slices.Sorted(maps.Keys(p.Equal)) {
		fields := []string{field}
		if field == "zone" {
			fields = zoneFields
		}
		m.Clauses = append(m.Clauses, clause{Fields: fields, Op: Eq, Value: p.Equal[field]})
	}
	for _, field := range slices.Sorted(maps.Keys(p.Match)) {
		src := p.Match[field]
		if src.Operator == Every && field == "turnCount" && p.Covers(event.TypeTurnComplete) {
			m.Every = periodOf(src.Value)
			if m.Every == 0 {
				return matcher{}
			}
		}
		cl := clause{Fields: []string{field}, Op: src.Operator, Value: src.Value}
		// The alternatives are split and folded once. The value itself is kept for printing the
		// clause.
		if s, ok := src.Value.AsText(); ok && src.Operator == Contains {
			cl.Parts = alternatives(s)
		}
		m.Clauses = append(m.Clauses, cl)
	}
	if limit, ok := p.Wanted("threshold").AsFloat(); ok && p.EventType == event.TypeStateCrossed {
		deriveCrossing(&m, p, limit)
	}
	return m
}

// deriveCrossing makes the pattern match changes too. If the variable or direction is not a text,
// no change matches; then only explicit events can match.
func deriveCrossing(m *matcher, p Pattern, limit float64) {
	for _, field := range []string{"variableId", "direction"} {
		v := p.Wanted(field)
		if _, isText := v.AsText(); !isText && v.Exists() && !v.IsNull() {
			return
		}
	}
	m.Kind, m.Limit = onCrossing, limit
	dir, _ := p.Wanted("direction").AsText()
	m.Rises, m.Drops = Direction(dir).ways()
	id, _ := p.Wanted("variableId").AsText()
	m.Watch(id)
}

// periodOf returns the number of turns of an every clause, or 0 if it is not valid.
func periodOf(v tree.Value) float64 {
	if s, ok := v.AsText(); ok {
		v, _ = report.Numeric(s)
	}
	n, _ := v.AsFloat()
	return max(n, 0)
}

// MatchKeyword reports whether a text contains a keyword. Blank keywords are in no text.
//
//  1. A keyword written /pattern/flags is a regular expression and ignores case. If it is not valid
//     or not found, it is searched for as plain text. A search that takes too many steps for the
//     length of the text is stopped and finds nothing.
//  2. For whole words, a letter, digit or underscore at an edge of the keyword must not be next to
//     a character of the same kind. So "c++" is found in "c++," and café is not found in cafés.
//     Keywords in Chinese, Japanese or Korean are found anywhere.
//  3. Otherwise the keyword is found anywhere, in any case.
func MatchKeyword(text, key string, wholeWords bool) bool {
	k, ok := compileKeyword(key, wholeWords)
	s := report.NewSearch(len(text))
	return ok && k.Found(text, keyindex.FoldString(text), &s)
}

// Matches reports whether the event satisfies the pattern. turn replaces a missing turn count of a
// [event.TypeTurnComplete] event.
func (p Pattern) Matches(e event.Event, turn int) bool {
	m := compilePattern(p)
	m.seen = &leaves{}
	return m.Matches(e, turn)
}
