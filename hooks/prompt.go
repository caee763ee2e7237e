package hooks

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/talewright/talewright/memvars"
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
		output := memvars.Object(memvars.Member{Key: "key", Value: memvars.Text(key)})
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
		effect.Key = o.defaultKey("hook_" + firstCharacters(e.ID, 8))
	}
	o.add(effect)
	return effect.Key
}

// defaultKey gives out a key that was not given out in this turn: the base
// itself, then with the suffix _2, _3 and so on. The ids of one host's events often
// begin alike, and under one key the second text would silently replace the first.
func (o *overlay) defaultKey(base string) string {
	key := base
	n := o.keys[base] + 1
	// A suffixed key may be taken by the base of another event, such as one whose id
	// ends in _2.
	for ; n > 1; n++ {
		key = base + "_" + strconv.Itoa(n)
		if _, taken := o.keys[key]; !taken {
			break
		}
	}
	given := maps.Clone(o.keys) // save points share the map
	if given == nil {
		given = map[string]int{}
	}
	given[key] = max(given[key], 1)
	given[base] = n
	o.keys = given
	return key
}

// Injections is a prompt's list of injected texts, in the order in which their
// keys first came. It is a value: methods return changed copies.
type Injections []rules.InjectPrompt

// With returns the list with the text added, or put in place of one with its key.
func (in Injections) With(e rules.InjectPrompt) Injections {
	out := slices.Clone(in)
	for i := range out {
		if out[i].Key == e.Key {
			out[i] = e
			return out
		}
	}
	return append(out, e)
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
