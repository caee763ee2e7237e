package prompt_test

import (
	"fmt"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
)

// The same prompt for an API in which roles must alternate and system texts are separate.
func ExampleShape() {
	messages := []llm.Message{
		{Role: llm.System, Text: "You keep the lighthouse."},
		{Role: llm.Assistant, Text: "The lamp turns."},
		{Role: llm.User, Text: "I knock."},
		{Role: llm.System, Text: "Mara has 3 hp."},
	}
	shaped := prompt.Shape(messages, prompt.ShapeRules{Profile: prompt.ShapeAnthropic, FirstUser: true})
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
	messages := []prompt.ShapeMessage{
		{Role: llm.User}, {Role: llm.Assistant}, {Role: llm.User}, {Role: llm.Assistant},
		{Role: llm.User},
	}
	fmt.Println(prompt.CacheMarks(messages, 0))
	// Output: [2 4]
}

func ExampleShaped_Flat() {
	messages := []llm.Message{
		{Role: llm.System, Text: "You are Orin."}, {Role: llm.System, Text: "The lamp is lit."},
		{Role: llm.User, Text: "I knock."},
	}
	// A server whose chat template accepts one system message and strict turns.
	rules := prompt.ShapeRules{Profile: prompt.ShapeStrict}
	for _, m := range prompt.Shape(messages, rules).Flat() {
		fmt.Printf("%s: %q\n", m.Role, m.Text)
	}
	// Output:
	// system: "You are Orin.\n\nThe lamp is lit."
	// user: "I knock."
}

func ExampleShapeRules_Check() {
	fmt.Println(prompt.ShapeRules{Profile: prompt.ShapeGemini}.Check())
	fmt.Println(prompt.ShapeRules{Profile: "palm"}.Check().Err())
	// Output:
	//
	// profile: "palm" is unknown: use openai, merge, semi, strict, single, anthropic, gemini or mistral
}
