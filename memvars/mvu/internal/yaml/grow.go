package yaml

import "slices"

// The grow part appends to lists that a text makes as long as it likes.

// Append is append for such lists: they double, so that what all steps allocate is in
// proportion to the length.
func Append[T any](list []T, v T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(len(list), 4))
	}
	return append(list, v)
}
