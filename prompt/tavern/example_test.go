package tavern_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// A user's preset: its order, its texts, and one prompt two messages deep in the chat.
func ExamplePreset_Assemble() {
	preset, problems := tavern.ParsePreset([]byte(`{
		"prompts": [
			{"identifier": "main", "content": "You are {{char}}."},
			{"identifier": "charDescription", "marker": true},
			{"identifier": "mood", "content": "[It is raining.]",
				"injection_position": 1, "injection_depth": 1}
		],
		"prompt_order": [{"character_id": 100001, "order": [
			{"identifier": "main", "enabled": true},
			{"identifier": "charDescription", "enabled": true},
			{"identifier": "mood", "enabled": true},
			{"identifier": "chatHistory", "enabled": true}
		]}]
	}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	env := prompt.Env{User: "Mara", Char: "Orin",
		Card: macro.Card{Description: "{{char}} keeps the lamp."}}
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

// A preset file is written back as it was, except for the changes.
func ExampleParsePreset() {
	preset, problems := tavern.ParsePreset([]byte(`{
		"temperature": 0.9, "wi_format": "", "squash_system_messages": false,
		"prompts": [{"identifier": "main", "content": "Hi.", "enabled": true}]
	}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	preset.Squash = true
	data, err := json.MarshalIndent(preset, "", " ")
	fmt.Println(string(data), err)
	// Output:
	// {
	//  "prompts": [
	//   {
	//    "identifier": "main",
	//    "content": "Hi.",
	//    "enabled": true
	//   }
	//  ],
	//  "wi_format": "",
	//  "squash_system_messages": true,
	//  "temperature": 0.9
	// } <nil>
}

// SillyTavern's initial preset, with one text changed.
func ExampleDefault() {
	preset := tavern.Default()
	preset.Prompts[0].Content = "You are the sea."
	for _, e := range preset.Order()[:3] {
		fmt.Println(e.ID, e.Enabled)
	}
	// Output:
	// main true
	// worldInfoBefore true
	// personaDescription true
}

// The order that applies to every character has the number 100001.
func ExamplePreset_Order() {
	preset, problems := tavern.ParsePreset([]byte(`{"prompt_order": [
		{"character_id": 100000, "order": [{"identifier": "chatHistory", "enabled": true}]},
		{"character_id": 100001, "order": [{"identifier": "main", "enabled": false}]}
	]}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range preset.Order() {
		fmt.Println(e.ID, e.Enabled)
	}
	// Output: main false
}

// Assemble uses Layout and Blocks. A host can call them itself and change the results.
func ExamplePreset_Layout() {
	preset := tavern.Default()
	env := prompt.Env{User: "Mara", Char: "Orin", Persona: "A courier."}
	history := []prompt.Line{{Role: llm.User, Text: "I knock."}}
	layout := preset.Layout()
	layout.HistoryMacros = macro.Names // safer than SillyTavern's behaviour
	blocks := preset.Blocks(prompt.Scene{}, worldbook.Normal, env, history)
	blocks = append(blocks, prompt.Block{Key: "state", Slot: "worldInfoAfter", Text: "hp 3",
		Literal: true})
	result, err := prompt.Assemble(layout, prompt.Input{Blocks: blocks, History: history}, env,
		prompt.Budget{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, m := range result.Messages {
		fmt.Printf("%-18s %s\n", result.Origins[i].Slot, m.Text)
	}
	// Output:
	// main               Write Orin's next reply in a chat between Orin and Mara.
	// personaDescription A courier.
	// worldInfoAfter     hp 3
	// chatHistory        [Start a new Chat]
	// chatHistory        I knock.
}

// Parts that are switched off, or for other kinds of replies, are withheld and
// appear in the report.
func ExamplePreset_Blocks() {
	for _, b := range tavern.Default().Blocks(prompt.Scene{}, worldbook.Normal, prompt.Env{}, nil) {
		fmt.Printf("%-18s %q\n", b.Key, b.Withheld)
	}
	// Output:
	// main               ""
	// enhanceDefinitions "disabled"
}

// A host that changes blocks of a scene calls Fill to apply the rest of a preset.
func ExamplePreset_Fill() {
	preset := tavern.Default()
	preset.Prefill = "{{char}} says:"
	in := preset.Fill(prompt.Input{Generation: worldbook.Continue})
	fmt.Println(in.Control)
	fmt.Println(in.Prefill, in.PrefillApart)
	// Output:
	// [Continue your last message without repeating its original content.]
	// {{char}} says: true
}

// Members of a wrong type do not make a preset invalid: each is reported with its place.
func ExamplePreset_Vet() {
	preset, problems := tavern.ParsePreset([]byte(`{"prompts": [{"identifier": "main", "marker": "false"}]}`))
	fmt.Println(preset.Prompts[0].Marker, preset.Vet(), problems.Err())
	// Output: true prompts[0].marker: must be true or false, not a text: it is read as true <nil>
}
