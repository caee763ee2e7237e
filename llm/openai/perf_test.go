package openai_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/perftest"
	"github.com/talewright/talewright/llm/openai"
)

// bytesServer is a transport that answers every request with the same bytes.
type bytesServer string

func (b bytesServer) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: io.NopCloser(strings.NewReader(string(b))), Request: r}, nil
}

// tale is a reply of a thousand tokens, one event each.
func tale() string {
	return strings.Repeat(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" word and"},"finish_reason":null}]}`+"\n\n", 1000) +
		`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
}

// ours reads the tale with this package, theirs with nothing but a scanner and
// encoding/json.
func ours(t testing.TB) func() {
	model, err := openai.New(openai.Config{BaseURL: "http://host", Model: "m", HTTPClient: &http.Client{Transport: bytesServer(tale())}})
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		for _, err := range model.Generate(t.Context(), hello()) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func theirs(t testing.TB) func() {
	client := &http.Client{Transport: bytesServer(tale())}
	return func() {
		response, err := client.Post("http://host/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		n := 0
		for in := bufio.NewScanner(response.Body); in.Scan(); {
			data, ok := bytes.CutPrefix(in.Bytes(), []byte("data: "))
			if !ok || string(data) == "[DONE]" {
				continue
			}
			var event struct {
				Choices []struct {
					Delta struct {
						Content string `json:"content"`
					} `json:"delta"`
				} `json:"choices"`
			}
			if err := json.Unmarshal(data, &event); err != nil {
				t.Fatal(err)
			}
			n += len(event.Choices[0].Delta.Content)
		}
		if n != 9000 {
			t.Fatal(n)
		}
	}
}

// TestPerfAgainstARawClient: a reply costs at most half as much again as lines read and
// decoded without any care.
func TestPerfAgainstARawClient(t *testing.T) {
	perftest.Need(t)
	a, b := ours(t), theirs(t)
	perftest.AtMost(t, "a reply against a raw client's", 1.5, func() float64 {
		mine, raw := time.Hour, time.Hour
		for range 10 { // by turns: what disturbs the machine disturbs both
			mine, raw = min(mine, perftest.Best(2, a)), min(raw, perftest.Best(2, b))
		}
		return perftest.Ratio(mine, raw)
	})
}

// BenchmarkReply is a reply of a thousand tokens, with the request for it.
func BenchmarkReply(b *testing.B) {
	work := ours(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(tale())))
	for b.Loop() {
		work()
	}
}
