// Package secret separates the texts that private turns have left in the state of a campaign. It
// notes who knows them, and removes from a viewer's state the texts that the viewer may not know.
package secret

import (
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// The kinds of texts. The path of each note begins with one of them.
const (
	variables = "variables"
	macros    = "macros"
	directive = "directive"
	context   = "context"
	injection = "injection"
	entry     = "entry"
	lore      = "lore"
	area      = "area"
	mood      = "mood"
	feedback  = "feedback"
)

// EntryOfBackup is the type of entries that hold a branch of the variables.
const EntryOfBackup = "backup"

// stateText is one text of the state, or several that belong together.
type stateText struct {
	path  tree.Path // of the note about it
	texts []string
}

// stateTexts returns the texts of the state except the variables, in a fixed order.
func stateTexts(s *state.State) (list []stateText) {
	add := func(of tree.Path, texts ...string) { list = append(list, stateText{of, texts}) }
	for _, d := range s.Ledger.Directives {
		add(tree.Path{directive, d.ID}, d.Content)
	}
	for _, c := range s.Ledger.Pending {
		add(tree.Path{context, c.Message}, c.Message)
	}
	for _, e := range s.Injections {
		add(tree.Path{injection, e.Key}, e.Content)
	}
	for i, e := range s.Entries {
		texts := []string{e.Content}
		if e.EntryType != EntryOfBackup { // the world chooses the name and the key of a backup
			texts = append(append(texts, e.Name), e.Keywords...)
		}
		add(tree.Path{entry, state.AddedEntryID(i, e).String()}, texts...)
	}
	for _, u := range s.LoreEdits.Changed {
		add(tree.Path{lore, u.ID}, updateTexts(u)...)
	}
	for _, a := range s.Map.Areas {
		add(tree.Path{area, a.ID}, append([]string{a.ID, a.Name, a.Description}, a.Aliases...)...)
	}
	if len(s.Feedback) > 0 {
		v, _ := tree.Of(s.Feedback) // the values are plain, so there is no error
		add(tree.Path{feedback}, Texts(v)...)
	}
	for i := range s.Characters {
		for key, v := range s.Characters[i].Mood.Members() {
			add(tree.Path{mood, s.Characters[i].ID, "mood", key}, Texts(v)...)
		}
		for key, v := range s.Characters[i].Relationship.Members() {
			add(tree.Path{mood, s.Characters[i].ID, "relationship", key}, Texts(v)...)
		}
	}
	for _, kind := range []struct {
		name   string
		values tree.Value
	}{{"chat", s.Macros.Chat}, {"global", s.Macros.Global}} {
		for key, v := range kind.values.Members() {
			add(tree.Path{macros, kind.name, key}, append(Texts(v), key)...)
		}
	}
	return list
}

// updateTexts returns the texts of an update of an entry.
func updateTexts(u effect.UpdateEntry) []string {
	texts := slices.Clone(u.Keywords)
	for _, t := range []*string{u.Name, u.Content} {
		if t != nil {
			texts = append(texts, *t)
		}
	}
	return texts
}

// Texts returns the texts of a value, including the names of members.
func Texts(v tree.Value) (texts []string) {
	if text, ok := v.AsText(); ok {
		return []string{text}
	}
	for _, e := range v.Elements() {
		texts = append(texts, Texts(e)...)
	}
	for key, m := range v.Members() {
		texts = append(append(texts, key), Texts(m)...)
	}
	return texts
}

// hasText reports whether a value has a text that is not empty.
func hasText(v tree.Value) bool {
	return slices.ContainsFunc(Texts(v), func(text string) bool { return text != "" })
}

// Keep records in after.Secrets who knows the texts that differ from before. The witnesses are the
// characters who heard what caused the changes; an empty list means everybody. A text that repeats
// a text which some characters did not know stays unknown to them. A variable that was moved or
// renamed keeps its witnesses, however short it is. The characters in byMacros know the texts that
// macros have written. An entry that [NoteEntry] noted in after stays noted. The function copied
// returns the places whose values the game may have written to a place. For these values short
// texts count as repetitions too.
func Keep(before, after *state.State, witnesses, byMacros []string, copied func(to tree.Path) []tree.Path) {
	if len(witnesses) == 0 && len(byMacros) == 0 && len(before.Secrets) == 0 {
		after.Secrets = nil
		return
	}
	hidden := newHiddenSet(hiddenTexts(before, func(list []string) bool { return true }))
	knowers := func(texts, by []string) []string { // the characters in by, without those who may not know a repeated text
		for _, text := range texts {
			for _, at := range hidden.foundIn(text) {
				by = commonWitnesses(by, hidden.witnesses[at])
			}
		}
		return by
	}
	noted := newIndex(before.Secrets)
	var added []state.AudienceNote
	oldTexts := map[string][]string{}
	for _, item := range stateTexts(before) {
		oldTexts[keyOf(item.path)] = item.texts
	}
	present := map[string]bool{}
	for _, item := range stateTexts(after) {
		name := keyOf(item.path)
		present[name] = true
		if texts, known := oldTexts[name]; !known || !slices.Equal(texts, item.texts) {
			by := witnesses
			if item.path[0] == macros {
				by = byMacros
			}
			by = knowers(item.texts, by)
			if !known { // NoteEntry may have noted it
				by = commonWitnesses(by, after.Secrets.Witnesses(item.path))
			}
			added = append(added, state.AudienceNote{Of: item.path, Witnesses: by})
		}
	}
	moved := findMoved(before, after)
	for _, c := range tree.Diff(before.Variables, after.Variables) {
		var parts []state.AudienceNote
		if len(moved) > 0 && c.New.Exists() {
			c.New, parts = moved.split(append(tree.Path{variables}, c.Path...), "", c.New)
		}
		added = append(added, noteOfChange(noted, c, func(texts []string) []string {
			by := knowers(texts, witnesses)
			for _, from := range copied(c.Path) {
				by = knowersOfCopy(before, noted, from, texts, by)
			}
			return by
		}))
		for _, part := range parts {
			added = append(added, state.AudienceNote{Of: part.Of, Witnesses: commonWitnesses(witnesses, part.Witnesses)})
		}
	}
	after.Secrets = withNotes(before.Secrets, added, func(n state.AudienceNote) bool {
		if n.Of[0] == variables {
			return after.Variables.Lookup(n.Of[1:]).Exists()
		}
		return present[keyOf(n.Of)]
	})
}

// knowersOfCopy returns the characters in by who may know texts that were perhaps copied from the variable
// at a path.
func knowersOfCopy(before *state.State, noted index, from tree.Path, texts, by []string) []string {
	for _, hidden := range Texts(before.Variables.Lookup(from)) {
		if hidden != "" && slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, hidden) }) {
			return commonWitnesses(by, noted.witnesses(append(tree.Path{variables}, from...)))
		}
	}
	return by
}

