package state

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// AudienceNote says who alone knows a text that stands in the state of a campaign.
type AudienceNote struct {
	// Of names the text: its kind, and what it is of that kind, such as
	// ["variables", "npc", "orrin"] or ["directive", "omen"].
	Of        tree.Path `json:"of"`
	Witnesses []string  `json:"witnesses"`
}

// AudienceNotes are the notes of a campaign, in the order in which they were made. They are a value:
// methods return changed copies.
type AudienceNotes []AudienceNote

// Witnesses are those who alone know a text, or something that it is part of; nobody is
// everybody.
func (n AudienceNotes) Witnesses(of tree.Path) []string {
	for i := range n {
		if of.HasPrefix(n[i].Of) {
			return n[i].Witnesses
		}
	}
	return nil
}

// With notes who knows a text from now on, instead of what was noted of it and of its parts.
// Without witnesses everybody does.
func (n AudienceNotes) With(of tree.Path, witnesses []string) AudienceNotes {
	out := n.Keep(func(known AudienceNote) bool { return !known.Of.HasPrefix(of) })
	if len(witnesses) == 0 {
		return out
	}
	return append(out, AudienceNote{of, witnesses})
}

// Keep drops the notes that do not pass.
func (n AudienceNotes) Keep(pass func(AudienceNote) bool) AudienceNotes {
	if !slices.ContainsFunc(n, func(known AudienceNote) bool { return !pass(known) }) {
		return slices.Clip(n)
	}
	var out AudienceNotes
	for _, known := range n {
		if pass(known) {
			out = append(out, known)
		}
	}
	return out
}
