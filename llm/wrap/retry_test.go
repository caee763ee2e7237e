package wrap_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

var busy = &llm.Error{Code: llm.CodeOverloaded, Status: 503, Retry: true}

// waits is a Sleep that only records the waits.
type waits []time.Duration

func (w *waits) sleep(ctx context.Context, d time.Duration) error {
	*w = append(*w, d)
	return ctx.Err()
}

// LL-09: the failures after which a request is sent again, and the waits.
func TestRetry(t *testing.T) {
	t.Parallel()
	refused := &llm.Error{Code: llm.CodeAuth, Status: 401}
	after := func(d time.Duration) llmtest.Reply {
		return llmtest.Fail(&llm.Error{Code: llm.CodeRateLimit, Retry: true, RetryAfter: d})
	}
	fail, ok := llmtest.Fail(busy), llmtest.Text("ok")
	for _, test := range []struct {
		name   string
		reason string
		policy wrap.RetryPolicy
		script []llmtest.Reply
		text   string
		err    error
		waits  waits
	}{
		{
			name: "good at once", reason: "nothing to repeat",
			script: []llmtest.Reply{ok}, text: "ok",
		},
		{
			name: "good in the end", reason: "the wait doubles from half a second",
			script: []llmtest.Reply{fail, fail, fail, ok}, text: "ok",
			waits: waits{500 * time.Millisecond, time.Second, 2 * time.Second},
		},
		{
			name: "never good", reason: "four attempts, then the last error",
			script: []llmtest.Reply{fail, fail, fail, fail, ok}, err: busy,
			waits: waits{500 * time.Millisecond, time.Second, 2 * time.Second},
		},
		{
			name: "turned off", reason: "one attempt is no retry",
			policy: wrap.RetryPolicy{Attempts: 1}, script: []llmtest.Reply{fail, ok}, err: busy,
		},
		{
			name: "capped", reason: "the wait grows to Max and stays there",
			policy: wrap.RetryPolicy{Attempts: 6, Base: time.Second, Max: 5 * time.Second},
			script: []llmtest.Reply{fail, fail, fail, fail, fail, ok}, text: "ok",
			waits: waits{1e9, 2e9, 4e9, 5e9, 5e9},
		},
		{
			name: "base above the cap", reason: "Max counts from the first wait",
			policy: wrap.RetryPolicy{Base: time.Hour, Max: time.Minute},
			script: []llmtest.Reply{fail, ok}, text: "ok", waits: waits{time.Minute},
		},
		{
			name: "jitter", reason: "between half of the wait and the whole",
			policy: wrap.RetryPolicy{Base: time.Second, Random: func() float64 { return 0.5 }},
			script: []llmtest.Reply{fail, fail, ok}, text: "ok",
			waits: waits{750 * time.Millisecond, 1500 * time.Millisecond},
		},
		{
			name: "Retry-After longer", reason: "the provider's wish is the least",
			script: []llmtest.Reply{after(7 * time.Second), ok}, text: "ok", waits: waits{7 * time.Second},
		},
		{
			name: "Retry-After shorter", reason: "the back-off is the least",
			script: []llmtest.Reply{after(time.Millisecond), ok}, text: "ok", waits: waits{5e8},
		},
		{
			name: "Retry-After beyond the cap", reason: "the host hears of it instead of hanging",
			policy: wrap.RetryPolicy{MaxRetryAfter: 10 * time.Second},
			script: []llmtest.Reply{after(11 * time.Second), ok},
			err:    &llm.Error{Code: llm.CodeRateLimit, Retry: true, RetryAfter: 11 * time.Second},
		},
		{
			name: "not retryable", reason: "a wrong key stays wrong",
			script: []llmtest.Reply{llmtest.Fail(refused), ok}, err: refused,
		},
		{
			name: "incomplete before the text", reason: "an early end may pass",
			script: []llmtest.Reply{{Cut: true}, ok}, text: "ok", waits: waits{5e8},
		},
		{
			name: "after text", reason: "what was shown cannot be taken back",
			script: []llmtest.Reply{{Text: "half", Err: busy}, ok}, text: "half", err: busy,
		},
		{
			name: "after reasoning", reason: "hosts show thinking as it comes",
			script: []llmtest.Reply{{Reasoning: "hm", Err: busy}, ok}, err: busy,
		},
		{
			name: "after calls and usage", reason: "they are held back, and dropped",
			script: []llmtest.Reply{
				{
					Calls: []llm.ToolCall{{Name: "dropped"}}, Usage: &llm.Usage{PromptTokens: 1},
					Warnings: []llm.Warning{{Code: "dropped"}}, Err: busy,
				},
				ok,
			},
			text: "ok", waits: waits{5e8},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var slept waits
			test.policy.Sleep = slept.sleep
			model := llmtest.NewScripted(test.script...)
			got, err := llm.Collect(wrap.Retry(model, test.policy).Generate(t.Context(), llm.Request{}))
			if got.Message.Text != test.text || len(got.Message.ToolCalls)+len(got.Warnings) != 0 {
				t.Errorf("%s: the reply is %+v, want the text %q", test.reason, got, test.text)
			}
			if (err == nil) != (test.err == nil) || err != nil && err.Error() != test.err.Error() {
				t.Errorf("%s: the error is %v, want %v", test.reason, err, test.err)
			}
			if diff := cmp.Diff(test.waits, slept); diff != "" {
				t.Errorf("%s: waits (-want +got):\n%s", test.reason, diff)
			}
		})
	}
}

