package act

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/rules/effect"
)

// DefaultInjectPriority is that of an injected prompt text that names none.
const DefaultInjectPriority = 55

// Injections is a prompt's list of injected texts, in the order in which their
// keys first came. It is a value: methods return changed copies.
type Injections []effect.InjectPrompt

// With returns the list with texts added, each put in place of one with its key. Hand
// over all that there are at once: the list is copied once for a call.
func (in Injections) With(texts ...effect.InjectPrompt) Injections {
	out := append(make(Injections, 0, len(in)+len(texts)), in...)
	if len(texts) == 1 { // needs no index
		if i := slices.IndexFunc(out, func(e effect.InjectPrompt) bool { return e.Key == texts[0].Key }); i >= 0 {
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
	return slices.DeleteFunc(slices.Clone(in), func(e effect.InjectPrompt) bool {
		return e.Scope != effect.ForSession
	})
}

// ByPriority returns the list in the order of strength: smaller priority first,
// equal ones as they stand.
func (in Injections) ByPriority() Injections {
	out := slices.Clone(in)
	slices.SortStableFunc(out, func(a, b effect.InjectPrompt) int {
		return cmp.Compare(a.Priority, b.Priority)
	})
	return out
}
