package script

import "sync"

// maxPatterns is the number of patterns with macros that a set caches.
const maxPatterns = 1000

// patterns caches the compiled forms of patterns that macros made. It changes only the running
// time.
type patterns struct {
	mu        sync.Mutex
	old, seen map[string]found
}

type found struct {
	finder *finder
	broken string
}

// get compiles a pattern, or returns it from the cache.
func (p *patterns) get(text string) found {
	p.mu.Lock()
	f, ok := p.seen[text]
	if !ok {
		f, ok = p.old[text]
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
	if len(p.seen) >= maxPatterns/2 { // two generations: patterns still in use stay
		p.old, p.seen = p.seen, nil
	}
	if p.seen == nil {
		p.seen = map[string]found{}
	}
	p.seen[text] = f
	return f
}
