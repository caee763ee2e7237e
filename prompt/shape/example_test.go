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

func ExampleShaped_Flat() {
	messages := []llm.Message{
		{Role: llm.System, Text: "You are Orin."}, {Role: llm.System, Text: "The lamp is lit."},
		{Role: llm.User, Text: "I knock."},
	}
	// A server whose chat template takes one system message and strict turns.
	rules := shape.Rules{Profile: shape.Strict}
	for _, m := range shape.Shape(messages, rules).Flat() {
		fmt.Printf("%s: %q\n", m.Role, m.Text)
	}
	// Output:
	// system: "You are Orin.\n\nThe lamp is lit."
	// user: "I knock."
}

func ExampleRules_Check() {
	fmt.Println(shape.Rules{Profile: shape.Gemini}.Check())
	fmt.Println(shape.Rules{Profile: "palm"}.Check().Err())
	// Output:
	//
	// profile: "palm" is unknown: use openai, merge, semi, strict, single, anthropic, gemini or mistral
}
