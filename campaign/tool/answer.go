package tool

import (
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Answer is what a tool learns from outside the game, see [Tool]. It is data of a
// stranger: nothing of it is expanded.
type Answer struct {
	// Value is what Judge gets, in [View].
	Value tree.Value `json:"value,omitzero"`
	// Reason refuses the call without asking Judge; Hint says more, to the model.
	Reason state.CallCode `json:"reason,omitempty"`
	Hint   tree.Value     `json:"hint,omitzero"`
}
