package mvu

import (
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
)

// made is a set of paths, in the order in which they came.
type made struct {
	has   map[string]bool // by key
	order []string
	deep  int // segments of the longest
}

// add puts a path into the set.
func (m *made) add(path tree.Path) {
	var key []byte
	for _, seg := range path {
		key = appendSegment(key, seg)
	}
	if m.has[string(key)] {
		return
	}
	if m.has == nil {
		m.has = map[string]bool{}
	}
	m.has[string(key)] = true
	m.order = append(m.order, string(key))
	m.deep = max(m.deep, len(path))
}

// covers reports whether the set holds a path or one above it.
func (m *made) covers(path tree.Path) bool {
	if len(m.order) == 0 {
		return false
	}
	var key []byte
	for i := range min(len(path), m.deep) + 1 {
		if m.has[string(key)] {
			return true
		}
		if i < len(path) {
			key = appendSegment(key, path[i])
		}
	}
	return false
}

// undo takes out what came after the first n.
func (m *made) undo(n int) {
	for _, key := range m.order[n:] {
		delete(m.has, key)
	}
	m.order = m.order[:n]
}

// appendSegment adds a segment to the key of a path: no two paths have one key.
func appendSegment(key []byte, seg string) []byte {
	key = strconv.AppendInt(key, int64(len(seg)), 10)
	key = append(key, ':')
	return append(key, seg...)
}
