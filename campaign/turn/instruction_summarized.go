package turn

import (
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/audience"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/hooks/on"
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
		Announce: m.wanted(Announce{Event: on.AfterMemoryExtract, At: in.At, Payload: tree.Object(
			tree.Member{Key: "summary_version", Value: tree.Int(int64(next.State.Summary.Version))})}),
	}), nil
}

// takeSummary takes over a summary. A version that does not grow is raised by one.
func takeSummary(c *state.Campaign, s state.Summary) {
	if s.Version <= c.State.Summary.Version {
		s.Version = c.State.Summary.Version + 1
	}
	if s.CoversThrough == "" {
		s.CoversThrough = c.State.HeadTurnID
	}
	c.State.Summary = s
}

func (Summarized) settles(l *Leftover) bool {
	l.Todo.Summarize = nil
	return true
}

// Parts divides the question where some of the turns are private: one question about the turns
// that everybody heard, and one for each group of witnesses, about what only they heard. Old is
// what the summary has told of the same turns. A question without private turns is its only
// part. Ask about each by itself, so that no answer knows of two groups, and put the answers
// together with [SummarizeQuestion.Join]. Read what is Unread first.
func (q SummarizeQuestion) Parts() []SummarizeQuestion {
	lists := make([][]string, 0, len(q.Turns))
	for _, t := range q.Turns {
		lists = append(lists, t.Audience)
	}
	groups := audience.Groups(lists...)
	if len(groups) == 0 && len(q.Old.Private) == 0 {
		return []SummarizeQuestion{q} // as a host that knows of no audiences has it
	}
	var parts []SummarizeQuestion
	for _, witnesses := range append([][]string{nil}, groups...) {
		part := SummarizeQuestion{Old: q.oldOf(witnesses), Witnesses: witnesses}
		for _, t := range q.Turns {
			if audience.Same(t.Audience, witnesses) {
				part.Turns = append(part.Turns, t)
			}
		}
		if len(part.Turns) > 0 {
			parts = append(parts, part)
		}
	}
	return parts
}

// oldOf is what the old summary tells of what a group knows; nobody is everybody.
func (q SummarizeQuestion) oldOf(witnesses []string) state.Summary {
	old := q.Old
	old.Private = nil
	if len(witnesses) == 0 {
		return old
	}
	old.Text, old.Facts, old.Pins = "", tree.Value{}, nil
	for _, p := range q.Old.Private {
		if audience.Same(p.Witnesses, witnesses) {
			old.Text, old.Facts = p.Text, p.Facts
		}
	}
	return old
}

// Join puts the answers to the parts together, in the order of [SummarizeQuestion.Parts].
func (q SummarizeQuestion) Join(answers []state.Summary) state.Summary {
	parts := q.Parts()
	out, private := q.Old, slices.Clone(q.Old.Private)
	for i, a := range answers[:min(len(answers), len(parts))] {
		witnesses, version := parts[i].Witnesses, max(out.Version, a.Version)
		if len(witnesses) == 0 {
			out, private = a, append(private, a.Private...)
		} else {
			private = withPart(private, audience.Part{Witnesses: witnesses, Text: a.Text, Facts: a.Facts})
		}
		out.Version = version
	}
	if out.Private = private; len(parts) > 1 || len(parts) == 1 && len(parts[0].Witnesses) > 0 {
		out.CoversThrough = q.Turns[len(q.Turns)-1].ID
	}
	return out
}

// withPart puts a part in the place of the one that the same characters know.
func withPart(list []audience.Part, part audience.Part) []audience.Part {
	for i, p := range list {
		if audience.Same(p.Witnesses, part.Witnesses) {
			part.Extra = p.Extra
			list[i] = part
			return list
		}
	}
	return append(list, part)
}
