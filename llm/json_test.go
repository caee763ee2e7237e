package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
)

func extra(name, raw string) map[string]json.RawMessage {
	return map[string]json.RawMessage{name: json.RawMessage(raw)}
}

// Every data type reads back as it was written, including unknown members.
func TestJSONRoundTrip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"messages":[]}`,
		`{"model":"m","messages":[{"role":"user","name":"Ann","content":"<门>&","x":1}],` +
			`"tools":[{"name":"roll","description":"d","parameters":{"type":"object"},"strict":true}],` +
			`"options":{"temperature":0,"top_p":0.5,"max_tokens":0,"seed":0,"stop":["#"],"min_p":0.1},"y":[]}`,
		`{"messages":[{"role":"assistant","content":"","tool_calls":[{"id":"1","name":"f","arguments":"{oops","z":null}],` +
			`"reasoning":"r"},{"role":"tool","content":"","tool_call_id":"1"}]}`,
	} {
		roundTrip[llm.Request](t, text)
	}
	roundTrip[llm.Response](t, `{"message":{"role":"assistant","content":"Hi"},`+
		`"usage":{"prompt_tokens":1,"completion_tokens":2,"cached_tokens":3,"reasoning_tokens":4,"total_tokens":3},`+
		`"finish":"stop","warnings":[{"code":"prompt_cut","detail":"d"}],"later":{}}`)
	roundTrip[llm.Error](t, `{"code":"server"}`)
	roundTrip[llm.Error](t, `{"code":"incomplete","status":200,"message":"m","body":"<b>","retry_after":"1.5s","retry":true,`+
		`"cause":"reading: unexpected EOF","cause_is":"unexpected_eof"}`)
	roundTrip[llm.Attempt](t, `{"number":2,"error":{"code":"overloaded","retry":true},"again":true,"wait":"1s"}`)
	roundTrip[llm.Chunks](t, `[]`)
	roundTrip[llm.Chunks](t, `[{"type":"text","text":"<门>"},{"type":"reasoning","text":"r"},`+
		`{"type":"call","index":1,"id":"i","name":"n","arguments":"{"},`+
		`{"type":"usage","usage":{"prompt_tokens":1,"completion_tokens":2,"cost":0.1}},`+
		`{"type":"warning","code":"c","detail":"d"},{"type":"done","reason":"stop"}]`)
}

func roundTrip[T any](t *testing.T, text string) {
	t.Helper()
	var value T
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Errorf("%s: %v", text, err)
		return
	}
	got, err := any(&value).(json.Marshaler).MarshalJSON()
	if err != nil || string(got) != text {
		t.Errorf("%T:\n got %s (%v)\nwant %s", value, got, err, text)
	}
}

// A value that cannot be read does not change the receiver.
func TestUnmarshalErrors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		into json.Unmarshaler
		text string
		want string
	}{
		"message":       {&llm.Message{Role: llm.User, Text: "kept"}, `{"role":"tool","content":5}`, "content"},
		"call":          {&llm.ToolCall{}, `{"name":5}`, "name"},
		"tool":          {&llm.ToolSpec{}, `[]`, "list"},
		"request":       {&llm.Request{}, `{"messages":5}`, "messages"},
		"options":       {&llm.Options{}, `{"seed":"x"}`, "seed"},
		"usage":         {&llm.Usage{}, `{"prompt_tokens":"x"}`, "prompt_tokens"},
		"response":      {&llm.Response{}, `{"message":5}`, "message"},
		"error":         {&llm.Error{}, `{"status":"x"}`, "status"},
		"error wait":    {&llm.Error{}, `{"retry_after":"soon"}`, "retry_after"},
		"error cause":   {&llm.Error{}, `{"cause_is":"bad_luck"}`, "bad_luck"},
		"attempt":       {&llm.Attempt{}, `{"number":"x"}`, "number"},
		"attempt wait":  {&llm.Attempt{}, `{"wait":"x"}`, "wait"},
		"chunk type":    {&llm.Chunks{}, `[{"type":"done"},{"type":"shout"}]`, `chunk 1: llm: unknown chunk type "shout"; known are text`},
		"chunk member":  {&llm.Chunks{}, `[{"type":"text","text":5}]`, "TextDelta"},
		"chunk no type": {&llm.Chunks{}, `[7]`, "JSON object"},
		"no list":       {&llm.Chunks{}, `{}`, "object"},
	} {
		before := fmt.Sprintf("%+v", test.into)
		err := test.into.UnmarshalJSON([]byte(test.text))
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v does not mention %q", name, err, test.want)
		}
		if after := fmt.Sprintf("%+v", test.into); after != before {
			t.Errorf("%s: changed from %s to %s", name, before, after)
		}
	}
}

func TestChunksRefuse(t *testing.T) {
	t.Parallel()
	for _, chunk := range []llm.Chunk{nil, &llm.TextDelta{}} {
		data, err := llm.Chunks{llm.Done{}, chunk}.MarshalJSON()
		if err == nil || !strings.Contains(err.Error(), "chunk 1") {
			t.Errorf("%T was written as %s: %v", chunk, data, err)
		}
	}
}

// Causes that programs check are kept in JSON.
func TestErrorCauses(t *testing.T) {
	t.Parallel()
	for _, cause := range []error{
		nil, errors.New("dial tcp: refused"), io.ErrUnexpectedEOF, context.Canceled,
		fmt.Errorf("reading: %w", context.DeadlineExceeded),
	} {
		before := &llm.Error{
			Code: llm.CodeNetwork, Status: 502, Message: "m", Retry: true,
			RetryAfter: 1500 * time.Millisecond, Err: cause,
		}
		data, err := json.Marshal(before)
		if err != nil {
			t.Fatal(err)
		}
		var after llm.Error
		if err := json.Unmarshal(data, &after); err != nil {
			t.Fatal(err)
		}
		if after.Error() != before.Error() || after.RetryAfter != before.RetryAfter {
			t.Errorf("%q became %q", before, &after)
		}
		for _, known := range []error{io.ErrUnexpectedEOF, context.Canceled, context.DeadlineExceeded} {
			if errors.Is(before, known) != errors.Is(&after, known) {
				t.Errorf("after %s, errors.Is(_, %v) is %t", data, known, errors.Is(&after, known))
			}
		}
	}
}

// Equal requests have equal bytes, however they were built.
func TestRequestBytes(t *testing.T) {
	t.Parallel()
	a, errA := llm.Request{}.MarshalJSON()
	b, errB := llm.Request{Messages: []llm.Message{}, Tools: []llm.ToolSpec{}}.MarshalJSON()
	if errA != nil || errB != nil || string(a) != string(b) || string(a) != `{"messages":[]}` {
		t.Errorf("%s %v, %s %v", a, errA, b, errB)
	}
}

// A clone is equal and shares nothing.
func TestRequestClone(t *testing.T) {
	t.Parallel()
	build := func() llm.Request {
		return llm.Request{
			Model: "m",
			Messages: []llm.Message{{
				Role: llm.Assistant, Extra: extra("a", "1"),
				ToolCalls: []llm.ToolCall{{Name: "f", Extra: extra("b", "2")}},
			}},
			Tools: []llm.ToolSpec{{Name: "f", Parameters: json.RawMessage("{}"), Extra: extra("c", "3")}},
			Options: llm.Options{
				Temperature: new(1.0), TopP: new(1.0), MaxTokens: new(1), Seed: new(int64(1)),
				Stop: []string{"x"}, Extra: extra("d", "4"),
			},
			Extra: extra("e", "5"),
		}
	}
	original := build()
	clone := original.Clone()
	if diff := cmp.Diff(original, clone); diff != "" {
		t.Fatalf("(-original +clone):\n%s", diff)
	}
	m, tool, o := &clone.Messages[0], &clone.Tools[0], &clone.Options
	m.Text, m.ToolCalls[0].Name, tool.Name, o.Stop[0] = "changed", "changed", "changed", "changed"
	*o.Temperature, *o.TopP, *o.MaxTokens, *o.Seed = 9, 9, 9, 9
	tool.Parameters[0] = '['
	for _, e := range []map[string]json.RawMessage{
		m.Extra, m.ToolCalls[0].Extra, tool.Extra, o.Extra, clone.Extra,
	} {
		for _, raw := range e {
			raw[0] = '9'
		}
		e["new"] = json.RawMessage("0")
	}
	if diff := cmp.Diff(build(), original); diff != "" {
		t.Errorf("the original changed with its clone (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(llm.Request{}, llm.Request{}.Clone()); diff != "" {
		t.Errorf("zero value:\n%s", diff)
	}
}

// FuzzChunks reads chunk lists of all kinds: a readable list is written and read back to the same
// value.
func FuzzChunks(f *testing.F) {
	f.Add([]byte(`[{"type":"text","text":"门"},{"type":"call","index":1,"arguments":"{"},{"type":"done","reason":"stop"}]`))
	f.Add([]byte(`[{"type":"usage","usage":{"prompt_tokens":1,"x":null}},{"type":"warning","code":"c"},{"type":"reasoning"}]`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var first, second llm.Chunks
		if json.Unmarshal(data, &first) != nil {
			return
		}
		written, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(written, &second); err != nil {
			t.Fatalf("%s: %v", written, err)
		}
		again, err := json.Marshal(second)
		if err != nil || string(again) != string(written) {
			t.Errorf("%s became %s (%v)", written, again, err)
		}
	})
}
