package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
)

// Summarized answers [Todo.Summarize]. An error keeps the old summary.
type Summarized struct {
	Summary state.Summary `json:"summary"`
	Error   string        `json:"error,omitempty"`
	At      time.Time     `json:"at,omitzero"`
}

func (Summarized) inputType() string { return "summarized" }

func (in Summarized) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in Summarized) apply(m *Machine) (Stop, error) {
	if in.Error != "" {
		return idle, nil // the old summary stays
	}
	next := m.base.Clone()
	takeSummary(&next, in.Summary)
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{
		Outcome: &Outcome{Status: Completed},
		Announce: wantedByHooks(m, Announce{Event: act.AfterMemoryExtract, At: in.At, Payload: tree.Object(
			tree.Member{Key: "summary_version", Value: tree.Int(int64(next.State.Summary.Version))})}),
	}), nil
}

// takeSummary stores a summary. If its version is not greater than the old one, it becomes the old
// one plus 1.
func takeSummary(c *state.Campaign, s state.Summary) {
	if s.Version <= c.State.Summary.Version {
		s.Version = c.State.Summary.Version + 1
	}
	if s.CoversThrough == "" {
		s.CoversThrough = c.State.HeadTurnID
	}
	c.State.Summary = s
}

func (Summarized) settles(left *Todo) bool {
	left.Summarize = nil
	return true
}
