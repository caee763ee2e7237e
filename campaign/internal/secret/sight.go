package secret

import (
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

// Sight is the view that a viewer has of a state.
type Sight struct {
	// State is the state without the texts that the viewer may not know, and with the lore and
	// modules that the viewer's groups know. It is read-only. If there is nothing to remove or add,
	// it is the state itself.
	State *state.State

	whole     *state.State
	sees      func(witnesses []string) bool // reports whether the viewer knows what only witnesses know
	isLimited bool                          // the viewer does not see all texts
	notes     func() index
	hidden    func() *hiddenSet // texts that the viewer may not know
}

// Whole returns a view of the whole state, for asking who knows what.
func Whole(s *state.State) Sight {
	return Sight{State: s, whole: s, sees: func([]string) bool { return true }}
}

// Of returns a viewer's view of a state. The state does not change.
func Of(s *state.State, viewer state.Viewer) Sight {
	sees := viewer.Sees
	out := Sight{State: Joined(s, viewer), whole: s, sees: sees}
	if !slices.ContainsFunc(s.Secrets, func(n state.AudienceNote) bool { return !sees(n.Witnesses) }) {
		return out
	}
	out.notes = sync.OnceValue(func() index { return newIndex(s.Secrets) })
	out.hidden = sync.OnceValue(func() *hiddenSet { return newHiddenSet(hiddenTexts(s, func(w []string) bool { return !sees(w) })) })
	seen := *out.State
	out.State, out.isLimited = &seen, true
	seen.Variables = s.Secrets.Variables(s.Variables, sees)
	seen.Macros.Chat, seen.Macros.Global = out.macros("chat", s.Macros.Chat), out.macros("global", s.Macros.Global)
	seen.Ledger.Directives = filtered(s.Ledger.Directives, func(d rules.Directive) bool {
		return !out.Hides(d.Content, directive, d.ID)
	})
	seen.Ledger.Pending = filtered(s.Ledger.Pending, func(c effect.SendContext) bool { return !out.HidesContext(c) })
	seen.Injections = filtered(s.Injections, func(e effect.InjectPrompt) bool { return !out.Hides(e.Content, injection, e.Key) })
	seen.LoreEdits.Changed = filtered(s.LoreEdits.Changed, func(u effect.UpdateEntry) bool {
		return !out.Hides(strings.Join(updateTexts(u), "\n"), lore, u.ID)
	})
	if len(s.Feedback) > 0 && !sees(s.Secrets.Witnesses(tree.Path{feedback})) {
		seen.Feedback = nil
	}
	out.removeAreas(&seen)
	return out
}

// filtered returns the elements of a list that pass.
func filtered[T any](list []T, pass func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(e T) bool { return !pass(e) })
}

// Limited reports whether there are texts that the viewer does not see.
func (v Sight) Limited() bool { return v.isLimited }

// Hides reports whether the viewer may not know a text: the text of an item with the path of, or a
// text that repeats a hidden text.
func (v Sight) Hides(text string, of ...string) bool {
	return v.Limited() && (!v.sees(v.notes().witnesses(of)) || len(v.hidden().foundIn(text)) > 0)
}

// HidesContext reports whether the viewer may not know a text that waits for a prompt.
func (v Sight) HidesContext(c effect.SendContext) bool { return v.Hides(c.Message, context, c.Message) }

// HidesEntry reports whether the viewer may not know an entry that was added during play.
func (v Sight) HidesEntry(n int, e effect.AddEntry) bool {
	return v.Hides(e.Content, entry, state.AddedEntryID(n, e).String()) || v.Hides(e.Name+"\n"+strings.Join(e.Keywords, "\n"))
}

// Directive returns the only characters who know a directive; nil means everybody. Context,
// Injection, Entry and Update do the same for other texts.
func (v Sight) Directive(id string) []string { return v.witnesses(directive, id) }

// Context returns the witnesses of a text that waits for a prompt.
func (v Sight) Context(c effect.SendContext) []string { return v.witnesses(context, c.Message) }

// Injection returns the witnesses of a text of a hook.
func (v Sight) Injection(key string) []string { return v.witnesses(injection, key) }

// Entry returns the witnesses of an entry that was added during play, by its ID as text.
func (v Sight) Entry(id string) []string { return v.witnesses(entry, id) }

// Update returns the witnesses of an update of an entry, by the ID of the entry as text.
func (v Sight) Update(id string) []string { return v.witnesses(lore, id) }

