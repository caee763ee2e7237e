package stage

import (
	"slices"

	"github.com/talewright/talewright/hooks/act"
)

// Means is what a host gives to built-in actions.
type Means struct {
	Fields      map[string]act.Field // of the character's state, registered
	MemoryTypes []string             // beside long and short
	Missing     []act.Capability
	People      []Person // whom actions may name
}

// Person is a character that an action may name.
type Person struct{ ID, Name string }

// Lacks reports whether the host said that it does not have c.
func (m *Means) Lacks(c act.Capability) bool { return slices.Contains(m.Missing, c) }
