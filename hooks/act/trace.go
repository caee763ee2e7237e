package act

import (
	"fmt"
	"strings"
)

// Trace explains a run. It has one step for each gate that stopped a hook, and for each action and
// hook that ran.
type Trace []Step

// Step is one line of a trace.
type Step struct {
	Depth     int    `json:"depth"`
	EventType string `json:"event_type"`
	HookID    string `json:"hook_id"`
	Gate      Gate   `json:"gate"`
	Detail    string `json:"detail,omitempty"`
}

// Gate is the point at which the outcome of a hook was decided.
type Gate string

// The gates, in the order in which a hook passes them.
const (
	GateDisabled   Gate = "disabled"              // enabled is false
	GatePattern    Gate = "pattern"               // no pattern covers the event; Detail is its type
	GateScope      Gate = "scope"                 // out of scope; Detail is the scope
	GateRan        Gate = "already_ran_this_turn" // skipped
	GateCondition  Gate = "condition"             // Detail names the first false key
	GateTriggered  Gate = "already_triggered"     // skipped
	GatePermission Gate = "permission"            // denied, or skipped because it was denied before
	GateLimit      Gate = "turn_limit"            // skipped
	GateAction     Gate = "action"                // one action of one attempt; Detail names both
	GateStack      Gate = "panic"                 // the stack of a panic
	GateStatus     Gate = "status"                // the hook ran; Detail is its status
	GateDerived    Gate = "derived"               // its commit raised an event
)

// String returns one line per step, indented by depth.
func (t Trace) String() string {
	var b strings.Builder
	for _, s := range t {
		fmt.Fprintf(&b, "%s%s %s: %s", strings.Repeat("  ", s.Depth), s.EventType, s.HookID, s.Gate)
		if s.Detail != "" {
			b.WriteString(": " + s.Detail)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
