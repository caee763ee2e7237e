package prompt

import (
	"math"

	"github.com/talewright/talewright/internal/tokens"
)

// Counter tells how many tokens a text has. It must give the same number for
// the same text. A build calls it from one goroutine.
type Counter interface {
	Count(text string) int
}

// Estimator counts tokens without a vocabulary, by the kinds of characters: fit
// for English and Chinese at the same time. Against the vocabulary o200k whole
// English, Chinese, Japanese and Korean texts come out within 5 % (a long
// Chinese document 9 %), Russian 20 % high, Vietnamese 37 % high, Italian 20 %
// low, Traditional Chinese 8 % low. Pieces of 400 characters are off by 4 to 8 %
// on average. Leave 5 % of the room free when counting by estimate.
//
// It is a value, safe for concurrent use, and allocates nothing.
type Estimator struct {
	// Scale multiplies the result, which is rounded up. 0 is 1. A host that
	// knows the usage reported by its provider passes "reported / estimated".
	Scale float64
}

// Count returns the estimate for text: 0 for the empty text, at least 1 for any
// other.
func (e Estimator) Count(text string) int {
	n := tokens.Estimate(text)
	if n > 0 && e.Scale > 0 && e.Scale != 1 {
		// 10 at 1.1 is 11, although 10 * 1.1 is a little more in binary.
		n = max(int(math.Ceil(float64(n)*e.Scale-1e-9)), 1)
	}
	return n
}

// Estimate returns the estimate of [Estimator] at scale 1.
func Estimate(text string) int { return Estimator{}.Count(text) }

// CountCache remembers the counts of another counter, so that the unchanged part
// of a history is counted once. Use one per goroutine; it may serve any number
// of campaigns one after another.
type CountCache struct {
	counter   Counter
	limit     int
	old, seen map[string]int
}

// NewCountCache returns a cache in front of a counter, nil for the [Estimator].
// It remembers at most 2·limit texts; a limit below 1 is 16384.
func NewCountCache(counter Counter, limit int) *CountCache {
	if counter == nil {
		counter = Estimator{}
	}
	if limit < 1 {
		limit = 16384
	}
	return &CountCache{counter: counter, limit: limit, seen: map[string]int{}}
}

// Count returns the count of the text, from memory if it is there.
func (c *CountCache) Count(text string) int {
	if n, ok := c.seen[text]; ok {
		return n
	}
	n, ok := c.old[text]
	if !ok {
		n = c.counter.Count(text)
	}
	if len(c.seen) >= c.limit { // two generations: what is still in use survives
		c.old, c.seen = c.seen, make(map[string]int, c.limit)
	}
	c.seen[text] = n
	return n
}
