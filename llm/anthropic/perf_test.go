package anthropic_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm/anthropic"
)

// tale is a reply of a thousand tokens, one event for each.
func tale() string {
	return started + blockAt(0, `{"type":"text","text":""}`) + strings.Repeat("event: content_block_delta\n"+deltaAt(0, `{"type":"text_delta","text":" word and"}`), 1000) +
		stopAt(0) + because("end_turn") + stopped
}

// ours reads the tale with this package, theirs with the SDK alone.
func ours(t testing.TB) func() {
	model, err := anthropic.New(anthropic.Config{Key: "k", Model: "m", HTTPClient: &http.Client{Transport: wiretest.Paced(tale(), "\n\n")}})
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
	client := sdk.NewClient(option.WithoutEnvironmentDefaults(), option.WithAPIKey("k"), option.WithHTTPClient(&http.Client{Transport: wiretest.Paced(tale(), "\n\n")}))
	return func() {
		stream := client.Messages.NewStreaming(t.Context(), sdk.MessageNewParams{Model: "m", MaxTokens: 1,
			Messages: []sdk.MessageParam{sdk.NewUserMessage(sdk.NewTextBlock("Hello."))}})
		defer stream.Close()
		n := 0
		for stream.Next() {
			n += len(stream.Current().Delta.Text)
		}
		if stream.Err() != nil || n != 9000 {
			t.Fatal(n, stream.Err())
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
