package stage

import (
	"slices"

	"github.com/talewright/talewright/hooks/act"
)

// Means are the parts of a host that built-in actions need.
type Means struct {
	Fields      map[string]act.Field // registered fields of the character's state
	MemoryTypes []string             // in addition to long and short
	Missing     []act.Capability
	People      []Person // the characters that actions may name
}

// Person is a character that an action may name.
type Person struct{ ID, Name string }

// Lacks reports whether the host said that it does not have c.
func (m *Means) Lacks(c act.Capability) bool { return slices.Contains(m.Missing, c) }
