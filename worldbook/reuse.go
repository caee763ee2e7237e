package worldbook

import "slices"

// The reuse part holds lists whose memory serves one scan after the other.

// next makes a list longer by one element, which is what it held there before.
func next[T any](list *[]T) *T {
	n := len(*list)
	*list = slices.Grow(*list, 1)[:n+1]
	return &(*list)[n]
}

// places finds the places of keys in a list: by looking as long as they are few. The zero
// value has none.
type places[K comparable] struct {
	keys   []K
	places map[K]int
}

// few keys are found faster by looking.
const few = 16

// Find returns the place of a key, or -1.
func (p *places[K]) Find(key K) int {
	if len(p.keys) <= few {
		return slices.Index(p.keys, key)
	}
	if at, ok := p.places[key]; ok {
		return at
	}
	return -1
}

// Add puts a key that is not there at the end.
func (p *places[K]) Add(key K) {
	p.keys = append(p.keys, key)
	if len(p.keys) <= few {
		return
	}
	if p.places == nil {
		p.places = map[K]int{}
	}
	if len(p.places) == 0 {
		for i, key := range p.keys {
			p.places[key] = i
		}
	}
	p.places[key] = len(p.keys) - 1
}

// Reset forgets all keys.
func (p *places[K]) Reset() {
	clear(p.keys)
	p.keys = p.keys[:0]
	clear(p.places)
}
