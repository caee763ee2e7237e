package question

import (
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Summarize asks for a new summary. If some turns are private, it has several [Summarize.Parts].
type Summarize struct {
	Old state.Summary
	// Turns lists the turns that the summary does not cover yet, oldest first, in the form for
	// models. They have no changes, commands or traces, because these name variables that a model
	// may not see.
	Turns []state.Turn
	// Unread lists earlier uncovered turns that the head does not hold. Read them in the log first.
	Unread []string
	// Witnesses lists the only characters who know these turns, in one of [Summarize.Parts]. Only
	// they may read the answer. Empty: everybody.
	Witnesses []string
}

// Parts splits the question if some turns are private. The first part has the turns that everybody
// heard. Each group of witnesses has its own part, with the turns that only this group heard. Old
// is then the old summary of the same turns. A question without private turns is its own only part.
// Read the turns in Unread first. Ask each part separately, so that no answer mixes the knowledge
// of two groups, and combine the answers with [Summarize.Join].
func (q Summarize) Parts() []Summarize {
	lists := make([][]string, 0, len(q.Turns))
	for _, t := range q.Turns {
		lists = append(lists, t.Audience)
	}
	groups := state.AudienceGroups(lists...)
	if len(groups) == 0 && len(q.Old.Private) == 0 {
		return []Summarize{q} // for a host that does not use audiences
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

// oldOf returns the part of the old summary that a group knows. No witnesses means everybody.
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

// Join combines the answers to the parts, in the order of [Summarize.Parts].
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

// withPart replaces the part with the same witnesses, or appends the part.
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
