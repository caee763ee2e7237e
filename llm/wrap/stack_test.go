package wrap_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

// LL-15, LL-20: the effects of the documented order. The rate includes retries, a fallback has its
// own retries, and a reply of any candidate is paid for once. A cached reply costs neither a
// request of the rate nor money, but is in the log.
func TestStackInItsOrder(t *testing.T) {
	t.Parallel()
	busy := llmtest.Fail(&llm.Error{Code: llm.CodeOverloaded, Retry: true})
	usage := &llm.Usage{PromptTokens: 30, CompletionTokens: 20}
	main := llmtest.NewScripted(busy, busy)
	spare := llmtest.NewScripted(busy, llmtest.Reply{Text: "Who is there?", Usage: usage})

	var waits []time.Duration
	now := time.Unix(0, 0)
	wait := func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		now = now.Add(d)
		return nil
	}
	rate := &wrap.Rate{Requests: 1, Now: func() time.Time { return now }, Sleep: wait}
	budget := &wrap.Budget{Limit: 60}
	var log bytes.Buffer
	reliable := func(m llm.Model) llm.Model {
		return wrap.Retry(rate.Model(wrap.TextTools(m, wrap.TextToolsAuto)), wrap.RetryPolicy{Attempts: 2, Base: time.Second, Sleep: wait})
	}
	m := wrap.Fallback([]wrap.Candidate{{Name: "main", Model: reliable(main)}, {Name: "spare", Model: reliable(spare)}})
	m = wrap.Log(wrap.Cache(budget.Model(m), &memoryCache{}), slog.New(slog.NewTextHandler(&log, nil)))

	for n := range 3 { // the second and the third are cached
		got, err := ask(t, m)
		if err != nil || got.Message.Text != "Who is there?" {
			t.Fatalf("reply %d: %+v, %v", n, got, err)
		}
		if by := got.Warnings; len(by) != 1 || by[0] != (llm.Warning{Code: "fallback_used", Detail: "spare"}) {
			t.Errorf("reply %d: the warnings are %v", n, by)
		}
	}
	if main.Remaining() != 0 || spare.Remaining() != 0 {
		t.Errorf("%d and %d replies are left", main.Remaining(), spare.Remaining())
	}
	// Of four requests, each except the first waits for the rate. It has already waited for the
	// back-off of the previous one: back-off and wait add up to a minute.
	want := []time.Duration{time.Second, 59 * time.Second, time.Minute, time.Second, 59 * time.Second}
	if !slices.Equal(waits, want) {
		t.Errorf("waited %v, want %v", waits, want)
	}
	if budget.Spent() != 50 {
		t.Errorf("%g spent, want 50: one reply", budget.Spent())
	}
	if n := strings.Count(log.String(), "model replied"); n != 3 {
		t.Errorf("%d records, want 3:\n%s", n, &log)
	}
}
