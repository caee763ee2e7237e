package hooks

import (
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Result is what a run decided and did.
type Result struct {
	// Logs holds the hooks that ran or were denied, in order, those of derived
	// events included.
	Logs []act.Log `json:"logs,omitempty"`
	// Skipped holds, apart from them, the hooks that a limit kept from running.
	Skipped []act.Log `json:"skipped,omitempty"`
	// Dropped holds the events that were not handled.
	Dropped []act.Drop `json:"dropped,omitempty"`
	// State is the next state.
	State State `json:"state"`
	// Effects is what the host shall apply, in order: the committed internal
	// effects, and the external ones for which no sink was given. They are
	// authoritative.
	Effects effect.List `json:"effects,omitempty"`
	// Delivered is what sinks took, in order: for the record only.
	Delivered effect.List `json:"delivered,omitempty"`
	// Character and Relationship are the values after all commits: those of Env
	// with the ChangeState and ChangeRelationship of Effects applied.
	Character    tree.Value `json:"character,omitzero"`
	Relationship tree.Value `json:"relationship,omitzero"`
	// Derived holds the events that commits raised, in the order they arose; the
	// run has handled them, except those in Dropped.
	Derived []DerivedEvent `json:"derived,omitempty"`
	// Trace explains every gate, if Env asked for it.
	Trace act.Trace `json:"trace,omitempty"`
}

// DerivedEvent is an event that a hook's commit raised, with its place in the chain.
type DerivedEvent struct {
	Event act.Event `json:"event"`
	Depth int       `json:"depth"`
}
