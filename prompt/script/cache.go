package script

import "sync"

// maxPatterns is the number of patterns with macros that a set caches.
const maxPatterns = 1000

// patternCache caches the compiled forms of patterns that macros made. It changes only the running
// time.
type patternCache struct {
	mu       sync.Mutex
	compiled map[string]cachedFinder
}

// cachedFinder is a compiled pattern, or the reason why it cannot be compiled.
type cachedFinder struct {
	finder *finder
	broken string
}

// get compiles a pattern, or returns it from the cache. A full cache is emptied.
func (p *patternCache) get(text string) cachedFinder {
	p.mu.Lock()
	f, ok := p.compiled[text]
	p.mu.Unlock()
	if ok {
		return f
	}
	var err error
	if f.finder, err = newFinder(text); err != nil {
		f.broken = err.Error()
	}
	if len(text) > 4096 { // a long text of a macro: not worth its memory
		return f
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.compiled == nil || len(p.compiled) >= maxPatterns {
		p.compiled = map[string]cachedFinder{}
	}
	p.compiled[text] = f
	return f
}
