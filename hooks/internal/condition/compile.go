package condition

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Compile compiles the object of a hook's conditions. It reports each mistake; a key with a mistake
// is never true.
func Compile(object tree.Value, any bool, at Place, report authorReport) Group {
	c := compiler{report}
	g := c.object(object, at)
	g.any = any
	return g
}

// compiler compiles condition objects.
type compiler struct {
	report authorReport
}

// never is the test of a key with a mistake.
func never(*Scene) bool { return false }

// object compiles one conditions object. A value that is not an object is never true, because a
// hook must not run without the conditions that its author meant.
func (c *compiler) object(v tree.Value, at Place) Group {
	if v.Exists() && !v.IsObject() {
		c.report(at, "conditions must be an object, not %s", Named(v.Kind()))
		return Group{terms: []term{{key: "conditions", want: v, test: never}}}
	}
	var g Group
	for key, want := range v.Members() {
		t := c.term(key, want, at.Key(key))
		t.key, t.want = key, want
		g.terms = append(g.terms, t)
	}
	return g
}

// term compiles one key. It checks the keys in this order: words of the language, identity keys,
// paths, comparisons. A key with a dot is always a path, because no other key has a dot. So a
// misspelt root is reported as a bad path, and not as an unknown field.
func (c *compiler) term(key string, want tree.Value, at Place) term {
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
	if read := identities[key]; read != nil {
		// An empty id means that the host gave no id. It equals nothing, not even an empty text among
		// the wanted ones.
		return c.oneOf(want, at, func(s *Scene, texts []string) bool {
			got := read(s)
			return got != "" && slices.Contains(texts, got)
		}, func(s *Scene) tree.Value {
			if got := read(s); got != "" {
				return tree.Text(got)
			}
			return tree.Value{}
		})
	}
	if root, path, ok := strings.Cut(key, "."); ok {
		return c.path(root, path, want, at)
	}
	return c.number(key, want, at)
}

// identities are the readers of the identity keys.
var identities = map[string]func(*Scene) string{
	"character_id":    func(s *Scene) string { return s.Event.CharacterID },
	"user_id":         func(s *Scene) string { return s.Event.UserID },
	"group_id":        func(s *Scene) string { return s.Event.GroupID },
	"conversation_id": func(s *Scene) string { return s.Event.ConversationID },
	"event_source":    func(s *Scene) string { return s.Event.Source },
	"channel":         func(s *Scene) string { return s.Channel },
}

// list compiles "all" and "any": a list of objects. In each object all keys must be true.
func (c *compiler) list(anyOf bool, want tree.Value, at Place) term {
	if !want.IsArray() {
		c.report(at, "must be a list of condition objects, not %s", Named(want.Kind()))
		return term{test: never}
	}
	var groups []Group
	for i, e := range want.Elements() {
		groups = append(groups, c.object(e, at.At(i)))
	}
	return term{test: func(s *Scene) bool {
		for i := range groups {
			if groups[i].Hold(s) == anyOf {
				return anyOf
			}
		}
		return !anyOf
	}}
}

// negation compiles "not". It negates the result: if a value is unknown, a comparison is false and
// its negation is true.
func (c *compiler) negation(want tree.Value, at Place) term {
	if !want.IsObject() {
		c.report(at, "must be one condition object, not %s", Named(want.Kind()))
		return term{test: never}
	}
	g := c.object(want, at)
	return term{test: func(s *Scene) bool { return !g.Hold(s) }}
}

// mood compiles mood_is and mood_is_not. Both are false if there is no mood.
func (c *compiler) mood(is bool, want tree.Value, at Place) term {
	return c.oneOf(want, at, func(s *Scene, texts []string) bool {
		mood, known := s.byName("mood").AsText()
		return known && slices.Contains(texts, mood) == is
	}, func(s *Scene) tree.Value { return s.byName("mood") })
}

// oneOf compiles a key with wanted texts. It is false if they cannot be read.
func (c *compiler) oneOf(
	want tree.Value, at Place, holds func(s *Scene, texts []string) bool, actual func(*Scene) tree.Value,
) term {
	texts, ok := c.texts(want, at)
	if !ok {
		return term{test: never}
	}
	return term{test: func(s *Scene) bool { return holds(s, texts) }, actual: actual}
}

// eventType compiles event_type, for hooks with broad patterns. It accepts aliases as the patterns
// of hooks do. Otherwise a hook could match an event that its own condition excludes.
func (c *compiler) eventType(want tree.Value, at Place) term {
	return c.oneOf(want, at, func(s *Scene, patterns []string) bool {
		return slices.ContainsFunc(patterns, s.Names.Match)
	}, func(s *Scene) tree.Value { return tree.Text(s.Event.Type) })
}

// number compiles <field>_gte and similar keys. The fields that the host registers are not known
// before the run, so an unknown field is reported but kept. Without the registration such a key is
// false, even if a variable has the name. This is intended: a misspelt field must not read a number
// by accident.
func (c *compiler) number(key string, want tree.Value, at Place) term {
	name, op, ok := cutComparison(key)
	if !ok {
		c.report(at, "unknown condition key %q: it is never true%s", Cut(key, 80), Hint(key, conditionKeys()...))
		return term{test: never}
	}
	limit, isNumber := Number(want)
	if !isNumber {
		c.report(at, "must be a number, not %s", Brief(want))
		return term{test: never}
	}
	known := slices.Contains(comparedFields[:], name)
	if !known {
		c.report(at, "field %q is not a standard one: the key is true only where the "+
			"host registers the field%s", Cut(name, 80), Hint(name, comparedFields[:]...))
	}
	return term{
		test: func(s *Scene) bool {
			if _, registered := s.Fields[name]; !known && !registered {
				return false
			}
			got, ok := Number(s.byName(name))
			return ok && op.Orders(got.Cmp(limit))
		},
		actual: func(s *Scene) tree.Value { return s.byName(name) },
	}
}

// conditionKeys lists the keys that are words of the language, and the comparisons of each standard
// field.
func conditionKeys() []string {
	keys := []string{"all", "any", "not", "time_range", "clock_reaches", "idle_reaches", "mood_is", "mood_is_not", "event_type",
		"character_id", "user_id", "group_id", "conversation_id", "event_source", "channel"}
	for _, name := range comparedFields {
		keys = append(keys, name+"_gte", name+"_lte", name+"_gt", name+"_lt")
	}
	return keys
}

// cutComparison splits a key into its field and its operator. No suffix is the end of a different
// suffix, so their order does not matter.
func cutComparison(key string) (field string, op rules.Operator, ok bool) {
	for _, op := range []rules.Operator{rules.Gte, rules.Lte, rules.Gt, rules.Lt} {
		if field, ok := strings.CutSuffix(key, "_"+string(op)); ok && field != "" {
			return field, op, true
		}
	}
	return "", "", false
}

// texts reads a string or a list of strings. One wrong element invalidates the list: without this
// element mood_is_not would be true more often than its author meant.
func (c *compiler) texts(want tree.Value, at Place) ([]string, bool) {
	if s, ok := want.AsText(); ok {
		return []string{s}, true
	}
	if !want.IsArray() {
		c.report(at, "must be a text or a list of texts, not %s", Named(want.Kind()))
		return nil, false
	}
	var out []string
	valid := true
	for i, e := range want.Elements() {
		s, ok := e.AsText()
		if !ok {
			c.report(at.At(i), "must be a text, not %s", Named(e.Kind()))
			valid = false
			continue
		}
		out = append(out, s)
	}
	return out, valid
}
