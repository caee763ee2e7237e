package anthropic

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

// decode reads the body of a successful response.
func decode(body io.Reader) iter.Seq2[llm.Chunk, error] { return new(reply).read(body) }

// FuzzDecode reads bodies of all kinds, whole and byte by byte: the reply is the same, keeps the
// contract, and reads back from JSON.
func FuzzDecode(f *testing.F) {
	begin := `data: {"type":"content_block_start","index":0,"content_block":`
	for _, seed := range []string{
		"", "<html>", `{"type":"error","error":{"type":"api_error"}}`,
		`{"type":"message","content":[{"type":"text","text":"a"},{"type":"tool_use","input":{"a":1}}],"stop_reason":"end_turn"}`,
		begin + `{"type":"text"}}` + "\n\n" + `data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"\ud83d"}}` + "\r\n\r\n" +
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1,"x":[]}}` + "\n\ndata: {\"type\":\"message_stop\"}\n\n",
		begin + `{"type":"thinking","thinking":"x","signature":"s"}}` + "\n\n" + begin + `{"type":"redacted_thinking","data":"d"}}` + "\n\n",
		begin + `{"type":"tool_use","id":"i","name":"n","input":{}}}` + "\n\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}}` + "\n\n",
		"event: error\ndata: {}\n\n", "event: ping\ndata: {\"type\": \"ping\"}\n\n", "data: {\"type\":\"new\"}\n\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		wiretest.Packets(t, body, decode)
	})
}

// TestGrowth tests that the reader of replies has linear cost.
func TestGrowth(t *testing.T) {
	repeat, nest := testkit.Repeat, testkit.Nest
	in := func(a testkit.Atom, head, tail string) testkit.Atom {
		a.Head, a.Tail = head+a.Head, a.Tail+tail
		return a
	}
	begin := func(content string) string {
		return `data: {"type":"content_block_start","index":0,"content_block":` + content + "}\n\n"
	}
	delta := func(delta string) string {
		return `data: {"type":"content_block_delta","index":0,"delta":` + delta + "}\n\n"
	}
	const stop = `data: {"type":"content_block_stop","index":0}` + "\n\n"
	call := begin(`{"type":"tool_use","name":"f"}`)
	testkit.Growth(t, testkit.Reader{
		Name: "event stream", Size: 64 << 10,
		Read: func(text string) {
			for range decode(wire.Bounded(strings.NewReader(text), -1)) {
			}
		},
		Atoms: []testkit.Atom{
			repeat(": x\n"), repeat("\n"), repeat("data: x\n"), repeat("data: {}\n\n"), repeat("event: ping\ndata: {\"type\":\"ping\"}\n\n"),
			repeat(`data: {"type":"new"}` + "\n\n"), repeat(begin(`{"type":"text","text":"a"}`)), repeat(delta(`{"type":"text_delta","text":"a"}`)),
			repeat(delta(`{"type":"text_delta","text":"\ud83d"}`)), repeat(call), repeat(call + stop), repeat(stop),
			in(repeat(delta(`{"type":"input_json_delta","partial_json":"["}`)), call, stop),
			in(repeat(delta(`{"type":"input_json_delta","partial_json":"\ud83d"}`)), call, stop),
			in(repeat(delta(`{"type":"signature_delta","signature":"x"}`)), begin(`{"type":"thinking"}`), stop),
			repeat(begin(`{"type":"redacted_thinking","data":"x"}`)), repeat(begin(`{"type":"thinking","signature":"x"}`) + stop),
			repeat(`data: {"type":"message_delta","usage":{"output_tokens":1,"x":[1]}}` + "\n\n"),
			in(repeat(`"a":1,`), `data: {"type":"message_delta","usage":{`, `"b":1}}`+"\n\n"),
			in(nest(`{"delta":`, "1", "}"), "data: ", "\n\n"), in(nest("[", "", "]"), "data: ", "\n\n"), in(repeat(`{"type":`), "data: ", "\n\n"),
			in(repeat(`\"`), `data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"`, `"}}`+"\n\n"),
		},
	}, testkit.Reader{
		Name: "whole messages", Size: 64 << 10,
		Read: func(text string) {
			for range decode(strings.NewReader(text)) {
			}
		},
		Atoms: []testkit.Atom{
			in(repeat(`{"type":"text","text":"a"},`), `{"type":"message","content":[`, `{}],"stop_reason":"end_turn"}`),
			in(repeat(`{"type":"tool_use","input":{"a":1}},`), `{"type":"message","content":[`, `{}],"stop_reason":"tool_use"}`),
			in(nest(`{"content":[`, "", "]}"), `{"type":"message","x":`, "}"), repeat("{"), repeat("<p>"), in(repeat("x"), `{"type":"message","content":"`, `"}`),
		},
	})
}

// A megabyte of stream, as the server sends it, allocates at most twice its size.
func TestAllocations(t *testing.T) {
	var body strings.Builder
	for body.Len() < 1<<20 {
		body.WriteString("event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" word\nand more"}}` + "\n\n")
	}
	body.WriteString(`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}` + "\n\ndata: {\"type\":\"message_stop\"}\n\n")
	text := body.String()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	model := llm.Limit(llm.ModelFunc(func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return decode(strings.NewReader(text))
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

// TestBrokenStreams damages a stream with all kinds of blocks.
func TestBrokenStreams(t *testing.T) {
	event := func(data string) string { return "event: x\ndata: " + data + "\n\n" }
	wiretest.Broken(t, []string{
		event(`{"type":"message_start","message":{"usage":{"input_tokens":7}}}`), event(`{"type":"ping"}`),
		event(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`),
		event(`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}`), event(`{"type":"content_block_stop","index":0}`),
		event(`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}`),
		event(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"The inn 🐉"}}`),
		event(`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":" is full."}}`), event(`{"type":"content_block_stop","index":1}`),
		event(`{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"i","name":"f","input":{}}}`),
		event(`{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\":1}"}}`),
		event(`{"type":"content_block_stop","index":2}`), event(`{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":3}}`),
		event(`{"type":"message_stop"}`),
	}, decode)
}
