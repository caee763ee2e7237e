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

// Sight is what a viewer sees of a state.
type Sight struct {
	// State is the state without what the viewer may not know, and with what the viewer's groups know
	// of lore and modules. It is for reading, and the state itself where there is nothing of either.
	State *state.State

	of      *state.State
	sees    func(witnesses []string) bool
	limited bool // the viewer does not see all texts
	noted   func() index
	hidden  func() *hiddenSet // texts that the viewer may not know
}

// Whole is a state that is seen as it is, to ask who knows what of it.
func Whole(s *state.State) Sight {
	return Sight{State: s, of: s, sees: func([]string) bool { return true }}
}

// Of is what a viewer sees of a state, which stays as it is.
func Of(s *state.State, viewer state.Viewer) Sight { return look(s, viewer.Sees) }

func look(s *state.State, sees func(witnesses []string) bool) Sight {
	out := Sight{State: joined(s, sees), of: s, sees: sees}
	if !slices.ContainsFunc(s.Secrets, func(n state.AudienceNote) bool { return !sees(n.Witnesses) }) {
		return out
	}
	out.noted = sync.OnceValue(func() index { return indexed(s.Secrets) })
	out.hidden = sync.OnceValue(func() *hiddenSet { return setOf(hiddenTexts(s, func(w []string) bool { return !sees(w) })) })
	seen := *out.State
	out.State, out.limited = &seen, true
	seen.Variables = out.variables()
	seen.Macros.Chat, seen.Macros.Global = out.macros("chat", s.Macros.Chat), out.macros("global", s.Macros.Global)
	seen.Ledger.Directives = those(s.Ledger.Directives, func(d rules.Directive) bool {
		return !out.Hides(d.Content, directive, d.ID)
	})
	seen.Ledger.Pending = those(s.Ledger.Pending, func(c effect.SendContext) bool { return !out.HidesContext(c) })
	seen.Injections = those(s.Injections, func(e effect.InjectPrompt) bool { return !out.Hides(e.Content, injection, e.Key) })
	seen.LoreEdits.Changed = those(s.LoreEdits.Changed, func(u effect.UpdateEntry) bool {
		return !out.Hides(strings.Join(updateTexts(u), "\n"), lore, u.ID)
	})
	if len(s.Feedback) > 0 && !sees(s.Secrets.Witnesses(tree.Path{feedback})) {
		seen.Feedback = nil
	}
	out.places(&seen)
	return out
}

// those returns the elements of a list that pass.
func those[T any](list []T, pass func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(list), func(e T) bool { return !pass(e) })
}

// Limited reports whether there are texts that the viewer does not see.
func (v Sight) Limited() bool { return v.limited }

// Hides reports whether the viewer may not know a text: that of an item, or one that
// repeats such a text.
func (v Sight) Hides(text string, of ...string) bool {
	return v.Limited() && (!v.sees(v.noted().witnesses(of)) || len(v.hidden().in(text)) > 0)
}

// HidesContext reports whether the viewer may not know a text that waits for a prompt.
func (v Sight) HidesContext(c effect.SendContext) bool { return v.Hides(c.Message, context, c.Message) }

// HidesEntry reports whether the viewer may not know an entry that was added during play.
func (v Sight) HidesEntry(n int, e effect.AddEntry) bool {
	return v.Hides(e.Content, entry, state.AddedEntryID(n, e).String()) || v.Hides(e.Name+"\n"+strings.Join(e.Keywords, "\n"))
}

// Directive returns who alone knows a directive; nobody is everybody. So do Context, Injection
// and Entry.
func (v Sight) Directive(id string) []string { return v.witnesses(directive, id) }

// Context is for a text that waits for a prompt.
func (v Sight) Context(c effect.SendContext) []string { return v.witnesses(context, c.Message) }

// Injection is for a text of a hook.
func (v Sight) Injection(key string) []string { return v.witnesses(injection, key) }

// Entry is for an entry that was added during play, by its id as text.
func (v Sight) Entry(id string) []string { return v.witnesses(entry, id) }

// Update is for an update of an entry, by the id of that as text.
func (v Sight) Update(id string) []string { return v.witnesses(lore, id) }

// Variables yields the paths of the variables that only some know, and who.
func (v Sight) Variables() iter.Seq2[tree.Path, []string] {
	return func(yield func(tree.Path, []string) bool) {
		for _, n := range v.of.Secrets {
			if n.Of[0] == variables && v.sees(n.Witnesses) && !yield(n.Of[1:], n.Witnesses) {
				return
			}
		}
	}
}

