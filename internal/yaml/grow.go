package yaml

import "slices"

// Append is append for lists whose length depends on a text. The capacity doubles, so the total
// allocation is proportional to the length.
func Append[T any](list []T, v T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(len(list), 4))
	}
	return append(list, v)
}
