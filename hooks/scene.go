package hooks

import (
	"time"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// scene is what conditions look at: the event and the committed live values.
type scene struct {
	event        *Event
	channel      string
	names        []string // spellings of the event's type
	character    tree.Value
	relationship tree.Value
	vars         rules.Vars
	fields       map[string]Field
	now          time.Time
}

// bare finds a field by its name alone: a relationship name in the relationship
// value, then any name in the character state, then in the host's variables. A
// null counts as not there. Variables come last because they may be a copy that was
// made before the turn: what hooks have just committed must win over it.
func (s *scene) bare(field string) tree.Value {
	if isRelationshipField(field) {
		if v := s.relationship.Get(field); v.Exists() && !v.IsNull() {
			return v
		}
	}
	if v := s.character.Get(field); v.Exists() && !v.IsNull() {
		return v
	}
	v := s.variable(field)
	if v.IsNull() {
		return tree.Value{}
	}
	return v
}

// variable asks the host, absent if it has none of that name.
func (s *scene) variable(path string) tree.Value {
	if s.vars == nil {
		return tree.Value{}
	}
	got, ok := s.vars.Get(path)
	if !ok {
		return tree.Value{}
	}
	if v, ok := got.(tree.Value); ok {
		return v
	}
	v, err := tree.Of(got)
	if err != nil {
		return tree.Value{} // no JSON value: nothing that a condition could compare
	}
	return v
}
