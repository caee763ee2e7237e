package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

// endless repeats a chunk until the consumer stops.
func endless(chunk func(i int) llm.Chunk) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for i := 0; yield(chunk(i), nil); i++ {
		}
	}
}

// An endless reply stops at the limits, in a model and in Collect.
func TestRepliesWithoutEnd(t *testing.T) {
	t.Parallel()
	piece := strings.Repeat("on and on ", 100)
	for name, chunk := range map[string]func(i int) llm.Chunk{
		"text":                 func(int) llm.Chunk { return llm.TextDelta{Text: piece} },
		"seals":                func(int) llm.Chunk { return llm.Seal{Provider: "p", Redacted: piece} },
		"reasoning":            func(int) llm.Chunk { return llm.ReasoningDelta{Text: piece} },
		"calls":                func(i int) llm.Chunk { return llm.CallDelta{Index: i, Name: "roll"} },
		"calls below zero":     func(i int) llm.Chunk { return llm.CallDelta{Index: -i, Name: "roll"} },
		"arguments":            func(int) llm.Chunk { return llm.CallDelta{Arguments: piece} },
		"empty parts of calls": func(int) llm.Chunk { return llm.CallDelta{} },
		"warnings":             func(int) llm.Chunk { return llm.Warning{} },
		"usage": func(int) llm.Chunk {
			return llm.UsageReport{Usage: llm.Usage{Extra: map[string]json.RawMessage{"x": json.RawMessage(`"` + piece + `"`)}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			limited := llm.Limit(llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
				return endless(chunk)
			}), llm.Limits{Bytes: 1 << 16})
			for how, seq := range map[string]iter.Seq2[llm.Chunk, error]{
				"collected": endless(chunk),
				"limited":   limited.Generate(t.Context(), llm.Request{}),
				"retried":   wrap.Retry(limited, wrap.RetryPolicy{}).Generate(t.Context(), llm.Request{}),
			} {
				got, err := llm.Limits{Bytes: 1 << 18}.Collect(seq)
				failure, ok := errors.AsType[*llm.Error](err)
				if !ok || failure.Code != llm.CodeTooLarge || failure.Retryable() {
					t.Fatalf("%s: the error is %v", how, err)
				}
				if size := len(fmt.Sprint(got)); size > 1<<20 {
					t.Errorf("%s: %d bytes came", how, size)
				}
			}
		})
	}
}

// Replies just below and just above a limit.
func TestLimitsAtTheirEdge(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t)
	text := func(n int) llmtest.Reply { return llmtest.Reply{Text: strings.Repeat("x", n), Piece: 1000} }
	calls := func(n int) llmtest.Reply {
		var r llmtest.Reply
		for range n {
			r = r.AndCall("roll")
		}
		return r
	}
	for _, test := range []struct {
		reason string
		limits llm.Limits
		reply  llmtest.Reply
		fits   bool
	}{
		{"exactly as many bytes", llm.Limits{Bytes: 5000}, text(5000), true},
		{"one byte more", llm.Limits{Bytes: 5000}, text(5001), false},
		{"text and reasoning add up", llm.Limits{Bytes: 5000}, llmtest.Reply{Text: strings.Repeat("x", 3000), Reasoning: strings.Repeat("y", 3000)}, false},
		{"the default lets novels through", llm.Limits{}, text(8 << 20), true},
		{"the default ends", llm.Limits{}, text(8<<20 + 1), false},
		{"no limit", llm.Limits{Bytes: -1}, text(9 << 20), true},
		{"exactly as many calls", llm.Limits{Calls: 3}, calls(3), true},
		{"one call more", llm.Limits{Calls: 3}, calls(4), false},
		{"default calls", llm.Limits{}, calls(1024), true},
		{"more than default calls", llm.Limits{}, calls(1025), false},
		{"any number of calls", llm.Limits{Calls: -1}, calls(5000), true},
	} {
		m := llm.Limit(llmtest.NewScripted(test.reply, test.reply), test.limits)
		none := llm.Limits{Bytes: -1, Calls: -1}
		for how, err := range map[string]error{
			"Limit":   second(none.Collect(m.Generate(t.Context(), llm.Request{}))),
			"Collect": second(test.limits.Collect(llmtest.NewScripted(test.reply).Generate(t.Context(), llm.Request{}))),
			"Measure": measured(test.limits, llmtest.NewScripted(test.reply).Generate(t.Context(), llm.Request{})),
		} {
			if failure, ok := errors.AsType[*llm.Error](err); (err == nil) != test.fits || ok && failure.Code != llm.CodeTooLarge {
				t.Errorf("%s: %s: %v", test.reason, how, err)
			}
		}
	}
}

func second(_ llm.Response, err error) error { return err }