// Variables yields the paths of the variables that only some characters know, with these
// characters.
func (v Sight) Variables() iter.Seq2[tree.Path, []string] {
	return func(yield func(tree.Path, []string) bool) {
		for _, n := range v.whole.Secrets {
			if n.Of[0] == variables && v.sees(n.Witnesses) && !yield(n.Of[1:], n.Witnesses) {
				return
			}
		}
	}
}

// witnesses returns the only characters who know the text at a path; nil means everybody.
func (v Sight) witnesses(of ...string) []string {
	return v.whole.Secrets.Witnesses(of)
}

// Redact removes from a value the texts that the viewer may not know.
func (v Sight) Redact(value tree.Value) tree.Value {
	if !v.Limited() {
		return value
	}
	return v.redactValue(value, false)
}

// Withhold is Redact for a value whose lists must not reveal the number of hidden elements.
func (v Sight) Withhold(value tree.Value) tree.Value {
	if !v.Limited() {
		return value
	}
	return v.redactValue(value, true)
}

// Redacted replaces the removed parts of a value.
const Redacted = "…"

// redactValue returns a value without hidden texts. With shorter set, it removes list elements that
// are hidden completely.
func (v Sight) redactValue(value tree.Value, shorter bool) tree.Value {
	if text, ok := value.AsText(); ok {
		return tree.Text(v.RedactText(text))
	}
	switch {
	case value.IsArray():
		var list []tree.Value
		for _, e := range value.Elements() {
			if text, ok := e.AsText(); !ok || !shorter || v.RedactText(text) != Redacted || text == Redacted {
				list = append(list, v.redactValue(e, shorter))
			}
		}
		return tree.Array(list...)
	case value.IsObject():
		var list []tree.Member
		for key, m := range value.Members() {
			list = append(list, tree.Member{Key: v.RedactText(key), Value: v.redactValue(m, shorter)})
		}
		return tree.Object(list...)
	}
	return value
}

// RedactText removes from a text the texts that the viewer may not know. A short one is only
// removed if it is the whole text.
func (v Sight) RedactText(text string) string {
	if !v.Limited() {
		return text
	}
	hidden := v.hidden()
	if _, whole := hidden.byText[text]; whole {
		return Redacted
	}
	for _, at := range hidden.foundIn(text) {
		text = strings.ReplaceAll(text, hidden.texts[at], Redacted)
	}
	return text
}

// Tells reports whether a text contains something that the viewer may not know, however short it
// is. It is for texts that are not needed, such as hints.
func (v Sight) Tells(text string) bool {
	return v.Limited() && slices.ContainsFunc(v.hidden().texts, func(hidden string) bool { return strings.Contains(text, hidden) })
}

// macros returns the variables of macros that the viewer may know.
func (v Sight) macros(name string, values tree.Value) tree.Value {
	if !values.Exists() {
		return values
	}
	var list []tree.Member
	for key, m := range values.Members() {
		if !v.Hides(strings.Join(Texts(m), "\n"), macros, name, key) {
			list = append(list, tree.Member{Key: key, Value: m})
		}
	}
	return tree.Object(list...)
}

// HiddenMacros returns the variables of macros that the viewer may not know. They must be kept when
// a prompt for that viewer has written other variables.
func (v Sight) HiddenMacros() (chat, global []tree.Member) {
	if !v.Limited() {
		return nil, nil
	}
	hidden := func(all, seen tree.Value) (list []tree.Member) {
		for key, m := range all.Members() {
			if !seen.Get(key).Exists() {
				list = append(list, tree.Member{Key: key, Value: m})
			}
		}
		return list
	}
	return hidden(v.whole.Macros.Chat, v.State.Macros.Chat), hidden(v.whole.Macros.Global, v.State.Macros.Global)
}

// removeAreas removes the areas that the viewer may not know, and the characters' areas that are among
// them.
func (v Sight) removeAreas(s *state.State) {
	hidden := func(id string) bool {
		return !v.sees(v.notes().witnesses(tree.Path{area, id}))
	}
	s.Map.Areas = filtered(s.Map.Areas, func(a state.MapArea) bool { return !hidden(a.ID) })
	s.Map.Paths = filtered(s.Map.Paths, func(p state.MapPath) bool { return !hidden(p.From) && !hidden(p.To) })
	s.Characters = slices.Clone(s.Characters)
	for i := range s.Characters {
		if hidden(s.Characters[i].AreaID) {
			s.Characters[i].AreaID = ""
		}
	}
}
