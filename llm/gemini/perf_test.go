package gemini_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm/gemini"
	"google.golang.org/genai"
)

// tale is a reply of a thousand tokens, one event for each.
func tale() string {
	return strings.Repeat(`data: {"candidates":[{"content":{"parts":[{"text":" word and"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9,"totalTokenCount":9},"modelVersion":"m"}`+"\n\n", 1000) +
		`data: {"candidates":[{"finishReason":"STOP","index":0}]}` + "\n\n"
}

// ours reads the tale with this package, theirs with the SDK alone.
func ours(t testing.TB) func() {
	model, err := gemini.New(gemini.Config{Key: "k", Model: "m", HTTPClient: &http.Client{Transport: wiretest.Paced(tale(), "\n\n")}})
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
	client, err := genai.NewClient(t.Context(), &genai.ClientConfig{APIKey: "k", Backend: genai.BackendGeminiAPI, HTTPClient: &http.Client{Transport: wiretest.Paced(tale(), "\n\n")}})
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		n := 0
		for chunk, err := range client.Models.GenerateContentStream(t.Context(), "m", genai.Text("Hello."), nil) {
			if err != nil {
				t.Fatal(err)
			}
			n += len(chunk.Text())
		}
		if n != 9000 {
			t.Fatal(n)
		}
	}
}

// TestPerfAgainstTheSDK: the time from the last byte of a chunk to the chunk is at most one and a
// half times the time of the SDK alone.
func TestPerfAgainstTheSDK(t *testing.T) {
	testkit.Need(t)
	a, b := ours(t), theirs(t)
	testkit.AtMost(t, "a chunk against the SDK's", 1.5, func() float64 {
		mine, raw := time.Hour, time.Hour
		for range 10 { // alternately, so that disturbances affect both
			mine, raw = min(mine, testkit.Best(2, a)), min(raw, testkit.Best(2, b))
		}
		return testkit.Ratio(mine, raw)
	})
}

// BenchmarkReply reads a reply of a thousand tokens, including its request.
func BenchmarkReply(b *testing.B) {
	work := ours(b)
	b.ReportAllocs()
	b.SetBytes(int64(len(tale())))
	for b.Loop() {
		work()
	}
}
