package tavern_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// A scene as ChatML, for a model that only completes text.
func ExampleRender() {
	pieces := prompt.Scene{System: "You are {{char}}, keeper of the lighthouse."}
	in := prompt.Input{History: []prompt.Line{
		{Role: llm.Assistant, Text: "The lamp turns."},
		{Role: llm.User, Text: "I knock."},
	}}
	env := prompt.Env{User: "Mara", Char: "Orin"}
	context := tavern.ContextTemplate{Story: "{{system}}"}
	chatML := tavern.ChatML()
	text, err := tavern.Render(pieces, in, env, prompt.Budget{Context: 4096, Response: 500},
		context, &chatML)
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

// Presets of SillyTavern load unchanged.
func ExampleParseInstruct() {
	template, problems := tavern.ParseInstruct([]byte(`{
		"name": "Plain", "wrap": true,
		"input_sequence": "{{name}} says:", "output_sequence": "{{name}} says:"
	}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	context, problems := tavern.ParseContext([]byte(`{
		"story_string": "A lighthouse at night.", "chat_start": "---"
	}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "I knock."}}}
	text, err := tavern.Render(prompt.Scene{}, in, prompt.Env{User: "Mara", Char: "Orin"},
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
	context, problems := tavern.ParseContext([]byte(`{"story_string": "{{system}}", "single_line": true}`))
	fmt.Println(context.Story, string(context.Extra["single_line"]), problems.Err())
	// Output: {{system}} true <nil>
}

// A system-prompt preset has the texts of a scene.
func ExampleParseSystemPrompt() {
	system, problems := tavern.ParseSystemPrompt([]byte(`{
		"name": "Narrator", "content": "You tell the story of {{user}}.", "post_history": "Be brief."
	}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	pieces := prompt.Scene{System: system.Content, PostHistory: system.PostHistory}
	fmt.Println(pieces.System, pieces.PostHistory)
	// Output: You tell the story of {{user}}. Be brief.
}

// A preset is written back as it was, except for the changes: unknown members, old names and
// switches that are off stay in the file.
func ExampleInstructTemplate_MarshalJSON() {
	template, problems := tavern.ParseInstruct([]byte(`{
		"output_sequence": "A:", "wrap": false, "names": true, "theme": "dark"
	}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	template.AssistantPrefix = "Bot:"
	data, err := json.Marshal(template)
	fmt.Println(string(data), err)
	// Output: {"output_sequence":"Bot:","wrap":false,"names":true,"theme":"dark"} <nil>
}

// Members of a wrong type do not make a preset invalid: each is reported with its place.
func ExampleInstructTemplate_Vet() {
	template, problems := tavern.ParseInstruct([]byte(`{"wrap": "yes", "stop_sequence": 3, "input_sequence": []}`))
	fmt.Println(template.Wrap, template.Stop, problems.Err())
	for _, p := range template.Vet() {
		fmt.Println(p.Severity, p)
	}
	// Output:
	// true 3 <nil>
	// error input_sequence: must be a text, not a list: it is left out
	// warning stop_sequence: must be a text, not the number 3: its digits are read as a text
	// warning wrap: must be true or false, not a text: it is read as true
}

func ExampleContextTemplate_Vet() {
	frame, problems := tavern.ParseContext([]byte(`{"chat_start": {}}`))
	fmt.Println(frame.Vet(), problems.Err())
	// Output: chat_start: must be a text, not an object: it is left out <nil>
}

func ExampleSystemPrompt_Vet() {
	system, problems := tavern.ParseSystemPrompt([]byte(`{"content": 7}`))
	fmt.Println(system.Vet(), problems.Err())
	// Output: content: must be a text, not the number 7: its digits are read as a text <nil>
}

// turn renders one line and the beginning of the reply.
func turn(template tavern.InstructTemplate) string {
	in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "I knock."}}}
	text, err := tavern.Render(prompt.Scene{}, in, prompt.Env{User: "Mara", Char: "Orin"},
		prompt.Budget{}, tavern.ContextTemplate{}, &template)
	if err != nil {
		return err.Error()
	}
	return text.Text + "…"
}

func ExampleChatML() {
	fmt.Println(turn(tavern.ChatML()))
	// Output:
	// <|im_start|>user
	// I knock.<|im_end|>
	// <|im_start|>assistant
	// …
}

func ExampleLlama3() {
	fmt.Println(turn(tavern.Llama3()))
	// Output:
	// <|start_header_id|>user<|end_header_id|>
	//
	// I knock.<|eot_id|><|start_header_id|>assistant<|end_header_id|>
	//
	// …
}

func ExampleAlpaca() {
	fmt.Println(turn(tavern.Alpaca()))
	// Output:
	// ### Instruction:
	// I knock.
	//
	// ### Response:
	// …
}

func ExampleMistral() {
	fmt.Println(turn(tavern.Mistral()))
	// Output: [INST] I knock.[/INST] …
}

// The default context writes the parts of a scene, each on its own lines.
func ExampleDefaultContext() {
	pieces := prompt.Scene{System: "You are {{char}}.", Lore: []prompt.Lore{
		{Text: "Storms sing.", Position: "before"},
	}}
	in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "I knock."}}}
	env := prompt.Env{User: "Mara", Char: "Orin", Persona: "Mara is a courier."}
	text, err := tavern.Render(pieces, in, env, prompt.Budget{}, tavern.DefaultContext(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text.Text)
	// Output:
	// You are Orin.
	// Storms sing.
	// Mara is a courier.
	// ***
	// Mara: I knock.
}

// A master export of SillyTavern has the presets of one prompt in one file.
func ExampleParseMaster() {
	m, problems := tavern.ParseMaster([]byte(`{"sysprompt": {"content": "Be brief."}, "srw": {"value": "So"}}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.System.Content, m.Template == nil)
	// Output: Be brief. true
}

// Parts that no prompt uses are reported, and stay in the file.
func ExampleMaster_Vet() {
	m, problems := tavern.ParseMaster([]byte(`{"sysprompt": {"content": "Be brief."}, "srw": {"value": "So"}}`))
	fmt.Println(m.Vet(), problems.Err())
	// Output: srw: is not used: the beginning of every reply: set prompt.Input.Prefill <nil>
}

// A host that has changed blocks of a scene renders the changed blocks.
func ExampleRenderBlocks() {
	env := prompt.Env{User: "Mara", Char: "Orin"}
	in := prompt.Input{
		Blocks:  prompt.Scene{System: "You are {{char}}."}.Blocks(env, nil),
		History: []prompt.Line{{Role: llm.User, Text: "I knock."}},
	}
	in.Blocks[0].Text += " Be brief."
	context := tavern.ContextTemplate{Story: "{{system}}", ForceName: true}
	text, err := tavern.RenderBlocks(in, env, prompt.Budget{}, context, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(text.Text)
	// Output:
	// You are Orin. Be brief.
	// Mara: I knock.
	// Orin:
}
