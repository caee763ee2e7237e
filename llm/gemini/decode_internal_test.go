package gemini

import (
	"context"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
)

// FuzzDecode reads bodies of all kinds, whole and byte by byte: the reply is the same, keeps the
// contract, and reads back from JSON.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", "<html>", `[{"error":{"code":503}}]`, `{"promptFeedback":{"blockReason":"SAFETY"}}`,
		`data: {"candidates":[{"content":{"parts":[{"text":"a\ud83d"}]}}]}` + "\r\n\r\n" + `data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":1,"x":[]}}` + "\n\n",
		`[{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"a":1}},"thoughtSignature":"s"}]},"finishReason":"STOP"}]}]`,
		`data: {"candidates":[{"index":1},{"content":{"parts":[{"text":"t","thought":true,"thoughtSignature":"s"},{"x":1}]},"finishReason":"MAX_TOKENS"}]}` + "\n\n",
		"data: [{}]\n\ndata: 1\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		wiretest.Packets(t, body, func(body io.Reader) iter.Seq2[llm.Chunk, error] { return decode(body, nil) })
	})
}

// TestGrowth tests that the readers of replies and schemas have linear cost.
func TestGrowth(t *testing.T) {
	repeat, nest := testkit.Repeat, testkit.Nest
	in := func(a testkit.Atom, head, tail string) testkit.Atom {
		a.Head, a.Tail = head+a.Head, a.Tail+tail
		return a
	}
	const head, tail = `data: {"candidates":[{"content":{"parts":[`, "]}}]}\n\n"
	part := func(part string) testkit.Atom { return repeat(head + part + tail) }
	testkit.Growth(t, testkit.Reader{
		Name: "event stream", Size: 64 << 10,
		Read: func(text string) {
			for range decode(wire.Bounded(strings.NewReader(text), -1), nil) {
			}
		},
		Atoms: []testkit.Atom{
			repeat(": x\n"), repeat("\n"), repeat("data: x\n"), repeat("data: {}\n\n"), repeat("data: [{}]\n\n"), repeat(`data: {"usageMetadata":{"a":[1]}}` + "\n\n"),
			part(`{"text":"a"}`), part(`{"text":"\ud83d"}`), part(`{"text":"a","thought":true,"thoughtSignature":"s"}`), part(`{"functionCall":{"name":"f","args":{"a":1}}}`), part(`{"x":1}`),
			in(repeat(`{"text":"a"},`), head, `{}`+tail), in(repeat(`{"functionCall":{"name":"f"}},`), head, `{}`+tail), in(repeat(`\"`), head+`{"text":"`, `"}`+tail),
			in(repeat(`{"index":1},`), `data: {"candidates":[`, "{}]}\n\n"), in(repeat(`"a":1,`), `data: {"usageMetadata":{`, `"b":1}}`+"\n\n"),
			in(nest(`{"candidates":[`, "", "]}"), "data: ", "\n\n"), in(nest("[", "", "]"), "data: ", "\n\n"), in(nest("[", "", "]"), head, tail),
		},
	}, testkit.Reader{
		Name: "lists", Size: 64 << 10,
		Read: func(text string) {
			for range decode(strings.NewReader(text), nil) {
			}
		},
		Atoms: []testkit.Atom{
			in(repeat(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},`), "[", "{}]"), in(repeat(`{},`), "[", "{}]"), nest("[", "", "]"), repeat("{"), repeat("<p>"),
		},
	}, testkit.Reader{
		Name: "schemas", Size: 8 << 10,
		Read: func(text string) { new(encoder).schema("x", []byte(text)) },
		Atoms: []testkit.Atom{
			in(repeat(`"x":1,`), "{", `"type":"object"}`), in(repeat(`{"x":1},`), `{"anyOf":[`, `{}]}`), in(repeat(`"a":{},`), `{"properties":{`, `"b":{}}}`),
			repeat("["), repeat(`{"items":`),
		},
	})
}

// The depth of nested schemas is limited by the depth of JSON.
func TestDeepSchema(t *testing.T) {
	e := &encoder{}
	for _, depth := range []int{100, 1000, 1_000_000} {
		e.schema("x", []byte(strings.Repeat(`{"items":`, depth)+"{}"+strings.Repeat("}", depth)))
	}
	if len(e.problems) != 1 {
		t.Errorf("%d problems, want one for the deepest", len(e.problems))
	}
}

// A megabyte of stream, as the server sends it, allocates at most twice its size.
func TestAllocations(t *testing.T) {
	var body strings.Builder
	for body.Len() < 1<<20 {
		body.WriteString(`data: {"candidates": [{"content": {"parts": [{"text": " a few words\nand more"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 4,"totalTokenCount": 4},"modelVersion": "gemini"}` + "\r\n\r\n")
	}
	body.WriteString(`data: {"candidates":[{"finishReason":"STOP"}]}` + "\n\n")
	text := body.String()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	model := llm.Limit(llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return decode(strings.NewReader(text), nil)
	}), llm.Limits{})
	for _, err := range model.Generate(t.Context(), llm.Request{}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	got := after.TotalAlloc - before.TotalAlloc
	t.Logf("%.2f times its size", float64(got)/float64(len(text)))
	if got > uint64(2*len(text)) {
		t.Errorf("%d bytes for a stream of %d", got, len(text))
	}
}

// TestBrokenStreams damages a stream with all kinds of parts.
func TestBrokenStreams(t *testing.T) {
	wiretest.Broken(t, []string{
		`data: {"candidates":[{"content":{"parts":[{"text":"Look. ","thought":true,"thoughtSignature":"s"}]}}]}` + "\n\n",
		": a comment\r\n\r\n", `data: {"candidates":[{"content":{"parts":[{"text":"The inn 🐉"}]}}]}` + "\r\n\r\n",
		`data: {"candidates":[{"index":1},{"content":{"parts":[{"text":" is full."},{"functionCall":{"name":"f","args":{"a":1}}}]}}]}` + "\n\n",
		`data: {"candidates":[{"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7}}` + "\n\n",
	}, func(body io.Reader) iter.Seq2[llm.Chunk, error] { return decode(body, nil) })
}
