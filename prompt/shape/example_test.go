package shape_test

import (
	"fmt"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt/shape"
)

// The same prompt for an API whose roles must alternate and whose system texts
// stand apart.
func ExampleShape() {
	messages := []llm.Message{
		{Role: llm.System, Text: "You keep the lighthouse."},
		{Role: llm.Assistant, Text: "The lamp turns."},
		{Role: llm.User, Text: "I knock."},
		{Role: llm.System, Text: "Mara has 3 hp."},
	}
	shaped := shape.Shape(messages, shape.Rules{Profile: shape.Anthropic, FirstUser: true})
	for _, text := range shaped.System {
		fmt.Println("system:", text)
	}
	for _, m := range shaped.Messages {
		for _, p := range m.Parts {
			fmt.Printf("%s: %s\n", m.Role, p.Text)
		}
	}
	// Output:
	// system: You keep the lighthouse.
	// user: [Start a new chat]
	// assistant: The lamp turns.
	// user: I knock.
	// user: Mara has 3 hp.
}

func ExampleCacheMarks() {
	messages := []shape.Message{
		{Role: llm.User}, {Role: llm.Assistant}, {Role: llm.User}, {Role: llm.Assistant},
		{Role: llm.User},
	}
	fmt.Println(shape.CacheMarks(messages, 0))
	// Output: [2 4]
}
