package wrap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

// memoryCache is a cache in memory; with forgets set it finds nothing.
type memoryCache struct {
	mu      sync.Mutex
	values  map[string][]byte
	forgets bool
	err     error
}

func (s *memoryCache) Get(_ context.Context, key string) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	value, found := s.values[key]
	return value, found && !s.forgets, s.err
}

func (s *memoryCache) Put(_ context.Context, key string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values == nil {
		s.values = map[string][]byte{}
	}
	s.values[key] = value
	return s.err
}

// LL-15, LL-20: every wrapper, and the documented stack of all wrappers, keeps the contract.
func TestWrappersKeepTheContract(t *testing.T) {
	quiet := slog.New(slog.DiscardHandler)
	wrappers := map[string]func(llm.Model) llm.Model{
		"Fallback": func(m llm.Model) llm.Model {
			return wrap.Fallback([]wrap.Candidate{{Name: "only", Model: m}})
		},
		"Budget":    func(m llm.Model) llm.Model { return new(wrap.Budget).Model(m) },
		"Rate":      func(m llm.Model) llm.Model { return new(wrap.Rate).Model(m) },
		"Log":       func(m llm.Model) llm.Model { return wrap.Log(m, quiet) },
		"Cache":     func(m llm.Model) llm.Model { return wrap.Cache(m, &memoryCache{forgets: true}) },
		"TextTools": func(m llm.Model) llm.Model { return wrap.TextTools(m, wrap.TextToolsAuto) },
		"all": func(m llm.Model) llm.Model {
			m = wrap.Retry(new(wrap.Rate).Model(wrap.TextTools(m, wrap.TextToolsAuto)), wrap.RetryPolicy{Attempts: 1})
			m = wrap.Fallback([]wrap.Candidate{{Name: "main", Model: m}})
			return wrap.Log(wrap.Cache(new(wrap.Budget).Model(m), &memoryCache{forgets: true}), quiet)
		},
	}
	for name, wrap := range wrappers {
		t.Run(name, func(t *testing.T) {
			llmtest.TestModel(t, func(_ *testing.T, script ...llmtest.Reply) llm.Model {
				return wrap(llmtest.NewScripted(script...))
			})
		})
	}
}

func ask(t *testing.T, m llm.Model) (llm.Response, error) {
	t.Helper()
	return llm.Collect(m.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "I knock."}}}))
}

func wantCode(t *testing.T, err error, code llm.ErrorCode) {
	t.Helper()
	if failure, ok := errors.AsType[*llm.Error](err); !ok || failure.Code != code {
		t.Errorf("the error is %v, want one with the code %s", err, code)
	}
}

