package act

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/rules/effect"
)

// DefaultInjectPriority is the priority of an injected prompt text without a priority.
const DefaultInjectPriority = 55

// Injections is a prompt's list of injected texts, ordered by the first use of their keys. It is a
// value: methods return changed copies.
type Injections []effect.InjectPrompt

// With returns the list with texts added. A text replaces the text with the same key. Pass all
// texts in one call: each call copies the list.
func (in Injections) With(texts ...effect.InjectPrompt) Injections {
	out := append(make(Injections, 0, len(in)+len(texts)), in...)
	places := make(map[string]int, len(out)+len(texts))
	for i := len(out) - 1; i >= 0; i-- {
		places[out[i].Key] = i // if two texts have the same key, use the first
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

// BeginTurn returns the list without turn-scoped texts.
func (in Injections) BeginTurn() Injections {
	return slices.DeleteFunc(slices.Clone(in), func(e effect.InjectPrompt) bool {
		return e.Scope != effect.ForSession
	})
}

// ByPriority returns the list ordered by priority, smaller first. Texts with equal priority keep
// their order.
func (in Injections) ByPriority() Injections {
	out := slices.Clone(in)
	slices.SortStableFunc(out, func(a, b effect.InjectPrompt) int {
		return cmp.Compare(a.Priority, b.Priority)
	})
	return out
}
