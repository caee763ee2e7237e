package worldbook

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// This file has what successive scans reuse: lists, texts that are made once, and signatures that find equal
// scans.

// extend extends a list by one element and keeps the old value of that element.
func extend[T any](list *[]T) *T {
	n := len(*list)
	*list = slices.Grow(*list, 1)[:n+1]
	return &(*list)[n]
}

// put sets a value in a map. It makes the map if there is none, since most scans need none.
func put[K comparable, V any](m *map[K]V, key K, value V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = value
}

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

// signatureOf returns bytes that are equal only for equal values. They depend on contents, not on addresses,
// and include unexported fields and the targets of pointers. Map keys must be texts. It panics for
// functions, channels and interfaces.
func signatureOf(value any) []byte { return appendValue(nil, reflect.ValueOf(value)) }

func appendValue(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return binary.AppendVarint(b, v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return binary.AppendUvarint(b, v.Uint())
	case reflect.Float64:
		return binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float()))
	case reflect.String:
		return append(binary.AppendUvarint(b, uint64(v.Len())), v.String()...)
	case reflect.Pointer:
		if v.IsNil() {
			return append(b, 0)
		}
		return appendValue(append(b, 1), v.Elem())
	case reflect.Slice:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(b, v.Bytes()...)
		}
		for i := range v.Len() {
			b = appendValue(b, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendValue(b, v.Field(i))
		}
	case reflect.Map:
		b = binary.AppendUvarint(b, uint64(v.Len()))
		if v.Len() == 0 {
			return b
		}
		names := v.MapKeys()
		slices.SortFunc(names, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, name := range names {
			b = appendValue(appendValue(b, name), v.MapIndex(name))
		}
	default:
		panic("signature: none for a " + v.Kind().String())
	}
	return b
}