func TestFallback(t *testing.T) {
	t.Parallel()
	fail := func(code llm.ErrorCode) llmtest.Reply { return llmtest.Fail(&llm.Error{Code: code}) }
	for _, test := range []struct {
		reason  string
		replies []llmtest.Reply // one for each candidate
		codes   []llm.ErrorCode
		want    string
		by      string
		code    llm.ErrorCode
	}{
		{"the first answers", []llmtest.Reply{llmtest.Text("a"), llmtest.Text("b")}, nil, "a", "", ""},
		{"the second answers", []llmtest.Reply{fail(llm.CodeOverloaded), llmtest.Text("b")}, nil, "b", "m1", ""},
		{"the third answers", []llmtest.Reply{fail(llm.CodeAuth), fail(llm.CodeServer), llmtest.Text("c")}, nil, "c", "m2", ""},
		{"cut before the text", []llmtest.Reply{{Cut: true}, llmtest.Text("b")}, nil, "b", "m1", ""},
		{"calls are held back", []llmtest.Reply{{Calls: []llm.ToolCall{{Name: "x"}}, Cut: true}, llmtest.Text("b")}, nil, "b", "m1", ""},
		{"not after text", []llmtest.Reply{{Text: "a", Cut: true}, llmtest.Text("b")}, nil, "a", "", llm.CodeIncomplete},
		{"not for this code", []llmtest.Reply{fail(llm.CodeContextLength), llmtest.Text("b")}, nil, "", "", llm.CodeContextLength},
		{"only the given codes", []llmtest.Reply{fail(llm.CodeServer), llmtest.Text("b")}, []llm.ErrorCode{llm.CodeAuth}, "", "", llm.CodeServer},
		{"all fail", []llmtest.Reply{fail(llm.CodeServer), fail(llm.CodeAuth)}, nil, "", "m1", llm.CodeAuth},
		{"no candidates", nil, nil, "", "", llm.CodeInvalidRequest},
	} {
		var candidates []wrap.Candidate
		for i, reply := range test.replies {
			candidates = append(candidates, wrap.Candidate{Name: fmt.Sprint("m", i), Model: llmtest.NewScripted(reply), ModelName: fmt.Sprint("name", i)})
		}
		got, err := ask(t, wrap.Fallback(candidates, test.codes...))
		if got.Message.Text != test.want || (err == nil) != (test.code == "") || len(got.Message.ToolCalls) > 0 {
			t.Errorf("%s: %+v, %v", test.reason, got.Message, err)
		}
		if test.code != "" {
			wantCode(t, err, test.code)
		}
		by := ""
		if len(got.Warnings) > 0 && got.Warnings[0].Code == "fallback_used" {
			by = got.Warnings[0].Detail
		}
		if by != test.by {
			t.Errorf("%s: answered by %q, want %q", test.reason, by, test.by)
		}
		for i, c := range candidates {
			for _, req := range c.Model.(*llmtest.Scripted).Requests() {
				if req.Model != fmt.Sprint("name", i) {
					t.Errorf("%s: candidate %d was asked for the model %q", test.reason, i, req.Model)
				}
			}
		}
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	usage := &llm.Usage{PromptTokens: 30, CompletionTokens: 20}
	for _, test := range []struct {
		reason string
		budget *wrap.Budget
		reply  llmtest.Reply
		spent  float64 // after each reply
	}{
		{"tokens", &wrap.Budget{Limit: 60}, llmtest.Reply{Text: "a", Usage: usage}, 50},
		{"money", &wrap.Budget{Limit: 0.06, Price: func(_ string, u llm.Usage) float64 {
			return float64(u.CompletionTokens) / 400
		}}, llmtest.Reply{Text: "a", Usage: usage}, 0.05},
		{"not reported", &wrap.Budget{Limit: 5}, llmtest.Reply{Text: "a"}, 4},
		{"not reported, in Chinese", &wrap.Budget{Limit: 100}, llmtest.Reply{Text: strings.Repeat("雾", 100)}, 3 + 88},
		{"cut", &wrap.Budget{Limit: 5}, llmtest.Reply{Text: "a", Cut: true}, 4},
		{"refused by the provider", &wrap.Budget{Limit: 4}, llmtest.Fail(&llm.Error{Code: llm.CodeAuth}), 0},
		{"no price below nothing", &wrap.Budget{Limit: 4, Price: func(string, llm.Usage) float64 { return -7 }}, llmtest.Text("a"), 0},
		{"no price that is not a number", &wrap.Budget{Limit: 4, Price: func(string, llm.Usage) float64 { return math.NaN() }}, llmtest.Text("a"), 0},
		{"no limit", &wrap.Budget{}, llmtest.Reply{Text: "a", Usage: usage}, 50},
	} {
		inner := llmtest.NewScripted(test.reply, test.reply, test.reply)
		m := test.budget.Model(inner)
		asked := 0
		for range 3 {
			if _, err := ask(t, m); err != nil && inner.Remaining() == 3-asked {
				wantCode(t, err, llm.CodeBudget)
			} else {
				asked++
			}
		}
		want := 3
		if test.budget.Limit > 0 && test.spent > 0 {
			want = 2 // the second exceeds the limit, the third is refused
		}
		if asked != want || test.budget.Spent() != float64(want)*test.spent {
			t.Errorf("%s: %d requests, %g spent; want %d", test.reason, asked, test.budget.Spent(), want)
		}
		test.budget.Set(0)
		inner.Add(test.reply)
		if _, err := ask(t, m); err != nil && test.reply.Err == nil && !test.reply.Cut {
			t.Errorf("%s: after Set: %v", test.reason, err)
		}
	}
}

func TestRate(t *testing.T) {
	for _, test := range []struct {
		reason string
		rate   *wrap.Rate
		usage  *llm.Usage
		want   []time.Duration // when the requests went
	}{
		{"no bound", &wrap.Rate{}, nil, []time.Duration{0, 0, 0}},
		{"requests", &wrap.Rate{Requests: 2}, nil, []time.Duration{0, 0, 30 * time.Second, time.Minute}},
		{"tokens", &wrap.Rate{Tokens: 100}, &llm.Usage{PromptTokens: 50, CompletionTokens: 50},
			[]time.Duration{0, 0, time.Minute, 2 * time.Minute}},
	} {
		synctest.Test(t, func(t *testing.T) {
			inner := llmtest.NewScripted()
			m := test.rate.Model(inner)
			start := time.Now()
			for i, want := range test.want {
				inner.Add(llmtest.Reply{Text: "a", Usage: test.usage})
				if _, err := ask(t, m); err != nil || time.Since(start) != want {
					t.Errorf("%s: request %d went after %v, %v; want %v", test.reason, i, time.Since(start), err, want)
				}
			}
		})
	}
	synctest.Test(t, func(t *testing.T) { // in order, and the end of a context is detected
		inner := llmtest.NewScripted(llmtest.Text("a"), llmtest.Text("b"), llmtest.Text("c"))
		m := (&wrap.Rate{Requests: 1}).Model(inner)
		_, _ = ask(t, m)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := llm.Collect(m.Generate(ctx, llm.Request{})); !errors.Is(err, context.DeadlineExceeded) || inner.Remaining() != 2 {
			t.Errorf("the error is %v, %d replies are left", err, inner.Remaining())
		}
	})
}

func TestLog(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reason string
		reply  llmtest.Reply
		want   []string
	}{
		{"whole", llmtest.Reply{Text: "secret words", Reasoning: "hm", Calls: []llm.ToolCall{{Name: "x"}},
			Usage: &llm.Usage{PromptTokens: 31, CompletionTokens: 7}, Warnings: []llm.Warning{{Code: "w1"}}},
			[]string{"level=INFO", `msg="model replied"`, "messages=1", "text=12", "reasoning=2", "calls=1", "prompt_tokens=31", "warnings=[w1]", "finish=tool_calls"}},
		{"failed", llmtest.Fail(&llm.Error{Code: llm.CodeServer, Status: 502, Message: "broke"}),
			[]string{"level=WARN", `msg="model failed"`, "code=server", "status=502", "broke"}},
	} {
		var out bytes.Buffer
		_, _ = ask(t, wrap.Log(llmtest.NewScripted(test.reply), slog.New(slog.NewTextHandler(&out, nil))))
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %s does not hold %q", test.reason, out.String(), want)
			}
		}
		for _, words := range []string{"secret words", "I knock"} {
			if strings.Contains(out.String(), words) {
				t.Errorf("%s: the log holds what was said: %s", test.reason, out.String())
			}
		}
		if strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%s: not one record: %s", test.reason, out.String())
		}
	}
}

