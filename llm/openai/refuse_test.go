package openai_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/openai"
)

// LL-08: refusals, by status, body and headers.
func TestRefusals(t *testing.T) {
	t.Parallel()
	date := func(d time.Duration) string {
		return time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC).Add(d).Format(http.TimeFormat)
	}
	for name, test := range map[string]struct {
		status int
		body   string
		header map[string]string
		want   llm.Error
	}{
		"401 JSON": {
			401, `{"error":{"message":"bad","type":"invalid_request_error","code":"invalid_api_key"}}`,
			nil, llm.Error{Code: llm.CodeAuth},
		},
		"402 out of credit":     {402, `{"error":{"message":"credits"}}`, nil, llm.Error{Code: llm.CodeAuth}},
		"403 HTML":              {403, "<html>denied</html>", nil, llm.Error{Code: llm.CodeAuth}},
		"404 empty":             {404, "", nil, llm.Error{Code: llm.CodeNotFound}},
		"404 detail":            {404, `{"detail":"Not Found"}`, nil, llm.Error{Code: llm.CodeNotFound}},
		"400 JSON":              {400, `{"error":{"message":"bad"}}`, nil, llm.Error{Code: llm.CodeInvalidRequest}},
		"422 JSON":              {422, `{"detail":[{"loc":["body"]}]}`, nil, llm.Error{Code: llm.CodeInvalidRequest}},
		"400 content policy":    {400, `{"error":{"code":"content_filter"}}`, nil, llm.Error{Code: llm.CodeFiltered}},
		"409 conflict":          {409, "", nil, llm.Error{Code: llm.CodeServer, Retry: true}},
		"500 empty":             {500, "", nil, llm.Error{Code: llm.CodeServer, Retry: true}},
		"501":                   {501, "", nil, llm.Error{Code: llm.CodeServer}},
		"502 HTML":              {502, "<html>Bad gateway</html>", nil, llm.Error{Code: llm.CodeServer, Retry: true}},
		"503 text":              {503, "no capacity", nil, llm.Error{Code: llm.CodeOverloaded, Retry: true}},
		"529 overloaded":        {529, "", nil, llm.Error{Code: llm.CodeOverloaded, Retry: true}},
		"429 JSON":              {429, `{"error":{"message":"slow"}}`, nil, llm.Error{Code: llm.CodeRateLimit, Retry: true}},
		"429 unknown number":    {429, `{"error":{"code":"1302"}}`, nil, llm.Error{Code: llm.CodeRateLimit, Retry: true}},
		"429 tokens per minute": {429, `{"error":{"message":"too many tokens"}}`, nil, llm.Error{Code: llm.CodeRateLimit, Retry: true}},
		"429 quota": {
			429, `{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}`, nil,
			llm.Error{Code: llm.CodeAuth},
		},
		"context_length_exceeded": {
			400, `{"error":{"message":"m","code":"context_length_exceeded"}}`, nil,
			llm.Error{Code: llm.CodeContextLength},
		},
		"context length in words": {
			400, `{"error":{"message":"This model's maximum context length is 8192 tokens."}}`, nil,
			llm.Error{Code: llm.CodeContextLength},
		},
		"context length as a 500": {
			500, `{"error":{"type":"exceed_context_size_error","message":"m"}}`, nil,
			llm.Error{Code: llm.CodeContextLength},
		},
		"redirect": {
			307, "", map[string]string{"Location": "https://elsewhere.test/v1"},
			llm.Error{Code: llm.CodeNotFound},
		},
		"Retry-After in seconds": {
			429, "{}", map[string]string{"Retry-After": "12"},
			llm.Error{Code: llm.CodeRateLimit, Retry: true, RetryAfter: 12 * time.Second},
		},
		"Retry-After in parts of seconds": {
			503, "", map[string]string{"Retry-After": "0.5"},
			llm.Error{Code: llm.CodeOverloaded, Retry: true, RetryAfter: 500 * time.Millisecond},
		},
		"Retry-After as a date": {
			429, "{}", map[string]string{"Date": date(0), "Retry-After": date(90 * time.Second)},
			llm.Error{Code: llm.CodeRateLimit, Retry: true, RetryAfter: 90 * time.Second},
		},
		"Retry-After as a past date": {
			429, "{}", map[string]string{"Date": date(0), "Retry-After": date(-time.Hour)},
			llm.Error{Code: llm.CodeRateLimit, Retry: true},
		},
		"retry-after-ms": {
			429, "{}", map[string]string{"Retry-After-Ms": "1500", "Retry-After": "9"},
			llm.Error{Code: llm.CodeRateLimit, Retry: true, RetryAfter: 1500 * time.Millisecond},
		},
		"Retry-After nonsense": {
			429, "{}", map[string]string{"Retry-After": "soon"},
			llm.Error{Code: llm.CodeRateLimit, Retry: true},
		},
		"Retry-After beyond all bounds": {
			429, "{}", map[string]string{"Retry-After": "1e300"},
			llm.Error{Code: llm.CodeRateLimit, Retry: true, RetryAfter: 365 * 24 * time.Hour},
		},
		"Retry-After below zero": {
			429, "{}", map[string]string{"Retry-After": "-5"},
			llm.Error{Code: llm.CodeRateLimit, Retry: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := serve(t, openai.Config{}, func(w http.ResponseWriter, _ *http.Request) {
				for name, value := range test.header {
					w.Header().Set(name, value)
				}
				w.WriteHeader(test.status)
				io.WriteString(w, test.body)
			})
			_, err := ask(t, client)
			test.want.Status = test.status
			if failure := wiretest.Failure(t, err, test.want); failure.Message == "" && test.status < 529 {
				t.Error("the error has no message")
			}
		})
	}
}

// LL-12: cancellation at the two moments in the list of features.
func TestCancelled(t *testing.T) {
	t.Parallel()
	for name, before := range map[string]string{
		"while waiting for the header": "",
		"while the consumer is idle":   eventHi + eventYou,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			arrived, left := make(chan struct{}), make(chan struct{})
			client := serve(t, openai.Config{}, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				if before != "" {
					io.WriteString(w, before)
					http.NewResponseController(w).Flush()
				}
				close(arrived)
				<-r.Context().Done() // the client closed its connection
				close(left)
			})
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			go func() {
				if before == "" {
					<-arrived
					cancel()
				}
			}()
			var last error
			for _, err := range client.Generate(ctx, hello()) {
				if last = err; err == nil {
					// The consumer does nothing here: the connection must be closed although
					// nothing reads from it.
					cancel()
					<-left
				}
			}
			if !errors.Is(last, context.Canceled) {
				t.Errorf("the error is %v, want context.Canceled", last)
			}
			<-left
		})
	}
}

// Chunks that the network had already delivered are dropped when the context ends.
func TestCancelledWithWholeReplyAtHand(t *testing.T) {
	t.Parallel()
	client := serveBody(t, eventHi+eventYou+eventStop+eventDone)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var chunks llm.Chunks
	var last error
	for chunk, err := range client.Generate(ctx, hello()) {
		if last = err; err == nil {
			chunks = append(chunks, chunk)
			cancel()
		}
	}
	if len(chunks) != 1 || !errors.Is(last, context.Canceled) {
		t.Errorf("chunks %v, error %v; want one chunk and the cancellation", chunks, last)
	}
}
