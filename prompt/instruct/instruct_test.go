package instruct_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/instruct"
	"github.com/talewright/talewright/prompt/macro"
)

var names = prompt.Env{User: "Mara", Char: "Orin"}

func talk() []prompt.Line {
	return []prompt.Line{
		{Role: llm.Assistant, Text: "The lamp turns."},
		{Role: llm.User, Text: "I knock."},
	}
}

func render(t *testing.T, scene prompt.Scene, in prompt.Input, context instruct.Context,
	template *instruct.Template) instruct.Text {
	t.Helper()
	env := names
	env.Card.Examples = "<START>\nMara: q\nOrin: a"
	got, err := instruct.Render(scene, in, env, prompt.Budget{}, context, template)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestTemplates renders one scene with every built-in template: PR-12.
func TestTemplates(t *testing.T) {
	t.Parallel()
	chatML, llama, alpaca, mistral := instruct.ChatML(), instruct.Llama3(), instruct.Alpaca(), instruct.Mistral()
	context := instruct.Context{Story: "{{#if system}}{{system}}\n{{/if}}{{trim}}"}
	scene := prompt.Scene{System: "Keep the light.", State: "hp 3"}
	for _, c := range []struct {
		template *instruct.Template
		want     string
		stop     []string
	}{
		{&chatML, `<|im_start|>system
Keep the light.<|im_end|>
<|im_start|>user
q<|im_end|>
<|im_start|>assistant
a<|im_end|>
<|im_start|>assistant
The lamp turns.<|im_end|>
<|im_start|>user
I knock.<|im_end|>
<|im_start|>system
hp 3<|im_end|>
<|im_start|>assistant
`, []string{"<|im_end|>", "<|im_start|>user", "\nMara:"}},
		{&llama, "<|start_header_id|>system<|end_header_id|>\n\nKeep the light.<|eot_id|>" +
			"<|start_header_id|>user<|end_header_id|>\n\nq<|eot_id|>" +
			"<|start_header_id|>assistant<|end_header_id|>\n\na<|eot_id|>" +
			"<|start_header_id|>assistant<|end_header_id|>\n\nThe lamp turns.<|eot_id|>" +
			"<|start_header_id|>user<|end_header_id|>\n\nI knock.<|eot_id|>" +
			"<|start_header_id|>system<|end_header_id|>\n\nhp 3<|eot_id|>" +
			"<|start_header_id|>assistant<|end_header_id|>\n\n",
			[]string{"<|eot_id|>", "<|start_header_id|>user<|end_header_id|>", "\nMara:"}},
		{&alpaca, `### Input:
Keep the light.

### Instruction:
q

### Response:
a

### Response:
The lamp turns.

### Instruction:
I knock.

### Input:
hp 3

### Response:
`, []string{"### Instruction:", "\nMara:"}},
		{&mistral, "[SYSTEM_PROMPT] Keep the light.[/SYSTEM_PROMPT][INST] q[/INST] a</s> The lamp turns.</s>" +
			"[INST] I knock.[/INST][SYSTEM_PROMPT] hp 3[/SYSTEM_PROMPT] ",
			[]string{"</s>", "[INST]", "\nMara:"}},
		{nil, "Keep the light.\nMara: q\nOrin: a\nOrin: The lamp turns.\nMara: I knock.\nhp 3",
			[]string{"\nMara:"}},
	} {
		got := render(t, scene, prompt.Input{History: talk()}, context, c.template)
		if diff := cmp.Diff(c.want, got.Text); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(c.stop, got.Stop); diff != "" {
			t.Errorf("stop (-want +got):\n%s", diff)
		}
	}
}

func TestVariants(t *testing.T) {
	t.Parallel()
	template := instruct.Template{
		UserPrefix: "U:", AssistantPrefix: "A:", SystemPrefix: "S:", Wrap: false,
		FirstUserPrefix: "U1:", LastUserPrefix: "U9:", FirstAssistantPrefix: "A1:", LastAssistantPrefix: "A9:",
		UserSuffix: ";", AssistantSuffix: ";", SystemSuffix: ";", UserAlignment: "hi", SkipExamples: true,
	}
	in := prompt.Input{History: append(append(talk(), talk()...), talk()...), Prefill: "So"}
	got := render(t, prompt.Scene{System: "sys"}, in, instruct.Context{Story: "{{system}}", ChatStart: "***"}, &template)
	want := "sysMara: q\nOrin: a\n***\nU:hi;A1:The lamp turns.;U1:I knock.;A:The lamp turns.;U:I knock.;" +
		"A:The lamp turns.;U9:I knock.;A9:So"
	if got.Text != want {
		t.Errorf("got  %q\nwant %q", got.Text, want)
	}
	in = prompt.Input{History: talk(), Generation: prompt.Impersonate}
	template.Names = instruct.NamesAlways
	got = render(t, prompt.Scene{}, in, instruct.Context{}, &template)
	if want := "U9:Mara: I knock.;U:Mara:"; !strings.HasSuffix(got.Text, want) {
		t.Errorf("impersonation %q, want the end %q", got.Text, want)
	}
}

func TestStoryInChat(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]string{
		0: "Mara: I knock.\nSTORY", 1: "STORY\nMara: I knock.", 2: "STORY\nOrin: The lamp", 9: "STORY\nOrin: The lamp",
	} {
		context := instruct.Context{Story: "STORY", Position: instruct.InChat, StoryDepth: &depth}
		got := render(t, prompt.Scene{}, prompt.Input{History: talk()}, context, nil)
		if !strings.Contains(got.Text, want) || strings.Count(got.Text, "STORY") != 1 {
			t.Errorf("depth %d: %q does not contain %q", depth, got.Text, want)
		}
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	scene := prompt.Scene{System: "SYS", Injections: []prompt.Injection{
		{Key: "a", Text: "BEFORE", Placement: prompt.BeforeMain}, {Key: "b", Text: "AFTER", Placement: prompt.AfterMain},
	}}
	for _, context := range []instruct.Context{{Story: "{{system}}"}, instruct.DefaultContext()} {
		got := render(t, scene, prompt.Input{}, context, nil)
		if want := "BEFORE\nSYS\nAFTER\n"; !strings.HasPrefix(got.Text, want) {
			t.Errorf("%q does not begin with %q", got.Text, want)
		}
	}
}

// TestBudget shrinks the room: the text never exceeds it.
func TestBudget(t *testing.T) {
	t.Parallel()
	chatML := instruct.ChatML()
	history := talk()
	for range 30 {
		history = append(history, talk()...)
	}
	dropped := false
	for context := 700; context > 0; context -= 7 {
		got, err := instruct.Render(prompt.Scene{System: "SYS"}, prompt.Input{History: history}, names,
			prompt.Budget{Context: context, Response: 50}, instruct.Context{Story: "{{system}}"}, &chatML)
		if err != nil {
			if !errors.Is(err, prompt.ErrBudget) {
				t.Fatal(err)
			}
			break
		}
		if got.Tokens > context-53 || prompt.Estimate(got.Text) != got.Tokens {
			t.Errorf("context %d: %d tokens", context, got.Tokens)
		}
		dropped = dropped || strings.Contains(got.Result.Report.String(), "dropped")
	}
	if !dropped {
		t.Error("nothing was ever dropped")
	}
}

// TestPresetFiles reads presets of the present and of older versions and writes
// them back without loss.
func TestPresetFiles(t *testing.T) {
	t.Parallel()
	const file = `{"input_sequence":"<u>","output_sequence":"<a>","wrap":true,"names":false,` +
		`"system_sequence_prefix":"<s>","system_sequence_suffix":"</s>","activation_regex":"x","name":"Old"}`
	template, err := instruct.ParseTemplate([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if template.StoryPrefix != "<s>" || template.Names != instruct.NamesNone || template.UserPrefix != "<u>" {
		t.Errorf("template %+v", template)
	}
	for text, want := range map[string]instruct.Names{
		`{"names":true}`: instruct.NamesAlways, `{"names_force_groups":true}`: instruct.NamesForce,
		`{"names_behavior":"none","names":true}`: instruct.NamesNone, `{"names":"odd"}`: instruct.NamesNone,
	} {
		if got, err := instruct.ParseTemplate([]byte(text)); err != nil || got.Names != want {
			t.Errorf("%s: names %q, %v", text, got.Names, err)
		}
	}
	roundTrip(t, file, template)
	const frame = `{"story_string":"{{system}}","story_string_position":1,"single_line":false,"chat_start":"*"}`
	context, err := instruct.ParseContext([]byte(frame))
	if err != nil || context.Position != instruct.InChat {
		t.Errorf("context %+v, %v", context, err)
	}
	roundTrip(t, frame, context)
	if _, err := instruct.ParseTemplate([]byte(`{"wrap":1}`)); err == nil {
		t.Error("a number was taken for a switch")
	}
	if _, err := instruct.ParseContext([]byte(`[`)); err == nil {
		t.Error("half a list was taken for a context")
	}
}

// roundTrip checks that every member of the file survives.
func roundTrip(t *testing.T, file string, v any) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var before, after map[string]any
	if json.Unmarshal([]byte(file), &before) != nil || json.Unmarshal(data, &after) != nil {
		t.Fatal("no object")
	}
	for name, want := range before {
		if name == "names_behavior" {
			continue
		}
		if diff := cmp.Diff(want, after[name]); diff != "" {
			t.Errorf("%s (-before +after):\n%s", name, diff)
		}
	}
}

func TestDrawsAreRecorded(t *testing.T) {
	t.Parallel()
	env := names
	env.Random = func() float64 { return 0 }
	got, err := instruct.Render(prompt.Scene{System: "{{roll::d6}}"}, prompt.Input{}, env, prompt.Budget{},
		instruct.Context{Story: "{{system}} {{roll::d6}}"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []macro.Draw{{Macro: "roll"}, {Macro: "roll", Offset: 11}}
	if diff := cmp.Diff(want, got.Result.Draws); diff != "" || got.Text != "1 1" {
		t.Errorf("text %q, draws (-want +got):\n%s", got.Text, diff)
	}
}

// FuzzPresets reads any bytes as presets and renders with them.
func FuzzPresets(f *testing.F) {
	f.Add([]byte(`{"input_sequence":"{{name}}","names":true,"wrap":true}`), []byte(`{"story_string":"{{#if system}}x{{/if}}"}`))
	f.Add([]byte(`{"output_sequence":"<a>","story_string_prefix":"{{"}`), []byte(`{"story_string_position":1}`))
	f.Add([]byte(`{"names_behavior":"always","names":3}`), []byte(`{"chat_start":"{{roll::d6}}"}`))
	f.Fuzz(func(t *testing.T, template, context []byte) {
		tpl, errT := instruct.ParseTemplate(template)
		ctx, errC := instruct.ParseContext(context)
		if errT != nil || errC != nil {
			return
		}
		got, err := instruct.Render(prompt.Scene{System: "SYS"}, prompt.Input{History: talk()}, names,
			prompt.Budget{}, ctx, &tpl)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got.Text, "I knock.") {
			t.Errorf("the newest message is missing in %q", got.Text)
		}
	})
}