// The texts of a server cannot fill a log: finish reasons, codes, warnings and error texts are
// limited.
func TestLogIsBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	warnings := make([]llm.Warning, 1000)
	warnings[0].Code = long
	for _, reply := range []llmtest.Reply{
		{Text: "a", Finish: llm.FinishReason(long), Warnings: warnings},
		llmtest.Fail(&llm.Error{Code: llm.ErrorCode(long), Message: long}),
	} {
		var out bytes.Buffer
		_, _ = ask(t, wrap.Log(llmtest.NewScripted(reply), slog.New(slog.NewTextHandler(&out, nil))))
		if out.Len() > 4<<10 || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%d bytes are logged: %.200s", out.Len(), out.String())
		}
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	full := llmtest.Reply{Text: "Who is there?", Reasoning: "hm", Usage: &llm.Usage{PromptTokens: 3}}
	store := &memoryCache{}
	inner := llmtest.NewScripted(full, llmtest.Text("another"))
	m := wrap.Cache(inner, store)
	first, err := ask(t, m)
	if err != nil {
		t.Fatal(err)
	}
	second, err := ask(t, m)
	if err != nil || fmt.Sprint(first.Message) != fmt.Sprint(second.Message) || second.Usage.PromptTokens != 3 || inner.Remaining() != 1 {
		t.Errorf("%+v, %v, %d left", second, err, inner.Remaining())
	}
	other, err := llm.Collect(m.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "I wait."}}}))
	if err != nil || other.Message.Text != "another" {
		t.Errorf("another request: %q, %v", other.Message.Text, err)
	}
	for name, spoil := range map[string]func(s *memoryCache){
		"store that fails":          func(s *memoryCache) { s.err = errors.New("disk full") },
		"value that is no JSON":     func(s *memoryCache) { spoilAll(s, "oops") },
		"value without an end":      func(s *memoryCache) { spoilAll(s, `[{"type":"text","text":"x"}]`) },
		"value of an unknown chunk": func(s *memoryCache) { spoilAll(s, `[{"type":"shout"}]`) },
	} {
		store := &memoryCache{}
		inner := llmtest.NewScripted(full, llmtest.Text("fresh"))
		m := wrap.Cache(inner, store)
		if _, err := ask(t, m); err != nil {
			t.Fatal(err)
		}
		spoil(store)
		got, err := ask(t, m)
		if err != nil || got.Message.Text != "fresh" || len(got.Warnings) != 1 || got.Warnings[0].Code != "cache_failed" {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for name, reply := range map[string]llmtest.Reply{"cut": {Text: "a", Cut: true}, "larger than the limits": {Text: strings.Repeat("x", 9<<20)}} {
		store := &memoryCache{}
		_, _ = ask(t, wrap.Cache(llmtest.NewScripted(reply), store))
		if len(store.values) != 0 {
			t.Errorf("a reply that is %s was kept", name)
		}
	}
}

func spoilAll(s *memoryCache, value string) {
	for key := range s.values {
		s.values[key] = []byte(value)
	}
}
