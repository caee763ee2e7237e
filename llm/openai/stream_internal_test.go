package openai

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
)

func noEstimate() int { return 0 }

func decodeAny(body io.Reader) iter.Seq2[llm.Chunk, error] {
	return decode(body, ReasoningDetails, noEstimate)
}

// FuzzDecode reads bodies of all kinds, whole and byte by byte: the reply is the same, and keeps
// the contract.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"",
		": PROCESSING\r\n\r\ndata:{\"choices\":[{\"delta\":{\"content\":\"a\\ud83d\"}}]}\n\ndata: [DONE]\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":\"a\xe9\"},\"finish_reason\":\"stop\"}]}",
		"event: error\ndata: {\"message\":\"m\",\"code\":503}\n\n",
		`{"choices":[{"message":{"content":"x","tool_calls":[{"function":{"name":"f","arguments":{}}}]}}]}`,
		`[{"error":{"code":404}}]`,
		"<html>",
		"data: {\"choices\":[{\"delta\":{\"reasoning\":\"a\",\"reasoning_details\":[{\"type\":\"reasoning.text\",\"text\":\"a\"},{\"data\":\"\xff\"}],\"tool_calls\":[{}]},\"finish_reason\":\"stop\"}]}\n\n",
		"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":" +
			"{\"name\":\"f\",\"arguments\":\"{\"}},{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"g\"}}]}}]}\n\n",
		"data: {\"choices\":[],\"usage\":{\"prompt_tokens\":4096,\"completion_tokens\":1}}\n\n",
		"data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\"}]}}]}\r\rdata: 1",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		wiretest.Packets(t, body, decodeAny)
	})
}

// A long event that arrives in many small packets is read correctly, and in linear time; the
// benchmark below measures the time.
func TestLongEventInPackets(t *testing.T) {
	t.Parallel()
	body := longEvent(1 << 20)
	got, err := wiretest.Drain(t, decodeAny(&packets{data: body, size: 1400}))
	if err != nil || len(got.Message.Text) != 1<<20 {
		t.Errorf("%d bytes of text, %v", len(got.Message.Text), err)
	}
}

func longEvent(size int) []byte {
	return fmt.Appendf(nil, `data: {"choices":[{"delta":{"content":"%s"},"finish_reason":"stop"}]}`+"\n\n",
		strings.Repeat("x", size))
}

// packets is a reader that returns at most size bytes at a time.
type packets struct {
	data []byte
	size int
}

func (p *packets) Read(b []byte) (int, error) {
	if len(p.data) == 0 {
		return 0, io.EOF
	}
	n := copy(b[:min(len(b), p.size)], p.data)
	p.data = p.data[n:]
	return n, nil
}

// BenchmarkDecode reads a typical reply: 500 tokens, one event for each.
func BenchmarkDecode(b *testing.B) {
	var body []byte
	for i := range 500 {
		body = fmt.Appendf(body, `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,`+
			`"model":"m","choices":[{"index":0,"delta":{"content":" word%03d"},"finish_reason":null}]}`+"\n\n", i)
	}
	body = append(body, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"...)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		got, err := llm.Collect(decode(bytes.NewReader(body), "", noEstimate))
		if err != nil || len(got.Message.Text) != 500*len(" word000") {
			b.Fatal(len(got.Message.Text), err)
		}
	}
}

// BenchmarkLongEvent reads one event of 2 MB in packets of 1400 bytes. It exists because the event
// parser alone takes quadratic time for it.
func BenchmarkLongEvent(b *testing.B) {
	body := longEvent(2 << 20)
	b.ReportAllocs()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		got, err := llm.Collect(decode(&packets{data: body, size: 1400}, "", noEstimate))
		if err != nil || len(got.Message.Text) != 2<<20 {
			b.Fatal(len(got.Message.Text), err)
		}
	}
}

// A megabyte of stream, as servers send it, allocates at most twice its size.
func TestAllocations(t *testing.T) {
	sse := func(body string) iter.Seq2[llm.Chunk, error] {
		return decode(strings.NewReader(body), ReasoningDetails, noEstimate)
	}
	for _, c := range []struct {
		dialect, event, end string
		decode              func(body string) iter.Seq2[llm.Chunk, error]
	}{
		{"chat completions", `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",` +
			`"choices":[{"index":0,"delta":{"content":" word\nand"},"finish_reason":null}],"usage":{"prompt_tokens":9}}` + "\n\n",
			`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n", sse},
		{"text completions", `data: {"id":"cmpl-1","object":"text_completion","created":1,"model":"m","choices":[{"index":0,"text":" word\nand","finish_reason":null}]}` + "\n\n",
			`data: {"choices":[{"text":"","finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n", sse},
		{"Ollama", `{"model":"m","created_at":"2026-01-02T03:04:05.678901234Z","message":{"role":"assistant","content":" word\nand"},"done":false}` + "\n",
			`{"message":{"content":""},"done":true}` + "\n",
			func(body string) iter.Seq2[llm.Chunk, error] {
				return decodeOllama(strings.NewReader(body), noEstimate)
			}},
	} {
		text := strings.Repeat(c.event, 1<<20/len(c.event)+1) + c.end
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		model := llm.Limit(llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] { return c.decode(text) }), llm.Limits{})
		for _, err := range model.Generate(t.Context(), llm.Request{}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		got := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: %.2f times its size", c.dialect, float64(got)/float64(len(text)))
		if got > uint64(2*len(text)) {
			t.Errorf("%s: %d bytes for a stream of %d", c.dialect, got, len(text))
		}
	}
}

// TestBrokenStreams damages a stream with all kinds of deltas, and a stream of lines.
func TestBrokenStreams(t *testing.T) {
	wiretest.Broken(t, []string{
		`data: {"choices":[{"delta":{"reasoning":"Look."}}]}` + "\n\n", ": PROCESSING\r\n\r\n",
		`data: {"choices":[{"delta":{"content":"The inn 🐉"}}]}` + "\r\n\r\n", `data: {"choices":[{"delta":{"content":" is full."}}]}` + "\n\n",
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"a\":"}}]}}]}` + "\n\n",
		`data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"1}"}}]}}]}` + "\n\n",
		`data: {"choices":[{"delta":{},"finish_reason":"stop"}]}` + "\n\n", `data: {"choices":[],"usage":{"prompt_tokens":7}}` + "\n\n", "data: [DONE]\n\n",
	}, decodeAny)
	wiretest.Broken(t, []string{
		`{"message":{"role":"assistant","content":"","thinking":"Look."},"done":false}` + "\n", "\n",
		`{"message":{"content":"The inn 🐉"},"done":false}` + "\r\n", `{"message":{"content":" is full."},"done":false}` + "\n",
		`{"message":{"content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}}]},"done":false}` + "\n",
		`{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}` + "\n",
	}, func(body io.Reader) iter.Seq2[llm.Chunk, error] { return decodeOllama(body, noEstimate) })
}
