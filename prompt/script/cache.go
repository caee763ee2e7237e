package script

import "sync"

// maxPatterns is the number of patterns with macros that a set caches.
const maxPatterns = 1000

// patternCache caches the compiled forms of patterns that macros made. It changes only the running
// time.
type patternCache struct {
	mu                sync.Mutex
	previous, current map[string]cachedFinder // two generations; a full current becomes previous
}

// cachedFinder is a compiled pattern, or the reason why it cannot be compiled.
type cachedFinder struct {
	finder *finder
	broken string
}

// get compiles a pattern, or returns it from the cache.
func (p *patternCache) get(text string) cachedFinder {
	p.mu.Lock()
	f, ok := p.current[text]
	if !ok {
		f, ok = p.previous[text]
	}
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
	if len(p.current) >= maxPatterns/2 { // two generations: patterns still in use stay
		p.previous, p.current = p.current, nil
	}
	if p.current == nil {
		p.current = map[string]cachedFinder{}
	}
	p.current[text] = f
	return f
}
