package turn

import (
	"cmp"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/internal/utf8text"
	"github.com/talewright/talewright/memvars/tree"
)

// Summarized answers [Todo.Summarize]. An error keeps the old summary. The text, the facts, the pins
// and the unknown members of a summary have at most 64 KiB each, and so have the text and the facts
// of each private part. A longer text is cut, and pins after the limit are dropped. Longer facts and
// longer unknown members are dropped. The trace of the outcome then has a warning.
type Summarized struct {
	Summary state.Summary `json:"summary"`
	Cut     bool          `json:"cut,omitempty"` // the summary was too long; set by the machine
	Error   string        `json:"error,omitempty"`
	At      time.Time     `json:"at,omitzero"`
}

func (Summarized) inputType() string { return "summarized" }

func (in Summarized) apply(m *Machine) (Stop, error) {
	if in.Error != "" {
		return idle, nil // the old summary stays
	}
	next := m.base.Clone()
	storeSummary(&next, in.Summary)
	outcome := &Outcome{Status: Completed}
	if in.Cut {
		outcome.Trace = &state.TurnTrace{Warnings: []string{warningSummaryCut}}
	}
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{
		Outcome: outcome,
		Announce: wantedByHooks(m, Announce{Event: act.AfterMemoryExtract, At: in.At, Payload: tree.Object(
			tree.Member{Key: "summary_version", Value: tree.Int(int64(next.State.Summary.Version))})}),
	}), nil
}

// maxSummary limits the text, the facts and the pins of a summary, in bytes each.
const maxSummary = 64 << 10

const warningSummaryCut = "the summary was too long and is cut: write at most 64 KiB of text, of facts and of pins"

// cleaned limits the summary.
func (in Summarized) cleaned() Input {
	s := &in.Summary
	s.Text, s.Facts = in.limitTexts(s.Text, s.Facts)
	s.CoversThrough = utf8text.Cut(s.CoversThrough, draft.MaxText) // a truncated text never matches an ID
	room := maxSummary
	for key, member := range s.Extra {
		room -= len(key) + len(member) + callCost
	}
	if room < 0 {
		s.Extra, in.Cut = nil, true
	}
	room = maxSummary
	for i, pin := range s.Pins {
		if room -= len(pin) + callCost; room < 0 {
			s.Pins, in.Cut = s.Pins[:i:i], true
			break
		}
	}
	s.Private = slices.Clone(s.Private)
	for i, p := range s.Private {
		s.Private[i].Text, s.Private[i].Facts = in.limitTexts(p.Text, p.Facts)
	}
	return in
}

// limitTexts returns a text and facts within the limit, and sets Cut if it changes them.
func (in *Summarized) limitTexts(text string, facts tree.Value) (string, tree.Value) {
	if len(text) > maxSummary {
		text, in.Cut = utf8text.Cut(text, maxSummary), true
	}
	if len(facts.String()) > maxSummary {
		facts, in.Cut = tree.Value{}, true
	}
	return text, facts
}

// storeSummary stores a summary. If its version is not greater than the old one, it becomes the old
// one plus 1.
func storeSummary(c *state.Campaign, s state.Summary) {
	if s.Version <= c.State.Summary.Version {
		s.Version = c.State.Summary.Version + 1
	}
	s.CoversThrough = cmp.Or(s.CoversThrough, c.State.HeadTurnID)
	c.State.Summary = s
}

func (Summarized) settles(left *Todo) bool {
	left.Summarize = nil
	return true
}
