package worldbook

import "slices"

// This file has lists that successive scans reuse.

// extend extends a list by one element and keeps the old value of that element.
func extend[T any](list *[]T) *T {
	n := len(*list)
	*list = slices.Grow(*list, 1)[:n+1]
	return &(*list)[n]
}

// places finds the places of keys in a list. It searches linearly while there are few keys. The
// zero value is empty.
type places[K comparable] struct {
	keys   []K
	places map[K]int
}

// maxLinear is the number of keys up to which a linear search is faster.
const maxLinear = 16

// Find returns the place of a key, or -1.
func (p *places[K]) Find(key K) int {
	if len(p.keys) <= maxLinear {
		return slices.Index(p.keys, key)
	}
	if at, ok := p.places[key]; ok {
		return at
	}
	return -1
}

// Add appends a key that is not in the list.
func (p *places[K]) Add(key K) {
	p.keys = append(p.keys, key)
	if len(p.keys) <= maxLinear {
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

// Reset removes all keys.
func (p *places[K]) Reset() {
	clear(p.keys)
	p.keys = p.keys[:0]
	clear(p.places)
}
