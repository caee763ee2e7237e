package llm_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

// TestGrowth tests that the readers of untrusted text have linear cost.
func TestGrowth(t *testing.T) {
	repeat, nest := testkit.Repeat, testkit.Nest
	in := func(a testkit.Atom, head, tail string) testkit.Atom {
		a.Head, a.Tail = head+a.Head, a.Tail+tail
		return a
	}
	stored := func(into func() any) func(string) {
		return func(text string) {
			value := into()
			if json.Unmarshal([]byte(text), value) == nil {
				_, _ = json.Marshal(value)
			}
		}
	}
	message := in(nest(`{"a":`, "1", "}"), `{"role":"user","content":"","x":`, "}")
	testkit.Growth(t, testkit.Reader{
		Name: "think tags in one piece", Size: 32 << 10,
		Read: func(text string) {
			var s wrap.ThinkSplitter
			s.Split(text)
			s.End()
		},
		Atoms: thinkAtoms(),
	}, testkit.Reader{
		Name: "think tags, a byte at a time", Size: 16 << 10,
		Read: func(text string) {
			var s wrap.ThinkSplitter
			for i := range len(text) {
				s.Split(text[i : i+1])
			}
			s.End()
		},
		Atoms: thinkAtoms(),
	}, testkit.Reader{
		Name: "calls in a text", Size: 16 << 10,
		Read: func(text string) {
			req := llm.Request{Tools: []llm.ToolSpec{{Name: "roll"}}}
			for _, piece := range []int{0, 7} {
				m := wrap.TextTools(llmtest.NewScripted(llmtest.Reply{Text: text, Piece: piece}), wrap.TextToolsAlways)
				_, _ = llm.Limits{Calls: -1}.Collect(m.Generate(context.Background(), req))
			}
		},
		Atoms: []testkit.Atom{
			repeat("<tool_call>"), repeat("</tool_call>"), repeat("<tool_call></tool_call>"), repeat(`<tool_call>{"name":"a"}</tool_call>`),
			repeat("<tool_cal"), repeat("a"), in(repeat("{"), "<tool_call>", ""), in(repeat("[,"), "<tool_call>", ""),
			in(repeat("```"), "<tool_call>", "</tool_call>"), in(repeat(`{"name":"",`), "<tool_call>", "</tool_call>"),
		},
	}, testkit.Reader{
		Name: "JSON in a reply", Size: 16 << 10,
		Read: func(text string) {
			_, _, _ = llm.Ask(context.Background(), llmtest.NewScripted(llmtest.Text(text)), llm.Request{}, llm.Shape[any]{Attempts: 1})
		},
		Atoms: []testkit.Atom{
			repeat("{"), repeat("["), repeat(`{"a":`), repeat(`[ `), repeat("```"), repeat("/*"), repeat("//"), repeat("{//\n"),
			repeat(`"`), repeat(`'`), repeat(`\`), repeat("{}"), repeat("]"), repeat("{]"), repeat("{a,"), in(repeat(" "), "{", ""),
			in(repeat(","), "[", "]"), in(repeat("a"), "{", "}"), nest("[", "", "]"), nest(`{"a":`, "1", ",}"), nest("{[", "", "}"),
		},
	}, testkit.Reader{
		Name: "stored messages", Size: 16 << 10,
		Read: stored(func() any { return new(llm.Message) }),
		Atoms: []testkit.Atom{
			message, in(repeat(`"a":1,`), "{", `"b":1}`), in(repeat(`{"name":"f"},`), `{"tool_calls":[`, `{}]}`),
			in(nest("[", "", "]"), `{"content":`, "}"), in(repeat(`\ud83d`), `{"content":"`, `"}`), repeat("\xff"),
		},
	}, testkit.Reader{
		Name: "stored requests", Size: 16 << 10,
		Read: stored(func() any { return new(llm.Request) }),
		Atoms: []testkit.Atom{
			in(repeat(`{"role":"user","content":"<>&"},`), `{"messages":[`, `{}]}`),
			in(repeat(`{"name":"f","parameters":{"a":[]}},`), `{"tools":[`, `{}]}`),
			in(nest(`{"options":`, "1", "}"), "", ""), in(repeat(`"#",`), `{"options":{"stop":[`, `""]}}`),
		},
	}, testkit.Reader{
		Name: "stored replies", Size: 16 << 10,
		Read: stored(func() any { return new(llm.Chunks) }),
		Atoms: []testkit.Atom{
			in(repeat(`{"type":"text","text":"a"},`), "[", `{"type":"done"}]`), in(repeat(`{"type":"call"},`), "[", `{"type":"done"}]`),
			in(repeat(`{},`), "[", `{}]`), nest("[", "", "]"), in(nest(`{"a":`, "1", "}"), `[{"type":"usage","usage":`, "}]"),
		},
	}, testkit.Reader{
		Name: "recorded exchanges", Size: 16 << 10,
		Read: func(text string) {
			p, err := llmtest.NewPlayer([]byte(text))
			if err != nil {
				return
			}
			_, _ = llm.Collect(p.Generate(context.Background(), llm.Request{Model: "x"}))
		},
		Atoms: []testkit.Atom{
			repeat("{\"request\":{\"messages\":[]},\"chunks\":[]}\n"), repeat("\n"), repeat("{}\n"), repeat("{"),
			in(repeat(`{"role":"user","content":"a"},`), `{"request":{"messages":[`, `{}]},"chunks":[]}`),
			in(repeat(`a\n`), `{"request":{"messages":[{"content":"`, `"}]},"chunks":[]}`),
			in(nest("[", "", "]"), `{"request":{"x":`, `},"chunks":[]}`),
		},
	})
}

func thinkAtoms() []testkit.Atom {
	return []testkit.Atom{
		testkit.Repeat("<think>"), testkit.Repeat("</think>"), testkit.Repeat("<think> a </think> "),
		testkit.Repeat("<thin"), testkit.Repeat("<"), testkit.Repeat(" "), testkit.Nest("<think>", "x", "</think>"),
		{Head: "<think>", Open: " "}, {Head: "<think>", Open: "</thin"},
	}
}
