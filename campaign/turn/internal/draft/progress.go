package draft

import (
	"fmt"
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Progress is the result of a part of the turn.
type Progress struct {
	State    state.State
	Applied  []state.Applied
	Calls    []tree.Value // all calls, applied or refused, as in the reply
	Evidence []conflict.Action
	Messages []string // from hooks, for the player
	Host     []effect.Attributed
	events   []rules.Event // changes that rules have not run for yet
	Changes  []tree.Change
	Commands []state.CommandResult
	Written  []string       // the model's texts whose requests were applied
	Counts   map[string]int // number of checks, by call
	Trace    state.TurnTrace
}

// Clone returns a copy that may be appended to.
func (p Progress) Clone() Progress {
	p.State = p.State.CloneForTurn()
	p.Applied = slices.Clone(p.Applied)
	p.Calls = slices.Clone(p.Calls)
	p.Evidence = slices.Clone(p.Evidence)
	p.Messages = slices.Clone(p.Messages)
	p.Host = slices.Clone(p.Host)
	p.events = slices.Clone(p.events)
	p.Changes = slices.Clone(p.Changes)
	p.Commands = slices.Clone(p.Commands)
	p.Written = slices.Clone(p.Written)
	counts := make(map[string]int, len(p.Counts))
	maps.Copy(counts, p.Counts)
	p.Counts = counts
	p.Trace = p.Trace.Clone()
	return p
}

// KeptEvidence returns the evidence of a turn, for a text that continues it. IDs, arguments and
// results are left out, because the applied calls have them.
func (p *Progress) KeptEvidence() []conflict.Action {
	out := slices.Clone(p.Evidence)
	for i := range out {
		if out[i].Tool != "" {
			out[i].ID, out[i].Args, out[i].Result = "", nil, nil
		}
	}
	return out
}

// EvidenceOf returns kept evidence with the IDs, arguments and results of the calls.
func EvidenceOf(kept []conflict.Action, applied []state.Applied) []conflict.Action {
	out := slices.Clone(kept)
	for i := range out {
		if out[i].Tool != "" && len(applied) > 0 {
			out[i].ID, out[i].Args, out[i].Result = applied[0].ID, Raw(applied[0].Args), Raw(applied[0].Result)
			applied = applied[1:]
		}
	}
	return out
}

// Warn adds a warning to the trace.
func (p *Progress) Warn(format string, args ...any) {
	p.Trace.Warnings = append(p.Trace.Warnings, fmt.Sprintf(format, args...))
}
