package conflict

import "slices"

// inOrder sorts claims by their place and drops those that begin inside one before: of
// two readings of the same words the first stands, of two with one start the longer.
func inOrder[C any](claims []C, at func(C) span) []C {
	slices.SortStableFunc(claims, func(a, b C) int {
		if d := at(a).start - at(b).start; d != 0 {
			return d
		}
		return at(b).end - at(a).end
	})
	out, end := claims[:0], 0
	for _, c := range claims {
		if s := at(c); s.start >= end {
			out = append(out, c)
			end = s.end
		}
	}
	return out
}
