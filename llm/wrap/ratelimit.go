package wrap

import (
	"context"
	"iter"
	"sync"
	"time"

	"github.com/talewright/talewright/llm"
)

// Rate bounds how often and how much a provider is asked. The zero Rate bounds
// nothing. It may stand around many models that share a key; it is safe for
// concurrent use and must not be copied. The fields are set before its first use.
type Rate struct {
	// Requests per minute. As many may go at once after a quiet minute; then they
	// are spread. 0 or less: no bound.
	Requests int
	// Tokens per minute, prompt and completion, as the provider reports them or, if
	// it does not, estimated. They are known when a reply ends, so that the requests
	// behind it wait. 0 or less: no bound.
	Tokens int
	// Now tells the time and Sleep waits until d has passed or ctx ends. nil: the
	// real clock.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error

	mu       sync.Mutex
	requests time.Time // when the requests so far are worked off
	tokens   time.Time // when the tokens so far are
}

// Model returns a model that waits for its turn. Requests go in the order in which
// their replies were ranged over. When ctx ends first, the error is the context's and
// nothing is sent; the place passes unused.
func (r *Rate) Model(m llm.Model) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			if err := r.wait(ctx); err != nil {
				yield(nil, err)
				return
			}
			t := meter{}
			defer func() {
				if t.begun {
					usage := t.usage(req)
					r.spend(usage.PromptTokens + usage.CompletionTokens)
				}
			}()
			for chunk, err := range m.Generate(ctx, req) {
				t.see(chunk)
				if !yield(chunk, err) {
					return
				}
			}
		})
	})
}

// wait takes the next place and waits for it.
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

// reserve takes the next place and returns how far away it is.
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
		// All places of a minute may be taken at once.
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
func (r *Rate) spend(tokens int) {
	if r.Tokens <= 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.now(); r.tokens.Before(now) {
		r.tokens = now
	}
	minutes := float64(max(tokens, 0)) / float64(r.Tokens)
	r.tokens = r.tokens.Add(time.Duration(min(minutes, 24*60) * float64(time.Minute)))
}

func (r *Rate) now() time.Time {
	if r.Now != nil {
		return r.Now()
	}
	return time.Now()
}
