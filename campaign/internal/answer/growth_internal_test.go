package answer

import (
	"testing"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
)

// TestGrowthOfReplies: reading any answer takes time linear in its length.
func TestGrowthOfReplies(t *testing.T) {
	atoms := []testkit.Atom{
		testkit.Repeat("{"), testkit.Repeat("["), testkit.Repeat(`{"`), testkit.Repeat(`[{"tool":`),
		testkit.Repeat(`{"text":`), testkit.Repeat(`{"tool":"a"}` + "\n"), testkit.Repeat(`{"text":"a"} `),
		testkit.Repeat("```json\n{\"tool\":\"a\"}\n```\n"), testkit.Repeat("```"), testkit.Repeat("```\n"),
		testkit.Repeat("<think>"), testkit.Repeat("</think>"), testkit.Repeat("<think>a</think>"),
		testkit.Repeat(`({"name":"a","args":1}, `), testkit.Repeat("{  \n"), testkit.Repeat(`\"`),
		testkit.Repeat("The wind turns. "), testkit.Repeat("風"), testkit.Repeat("\xff"),
		{Head: `{"tool_calls":[`, Open: `{"tool":"a","args":{"b":1}},`, Tail: "{}]}"},
		{Head: `{"text":"`, Open: `\u0041`, Tail: `"}`},
		{Head: `{"text":"a",`, Open: `"k":1,`, Tail: `"z":1}`},
		testkit.Nest(`{"text":`, "1", "}"), testkit.Nest("[", "", "]"),
		{Head: `{"tool_calls":[{"tool":"a","args":`, Open: `{"a":`, Mid: "1", Close: "}", Tail: "}]}"},
	}
	testkit.Growth(t,
		testkit.Reader{Name: "readOutput", Atoms: atoms, Read: func(text string) { Read(text, nil) }},
		testkit.Reader{Name: "native arguments", Atoms: atoms, Read: func(text string) {
			Read("", []llm.ToolCall{{Name: "a", Arguments: text}})
		}},
		testkit.Reader{Name: "conflict.Redact", Atoms: append(atoms, testkit.Repeat("wake the "),
			testkit.Repeat("wake the sleeping dragon below ")), Read: func(text string) {
			conflict.Redact(text, "Wake the sleeping dragon below the mountain")
		}},
	)
}
