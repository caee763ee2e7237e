package hooks

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// The lifetimes of an injected prompt text.
const (
	InjectTurn    = "turn"    // until the next BeginTurn
	InjectSession = "session" // stays; "conversation" is another name for it
)

// DefaultInjectPriority is the priority of an injection that names none.
const DefaultInjectPriority = 55

// preparePrompt checks prompt_inject. The default key depends on the turn and is
// given out when it runs.
func preparePrompt(a Action) (prepared, *Failure) {
	p := params{action: a}
	effect := rules.InjectPrompt{
		Content:  p.required("content"),
		Key:      p.text("key", ""),
		Priority: p.integer("priority", DefaultInjectPriority),
	}
	scope, fail := lifetime(p.text("scope", ""))
	if effect.Scope = scope; fail != nil {
		p.refuse(fail)
	}
	stage := func(o *overlay, env *Env, e *Event) (done, *Failure) {
		if env.lacks(Prompts) {
			return done{}, unavailable("a prompt to inject into")
		}
		key := o.inject(effect, e)
		output := tree.Object(tree.Member{Key: "key", Value: tree.Text(key)})
		return done{detail: "injected as " + key, output: output}, nil
	}
	return prepared{stage: stage}, p.fail
}

// lifetime reads the scope of an injection; the turn is what it lasts without one.
func lifetime(scope string) (string, *Failure) {
	switch scope {
	case "", InjectTurn:
		return InjectTurn, nil
	case InjectSession, "conversation":
		return InjectSession, nil
	}
	return scope, invalid("scope", "must be turn or session, not %q", scope)
}

// inject stages the text and returns its key, a default one if it has none.
func (o *overlay) inject(effect rules.InjectPrompt, e *Event) string {
	if effect.Key == "" {
		effect.Key = o.keys.give("hook_" + firstCharacters(e.ID, 8))
	}
	o.add(effect)
	return effect.Key
}

// Injections is a prompt's list of injected texts, in the order in which their
// keys first came. It is a value: methods return changed copies.
type Injections []rules.InjectPrompt

// With returns the list with texts added, each put in place of one with its key. Hand
// over all that there are at once: the list is copied once for a call.
func (in Injections) With(texts ...rules.InjectPrompt) Injections {
	out := append(make(Injections, 0, len(in)+len(texts)), in...)
	if len(texts) == 1 { // needs no index
		if i := slices.IndexFunc(out, func(e rules.InjectPrompt) bool { return e.Key == texts[0].Key }); i >= 0 {
			out[i] = texts[0]
			return out
		}
		return append(out, texts[0])
	}
	places := make(map[string]int, len(out)+len(texts))
	for i := len(out) - 1; i >= 0; i-- {
		places[out[i].Key] = i // of two texts with one key the first counts
	}
	for _, e := range texts {
		if i, known := places[e.Key]; known {
			out[i] = e
			continue
		}
		places[e.Key] = len(out)
		out = append(out, e)
	}
	return out
}

// BeginTurn returns the list without the texts of the turn that ended.
func (in Injections) BeginTurn() Injections {
	return slices.DeleteFunc(slices.Clone(in), func(e rules.InjectPrompt) bool {
		return e.Scope != InjectSession
	})
}

// ByPriority returns the list in the order of strength: smaller priority first,
// equal ones as they stand.
func (in Injections) ByPriority() Injections {
	out := slices.Clone(in)
	slices.SortStableFunc(out, func(a, b rules.InjectPrompt) int {
		return cmp.Compare(a.Priority, b.Priority)
	})
	return out
}
