package wrap

import (
	"context"
	"sync"
	"time"

	"github.com/talewright/talewright/llm"
)

// Rate limits the requests and tokens per minute. The zero Rate limits nothing. One Rate may wrap
// many models that share a key. It is safe for concurrent use and must not be copied. Set the
// fields before its first use.
type Rate struct {
	// Requests per minute. After a quiet minute, this many requests may start at once; later ones
	// are spread over time. 0 or less: no limit.
	Requests int
	// Tokens per minute, prompt and completion, as the provider reports them, or estimated if it
	// does not. They are known when a reply ends, so the requests after it wait. 0 or less: no
	// limit.
	Tokens int
	// Now returns the time. Sleep waits until d has passed or ctx ends. nil: the real clock.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error

	mu       sync.Mutex
	requests time.Time // when the requests so far no longer count
	tokens   time.Time // when the tokens so far no longer count
}

// Model returns a model that waits until the rate allows its request. Requests are sent in the
// order in which the consumers started to range over their replies. If ctx ends first, the error is
// the context's error and nothing is sent; the reserved request still counts.
func (r *Rate) Model(m llm.Model) llm.Model {
	return metered(m, r.wait, r.spend)
}

// wait reserves the next request and waits until it may start.
func (r *Rate) wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	d := r.reserve()
	if d <= 0 {
		return nil
	}
	pause := r.Sleep
	if pause == nil {
		pause = sleep
	}
	return pause(ctx, d)
}

// reserve reserves the next request and returns the wait until it may start.
func (r *Rate) reserve() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.now()
	start := now
	if r.Requests > 0 {
		each := time.Minute / time.Duration(r.Requests)
		if r.requests.Before(now) {
			r.requests = now
		}
		// All requests of a minute may start at once.
		if at := r.requests.Add(each - time.Minute); at.After(start) {
			start = at
		}
		r.requests = r.requests.Add(each)
	}
	if r.Tokens > 0 {
		if at := r.tokens.Add(-time.Minute); at.After(start) {
			start = at
		}
	}
	return start.Sub(now)
}

// spend adds the tokens of a reply.
func (r *Rate) spend(_ string, usage llm.Usage) {
	if r.Tokens <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.now(); r.tokens.Before(now) {
		r.tokens = now
	}
	minutes := float64(max(usage.PromptTokens+usage.CompletionTokens, 0)) / float64(r.Tokens)
	r.tokens = r.tokens.Add(time.Duration(min(minutes, 24*60) * float64(time.Minute)))
}

func (r *Rate) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}
