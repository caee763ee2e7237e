package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
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

// Drop is an event that was not handled, with the reason.
type Drop struct {
	EventID   string     `json:"event_id"`
	EventType string     `json:"event_type"`
	Depth     int        `json:"depth"`
	Reason    DropReason `json:"reason"`
}

// DropReason says why an event was not handled, or not handled completely.
//
// Its values:
//
//   - chain_depth: deeper than the limit
//   - no_type: an event without a type
//   - canceled: the context ended before all hooks were checked
type DropReason string

// The reasons for a drop.
const (
	dropChainDepth DropReason = "chain_depth"
	dropNoType     DropReason = "no_type"
	dropCanceled   DropReason = "canceled"
)

// trace adds a step, if the host asked for a trace.
func (c candidate) trace(gate Gate, detail string) {
	if c.env.Trace {
		c.result.Trace = append(c.result.Trace, Step{c.depth, c.event.Type, c.hook.ID, gate, detail})
	}
}

// traceOthers adds a step for each hook that is not a candidate. It checks every hook of the set,
// so it runs only when a trace is wanted.
func (r *runner) traceOthers(ranks []int, event *act.Event, depth int) {
	for rank, h := range r.set.byRank {
		c := candidate{r, h, event, depth}
		switch _, found := slices.BinarySearch(ranks, rank); {
		case found:
		case !h.enabled():
			c.trace(gateDisabled, "")
		default:
			c.trace(gatePattern, tree.Text(event.Type).String())
		}
	}
}
