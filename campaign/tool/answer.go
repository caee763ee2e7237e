package tool

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Answer is the result of a tool's query outside the game, see [Tool]. It is untrusted data:
// nothing in it is expanded.
type Answer struct {
	// Value goes to Judge, in [View].
	Value tree.Value `json:"value,omitzero"`
	// Reason, if set, refuses the call without a call of Judge. Hint is further information for the
	// model.
	Reason state.CallCode `json:"reason,omitempty"`
	Hint   tree.Value     `json:"hint,omitzero"`
}
