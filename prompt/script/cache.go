package script

import "sync"

// maxPatterns is how many patterns with macros a set remembers.
const maxPatterns = 1000

// patterns are the compiled forms of patterns that macros made. They change nothing
// but the time it takes.
type patterns struct {
	mu        sync.Mutex
	old, seen map[string]found
}

type found struct {
	finder *finder
	broken string
}

// get compiles a pattern, now or before.
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
	if len(text) > 4096 { // a long text that a macro gave: not worth its room
		return f
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.seen) >= maxPatterns/2 { // two generations: what is in use survives
		p.old, p.seen = p.seen, nil
	}
	if p.seen == nil {
		p.seen = map[string]found{}
	}
	p.seen[text] = f
	return f
}
