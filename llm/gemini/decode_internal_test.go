package gemini

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/internal/wire"
	"github.com/talewright/talewright/llm"
)

// drain decodes a body and checks what holds for every body.
func drain(t testing.TB, body io.Reader) (llm.Response, error) {
	t.Helper()
	var sum llm.Collector
	var failure error
	for chunk, err := range decode(body, nil) {
		switch {
		case failure != nil || sum.Complete():
			t.Fatalf("after the end came %v, %v", chunk, err)
		case err != nil:
			failure = err
			if _, ok := errors.AsType[*llm.Error](err); !ok || chunk != nil {
				t.Fatalf("error %v (%T) with chunk %v", err, err, chunk)
			}
			continue
		}
		if err := sum.Add(chunk); err != nil {
			return sum.Response(), err
		}
	}
	if failure == nil && !sum.Complete() {
		t.Fatal("the reply ended without Done and without an error")
	}
	return sum.Response(), failure
}

// FuzzDecode feeds bodies of all kinds, whole and byte by byte: the reply is the same,
// keeps the contract, and reads back from JSON.
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
		whole, err := drain(t, bytes.NewReader(body))
		piecewise, again := drain(t, iotest.OneByteReader(bytes.NewReader(body)))
		if a, b := fmt.Sprintf("%v", err), fmt.Sprintf("%v", again); a != b {
			t.Errorf("the error depends on the packets: %s / %s", a, b)
		}
		a, errA := json.Marshal(whole)
		b, errB := json.Marshal(piecewise)
		if errA != nil || errB != nil || !bytes.Equal(a, b) {
			t.Errorf("the reply depends on the packets:\n%s %v\n%s %v", a, errA, b, errB)
		}
		var back llm.Response
		if err := json.Unmarshal(a, &back); err != nil {
			t.Errorf("%s does not read back: %v", a, err)
		}
	})
}

// TestGrowth holds the readers of replies and schemas to linear cost.
func TestGrowth(t *testing.T) {
	repeat, nest := growthtest.Repeat, growthtest.Nest
	in := func(a growthtest.Atom, head, tail string) growthtest.Atom {
		a.Head, a.Tail = head+a.Head, a.Tail+tail
		return a
	}
	const head, tail = `data: {"candidates":[{"content":{"parts":[`, "]}}]}\n\n"
	part := func(part string) growthtest.Atom { return repeat(head + part + tail) }
	growthtest.Run(t, growthtest.Reader{
		Name: "event stream", Size: 64 << 10,
		Read: func(text string) {
			for range decode(wire.Bounded(strings.NewReader(text), -1), nil) {
			}
		},
		Atoms: []growthtest.Atom{
			repeat(": x\n"), repeat("\n"), repeat("data: x\n"), repeat("data: {}\n\n"), repeat("data: [{}]\n\n"), repeat(`data: {"usageMetadata":{"a":[1]}}` + "\n\n"),
			part(`{"text":"a"}`), part(`{"text":"\ud83d"}`), part(`{"text":"a","thought":true,"thoughtSignature":"s"}`), part(`{"functionCall":{"name":"f","args":{"a":1}}}`), part(`{"x":1}`),
			in(repeat(`{"text":"a"},`), head, `{}`+tail), in(repeat(`{"functionCall":{"name":"f"}},`), head, `{}`+tail), in(repeat(`\"`), head+`{"text":"`, `"}`+tail),
			in(repeat(`{"index":1},`), `data: {"candidates":[`, "{}]}\n\n"), in(repeat(`"a":1,`), `data: {"usageMetadata":{`, `"b":1}}`+"\n\n"),
			in(nest(`{"candidates":[`, "", "]}"), "data: ", "\n\n"), in(nest("[", "", "]"), "data: ", "\n\n"), in(nest("[", "", "]"), head, tail),
		},
	}, growthtest.Reader{
		Name: "lists", Size: 64 << 10,
		Read: func(text string) {
			for range decode(strings.NewReader(text), nil) {
			}
		},
		Atoms: []growthtest.Atom{
			in(repeat(`{"candidates":[{"content":{"parts":[{"text":"a"}]}}]},`), "[", "{}]"), in(repeat(`{},`), "[", "{}]"), nest("[", "", "]"), repeat("{"), repeat("<p>"),
		},
	}, growthtest.Reader{
		Name: "schemas", Size: 8 << 10,
		Read: func(text string) { new(encoder).schema("x", []byte(text)) },
		Atoms: []growthtest.Atom{
			in(repeat(`"x":1,`), "{", `"type":"object"}`), in(repeat(`{"x":1},`), `{"anyOf":[`, `{}]}`), in(repeat(`"a":{},`), `{"properties":{`, `"b":{}}}`),
			repeat("["), repeat(`{"items":`),
		},
	})
}

// A schema within a schema is bounded by the depth that JSON may have.
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
