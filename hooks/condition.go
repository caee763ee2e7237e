package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
)

// group is a compiled conditions object: its keys, joined by and or or. Only the
// object at the top of a hook may be joined by or; nested ones say all and any.
type group struct {
	terms []term
	any   bool
}

// term is one compiled key. test decides; actual tells the trace what was found.
// All that can be known without an event is done when the term is compiled, so that
// a test reads values and compares. Key and want are there for the trace alone.
type term struct {
	key    string
	want   tree.Value
	test   func(*scene) bool
	actual func(*scene) tree.Value
}

// holds reports whether the group is true. An empty group is true in either logic;
// so is one nested in all, any or not.
func (g *group) holds(s *scene) bool {
	// The first true key decides an or, the first false one an and.
	for i := range g.terms {
		if g.terms[i].test(s) == g.any {
			return g.any
		}
	}
	return !g.any || len(g.terms) == 0
}

// maxShown is how much of a value a trace shows: an event may hold a whole chat.
const maxShown = 200

// explain names the first key that made the group false. It asks again, which is
// cheaper than to keep what every test found in case that somebody wants a trace.
func (g *group) explain(s *scene) string {
	if g.any {
		return fmt.Sprintf("none of %d keys holds", len(g.terms))
	}
	for i := range g.terms {
		t := &g.terms[i]
		if t.test(s) {
			continue
		}
		want := cut(t.want.String(), maxShown)
		if t.actual == nil {
			return fmt.Sprintf("%s: want %s", t.key, want)
		}
		if v := t.actual(s); v.Exists() {
			return fmt.Sprintf("%s: %s, want %s", t.key, cut(v.String(), maxShown), want)
		}
		return fmt.Sprintf("%s: unknown, want %s", t.key, want)
	}
	return ""
}

// conditions compiles condition objects and collects their mistakes. A key with
// a mistake becomes a term that is never true.
type conditions struct {
	problems talewright.Problems
}

// report notes a mistake of the author's.
func (c *conditions) report(at place, format string, args ...any) {
	c.problems = append(c.problems, problem(at, format, args...))
}

// never is the test of a key with a mistake.
func never(*scene) bool { return false }

// object compiles one conditions object. What is no object is never true either,
// because a hook without the conditions its author meant must not run.
func (c *conditions) object(v tree.Value, at place) group {
	if v.Exists() && !v.IsObject() {
		c.report(at, "conditions must be an object, not %s", named(v.Kind()))
		return group{terms: []term{{key: "conditions", want: v, test: never}}}
	}
	var g group
	for key, want := range v.Members() {
		t := c.term(key, want, at.key(key))
		t.key, t.want = key, want
		g.terms = append(g.terms, t)
	}
	return g
}

// term compiles one key. The order of the cases is that of their names: words of
// the language, identity keys, paths, and what is left must be a comparison. A dot
// makes a path, because no other key has one; a misspelt root is therefore reported
// as one, and not as an unknown field.
func (c *conditions) term(key string, want tree.Value, at place) term {
	switch key {
	case "all", "any":
		return c.list(key == "any", want, at)
	case "not":
		return c.negation(want, at)
	case "time_range":
		return c.timeRange(want, at)
	case "clock_reaches":
		return c.clockReaches(want, at)
	case "idle_reaches":
		return c.idleReaches(want, at)
	case "mood_is", "mood_is_not":
		return c.mood(key == "mood_is", want, at)
	case "event_type":
		return c.eventType(want, at)
	}
	if read := identity(key); read != nil {
		texts, ok := c.texts(want, at)
		if !ok {
			return term{test: never}
		}
		return term{
			// An empty id is one that the host did not give: it equals nothing, not even
			// an empty text among the wanted ones.
			test: func(s *scene) bool {
				got := read(s)
				return got != "" && slices.Contains(texts, got)
			},
			actual: func(s *scene) tree.Value {
				if got := read(s); got != "" {
					return tree.Text(got)
				}
				return tree.Value{}
			},
		}
	}
	if root, path, ok := strings.Cut(key, "."); ok {
		return c.path(root, path, want, at)
	}
	return c.number(key, want, at)
}

// identity returns the reader of an identity key, nil for any other key.
func identity(key string) func(*scene) string {
	switch key {
	case "character_id":
		return func(s *scene) string { return s.event.CharacterID }
	case "user_id":
		return func(s *scene) string { return s.event.UserID }
	case "group_id":
		return func(s *scene) string { return s.event.GroupID }
	case "conversation_id":
		return func(s *scene) string { return s.event.ConversationID }
	case "event_source":
		return func(s *scene) string { return s.event.Source }
	case "channel":
		return func(s *scene) string { return s.channel }
	}
	return nil
}

