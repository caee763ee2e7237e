package hooks

import (
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// Result is the outcome of a run.
type Result struct {
	// Logs holds the hooks that ran or were denied, in order. Hooks on derived events are included.
	Logs []act.Log `json:"logs,omitempty"`
	// Skipped holds the hooks that a limit kept from running. They are not in Logs.
	Skipped []act.Log `json:"skipped,omitempty"`
	// Dropped holds the events that were not handled.
	Dropped []Drop `json:"dropped,omitempty"`
	// State is the next state.
	State State `json:"state"`
	// Effects are the effects that the host must apply, in order: the committed internal effects,
	// and the external effects that have no sink. They are authoritative.
	Effects effect.List `json:"effects,omitempty"`
	// Delivered lists the effects that sinks accepted, in order. It is for the record only.
	Delivered effect.List `json:"delivered,omitempty"`
	// Character and Relationship are the values after all commits: the values in Env with the
	// ChangeState and ChangeRelationship effects of Effects applied.
	Character    tree.Value `json:"character,omitzero"`
	Relationship tree.Value `json:"relationship,omitzero"`
	// Derived holds the events that commits raised, in the order in which they were raised. The run
	// has handled them, except the events in Dropped.
	Derived []DerivedEvent `json:"derived,omitempty"`
	// Trace explains every gate, if Env.Trace is set.
	Trace Trace `json:"trace,omitempty"`
}

// DerivedEvent is an event that a hook's commit raised, with its place in the chain.
type DerivedEvent struct {
	Event act.Event `json:"event"`
	Depth int       `json:"depth"`
}
