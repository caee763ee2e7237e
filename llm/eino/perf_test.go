package eino_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/bytedance/sonic"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/eino"
)

// lineModel is a typical Eino model: a goroutine reads lines of JSON and writes to a pipe.
type lineModel struct {
	*answers
	body string
}

func (m lineModel) Stream(context.Context, []*schema.Message, ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	out, w := schema.Pipe[*schema.Message](1)
	go func() {
		defer w.Close()
		for line := range strings.Lines(m.body) {
			var part schema.Message
			err := sonic.UnmarshalString(line, &part)
			if w.Send(&part, err) || err != nil {
				return
			}
		}
	}()
	return out, nil
}

// tale is a reply of a thousand tokens, one line for each.
func tale() lineModel {
	return lineModel{body: strings.Repeat(`{"role":"assistant","content":" word and"}`+"\n", 1000) +
		`{"role":"assistant","content":"","response_meta":{"finish_reason":"stop","usage":{"prompt_tokens":1,"completion_tokens":1000}}}` + "\n"}
}

// ours reads the tale with this package, theirs with Eino alone.
func ours(t testing.TB, m lineModel) func() {
	there := eino.From(m, eino.Options{})
	return func() {
		for _, err := range there.Generate(t.Context(), llm.Request{}) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func theirs(t testing.TB, m lineModel) func() {
	return func() {
		stream, err := m.Stream(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer stream.Close()
		for {
			if _, err := stream.Recv(); err != nil {
				if !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				return
			}
		}
	}
}

// TestPerfAgainstEino: a reply costs at most one and a half times as much as with Eino alone.
func TestPerfAgainstEino(t *testing.T) {
	testkit.Need(t)
	a, b := ours(t, tale()), theirs(t, tale())
	testkit.AtMost(t, "a reply against Eino's", 1.5, func() float64 {
		mine, raw := time.Hour, time.Hour
		for range 10 { // alternately, so that disturbances affect both
			mine, raw = min(mine, testkit.Best(2, a)), min(raw, testkit.Best(2, b))
		}
		return testkit.Ratio(mine, raw)
	})
}

// BenchmarkReply reads a reply of a thousand tokens.
func BenchmarkReply(b *testing.B) {
	for _, c := range []struct {
		name string
		read func(testing.TB, lineModel) func()
	}{{"ours", ours}, {"theirs", theirs}} {
		b.Run(c.name, func(b *testing.B) {
			work := c.read(b, tale())
			b.ReportAllocs()
			b.SetBytes(int64(len(tale().body)))
			for b.Loop() {
				work()
			}
		})
	}
}
