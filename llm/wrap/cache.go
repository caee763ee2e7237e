package wrap

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"iter"

	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/llm"
)

// CacheStore stores replies for [Cache]. Get reports whether there is a value for a key. Both
// methods may be called concurrently.
type CacheStore interface {
	Get(ctx context.Context, key string) (value []byte, found bool, err error)
	Put(ctx context.Context, key string, value []byte) error
}

// cacheFailed is the code of the [llm.Warning] before the end of a reply if the store of a [Cache]
// could not load or store the reply. Its detail is the store's error.
const cacheFailed = "cache_failed"

// Cache returns a model that gives the same answer to the same request, without a call of m. It is
// for tests, development and repeated summaries. It is not for play, where the same words should
// not always lead to the same story.
//
// The key is a hash of the request's JSON. Only complete replies within the default [llm.Limits]
// are stored. If the store fails, or its value cannot be read, Cache calls m and adds a
// [llm.Warning] to the reply.
func Cache(m llm.Model, store CacheStore) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			data, err := openjson.Marshal(req)
			if err != nil {
				yield(nil, &llm.Error{Code: llm.CodeInvalidRequest, Err: err})
				return
			}
			sum := sha256.Sum256(data)
			c := cached{store: store, key: hex.EncodeToString(sum[:])}
			if chunks, ok := c.get(ctx); ok {
				replay(ctx, chunks, yield)
				return
			}
			c.pass(ctx, m.Generate(ctx, req), yield)
		})
	})
}

// replay yields a stored reply.
func replay(ctx context.Context, chunks llm.Chunks, yield func(llm.Chunk, error) bool) {
	for _, chunk := range chunks {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		if !yield(chunk, nil) {
			return
		}
	}
}

// cached handles one request with the cache.
type cached struct {
	store CacheStore
	key   string
	err   error // of the store
}

// get returns the stored reply, if there is a valid one.
func (c *cached) get(ctx context.Context) (llm.Chunks, bool) {
	value, found, err := c.store.Get(ctx, c.key)
	if err != nil || !found {
		c.err = err
		return nil, false
	}
	var chunks llm.Chunks
	if err := json.Unmarshal(value, &chunks); err != nil {
		c.err = fmt.Errorf("the kept reply cannot be read: %w", err)
		return nil, false
	}
	for i, chunk := range chunks {
		if _, done := chunk.(llm.Done); done {
			return chunks[:i+1], true
		}
	}
	c.err = fmt.Errorf("the kept reply has no end")
	return nil, false
}

// pass passes the model's reply on and stores it when it is complete.
func (c *cached) pass(ctx context.Context, seq iter.Seq2[llm.Chunk, error], yield func(llm.Chunk, error) bool) {
	measure := llm.Limits{}.Measure()
	var kept llm.Chunks
	fits := true
	for chunk, err := range seq {
		if err != nil {
			yield(nil, err)
			return
		}
		if fits = fits && measure(chunk) == nil; fits {
			kept = append(kept, chunk)
		}
		if _, done := chunk.(llm.Done); done {
			if fits {
				c.put(ctx, kept)
			}
			if c.err != nil && !yield(llm.Warning{Code: cacheFailed, Detail: c.err.Error()}, nil) {
				return
			}
		}
		if !yield(chunk, nil) {
			return
		}
	}
}

// put stores a reply.
func (c *cached) put(ctx context.Context, chunks llm.Chunks) {
	value, err := openjson.Marshal(chunks)
	if err == nil {
		err = c.store.Put(ctx, c.key, value)
	}
	if err != nil {
		c.err = err
	}
}