// list compiles "all" and "any": a list of objects, inside each of which all keys hold.
func (c *conditions) list(anyOf bool, want tree.Value, at place) term {
	if !want.IsArray() {
		c.report(at, "must be a list of condition objects, not %s", named(want.Kind()))
		return term{test: never}
	}
	var groups []group
	for i, e := range want.Elements() {
		groups = append(groups, c.object(e, at.at(i)))
	}
	return term{test: func(s *scene) bool {
		for i := range groups {
			if groups[i].holds(s) == anyOf {
				return anyOf
			}
		}
		return !anyOf
	}}
}

// negation compiles "not". It negates the decision: where something is unknown, a
// comparison is false and its negation true.
func (c *conditions) negation(want tree.Value, at place) term {
	if !want.IsObject() {
		c.report(at, "must be one condition object, not %s", named(want.Kind()))
		return term{test: never}
	}
	g := c.object(want, at)
	return term{test: func(s *scene) bool { return !g.holds(s) }}
}

// mood compiles mood_is and mood_is_not. Both are false without a mood.
func (c *conditions) mood(is bool, want tree.Value, at place) term {
	texts, ok := c.texts(want, at)
	if !ok {
		return term{test: never}
	}
	return term{
		test: func(s *scene) bool {
			mood, known := s.bare("mood").AsText()
			return known && slices.Contains(texts, mood) == is
		},
		actual: func(s *scene) tree.Value { return s.bare("mood") },
	}
}

// eventType compiles event_type, for hooks with broad patterns. It sees aliases as
// the patterns of hooks do, or a hook could match an event that its own condition
// then disowns.
func (c *conditions) eventType(want tree.Value, at place) term {
	patterns, ok := c.texts(want, at)
	if !ok {
		return term{test: never}
	}
	return term{
		test: func(s *scene) bool {
			for _, p := range patterns {
				if matchAny(p, s.names) {
					return true
				}
			}
			return false
		},
		actual: func(s *scene) tree.Value { return tree.Text(s.event.Type) },
	}
}

// number compiles <field>_gte and its like. Whether the host registers a field is
// not known before the run, so an unfamiliar field is reported and kept. That such a
// key is false without the registration, even if a variable has the name, is on
// purpose: a misspelt field must not find a number by accident.
func (c *conditions) number(key string, want tree.Value, at place) term {
	field, op, ok := cutComparison(key)
	if !ok {
		c.report(at, "unknown condition key %q: it is never true%s", cut(key, 80), hint(key, conditionKeys()...))
		return term{test: never}
	}
	limit, isNumber := asNumber(want)
	if !isNumber {
		c.report(at, "must be a number, not %s", brief(want))
		return term{test: never}
	}
	known := isNumericField(field)
	if !known {
		c.report(at, "field %q is not a standard one: the key is true only where the "+
			"host registers the field%s", cut(field, 80), hint(field, numericFields()...))
	}
	return term{
		test: func(s *scene) bool {
			if _, registered := s.fields[field]; !known && !registered {
				return false
			}
			got, ok := asNumber(s.bare(field))
			return ok && op(got.Cmp(limit))
		},
		actual: func(s *scene) tree.Value { return s.bare(field) },
	}
}

// conditionKeys lists the keys that are words of the language, and one comparison of
// each standard field.
func conditionKeys() []string {
	keys := []string{"all", "any", "not", "time_range", "clock_reaches", "idle_reaches", "mood_is", "mood_is_not", "event_type",
		"character_id", "user_id", "group_id", "conversation_id", "event_source", "channel"}
	for _, field := range numericFields() {
		keys = append(keys, field+"_gte", field+"_lte", field+"_gt", field+"_lt")
	}
	return keys
}

// cutComparison cuts a key into its field and its operator. No suffix ends in another
// one, so their order does not matter.
func cutComparison(key string) (field string, op func(int) bool, ok bool) {
	for _, c := range [...]struct {
		suffix string
		op     func(int) bool
	}{
		{"_gte", atLeast}, {"_lte", atMost}, {"_gt", above}, {"_lt", below},
	} {
		if field, ok := strings.CutSuffix(key, c.suffix); ok && field != "" {
			return field, c.op, true
		}
	}
	return "", nil, false
}

func atLeast(cmp int) bool { return cmp >= 0 }
func atMost(cmp int) bool  { return cmp <= 0 }
func above(cmp int) bool   { return cmp > 0 }
func below(cmp int) bool   { return cmp < 0 }

// texts reads a string or a list of strings. One wrong element spoils the list:
// without it mood_is_not would be true more often than its author meant.
func (c *conditions) texts(want tree.Value, at place) ([]string, bool) {
	if s, ok := want.AsText(); ok {
		return []string{s}, true
	}
	if !want.IsArray() {
		c.report(at, "must be a text or a list of texts, not %s", named(want.Kind()))
		return nil, false
	}
	var out []string
	good := true
	for i, e := range want.Elements() {
		s, ok := e.AsText()
		if !ok {
			c.report(at.at(i), "must be a text, not %s", named(e.Kind()))
			good = false
			continue
		}
		out = append(out, s)
	}
	return out, good
}
