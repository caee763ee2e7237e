package state

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// AudienceNote records which characters know a text in the state of a campaign.
type AudienceNote struct {
	// Of identifies the text by its kind and its name, such as ["variables", "npc", "orrin"] or
	// ["directive", "omen"].
	Of        tree.Path `json:"of"`
	Witnesses []string  `json:"witnesses"`
}

// notedVariables is the kind of the notes about variables.
const notedVariables = "variables"

// AudienceNotes are the notes of a campaign, in the order in which they were made. Methods return
// changed copies.
type AudienceNotes []AudienceNote

// Witnesses returns the characters who know a text or something that it is part of. An empty list
// means everybody.
func (n AudienceNotes) Witnesses(of tree.Path) []string {
	for i := range n {
		if of.HasPrefix(n[i].Of) {
			return n[i].Witnesses
		}
	}
	return nil
}

// With records who knows a text from now on. It replaces the notes about the text and its parts.
// Without witnesses everybody knows it.
func (n AudienceNotes) With(of tree.Path, witnesses []string) AudienceNotes {
	out := n.Keep(func(known AudienceNote) bool { return !known.Of.HasPrefix(of) })
	if len(witnesses) == 0 {
		return out
	}
	return append(out, AudienceNote{of, witnesses})
}

// Keep returns the notes for which pass returns true.
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

// Variables returns a document of variables without the values that a viewer may not know. sees is
// [Viewer.Sees], or [Knows] for one character. A hidden list element becomes null, so that the
// others keep their places. See [VisibleFacts] for values that name their own witnesses.
func (n AudienceNotes) Variables(all tree.Document, sees func(witnesses []string) bool) tree.Document {
	edit := all.Edit()
	for _, note := range n {
		if note.Of[0] != notedVariables || sees(note.Witnesses) {
			continue
		}
		path := note.Of[1:]
		if len(path) == 0 {
			return tree.Document{}
		}
		if edit.Kind(path[:len(path)-1]) == tree.KindArray {
			_ = edit.Set(path, tree.Null) // the path existed when it was noted
			continue
		}
		_ = edit.Delete(path)
	}
	return edit.Document()
}
