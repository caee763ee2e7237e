package openai

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/internal/wire"
)

// TestGrowth tests that the readers of server data have linear cost.
func TestGrowth(t *testing.T) {
	repeat, nest := testkit.Repeat, testkit.Nest
	in := func(a testkit.Atom, head, tail string) testkit.Atom {
		a.Head, a.Tail = head+a.Head, a.Tail+tail
		return a
	}
	const delta, end = `data: {"choices":[{"delta":{`, "}}]}\n\n"
	calls := func(a testkit.Atom) testkit.Atom { return in(a, delta+`"tool_calls":[`, `{}]`+end) }
	call := func(id, name, arguments string) testkit.Atom {
		return repeat(delta + `"tool_calls":[{` + id + `"function":{` + name + `"arguments":"` + arguments + `"}}]` + end)
	}
	stream := func(text string) {
		drainAll(t, struct{ io.Reader }{strings.NewReader(text)})
	}
	lines := func(text string) {
		for range decodeOllama(struct{ io.Reader }{strings.NewReader(text)}, func() int { return 1 }) {
		}
	}
	const said = `{"message":{"content":"a"},"done":false}`
	testkit.Growth(t, testkit.Reader{
		Name: "lines of Ollama", Read: lines, Size: 256 << 10, // beyond the buffer of the reader
		Atoms: []testkit.Atom{
			repeat("\n"), repeat(" "), repeat(said + "\n"), repeat(said), repeat("{}\n"), in(repeat("a"), `{"message":{"content":"`, `"}}`),
			in(repeat(`\ud83d`), `{"message":{"content":"`, `"}}`), in(repeat("\xff"), `{"message":{"content":"`, `"}}`),
			in(repeat(`{"function":{"name":"f","arguments":{}}},`), `{"message":{"tool_calls":[`, `{}]}}`),
			in(nest("[", "", "]"), `{"message":{"tool_calls":[{"function":{"arguments":`, `}}]}}`), in(nest(`{"error":`, `1`, `}`), `{"message":`, `}`),
			in(repeat(`"a":1,`), `{`, `"done":true}`),
		},
	}, testkit.Reader{
		Name: "event stream", Read: stream, Size: 64 << 10,
		Atoms: []testkit.Atom{
			repeat(": x\n"), repeat("\n"), repeat("\r"), repeat("\r\n"), repeat(" "), repeat("data:\n"), repeat("data: x\n"),
			repeat("data: {}\n\n"), repeat("id: 7\n\n"), repeat("event: error\n"), repeat("retry: 1\n"),
			repeat(delta + `"content":"a"` + end), repeat(delta + `"reasoning":"\ud83d"` + end),
			in(repeat(`\ud83d`), delta+`"content":"`, `"`+end), in(repeat("\xed"), delta+`"content":"`, `"`+end),
			in(repeat("\xf0\x9f"), delta+`"content":"`, `"`+end), in(repeat("\xff"), delta+`"content":"`, `"`+end),
			in(repeat(`"a":1,`), "data: {", `"b":1}`+"\n\n"),
			repeat(`data: {"choices":[],"usage":{"prompt_tokens":1}}` + "\n\n"),
			repeat(delta + `"reasoning_details":[{"type":"reasoning.text","text":"a","format":"x"}]` + end),
			repeat(delta + `"reasoning_details":[{"type":"reasoning.encrypted","data":"a"}]` + end),
		},
	}, testkit.Reader{
		Name: "one event", Read: stream, Size: 64 << 10,
		Atoms: []testkit.Atom{
			in(nest(`[{"type":"thinking","thinking":`, `"x"`, `}]`), delta+`"content":`, end),
			in(nest(`[`, ``, `]`), delta+`"content":`, end), in(nest(`{"a":`, `1`, `}`), delta+`"content":`, end),
			in(repeat(`{"type":"text","text":"a"},`), delta+`"content":[`, `{}]`+end),
			calls(repeat(`{},`)), calls(repeat(`{"index":0,"id":"a"},`)), calls(repeat(`{"function":{"name":"f","arguments":"{}"}},`)),
			in(repeat(`{},`), `data: {"choices":[`, "{}]}\n\n"), in(repeat(`{"index":1},`), `data: {"choices":[`, "{}]}\n\n"),
			in(nest(`{"error":`, `1`, `}`), "data: ", "\n\n"), in(nest(`[`, `1`, `]`), `data: {"error":`, "}\n\n"),
			in(repeat(`{"type":"reasoning.text","text":"a"},`), delta+`"reasoning_details":[`, `{}]`+end),
			in(repeat(`{},`), delta+`"reasoning_details":[`, `{}]`+end), in(nest(`[`, `1`, `]`), delta+`"reasoning_details":`, end),
			in(repeat(`"a":1,`), delta+`"reasoning_details":[{`, `"b":1}]`+end),
		},
	}, testkit.Reader{
		Name: "parts of calls", Read: stream, Size: 32 << 10,
		Atoms: []testkit.Atom{
			call("", `"name":"f",`, `{`), call("", `"name":"f",`, `[1,`), call("", `"name":"f",`, `\"`),
			call("", `"name":"f",`, `1`), call("", `"name":"f",`, ` `), call("", `"name":"f",`, `{}`),
			call("", "", `x`), call(`"index":0,`, `"name":"f",`, `{`), call(`"id":"a",`, `"name":"f",`, `{`),
			in(call("", `"name":"f",`, ` `), delta+`"tool_calls":[{"function":{"name":"f","arguments":"{,}"}}]`+end, ""),
			in(call("", `"name":"f",`, ` `), delta+`"tool_calls":[{"function":{"name":"f","arguments":"{}"}}]`+end, ""),
		},
	}, testkit.Reader{
		Name: "whole answers", Read: stream, Size: 64 << 10,
		Atoms: []testkit.Atom{
			in(repeat("a"), `{"choices":[{"message":{"content":"`, `"}}]}`),
			in(repeat(`\n`), `{"choices":[{"message":{"content":"`, `"}}]}`),
			in(repeat(`{},`), `{"choices":[{"message":{"tool_calls":[`, `{}]}}]}`),
			nest(`{"choices":[`, "", `]}`), repeat(`{"x":`), repeat("["), nest("[", "", "]"), repeat("<p>"), repeat(`{"error":{`),
		},
	}, testkit.Reader{
		Name: "usage", Size: 16 << 10,
		Read: func(text string) { _, _ = readUsage([]byte(text)) },
		Atoms: []testkit.Atom{
			in(repeat("9"), `{"prompt_tokens":`, "}"), in(repeat(`"prompt_tokens":1,`), "{", `"x":1}`),
			nest(`{"prompt_tokens_details":`, "1", "}"), nest("[", "", "]"), in(repeat("0"), `{"prompt_tokens":"`, `"}`),
		},
	})
}

// drainAll reads a body with the wrappers of every reply.
func drainAll(t *testing.T, body io.Reader) {
	t.Helper()
	for range decode(wire.Bounded(body, -1), ReasoningDetails, noEstimate) {
	}
}

// A value is complete when encoding/json accepts it, wherever the pieces were split.
func FuzzWholeness(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":[1,"}"]} `, `{,}`, `"a\""`, `null`, ` 12 `, `{}{}`, `]`, ``, `{"a":"\\"}x`} {
		f.Add(seed, 1)
	}
	f.Fuzz(func(t *testing.T, text string, step int) {
		var w wholeness
		step = max(1, step&7)
		var so strings.Builder
		for rest := text; ; {
			if got, want := w.whole(), json.Valid([]byte(so.String())); got != want && (so.Len() <= maxScalar || got) {
				t.Fatalf("%q: whole is %t, encoding/json says %t", so.String(), got, want)
			}
			if rest == "" {
				return
			}
			n := min(step, len(rest))
			w.push(rest[:n])
			so.WriteString(rest[:n])
			rest = rest[n:]
		}
	})
}
