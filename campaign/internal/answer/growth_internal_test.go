package answer

import (
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/llm"
)

// TestGrowthOfReplies: reading an answer costs what it is long, whatever it holds.
func TestGrowthOfReplies(t *testing.T) {
	atoms := []growthtest.Atom{
		growthtest.Repeat("{"), growthtest.Repeat("["), growthtest.Repeat(`{"`), growthtest.Repeat(`[{"tool":`),
		growthtest.Repeat(`{"text":`), growthtest.Repeat(`{"tool":"a"}` + "\n"), growthtest.Repeat(`{"text":"a"} `),
		growthtest.Repeat("```json\n{\"tool\":\"a\"}\n```\n"), growthtest.Repeat("```"), growthtest.Repeat("```\n"),
		growthtest.Repeat("<think>"), growthtest.Repeat("</think>"), growthtest.Repeat("<think>a</think>"),
		growthtest.Repeat(`({"name":"a","args":1}, `), growthtest.Repeat("{  \n"), growthtest.Repeat(`\"`),
		growthtest.Repeat("The wind turns. "), growthtest.Repeat("風"), growthtest.Repeat("\xff"),
		{Head: `{"tool_calls":[`, Open: `{"tool":"a","args":{"b":1}},`, Tail: "{}]}"},
		{Head: `{"text":"`, Open: `\u0041`, Tail: `"}`},
		{Head: `{"text":"a",`, Open: `"k":1,`, Tail: `"z":1}`},
		growthtest.Nest(`{"text":`, "1", "}"), growthtest.Nest("[", "", "]"),
		{Head: `{"tool_calls":[{"tool":"a","args":`, Open: `{"a":`, Mid: "1", Close: "}", Tail: "}]}"},
	}
	growthtest.Run(t,
		growthtest.Reader{Name: "readOutput", Atoms: atoms, Read: func(text string) { Read(text, nil) }},
		growthtest.Reader{Name: "native arguments", Atoms: atoms, Read: func(text string) {
			Read("", []llm.ToolCall{{Name: "a", Arguments: text}})
		}},
		growthtest.Reader{Name: "conflict.Redact", Atoms: append(atoms, growthtest.Repeat("wake the "),
			growthtest.Repeat("wake the sleeping dragon below ")), Read: func(text string) {
			conflict.Redact(text, "Wake the sleeping dragon below the mountain")
		}},
	)
}
