package worldbook

import "sync"

// memo remembers values by what they were made of. It is bounded, and safe for concurrent
// use. The zero value is empty.
type memo[V any] struct {
	mu     sync.Mutex
	values map[string]V
}

// most bounds a memo; a full one is emptied.
const most = 64

// Get returns the value for a key, made by make unless it is known.
func (m *memo[V]) Get(key string, make func() V) V {
	m.mu.Lock()
	v, ok := m.values[key]
	m.mu.Unlock()
	if ok {
		return v
	}
	v = make()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.values == nil || len(m.values) >= most {
		m.values = map[string]V{}
	}
	m.values[key] = v
	return v
}
