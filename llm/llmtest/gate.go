package llmtest

import (
	"context"
	"sync"
)

// Gate is a point where a reply waits. Reached reports to the test that the model is at this point,
// and Open lets it continue. Make one with [NewGate]. It is safe for concurrent use, and opens once
// for all waiters.
type Gate struct {
	reached, open         chan struct{}
	reachedOnce, openOnce sync.Once
}

// NewGate returns a closed gate.
func NewGate() *Gate {
	return &Gate{reached: make(chan struct{}), open: make(chan struct{})}
}

// Reached is closed when a reply first waits at the gate.
func (g *Gate) Reached() <-chan struct{} { return g.reached }

// Open lets all replies pass, now and later. Opening twice is harmless.
func (g *Gate) Open() { g.openOnce.Do(func() { close(g.open) }) }

// Wait returns nil when the gate is open, or ctx.Err() when ctx ends first. A fake server calls it
// at the point where its reply has a gate.
func (g *Gate) Wait(ctx context.Context) error {
	g.reachedOnce.Do(func() { close(g.reached) })
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-g.open:
		return nil
	}
}
