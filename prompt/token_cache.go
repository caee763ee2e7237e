package prompt

import "cmp"

// TokenCache caches the counts of a different counter, so that the unchanged part of a history is
// counted once. Use it from one goroutine. It may serve any number of campaigns, one at a time.
type TokenCache struct {
	counter           TokenCounter
	limit             int
	previous, current map[string]int // two generations; a full current becomes previous
}

// NewTokenCache returns a cache for a counter; nil means the [TokenEstimator]. It stores at most
// 2·limit texts; a limit below 1 means 16384.
func NewTokenCache(counter TokenCounter, limit int) *TokenCache {
	if limit < 1 {
		limit = 16384
	}
	return &TokenCache{counter: cmp.Or[TokenCounter](counter, TokenEstimator{}), limit: limit, current: map[string]int{}}
}

// Count returns the count of the text, from the cache if possible.
func (c *TokenCache) Count(text string) int {
	if n, ok := c.current[text]; ok {
		return n
	}
	n, ok := c.previous[text]
	if !ok {
		n = c.counter.Count(text)
	}
	if len(c.current) >= c.limit { // two generations: texts still in use stay
		c.previous, c.current = c.current, make(map[string]int, c.limit)
	}
	c.current[text] = n
	return n
}