// commonWitnesses returns the characters that are in both lists. An empty list means everybody, so a list
// with an empty name stands for no character.
func commonWitnesses(a, b []string) []string {
	both, some := state.CommonAudience(a, b)
	if !some {
		return []string{""}
	}
	return both
}

// noteOfChange returns the note for a changed variable. A new variable is always noted as a whole,
// because its name is a text too.
func noteOfChange(noted index, c tree.Change, knowers func([]string) []string) state.AudienceNote {
	of := append(tree.Path{variables}, c.Path...)
	nameIsNoted := !c.Old.Exists() || noted.has(keyOf(of))
	if !c.New.Exists() || !hasText(c.New) && !nameIsNoted {
		return state.AudienceNote{Of: of}
	}
	texts := Texts(c.New)
	if nameIsNoted && len(c.Path) > 0 {
		texts = append(texts, c.Path[len(c.Path)-1])
	}
	return state.AudienceNote{Of: of, Witnesses: knowers(texts)}
}

// hiddenText is a text with the only characters who know it.
type hiddenText struct {
	text      string
	witnesses []string
}

// hiddenTexts returns the texts of the notes whose witnesses pass.
func hiddenTexts(s *state.State, pass func(witnesses []string) bool) (list []hiddenText) {
	add := func(texts, witnesses []string) {
		for _, text := range texts {
			list = append(list, hiddenText{text, witnesses})
		}
	}
	all := sync.OnceValue(func() map[string][]string {
		texts := map[string][]string{}
		for _, item := range stateTexts(s) {
			texts[keyOf(item.path)] = append(texts[keyOf(item.path)], item.texts...)
		}
		return texts
	})
	for _, n := range s.Secrets {
		switch {
		case !pass(n.Witnesses):
		case n.Of[0] == variables:
			texts := Texts(s.Variables.Lookup(n.Of[1:]))
			if len(n.Of) > 1 {
				texts = append(texts, n.Of[len(n.Of)-1])
			}
			add(texts, n.Witnesses)
		default:
			add(all()[keyOf(n.Of)], n.Witnesses)
		}
	}
	return list
}

// minRepeated is the minimum length in bytes of a text that counts as repeated if a different
// text contains it. Shorter texts are common words.
const minRepeated = 12