// The chunks of the attempt that succeeds, or fails last, keep their order.
func TestRetryKeepsOrder(t *testing.T) {
	t.Parallel()
	for _, err := range []*llm.Error{nil, {Code: llm.CodeServer}} {
		reply := llmtest.Reply{
			Warnings: []llm.Warning{{Code: "w"}}, Calls: []llm.ToolCall{{ID: "1", Name: "f"}},
			Usage: &llm.Usage{PromptTokens: 1}, Err: err,
		}
		var got llm.Chunks
		var last error
		model := wrap.Retry(llmtest.NewScripted(reply), wrap.RetryPolicy{})
		for chunk, err := range model.Generate(t.Context(), llm.Request{}) {
			if last = err; err == nil {
				got = append(got, chunk)
			}
		}
		if diff := cmp.Diff(reply.Stream(), got); diff != "" || (err == nil) != (last == nil) {
			t.Errorf("error %v (-want +got):\n%s", last, diff)
		}
	}
}

// The observer receives every attempt, including an attempt that the consumer stops.
func TestRetryObserve(t *testing.T) {
	t.Parallel()
	var seen []string
	policy := wrap.RetryPolicy{
		Sleep: func(context.Context, time.Duration) error { return nil },
		Observe: func(a llm.Attempt) {
			data, err := json.Marshal(a)
			if err != nil {
				t.Error(err)
			}
			seen = append(seen, string(data))
		},
	}
	foreign := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return sequence(io.ErrClosedPipe)
	})
	run := func(model llm.Model) {
		for chunk := range wrap.Retry(model, policy).Generate(t.Context(), llm.Request{}) {
			if chunk != nil {
				break
			}
		}
	}
	run(llmtest.NewScripted(llmtest.Fail(busy), llmtest.Text("ok")))
	run(foreign)
	want := []string{
		`{"number":1,"error":{"code":"overloaded","status":503,"retry":true},"again":true,"wait":"500ms"}`,
		`{"number":2}`,
		`{"number":1,"error":{"code":"unknown","cause":"io: read/write on closed pipe"}}`,
	}
	if !slices.Equal(seen, want) {
		t.Errorf("attempts\n%s\nwant\n%s", seen, want)
	}
}

// A context that ends during the wait ends the reply, on the real timer too.
func TestRetryCancelledWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		model := llmtest.NewScripted(llmtest.Fail(busy), llmtest.Fail(busy), llmtest.Text("late"))
		_, err := llm.Collect(wrap.Retry(model, wrap.RetryPolicy{}).Generate(ctx, llm.Request{}))
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the error is %v", err)
		}
		if waited := time.Since(start); waited != time.Second || model.Remaining() != 1 {
			t.Errorf("waited %v, %d replies left", waited, model.Remaining())
		}
	})
}

// If Sleep fails for its own reasons, no further attempt is made, and the error is the failure
// before the wait.
func TestRetryBrokenSleep(t *testing.T) {
	t.Parallel()
	policy := wrap.RetryPolicy{Sleep: func(context.Context, time.Duration) error { return io.EOF }}
	model := wrap.Retry(llmtest.NewScripted(llmtest.Fail(busy), llmtest.Text("late")), policy)
	if _, err := llm.Collect(model.Generate(t.Context(), llm.Request{})); !errors.Is(err, busy) {
		t.Errorf("the error is %v, want %v", err, busy)
	}
}

// A model that omits its Done is treated like an incomplete reply.
func TestRetryWithoutDone(t *testing.T) {
	t.Parallel()
	attempts := 0
	careless := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		attempts++
		return sequence(nil)
	})
	var slept waits
	model := wrap.Retry(careless, wrap.RetryPolicy{Attempts: 3, Sleep: slept.sleep})
	_, err := llm.Collect(model.Generate(t.Context(), llm.Request{}))
	if attempts != 3 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%d attempts, error %v", attempts, err)
	}
}
