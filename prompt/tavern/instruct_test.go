package tavern_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

var names = prompt.Env{User: "Mara", Char: "Orin"}

func talk() []prompt.Line {
	return []prompt.Line{
		{Role: llm.Assistant, Text: "The lamp turns."},
		{Role: llm.User, Text: "I knock."},
	}
}

func render(t *testing.T, pieces prompt.Scene, in prompt.Input, context tavern.ContextTemplate,
	template *tavern.InstructTemplate) tavern.InstructText {
	t.Helper()
	env := names
	env.Card.Examples = "<START>\nMara: q\nOrin: a"
	got, err := tavern.Render(pieces, in, env, prompt.Budget{}, context, template)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestTemplates renders one scene with every built-in template: PR-12.
func TestTemplates(t *testing.T) {
	t.Parallel()
	chatML, llama := tavern.ChatML(), tavern.Llama3()
	alpaca, mistral := tavern.Alpaca(), tavern.Mistral()
	context := tavern.ContextTemplate{Story: "{{#if system}}{{system}}\n{{/if}}{{trim}}"}
	pieces := prompt.Scene{System: "Keep the light.", State: "hp 3"}
	for _, c := range []struct {
		template *tavern.InstructTemplate
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
		got := render(t, pieces, prompt.Input{History: talk()}, context, c.template)
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
	template := tavern.InstructTemplate{
		UserPrefix: "U:", AssistantPrefix: "A:", SystemPrefix: "S:", Wrap: false,
		FirstUserPrefix: "U1:", LastUserPrefix: "U9:",
		FirstAssistantPrefix: "A1:", LastAssistantPrefix: "A9:",
		UserSuffix: ";", AssistantSuffix: ";", SystemSuffix: ";",
		UserAlignment: "hi", SkipExamples: true,
	}
	in := prompt.Input{History: append(append(talk(), talk()...), talk()...), Prefill: "So"}
	got := render(t, prompt.Scene{System: "sys"}, in,
		tavern.ContextTemplate{Story: "{{system}}", ChatStart: "***"}, &template)
	want := "sysMara: q\nOrin: a\n***\nU1:hi;A1:The lamp turns.;U:I knock.;A:The lamp turns.;U:I knock.;" +
		"A:The lamp turns.;U9:I knock.;A9:So"
	if got.Text != want {
		t.Errorf("got  %q\nwant %q", got.Text, want)
	}
	in = prompt.Input{History: talk(), Generation: worldbook.Impersonate}
	template.Names = "always"
	got = render(t, prompt.Scene{}, in, tavern.ContextTemplate{}, &template)
	if want := "U9:Mara: I knock.;U:Mara:"; !strings.HasSuffix(got.Text, want) {
		t.Errorf("impersonation %q, want the end %q", got.Text, want)
	}
}

func TestStoryInChat(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]string{
		0: "Mara: I knock.\nSTORY", 1: "STORY\nMara: I knock.",
		2: "STORY\nOrin: The lamp", 9: "STORY\nOrin: The lamp",
	} {
		context := tavern.ContextTemplate{Story: "STORY", Position: tavern.StoryInChat, StoryDepth: &depth}
		got := render(t, prompt.Scene{}, prompt.Input{History: talk()}, context, nil)
		if !strings.Contains(got.Text, want) || strings.Count(got.Text, "STORY") != 1 {
			t.Errorf("depth %d: %q does not contain %q", depth, got.Text, want)
		}
	}
}

// TestBlocksOfTheHost adds blocks of the input to the blocks of the scene.
func TestBlocksOfTheHost(t *testing.T) {
	t.Parallel()
	in := prompt.Input{Blocks: []prompt.Block{
		{Key: "rules", Slot: "main", Text: "RULES"}, {Key: "looks", Slot: "character", Text: "LOOKS"},
		{Key: "places", Slot: "world_before", Text: "PLACES"},
		{Key: "last", Slot: "post_history", Text: "LAST"},
	}}
	before := slices.Clone(in.Blocks)
	got := render(t, prompt.Scene{System: "SYS"}, in, tavern.DefaultContext(), nil)
	if want := "SYS\nPLACES\nLOOKS\nRULES\n***\n"; !strings.HasPrefix(got.Text, want) ||
		!strings.HasSuffix(got.Text, "***\nLAST") {
		t.Errorf("%q does not begin with %q", got.Text, want)
	}
	if diff := cmp.Diff(before, in.Blocks); diff != "" {
		t.Errorf("the input changed:\n%s", diff)
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	pieces := prompt.Scene{System: "SYS", Injections: []prompt.Injection{
		{Key: "a", Text: "BEFORE", Placement: prompt.InjectionBeforeMain},
		{Key: "b", Text: "AFTER", Placement: prompt.InjectionAfterMain},
	}}
	for _, context := range []tavern.ContextTemplate{{Story: "{{system}}"}, tavern.DefaultContext()} {
		got := render(t, pieces, prompt.Input{}, context, nil)
		if want := "BEFORE\nSYS\nAFTER\n"; !strings.HasPrefix(got.Text, want) {
			t.Errorf("%q does not begin with %q", got.Text, want)
		}
	}
}

// TestBudget shrinks the budget: the text never exceeds it.
func TestBudget(t *testing.T) {
	t.Parallel()
	chatML := tavern.ChatML()
	history := talk()
	for range 30 {
		history = append(history, talk()...)
	}
	dropped := false
	for context := 700; context > 0; context -= 7 {
		got, err := tavern.Render(prompt.Scene{System: "SYS"}, prompt.Input{History: history},
			names, prompt.Budget{Context: context, Response: 50},
			tavern.ContextTemplate{Story: "{{system}}"}, &chatML)
		if err != nil {
			if !errors.Is(err, prompt.ErrBudget) {
				t.Fatal(err)
			}
			break
		}
		if got.Tokens > context-53 || prompt.EstimateTokens(got.Text) != got.Tokens {
			t.Errorf("context %d: %d tokens", context, got.Tokens)
		}
		dropped = dropped || strings.Contains(got.Result.Report.String(), "dropped")
	}
	if !dropped {
		t.Error("nothing was ever dropped")
	}
}

func TestDrawsAreRecorded(t *testing.T) {
	t.Parallel()
	env := names
	env.Random = func() float64 { return 0 }
	got, err := tavern.Render(prompt.Scene{System: "{{roll::d6}}"}, prompt.Input{}, env,
		prompt.Budget{},
		tavern.ContextTemplate{Story: "{{system}} {{roll::d6}}"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []macro.Draw{{Macro: "roll"}, {Macro: "roll", Offset: 11}}
	if diff := cmp.Diff(want, got.Result.Draws); diff != "" || got.Text != "1 1\n" {
		t.Errorf("text %q, draws (-want +got):\n%s", got.Text, diff)
	}
}
