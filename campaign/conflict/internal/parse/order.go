package parse

import (
	"slices"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// InOrder sorts claims by position and drops those that begin inside an earlier one. Of two
// readings of the same words the first is kept. Of two with the same start the longer is kept.
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

// Told keeps the asserted claims, in place.
func Told[C any](p *Passage, claims []C, at func(C) lexicon.Span) []C {
	return slices.DeleteFunc(claims, func(c C) bool { return !p.Asserted(at(c)) })
}
