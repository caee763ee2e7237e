package instruct_test

import (
	"fmt"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/instruct"
)

// A scene as ChatML, for a model that only completes text.
func ExampleRender() {
	scene := prompt.Scene{System: "You are {{char}}, keeper of the lighthouse."}
	in := prompt.Input{History: []prompt.Line{
		{Role: llm.Assistant, Text: "The lamp turns."},
		{Role: llm.User, Text: "I knock."},
	}}
	env := prompt.Env{User: "Mara", Char: "Orin"}
	context := instruct.Context{Story: "{{system}}"}
	chatML := instruct.ChatML()
	text, err := instruct.Render(scene, in, env, prompt.Budget{Context: 4096, Response: 500}, context, &chatML)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text.Text + "…")
	fmt.Printf("stop at %q\n", text.Stop)
	// Output:
	// <|im_start|>system
	// You are Orin, keeper of the lighthouse.<|im_end|>
	// <|im_start|>assistant
	// The lamp turns.<|im_end|>
	// <|im_start|>user
	// I knock.<|im_end|>
	// <|im_start|>assistant
	// …
	// stop at ["<|im_end|>" "<|im_start|>user" "\nMara:"]
}

// Presets of SillyTavern load as they are.
func ExampleParseTemplate() {
	template, err := instruct.ParseTemplate([]byte(
		`{"name": "Plain", "input_sequence": "{{name}} says:", "output_sequence": "{{name}} says:", "wrap": true}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	context, err := instruct.ParseContext([]byte(`{"story_string": "A lighthouse at night.", "chat_start": "---"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "I knock."}}}
	text, err := instruct.Render(prompt.Scene{}, in, prompt.Env{User: "Mara", Char: "Orin"},
		prompt.Budget{}, context, &template)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text.Text + "…")
	// Output:
	// A lighthouse at night.
	// ---
	// Mara says:
	// I knock.
	// Orin says:
	// …
}

func ExampleParseContext() {
	context, err := instruct.ParseContext([]byte(`{"story_string": "{{system}}", "single_line": true}`))
	fmt.Println(context.Story, string(context.Extra["single_line"]), err)
	// Output: {{system}} true <nil>
}
