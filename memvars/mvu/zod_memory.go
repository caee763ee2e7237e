package mvu

import (
	"sync"

	"github.com/talewright/talewright/memvars/tree"
)

// The limits of the results that are kept for one function of a schema: their number, and the bytes
// of a text.
const (
	maxRemembered     = 512
	maxRememberedText = 256
)

// remembered returns a function that caches results of f. All data are parsed after each command, and
// few values change in between, so most results come from the cache. A function of a schema depends
// only on its argument, so a cached result is exact. Lists, objects and failures are not cached.
func remembered(f func(tree.Value) (tree.Value, error)) func(tree.Value) (tree.Value, error) {
	var mu sync.Mutex
	known := map[tree.Value]tree.Value{}
	return func(v tree.Value) (tree.Value, error) {
		if !isSmall(v) {
			return f(v)
		}
		mu.Lock()
		out, ok := known[v]
		mu.Unlock()
		if ok {
			return out, nil
		}
		out, err := f(v)
		if err == nil && isSmall(out) {
			mu.Lock()
			if len(known) >= maxRemembered {
				clear(known)
			}
			known[v] = out
			mu.Unlock()
		}
		return out, err
	}
}

// isSmall reports whether a value is no list, no object and no long text.
func isSmall(v tree.Value) bool {
	text, _ := v.AsText()
	n, _ := v.AsNumber()
	return !v.IsObject() && !v.IsArray() && len(text) <= maxRememberedText && len(n) <= maxRememberedText
}
