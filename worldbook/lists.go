package worldbook

import "slices"

// another makes a list longer by one, which is what it held there before.
func another[T any](list *[]T) *T {
	n := len(*list)
	*list = slices.Grow(*list, 1)[:n+1]
	return &(*list)[n]
}

// keyed finds the places of keys in a list: by looking as long as they are few.
type keyed[K comparable] struct {
	keys   []K
	places map[K]int
}

// fewKeys are found faster by looking.
const fewKeys = 16

// find returns the place of a key, or -1.
func (k *keyed[K]) find(key K) int {
	if len(k.keys) <= fewKeys {
		return slices.Index(k.keys, key)
	}
	if at, ok := k.places[key]; ok {
		return at
	}
	return -1
}

// add puts a key that is not there at the end.
func (k *keyed[K]) add(key K) {
	k.keys = append(k.keys, key)
	if len(k.keys) <= fewKeys {
		return
	}
	if k.places == nil {
		k.places = map[K]int{}
	}
	if len(k.places) == 0 {
		for i, key := range k.keys {
			k.places[key] = i
		}
	}
	k.places[key] = len(k.keys) - 1
}

// reset forgets all keys.
func (k *keyed[K]) reset() {
	clear(k.keys)
	k.keys = k.keys[:0]
	clear(k.places)
}
