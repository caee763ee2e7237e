package worldbook

import "sync"

// memo caches values by key. It is bounded and safe for concurrent use. The zero value is empty.
type memo[V any] struct {
	mu     sync.Mutex
	values map[string]V
}

// maxMemoSize is the maximum number of values in a memo. A full memo is emptied.
const maxMemoSize = 64

// Get returns the value for a key. It calls make if the key is unknown.
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
	if m.values == nil || len(m.values) >= maxMemoSize {
		m.values = map[string]V{}
	}
	m.values[key] = v
	return v
}
