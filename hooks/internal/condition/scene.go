package condition

import (
	"time"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

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
	if inRelationship(name) {
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
	if v, ok := got.(tree.Value); ok {
		return v
	}
	v, err := tree.Of(got)
	if err != nil {
		return tree.Value{} // not a JSON value: a condition cannot compare it
	}
	return v
}
