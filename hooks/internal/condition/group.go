package condition

import (
	"fmt"
	"slices"
	"time"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// Group is a compiled object of conditions. It has one term for each key. All terms must be true, or
// at least one if any is set. any is set only for the top-level object of a hook with the logic "or";
// nested objects use the keys "all" and "any".
type Group struct {
	terms []term
	any   bool
}

// term is one compiled key. test decides; actual returns the actual value for the trace. All work
// that needs no event is done at compile time. A test only reads values and compares them. The
// fields key and want are for the trace only.
type term struct {
	key    string
	want   tree.Value
	test   func(*Scene) bool
	actual func(*Scene) tree.Value
}

// Hold reports whether the group is true. An empty group is always true, also inside of "all", "any"
// or "not".
func (g *Group) Hold(s *Scene) bool {
	// The first true term decides if any is set, otherwise the first false term.
	for i := range g.terms {
		if g.terms[i].test(s) == g.any {
			return g.any
		}
	}
	return !g.any || len(g.terms) == 0
}

// maxShown is the number of bytes of a value that a trace shows: an event may contain a whole chat.
const maxShown = 200

// Explain names the first key that made the group false. It runs the tests again, which is cheaper
// than storing the result of every test in case a trace is wanted.
func (g *Group) Explain(s *Scene) string {
	if g.any {
		return fmt.Sprintf("none of %d keys holds", len(g.terms))
	}
	for i := range g.terms {
		t := &g.terms[i]
		if t.test(s) {
			continue
		}
		want := Cut(t.want.String(), maxShown)
		if t.actual == nil {
			return fmt.Sprintf("%s: want %s", t.key, want)
		}
		if v := t.actual(s); v.Exists() {
			return fmt.Sprintf("%s: %s, want %s", t.key, Cut(v.String(), maxShown), want)
		}
		return fmt.Sprintf("%s: unknown, want %s", t.key, want)
	}
	return ""
}

// Scene is the input of conditions: the event and the committed live values.
type Scene struct {
	Event        *act.Event
	Channel      string
	Names        act.TypeNames // of the event's type
	Character    tree.Value
	Relationship tree.Value
	Vars         rules.Vars
	Fields       map[string]act.Field // registered by the host
	Now          time.Time
}

// byName finds a field by its name alone: a relationship name in the relationship value, then any
// name in the character state, then in the host's variables. A null counts as missing. Variables
// come last because they may be a copy from before the turn, and the latest commits of hooks must
// take precedence.
func (s *Scene) byName(name string) tree.Value {
	if slices.Contains(relationshipFields, name) {
		if v := s.Relationship.Get(name); v.Exists() && !v.IsNull() {
			return v
		}
	}
	if v := s.Character.Get(name); v.Exists() && !v.IsNull() {
		return v
	}
	v := s.variable(name)
	if v.IsNull() {
		return tree.Value{}
	}
	return v
}

// variable reads a variable of the host, absent if the host has no variable of that name.
func (s *Scene) variable(path string) tree.Value {
	if s.Vars == nil {
		return tree.Value{}
	}
	got, ok := s.Vars.Get(path)
	if !ok {
		return tree.Value{}
	}
	v, _ := tree.Of(got) // absent if it has no JSON form: a condition cannot compare it
	return v
}