// measured returns the first refusal of a reply by its measure.
func measured(limits llm.Limits, seq iter.Seq2[llm.Chunk, error]) error {
	measure := limits.Measure()
	for chunk, err := range seq {
		if err == nil {
			err = measure(chunk)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A refused chunk does not change the Collector.
func TestCollectorRefuses(t *testing.T) {
	t.Parallel()
	c := llm.Collector{Limits: llm.Limits{Bytes: 10, Calls: 1}}
	for _, step := range []struct {
		chunk llm.Chunk
		fits  bool
	}{
		{llm.TextDelta{Text: "12345"}, true}, {llm.CallDelta{Index: 1, Name: "roll"}, false},
		{llm.TextDelta{Text: "1234567"}, false}, {nil, true},
	} {
		if err := c.Add(step.chunk); (err == nil) != step.fits {
			t.Errorf("%+v: %v", step.chunk, err)
		}
	}
	if got := c.Response().Message; got.Text != "12345" || got.ToolCalls != nil {
		t.Errorf("%+v", got)
	}
}

// A wait that is too long ends a reply with CodeTimeout. The end of the caller's own context keeps
// its error, and the consumer's time does not count.
func TestSilence(t *testing.T) {
	const minute = time.Minute
	silent := func(before ...llm.Chunk) llm.Model {
		return llm.ModelFunc(func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
			return func(yield func(llm.Chunk, error) bool) {
				for _, chunk := range before {
					if !yield(chunk, nil) {
						return
					}
				}
				<-ctx.Done()
				yield(nil, fmt.Errorf("reading: %w", ctx.Err()))
			}
		})
	}
	for _, test := range []struct {
		reason string
		limits llm.Limits
		model  llm.Model
		cancel time.Duration
		want   string
		after  time.Duration
	}{
		{"no first chunk", llm.Limits{First: minute}, silent(), 0, "llm: timeout: the model was silent for 1m0s (a retry may help)", minute},
		{"no next chunk", llm.Limits{First: minute, Idle: 2 * minute}, silent(llm.TextDelta{Text: "a"}), 0,
			"llm: timeout: the model was silent for 2m0s (a retry may help)", 2*minute + time.Hour},
		{"defaults", llm.Limits{}, silent(), 0, "llm: timeout: the model was silent for 10m0s (a retry may help)", 10 * minute},
		{"default between chunks", llm.Limits{}, silent(llm.TextDelta{Text: "a"}), 0,
			"llm: timeout: the model was silent for 5m0s (a retry may help)", 5*minute + time.Hour},
		{"no limit", llm.Limits{First: -1}, silent(), 100 * time.Hour, "reading: context canceled", 100 * time.Hour},
		{"cancelled before", llm.Limits{First: minute}, silent(), time.Second, "reading: context canceled", time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.cancel > 0 {
				time.AfterFunc(test.cancel, cancel)
			}
			start := time.Now()
			var last error
			for _, err := range llm.Limit(test.model, test.limits).Generate(ctx, llm.Request{}) {
				if last = err; err == nil {
					time.Sleep(time.Hour) // the consumer processes the chunk
				}
			}
			if fmt.Sprint(last) != test.want || time.Since(start) != test.after {
				t.Errorf("%s: after %v %v, want %s after %v", test.reason, time.Since(start), last, test.want, test.after)
			}
		})
	}
}

// A wait is counted from the previous chunk, although the timer was set for an earlier one.
func TestSilenceIsCountedFromTheLastChunk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const chunks, every, idle = 5, 90 * time.Second, 2 * time.Minute
		m := llm.ModelFunc(func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
			return func(yield func(llm.Chunk, error) bool) {
				for range chunks {
					time.Sleep(every)
					if ctx.Err() != nil || !yield(llm.TextDelta{Text: "a"}, nil) {
						return
					}
				}
				<-ctx.Done()
			}
		})
		start := time.Now()
		resp, err := llm.Collect(llm.Limit(m, llm.Limits{Idle: idle}).Generate(t.Context(), llm.Request{}))
		if took := time.Since(start); resp.Message.Text != "aaaaa" || err == nil || took != chunks*every+idle {
			t.Errorf("after %v: %q, %v", took, resp.Message.Text, err)
		}
	})
}

// A model that ends without an error when its context ends is reported too.
func TestSilenceOfAModelWithoutWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := llm.ModelFunc(func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
			return func(func(llm.Chunk, error) bool) { <-ctx.Done() }
		})
		_, err := llm.Collect(llm.Limit(m, llm.Limits{First: time.Second}).Generate(t.Context(), llm.Request{}))
		if failure, ok := errors.AsType[*llm.Error](err); !ok || failure.Code != llm.CodeTimeout {
			t.Errorf("the error is %v", err)
		}
	})
}

// A timeout before the first text is tried again.
func TestSilenceIsRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := llm.Limit(llmtest.NewScripted(llmtest.Block(), llmtest.Text("awake")), llm.Limits{First: time.Second})
		got, err := llm.Collect(wrap.Retry(m, wrap.RetryPolicy{}).Generate(t.Context(), llm.Request{}))
		if err != nil || got.Message.Text != "awake" {
			t.Errorf("%q, %v", got.Message.Text, err)
		}
	})
}

// Models with limits pass the contract test, including the check for remaining goroutines.
func TestLimitKeepsTheContract(t *testing.T) {
	llmtest.TestModel(t, func(t *testing.T, script ...llmtest.Reply) llm.Model {
		return llm.Limit(llmtest.NewScripted(script...), llm.Limits{})
	})
}

// Retry holds back calls until the first text, up to a limit.
func TestRetryHoldsBackABoundedPart(t *testing.T) {
	t.Parallel()
	m := llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return endless(func(int) llm.Chunk { return llm.CallDelta{Arguments: strings.Repeat("x", 1000)} })
	})
	held := 0
	for chunk, err := range wrap.Retry(m, wrap.RetryPolicy{}).Generate(t.Context(), llm.Request{}) {
		if err != nil {
			t.Fatal(err)
		}
		if held += len(chunk.(llm.CallDelta).Arguments); held > 2<<20 {
			break
		}
	}
}
