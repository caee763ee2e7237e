package campaigntest

import "sync"

// chance is the source of random numbers: that of the game, but for draws that a test has said.
type chance struct {
	mu    sync.Mutex
	base  func(seed, n uint64) float64
	said  map[uint64]float64
	again bool // a draw was said otherwise before, so that no replay can lead to the same
}

// reset begins another game.
func (c *chance) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.said, c.again = map[uint64]float64{}, false
}

func (c *chance) draw(seed, n uint64) float64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x, is := c.said[n]; is {
		return x
	}
	return c.base(seed, n)
}

// say decides the draws from one on.
func (c *chance) say(n uint64, draws []float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, x := range draws {
		at := n + uint64(i)
		if old, is := c.said[at]; is && old != x {
			c.again = true
		}
		c.said[at] = x
	}
}

// forget takes back the draws that nobody has used.
func (c *chance) forget(from, to uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := from; n < to; n++ {
		delete(c.said, n)
	}
}
