package secret

import (
	"slices"
	"strconv"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

// Part is a part of the variables with the only characters who know it. No witnesses means the
// characters for whom the variables were divided.
type Part struct {
	Variables tree.Document
	Witnesses []string
}

// Parts divides variables by the characters who know them. The first part is what all characters in
// heard know; no characters means everybody. Each other part has the variables that only the same
// witnesses know. Variables that no character knows are in no part.
func Parts(notes state.AudienceNotes, all tree.Document, heard []string) []Part {
	isKnown := knownToAll(heard)
	parts := []Part{{Variables: notes.Variables(all, isKnown)}}
	var groups [][]string // the witnesses whose part is done, also if it is empty
	for _, n := range notes {
		isDivided := slices.ContainsFunc(groups, func(done []string) bool { return state.SameAudience(done, n.Witnesses) })
		if n.Of[0] != variables || isDivided || isKnown(n.Witnesses) || slices.Contains(n.Witnesses, "") {
			continue
		}
		groups = append(groups, n.Witnesses)
		seen := notes.Variables(all, knownToAll(n.Witnesses))
		edit := tree.Document{}.Edit()
		for _, same := range notes {
			if same.Of[0] == variables && state.SameAudience(same.Witnesses, n.Witnesses) {
				putPart(edit, seen, same.Of[1:])
			}
		}
		if part := edit.Document(); part.Root().Len() > 0 {
			parts = append(parts, Part{part, n.Witnesses})
		}
	}
	return parts
}

// putPart copies a variable, and creates the objects around it. An element of a list becomes a
// member with its index as the name.
func putPart(edit *tree.Edit, from tree.Document, path tree.Path) {
	v := from.Lookup(path)
	if !v.Exists() {
		return
	}
	for n := 1; n < len(path); n++ {
		if edit.Kind(path[:n]) != tree.KindObject {
			_ = edit.Set(path[:n], tree.Object()) // the node around it is an object
		}
	}
	_ = edit.Set(path, v)
}

// OfVariable returns the only characters who know a variable, by its path; nil means everybody.
func OfVariable(notes state.AudienceNotes, path tree.Path) []string {
	return notes.Witnesses(append(tree.Path{variables}, path...))
}

// WithNotesOf returns the notes in to, with the notes in from about the variable at a path and about
// its parts.
func WithNotesOf(to, from state.AudienceNotes, path tree.Path) state.AudienceNotes {
	of := append(tree.Path{variables}, path...)
	to = to.With(of, from.Witnesses(of))
	for _, n := range from {
		if n.Of.HasPrefix(of) {
			to = to.With(n.Of, n.Witnesses)
		}
	}
	return to
}

// NoteEntry records in the state that only some characters know the n-th entry, which was just
// added. Without witnesses it does nothing.
func NoteEntry(s *state.State, n int, witnesses []string) {
	if len(witnesses) == 0 {
		return
	}
	s.Secrets = s.Secrets.With(tree.Path{entry, state.AddedEntryID(n, s.Entries[n]).String()}, witnesses)
}

// movedTexts are the texts that only some characters know and that have left their places, each
// with its witnesses. The keys are from movedKey.
type movedTexts map[string][]string

// findMoved returns the texts that have left their places.
func findMoved(before, after *state.State) movedTexts {
	out := movedTexts{}
	add := func(name string, v tree.Value, witnesses []string) {
		key := movedKey(name, v)
		if known, ok := out[key]; ok {
			witnesses = commonWitnesses(known, witnesses)
		}
		out[key] = witnesses
	}
	for _, n := range before.Secrets {
		if n.Of[0] != variables || len(n.Of) < 2 {
			continue
		}
		v, now := before.Variables.Lookup(n.Of[1:]), after.Variables.Lookup(n.Of[1:])
		if !hasText(v) || v.Equal(now) {
			continue
		}
		add("", v, n.Witnesses)
		add(n.Of[len(n.Of)-1], v, n.Witnesses)
		for i, e := range v.Elements() {
			if hasText(e) && !e.Equal(now.At(i)) {
				add(elementName, e, n.Witnesses)
			}
		}
	}
	return out
}

// elementName stands for the name of an element of a list, whose index changes with the list.
const elementName = "[]"

func movedKey(name string, v tree.Value) string { return keyOf(tree.Path{name, v.String()}) }

// split finds the texts of a new value that come from a different place. It returns a note about each of
// them, and the rest of the value. The rest is absent if nothing is left. A text inside the value must
// have kept its name. The value itself need not, because commands rename.
func (m movedTexts) split(at tree.Path, name string, v tree.Value) (rest tree.Value, notes []state.AudienceNote) {
	if witnesses, ok := m[movedKey(name, v)]; ok {
		return tree.Value{}, []state.AudienceNote{{Of: at, Witnesses: witnesses}}
	}
	rest = v.Map(func(i int, child tree.Value) tree.Value {
		key, name := v.KeyAt(i), v.KeyAt(i)
		if v.IsArray() {
			key, name = strconv.Itoa(i), elementName
		}
		kept, found := m.split(at.Child(key), name, child)
		notes = append(notes, found...)
		return kept
	})
	return rest, notes
}
