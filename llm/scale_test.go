package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

// scaleFeatures return the work for n chunks, calls, messages or requests.
var scaleFeatures = []struct {
	name string
	work func(n int) func()
}{
	{"text", replyWork(func(n int) llmtest.Reply {
		return llmtest.Reply{Text: strings.Repeat("They walk. ", n), Piece: 5}
	})},
	{"calls", replyWork(func(n int) llmtest.Reply {
		r := llmtest.Reply{Piece: 4}
		for i := range n {
			r = r.AndCall("roll", "sides", i)
		}
		return r
	})},
	{"one long call", replyWork(func(n int) llmtest.Reply {
		return llmtest.Reply{Piece: 4}.AndCall("say", "text", strings.Repeat("on and on ", n))
	})},
	{"calls by turns", replyWork(func(n int) llmtest.Reply {
		r := llmtest.Reply{Chunks: llm.Chunks{}}
		for i := range 3 * n {
			r.Chunks = append(r.Chunks, llm.CallDelta{Index: i % n, Name: "a", Arguments: "x"})
		}
		r.Chunks = append(r.Chunks, llm.Done{})
		return r
	})},
	{"warnings", replyWork(func(n int) llmtest.Reply { return llmtest.Reply{Warnings: make([]llm.Warning, n)} })},
	{"thoughts", replyWork(func(n int) llmtest.Reply {
		return llmtest.Reply{Text: strings.Repeat("<think> a </think> b ", n), Piece: 5}
	})},
	{"thoughts in one piece", replyWork(func(n int) llmtest.Reply {
		return llmtest.Reply{Text: strings.Repeat("<think> a </think> b <thin", n)}
	})},
	{"blanks behind a tag", replyWork(func(n int) llmtest.Reply {
		return llmtest.Reply{Text: "<think>" + strings.Repeat(" ", 10*n), Piece: 2}
	})},
	{"request", func(n int) func() {
		req := longRequest(n)
		return func() {
			var back llm.Request
			if json.Unmarshal(must(json.Marshal(req.Clone())), &back) != nil || len(back.Messages) != n {
				panic("lost")
			}
		}
	}},
	{"members that nobody knows", func(n int) func() {
		text := `{"role":"user"`
		for i := range n {
			text += fmt.Sprintf(`,"x%d":[1]`, i)
		}
		data := []byte(text + "}")
		return func() {
			var m llm.Message
			if json.Unmarshal(data, &m) != nil || len(m.Extra) != n {
				panic("lost")
			}
			must(json.Marshal(m.Clone()))
		}
	}},
	{"recording", func(n int) func() {
		recording := recorded(n)
		return func() {
			p := must(llmtest.NewPlayer(recording))
			for i := range n {
				must(llm.Collect(p.Generate(context.Background(), request(i))))
			}
			if p.Unplayed() != 0 {
				panic("unplayed")
			}
		}
	}},
	{"request that is not in the recording", func(n int) func() {
		recording := recorded(n)
		return func() {
			p := must(llmtest.NewPlayer(recording))
			_, err := llm.Collect(p.Generate(context.Background(), longRequest(n)))
			if !errors.Is(err, llmtest.ErrNotRecorded) {
				panic(err)
			}
		}
	}},
	{"request that differs in all", func(n int) func() {
		req := longRequest(n)
		r := llmtest.NewRecorder(llmtest.NewScripted(llmtest.Text("yes")))
		must(llm.Collect(r.Generate(context.Background(), req)))
		p := must(llmtest.NewPlayer(must(r.Bytes())))
		other := req.Clone()
		for i := range other.Messages {
			other.Messages[i].Text = fmt.Sprint("other ", i)
		}
		return func() { _, _ = llm.Collect(p.Generate(context.Background(), other)) }
	}},
}

// replyWork streams a reply through all wrappers between a model and its user.
func replyWork(reply func(n int) llmtest.Reply) func(n int) func() {
	return func(n int) func() {
		chunks := reply(n).Stream()
		stored := must(json.Marshal(chunks))
		return func() {
			m := llmtest.NewScripted(llmtest.Reply{Chunks: chunks})
			limits := llm.Limits{Bytes: -1, Calls: -1} // the measured sizes exceed the defaults
			must(limits.Collect(wrap.Retry(wrap.SplitThinking(m, wrap.ThinkSplitter{}), wrap.RetryPolicy{}).
				Generate(context.Background(), llm.Request{})))
			var back llm.Chunks
			if json.Unmarshal(stored, &back) != nil || len(back) != len(chunks) {
				panic("lost")
			}
		}
	}
}

func request(i int) llm.Request {
	return llm.Request{Messages: []llm.Message{{Role: llm.User, Text: fmt.Sprintf("request %05d", i)}}}
}

// recorded returns a recording of n requests.
func recorded(n int) []byte {
	m := llmtest.NewScripted()
	r := llmtest.NewRecorder(m)
	for i := range n {
		m.Add(llmtest.Text("yes"))
		must(llm.Collect(r.Generate(context.Background(), request(i))))
	}
	return must(r.Bytes())
}

// longRequest has n messages with calls.
func longRequest(n int) llm.Request {
	var req llm.Request
	for i := range n {
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: fmt.Sprint("line ", i),
			ToolCalls: []llm.ToolCall{{ID: "1", Name: "roll", Arguments: "{}"}}})
	}
	return req
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestPerfFeatures: an input that is eight times as large takes about eight times as long.
// Quadratic work would take 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		few, many := f.work(1000), f.work(8000)
		testkit.AtMost(t, f.name+", 8,000 against 1,000", 40, func() float64 {
			long, short := time.Hour, time.Hour
			for range 2 { // alternately, so that disturbances affect both
				long = min(long, testkit.Best(1, many))
				short = min(short, testkit.Best(4, few))
			}
			return testkit.Ratio(long, short)
		})
	}
}
