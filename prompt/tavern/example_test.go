package tavern_test

import (
	"fmt"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
)

// A user's own preset: its order, its texts, one prompt two messages deep in the
// chat.
func ExamplePreset_Assemble() {
	preset, err := tavern.ParsePreset([]byte(`{
		"prompts": [
			{"identifier": "main", "content": "You are {{char}}."},
			{"identifier": "charDescription", "marker": true},
			{"identifier": "mood", "content": "[It is raining.]", "injection_position": 1, "injection_depth": 1}
		],
		"prompt_order": [{"character_id": 100001, "order": [
			{"identifier": "main", "enabled": true},
			{"identifier": "charDescription", "enabled": true},
			{"identifier": "mood", "enabled": true},
			{"identifier": "chatHistory", "enabled": true}
		]}]
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	env := prompt.Env{User: "Mara", Char: "Orin", Card: macro.Card{Description: "{{char}} keeps the lamp."}}
	in := prompt.Input{History: []prompt.Line{
		{Role: llm.Assistant, Text: "The lamp turns."},
		{Role: llm.User, Text: "I knock."},
	}}
	result, err := preset.Assemble(prompt.Scene{}, in, env, prompt.Budget{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range result.Messages {
		fmt.Printf("%-9s %s\n", m.Role, m.Text)
	}
	// Output:
	// system    You are Orin.
	// system    Orin keeps the lamp.
	// system    [Start a new Chat]
	// assistant The lamp turns.
	// system    [It is raining.]
	// user      I knock.
}