func (v Sight) witnesses(of ...string) []string {
	if len(v.of.Secrets) == 0 {
		return nil
	}
	return v.of.Secrets.Witnesses(of)
}

// Redact takes the texts out of a value that the viewer may not know.
func (v Sight) Redact(value tree.Value) tree.Value {
	if !v.Limited() {
		return value
	}
	return v.redacted(value, false)
}

// Withhold is Redact for a value whose lists do not tell how many elements are hidden.
func (v Sight) Withhold(value tree.Value) tree.Value {
	if !v.Limited() {
		return value
	}
	return v.redacted(value, true)
}

// Redacted stands for what is left out of a value.
const Redacted = "…"

// redacted is a value without hidden texts. shorter leaves the elements of lists out that are hidden whole.
func (v Sight) redacted(value tree.Value, shorter bool) tree.Value {
	if text, ok := value.AsText(); ok {
		return tree.Text(v.RedactText(text))
	}
	switch {
	case value.IsArray():
		var list []tree.Value
		for _, e := range value.Elements() {
			if text, ok := e.AsText(); !ok || !shorter || v.RedactText(text) != Redacted || text == Redacted {
				list = append(list, v.redacted(e, shorter))
			}
		}
		return tree.Array(list...)
	case value.IsObject():
		var list []tree.Member
		for key, m := range value.Members() {
			list = append(list, tree.Member{Key: v.RedactText(key), Value: v.redacted(m, shorter)})
		}
		return tree.Object(list...)
	}
	return value
}

// RedactText takes the texts out of another that the viewer may not know. A short one is only
// taken out where it is all of it.
func (v Sight) RedactText(text string) string {
	if !v.Limited() {
		return text
	}
	hidden := v.hidden()
	if _, whole := hidden.whole[text]; whole {
		return Redacted
	}
	for _, at := range hidden.in(text) {
		text = strings.ReplaceAll(text, hidden.texts[at], Redacted)
	}
	return text
}

// Tells reports whether a text has something in it that the viewer may not know, however short that is: for
// texts that are no loss, such as hints.
func (v Sight) Tells(text string) bool {
	return v.Limited() && text != "" && slices.ContainsFunc(v.hidden().texts, func(hidden string) bool { return strings.Contains(text, hidden) })
}

// variables are those that the viewer may know. An element that is hidden leaves null, so that the
// others keep their places.
func (v Sight) variables() tree.Document {
	edit := v.of.Variables.Edit()
	for _, n := range v.of.Secrets {
		if n.Of[0] != variables || v.sees(n.Witnesses) {
			continue
		}
		path := n.Of[1:]
		if len(path) > 0 && edit.Kind(path[:len(path)-1]) == tree.KindArray {
			_ = edit.Set(path, tree.Null) // it was there when it was noted
			continue
		}
		if len(path) == 0 {
			return tree.Document{}
		}
		_ = edit.Delete(path)
	}
	return edit.Document()
}

// macros are the variables of macros that the viewer may know.
func (v Sight) macros(name string, values tree.Value) tree.Value {
	if !values.Exists() {
		return values
	}
	var list []tree.Member
	for key, m := range values.Members() {
		if !v.Hides(strings.Join(leaves(m), "\n"), macros, name, key) {
			list = append(list, tree.Member{Key: key, Value: m})
		}
	}
	return tree.Object(list...)
}

// HiddenMacros are the variables of macros that the viewer may not know, which have to stay where
// a prompt for that viewer has written others.
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
	return hidden(v.of.Macros.Chat, v.State.Macros.Chat), hidden(v.of.Macros.Global, v.State.Macros.Global)
}

// places leaves out the areas that the viewer may not know, and who is there.
func (v Sight) places(s *state.State) {
	hidden := func(id string) bool {
		return !v.sees(v.noted().witnesses(tree.Path{area, id}))
	}
	if !slices.ContainsFunc(s.Map.Areas, func(a state.MapArea) bool { return hidden(a.ID) }) {
		return
	}
	s.Map.Areas = those(s.Map.Areas, func(a state.MapArea) bool { return !hidden(a.ID) })
	s.Map.Paths = those(s.Map.Paths, func(p state.MapPath) bool { return !hidden(p.From) && !hidden(p.To) })
	s.Characters = slices.Clone(s.Characters)
	for i := range s.Characters {
		if hidden(s.Characters[i].AreaID) {
			s.Characters[i].AreaID = ""
		}
	}
}
