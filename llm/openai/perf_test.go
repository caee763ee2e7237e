package openai_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm/openai"
)

// tale is a reply of a thousand tokens, one event for each.
func tale() string {
	return strings.Repeat(`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" word and"},"finish_reason":null}]}`+"\n\n", 1000) +
		`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
}

// lines returns the tale in the native protocol of Ollama.
func lines() string {
	return strings.Repeat(`{"model":"m","created_at":"2026-01-02T03:04:05.678901234Z","message":{"role":"assistant","content":" word and"},"done":false}`+"\n", 1000) +
		`{"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}` + "\n"
}

// ours reads the tale with this package, theirs only with a scanner and encoding/json.
func ours(t testing.TB, config openai.Config, tale, end string) func() {
	config.BaseURL, config.Model, config.HTTPClient = "http://host", "m", &http.Client{Transport: wiretest.Paced(tale, end)}
	model, err := openai.New(config)
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
	client := &http.Client{Transport: wiretest.Paced(tale(), "\n\n")}
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

// theirLines is theirs for the tale of Ollama.
func theirLines(t testing.TB) func() {
	client := &http.Client{Transport: wiretest.Paced(lines(), "\n")}
	return func() {
		response, err := client.Post("http://host/api/chat", "application/json", strings.NewReader(`{"model":"m","messages":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		n := 0
		for in := bufio.NewScanner(response.Body); in.Scan(); {
			var line struct {
				Message struct {
					Content string `json:"content"`
				} `json:"message"`
			}
			if err := json.Unmarshal(in.Bytes(), &line); err != nil {
				t.Fatal(err)
			}
			n += len(line.Message.Content)
		}
		if n != 9000 {
			t.Fatal(n)
		}
	}
}

// TestPerfAgainstARawClient: a client that only reads and decodes lines is the reference. The time
// from the last byte of a chunk to the chunk is at most one and a half times its time.
func TestPerfAgainstARawClient(t *testing.T) {
	testkit.Need(t)
	for _, c := range []struct {
		dialect      string
		ours, theirs func()
	}{
		{"chat completions", ours(t, openai.Config{}, tale(), "\n\n"), theirs(t)},
		{"Ollama", ours(t, openai.Config{Ollama: &openai.Ollama{}}, lines(), "\n"), theirLines(t)},
	} {
		testkit.AtMost(t, c.dialect+": a chunk against a raw client's", 1.5, func() float64 {
			mine, raw := time.Hour, time.Hour
			for range 10 { // alternately, so that disturbances affect both
				mine, raw = min(mine, testkit.Best(2, c.ours)), min(raw, testkit.Best(2, c.theirs))
			}
			return testkit.Ratio(mine, raw)
		})
	}
}

// BenchmarkReply reads a reply of a thousand tokens, including its request.
func BenchmarkReply(b *testing.B) {
	work := ours(b, openai.Config{}, tale(), "\n\n")
	b.ReportAllocs()
	b.SetBytes(int64(len(tale())))
	for b.Loop() {
		work()
	}
}
