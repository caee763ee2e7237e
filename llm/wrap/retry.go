package wrap

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"time"

	"github.com/talewright/talewright/llm"
)

// RetryPolicy configures how [Retry] repeats a request. The zero value is a useful policy without
// jitter.
type RetryPolicy struct {
	// Attempts is the total number of attempts, including the first. 0 means 4; 1 turns retrying
	// off.
	Attempts int
	// Base is the wait before the second attempt. Each further wait is twice as long. 0 means half
	// a second.
	Base time.Duration
	// Max is the upper limit of the wait that grows from Base. 0 means 20 seconds.
	Max time.Duration
	// MaxRetryAfter is the longest wait that a provider may ask for. For a longer wait the error is
	// returned at once, so that the host can report the wait to the player instead of blocking. 0
	// means one minute.
	MaxRetryAfter time.Duration

	// Random returns numbers in [0,1) and spreads the waits of many clients: a wait is between half
	// of its length and its whole length. It must be safe for concurrent use if the model is
	// (rand.Float64 of math/rand/v2 is safe). nil: no jitter.
	Random func() float64
	// Sleep waits for d or until ctx ends. If it returns an error, no further attempt is made. nil:
	// a real timer.
	Sleep func(ctx context.Context, d time.Duration) error
	// Observe is called after every attempt, in the goroutine that ranges over the reply. nil: it
	// is not called.
	Observe func(llm.Attempt)
}

// Retry returns a model that sends a request again when m fails with a temporary error.
//
// Rules, in order:
//
//  1. Text or reasoning that was passed on cannot be taken back. Before the first text or reasoning
//     arrives, Retry holds back up to 1 MiB of calls, usage and warnings, and a failure drops them.
//     After it, errors pass through.
//  2. When ctx has ended, the error passes through.
//  3. Retry repeats only after an [*llm.Error] with Retry set. A reply that ended without
//     [llm.Done] and without an error counts as such an error.
//  4. The error of the last attempt (policy.Attempts) passes through. An error with a RetryAfter
//     above policy.MaxRetryAfter passes through too.
//  5. The wait is the longer of RetryAfter and the back-off. The back-off doubles from Base to Max
//     and is shortened by jitter.
//
// The returned model keeps the contract of [llm.Model] if m does.
func Retry(m llm.Model, policy RetryPolicy) llm.Model {
	policy = policy.withDefaults()
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			policy.run(ctx, m, req, yield)
		})
	})
}

func (p RetryPolicy) run(ctx context.Context, m llm.Model, req llm.Request, yield func(llm.Chunk, error) bool) {
	for number := 1; ; number++ {
		d := newDelivery(yield)
		err := d.pass(m.Generate(ctx, req))
		attempt := p.judge(ctx, number, d.begun, err)
		if p.Observe != nil {
			p.Observe(attempt)
		}
		if attempt.Again {
			if p.Sleep(ctx, attempt.Wait) == nil {
				continue
			}
			if ctx.Err() != nil {
				err = ctx.Err()
			}
		}
		if err != nil && d.flush() {
			yield(nil, err)
		}
		return
	}
}

// judge decides whether a new attempt follows attempt number, which ended with err, and how long
// the wait is.
func (p RetryPolicy) judge(ctx context.Context, number int, begun bool, err error) llm.Attempt {
	attempt := llm.Attempt{Number: number, Err: err}
	failure, ok := errors.AsType[*llm.Error](err)
	switch {
	case begun, ctx.Err() != nil:
	case !ok || !failure.Retry:
	case number >= p.Attempts, failure.RetryAfter > p.MaxRetryAfter:
	default:
		attempt.Again = true
		attempt.Wait = max(failure.RetryAfter, p.backOff(number))
	}
	return attempt
}

// backOff returns the wait after the given attempt, with jitter.
func (p RetryPolicy) backOff(number int) time.Duration {
	wait := min(p.Base, p.Max)
	for range number - 1 {
		if wait > p.Max/2 {
			wait = p.Max
			break
		}
		wait *= 2
	}
	if p.Random == nil {
		return wait
	}
	return wait/2 + time.Duration(p.Random()*float64(wait-wait/2))
}

func (p RetryPolicy) withDefaults() RetryPolicy {
	p.Attempts = cmp.Or(max(p.Attempts, 0), 4)
	p.Base = cmp.Or(max(p.Base, 0), 500*time.Millisecond)
	p.Max = cmp.Or(max(p.Max, 0), 20*time.Second)
	p.MaxRetryAfter = cmp.Or(max(p.MaxRetryAfter, 0), time.Minute)
	if p.Sleep == nil {
		p.Sleep = sleep
	}
	return p
}

// sleep waits for d with the real clock.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// delivery passes the chunks of one attempt to the consumer, but holds back chunks that may still
// be dropped.
type delivery struct {
	yield func(llm.Chunk, error) bool
	held  []llm.Chunk
	room  func(llm.Chunk) error // refuses chunks when too many bytes are buffered
	begun bool                  // a chunk was passed on
}

func newDelivery(yield func(llm.Chunk, error) bool) *delivery {
	return &delivery{yield: yield, room: llm.Limits{Bytes: maxHeld, Calls: -1}.Measure()}
}

// maxHeld is the maximum number of buffered bytes. A larger reply without any text is passed on,
// because otherwise it would be stored twice.
const maxHeld = 1 << 20

// pass ranges over the reply and returns the error that ended it, nil if it was complete or the
// consumer stopped.
func (d *delivery) pass(seq iter.Seq2[llm.Chunk, error]) error {
	for chunk, err := range seq {
		if err != nil {
			return err
		}
		d.held = append(d.held, chunk)
		_, done := chunk.(llm.Done)
		if !d.begun && !done && !shows(chunk) && d.room(chunk) == nil {
			continue
		}
		if !d.flush() || done {
			return nil
		}
	}
	return llm.Incomplete("the stream ended without an end mark")
}

// flush passes the held chunks on and reports whether the consumer continues.
func (d *delivery) flush() bool {
	for _, chunk := range d.held {
		d.begun = true
		if !d.yield(chunk, nil) {
			return false
		}
	}
	d.held = d.held[:0]
	return true
}

// shows reports whether a consumer may show the chunk as soon as it arrives.
func shows(chunk llm.Chunk) bool {
	switch chunk.(type) {
	case llm.TextDelta, llm.ReasoningDelta:
		return true
	}
	return false
}
