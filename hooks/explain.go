package hooks

import (
	"slices"

	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// trace adds a step, if the host asked for a trace.
func (r *runner) trace(h *hook, event *act.Event, depth int, gate Gate, detail string) {
	if r.env.Trace {
		r.result.Trace = append(r.result.Trace, Step{Depth: depth, EventType: event.Type, HookID: h.ID, Gate: gate, Detail: detail})
	}
}

// traceOthers adds a step for each hook that is not a candidate. It checks every hook of the set,
// so it runs only when a trace is wanted.
func (r *runner) traceOthers(ranks []int, event *act.Event, depth int) {
	for rank, h := range r.set.byRank {
		switch _, found := slices.BinarySearch(ranks, rank); {
		case found:
		case !h.enabled():
			r.trace(h, event, depth, gateDisabled, "")
		default:
			r.trace(h, event, depth, gatePattern, tree.Text(event.Type).String())
		}
	}
}
