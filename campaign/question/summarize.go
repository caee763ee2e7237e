package question

import (
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Summarize asks for a new summary. Where some of the turns are private it has several
// [Summarize.Parts].
type Summarize struct {
	Old state.Summary
	// Turns are those that it does not cover yet, oldest first, as a model may see them:
	// without changes, commands and traces, which name variables that it may not.
	Turns []state.Turn
	// Unread are turns before those, which the head does not hold: read them in the log first.
	Unread []string
	// Witnesses are those who alone know of all that, in one of its [Summarize.Parts]:
	// nobody else is to read the answer. Empty: everybody.
	Witnesses []string
}

// Parts divides the question where some of the turns are private: one question about the turns
// that everybody heard, and one for each group of witnesses, about what only they heard. Old is
// what the summary has told of the same turns. A question without private turns is its only
// part. Ask about each by itself, so that no answer knows of two groups, and put the answers
// together with [Summarize.Join]. Read what is Unread first.
func (q Summarize) Parts() []Summarize {
	lists := make([][]string, 0, len(q.Turns))
	for _, t := range q.Turns {
		lists = append(lists, t.Audience)
	}
	groups := state.AudienceGroups(lists...)
	if len(groups) == 0 && len(q.Old.Private) == 0 {
		return []Summarize{q} // as a host that knows of no audiences has it
	}
	var parts []Summarize
	for _, witnesses := range append([][]string{nil}, groups...) {
		part := Summarize{Old: q.oldOf(witnesses), Witnesses: witnesses}
		for _, t := range q.Turns {
			if state.SameAudience(t.Audience, witnesses) {
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
func (q Summarize) oldOf(witnesses []string) state.Summary {
	old := q.Old
	old.Private = nil
	if len(witnesses) == 0 {
		return old
	}
	old.Text, old.Facts, old.Pins = "", tree.Value{}, nil
	for _, p := range q.Old.Private {
		if state.SameAudience(p.Witnesses, witnesses) {
			old.Text, old.Facts = p.Text, p.Facts
		}
	}
	return old
}

// Join puts the answers to the parts together, in the order of [Summarize.Parts].
func (q Summarize) Join(answers []state.Summary) state.Summary {
	parts := q.Parts()
	out, private := q.Old, slices.Clone(q.Old.Private)
	for i, a := range answers[:min(len(answers), len(parts))] {
		witnesses, version := parts[i].Witnesses, max(out.Version, a.Version)
		if len(witnesses) == 0 {
			out, private = a, append(private, a.Private...)
		} else {
			private = withPart(private, state.AudiencePart{Witnesses: witnesses, Text: a.Text, Facts: a.Facts})
		}
		out.Version = version
	}
	if out.Private = private; len(parts) > 1 || len(parts) == 1 && len(parts[0].Witnesses) > 0 {
		out.CoversThrough = q.Turns[len(q.Turns)-1].ID
	}
	return out
}

// withPart puts a part in the place of the one that the same characters know.
func withPart(list []state.AudiencePart, part state.AudiencePart) []state.AudiencePart {
	for i, p := range list {
		if state.SameAudience(p.Witnesses, part.Witnesses) {
			part.Extra = p.Extra
			list[i] = part
			return list
		}
	}
	return append(list, part)
}
