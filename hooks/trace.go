package hooks

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
//
// Its values:
//
//   - disabled: enabled is false
//   - pattern: no pattern covers the event; Detail is its type
//   - scope: out of scope; Detail is the scope
//   - already_ran_this_turn: skipped
//   - condition: Detail names the first false key
//   - already_triggered: skipped
//   - permission: denied, or skipped because it was denied before
//   - turn_limit: skipped
//   - action: one action of one attempt; Detail names both
//   - panic: the stack of a panic
//   - status: the hook ran; Detail is its status
//   - derived: its commit raised an event
type Gate string

// The gates, in the order in which a hook passes them.
const (
	gateDisabled   Gate = "disabled"
	gatePattern    Gate = "pattern"
	gateScope      Gate = "scope"
	gateRan        Gate = "already_ran_this_turn"
	gateCondition  Gate = "condition"
	gateTriggered  Gate = "already_triggered"
	gatePermission Gate = "permission"
	gateLimit      Gate = "turn_limit"
	gateAction     Gate = "action"
	gateStack      Gate = "panic"
	gateStatus     Gate = "status"
	gateDerived    Gate = "derived"
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
