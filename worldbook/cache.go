package worldbook

import "github.com/talewright/talewright/worldbook/internal/match"

// Cache remembers which keys of a compiled book occur in which texts. It is
// bounded, safe for concurrent use, and never changes a result. Every compiled
// book has one; give each chat its own through [Input.Cache] where chats are
// many and long.
type Cache struct{ texts match.Cache }

// NewCache returns a cache that holds on to between size and twice as many
// texts, fewer if they have more than 16 KB on average. Size 0 is a size for a few
// dozen chats; below 0 nothing is kept.
func NewCache(size int) *Cache {
	c := new(Cache)
	c.texts.Limit(size)
	return c
}
