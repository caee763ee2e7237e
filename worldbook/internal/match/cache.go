package match

import (
	"cmp"
	"sync"
)

// Cache stores which keys of a compiled book occur in which texts. It is bounded, safe for
// concurrent use, and never changes a result. Call [Cache.Limit] before use.
type Cache struct {
	mu       sync.RWMutex
	limit    int
	bytes    int // of the young texts
	young    map[cacheKey]*finds
	old      map[cacheKey]*finds
	disabled bool
}

// cacheKey is a message of the chat, or a different text without a name.
type cacheKey struct {
	by *Index
	Message
}

// defaultCacheSize is the number of texts that a cache keeps at least.
const defaultCacheSize = 4096

// bytesPerText limits the memory of a cache: very long texts count as several.
const bytesPerText = 16 << 10

// Limit makes an empty cache store at least size and at most twice as many texts, fewer if they
// have more than 16 KB on average. Size 0 is a size for a few dozen chats. With a size below 0
// nothing is stored.
func (c *Cache) Limit(size int) {
	size = cmp.Or(size, defaultCacheSize)
	c.limit, c.disabled, c.young = size, size < 0, map[cacheKey]*finds{}
}

// get returns the stored finds, or nil if there are none. A text found among the old ones becomes
// young again.
func (c *Cache) get(by *Index, m Message) *finds {
	key := cacheKey{by, m}
	c.mu.RLock()
	f := c.young[key]
	if f != nil {
		c.mu.RUnlock()
		return f
	}
	f = c.old[key]
	c.mu.RUnlock()
	if f != nil {
		c.put(by, m, f)
	}
	return f
}

// put stores f. When there are too many young texts, they become the old texts and the previous old
// texts are dropped.
func (c *Cache) put(by *Index, m Message, f *finds) {
	if c.disabled {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.young) >= c.limit || c.bytes/bytesPerText >= c.limit {
		c.old, c.young, c.bytes = c.young, map[cacheKey]*finds{}, 0
	}
	c.young[cacheKey{by, m}] = f
	c.bytes += len(m.Name) + len(m.Text)
}
