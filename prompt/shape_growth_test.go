package prompt_test

import (
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// TestGrowthShape checks that every profile takes work linear in the messages, their calls and
// their texts.
func TestGrowthShape(t *testing.T) {
	calls := func(n int) []llm.ToolCall {
		list := make([]llm.ToolCall, n)
		for i := range list {
			list[i] = llm.ToolCall{ID: string(rune('a' + i%7)), Name: "f", Arguments: "{}"}
		}
		return list
	}
	message := func(i int) llm.Message {
		m := llm.Message{Role: [...]llm.Role{llm.System, llm.User, llm.Assistant, llm.Tool}[i%4], Text: "x"}
		if i%4 == 3 {
			m.ToolCallID = string(rune('a' + i%7))
		}
		return m
	}
	var readers []testkit.Reader
	for _, profile := range []prompt.ShapeProfile{prompt.ShapeOpenAI, prompt.ShapeMerge, prompt.ShapeSemi, prompt.ShapeStrict, prompt.ShapeSingle,
		prompt.ShapeAnthropic, prompt.ShapeGemini, prompt.ShapeMistral} {
		rules := prompt.ShapeRules{Profile: profile, Tools: true, User: "Mara", Char: "Orin", FirstUser: true, Prefill: "So"}
		work := func(name string, messages func(n int) []llm.Message) {
			readers = append(readers, testkit.Reader{Name: string(profile) + " " + name, Size: 4 << 10,
				Atoms: []testkit.Atom{testkit.Repeat("x")}, Read: func(text string) {
					shaped := prompt.Shape(messages(len(text)/8), rules)
					prompt.CacheMarks(shaped.Messages, 3)
				}})
		}
		list := func(message func(i int) llm.Message) func(n int) []llm.Message {
			return func(n int) []llm.Message {
				out := make([]llm.Message, n)
				for i := range out {
					out[i] = message(i)
				}
				return out
			}
		}
		work("turns", list(message))
		work("one role", list(func(int) llm.Message { return llm.Message{Role: llm.User, Text: "x"} }))
		work("system", list(func(int) llm.Message { return llm.Message{Role: llm.System, Name: "example_user", Text: "x"} }))
		work("results without calls", list(func(int) llm.Message { return llm.Message{Role: llm.Tool, ToolCallID: "a"} }))
		work("calls without results", func(n int) []llm.Message {
			return []llm.Message{{Role: llm.Assistant, ToolCalls: calls(n)}}
		})
		work("calls and results", func(n int) []llm.Message {
			out := append(make([]llm.Message, 0, n+1), llm.Message{Role: llm.Assistant, ToolCalls: calls(n)})
			for i := range n {
				out = append(out, llm.Message{Role: llm.Tool, ToolCallID: string(rune('a' + i%7)), Text: "r"})
			}
			return out
		})
		work("calls of many messages", list(func(i int) llm.Message {
			return llm.Message{Role: llm.Assistant, ToolCalls: calls(3)}
		}))
	}
	for _, text := range []testkit.Atom{testkit.Repeat("x"), testkit.Repeat("\n"), testkit.Repeat(" "),
		testkit.Repeat("Mara: "), testkit.Repeat("{")} {
		readers = append(readers, testkit.Reader{Name: "text " + text.Open, Atoms: []testkit.Atom{text}, Read: func(s string) {
			for _, profile := range []prompt.ShapeProfile{prompt.ShapeSingle, prompt.ShapeAnthropic, prompt.ShapeMistral} {
				prompt.Shape([]llm.Message{{Role: llm.User, Name: s, Text: s}, {Role: llm.Assistant, ToolCalls: []llm.ToolCall{{ID: s, Arguments: s}}},
					{Role: llm.Tool, ToolCallID: s, Text: s}}, prompt.ShapeRules{Profile: profile, Tools: true, Prefill: s, User: s})
			}
		}})
	}
	testkit.Growth(t, readers...)
}
