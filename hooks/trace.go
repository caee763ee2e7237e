package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// Trace is the explanation of a run, one step per gate that stopped a hook or
// action that it ran.
type Trace []Step

// Step is one line of a trace.
type Step struct {
	Depth     int    `json:"depth"`
	EventType string `json:"event_type"`
	HookID    string `json:"hook_id"`
	Gate      Gate   `json:"gate"`
	Detail    string `json:"detail,omitempty"`
}

// Gate is the place at which the fate of a hook was decided.
type Gate string

// The gates, in the order in which a hook meets them.
const (
	GateDisabled   Gate = "disabled"              // enabled is false
	GatePattern    Gate = "pattern"               // no pattern covers the event; Detail is its type
	GateScope      Gate = "scope"                 // meant for another; Detail is the scope
	GateRan        Gate = "already_ran_this_turn" // skipped
	GateCondition  Gate = "condition"             // Detail names the first false key
	GateTriggered  Gate = "already_triggered"     // skipped
	GatePermission Gate = "permission"            // denied, or skipped where it was denied before
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

// trace adds a step, if the host asked for a trace.
func (r *runner) trace(h *hook, event *Event, depth int, gate Gate, detail string) {
	if r.env.Trace {
		r.res.Trace = append(r.res.Trace, Step{depth, event.Type, h.ID, gate, detail})
	}
}

// traceOthers names the hooks that are no candidates, which the index otherwise
// passes over. It looks at every hook of the set, and only for a trace.
func (r *runner) traceOthers(ranks []int, event *Event, depth int) {
	for rank, h := range r.set.byRank {
		switch _, found := slices.BinarySearch(ranks, rank); {
		case found:
		case !h.enabled():
			r.trace(h, event, depth, GateDisabled, "")
		default:
			r.trace(h, event, depth, GatePattern, tree.Text(event.Type).String())
		}
	}
}
