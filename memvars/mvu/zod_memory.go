package mvu

import (
	"sync"

	"github.com/talewright/talewright/memvars/tree"
)

// The limits of the results that are kept for one function of a schema: their number, and the bytes
// of a text.
const (
	maxCached     = 512
	maxCachedText = 256
)

// cached returns a function that keeps results of f. All data are parsed after each command, and
// few values change in between: TestSchemaCostsWhatChanges fails without it. A function of a schema
// depends only on its argument, so a kept result is exact. Lists, objects and failures are not kept.
func cached(f func(tree.Value) (tree.Value, error)) func(tree.Value) (tree.Value, error) {
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
			if len(known) >= maxCached {
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
	return !v.IsObject() && !v.IsArray() && len(text) <= maxCachedText && len(n) <= maxCachedText
}
