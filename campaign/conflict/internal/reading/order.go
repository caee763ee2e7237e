package reading

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// InOrder sorts claims by their place and drops those that begin inside one before: of
// two readings of the same words the first stands, of two with one start the longer.
func InOrder[C any](claims []C, at func(C) lexicon.Span) []C {
	slices.SortStableFunc(claims, func(a, b C) int {
		if d := at(a).Start - at(b).Start; d != 0 {
			return d
		}
		return at(b).End - at(a).End
	})
	out, end := claims[:0], 0
	for _, c := range claims {
		if s := at(c); s.Start >= end {
			out = append(out, c)
			end = s.End
		}
	}
	return out
}

// Told keeps the claims that are told as facts, in place.
func Told[C any](p *Passage, claims []C, at func(C) lexicon.Span) []C {
	return slices.DeleteFunc(claims, func(c C) bool { return !p.Asserted(at(c)) })
}
