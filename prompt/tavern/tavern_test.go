package tavern_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
)

const presetFile = `{
	"temperature": 1.1,
	"new_chat_prompt": "[Begin]",
	"wi_format": "Lore: {0}",
	"personality_format": "{{char}} is {{personality}}.",
	"names_behavior": 2,
	"assistant_prefill": "Well,",
	"send_if_empty": "(go on)",
	"prompts": [
		{"identifier": "main", "role": "system", "content": "MAIN", "system_prompt": true},
		{"identifier": "charPersonality", "marker": true, "role": "user"},
		{"identifier": "own", "content": "OWN", "injection_position": 1,
			"injection_depth": 1, "injection_order": 5},
		{"identifier": "swiped", "content": "SWIPED", "injection_trigger": ["swipe"]},
		{"identifier": "jailbreak", "content": "PHI"}
	],
	"prompt_order": [
		{"character_id": 100000, "order": [{"identifier": "main", "enabled": true}]},
		{"character_id": 100001, "order": [
			{"identifier": "main", "enabled": true},
			{"identifier": "worldInfoBefore", "enabled": true},
			{"identifier": "charPersonality", "enabled": true},
			{"identifier": "own", "enabled": true},
			{"identifier": "swiped", "enabled": true},
			{"identifier": "chatHistory", "enabled": true},
			{"identifier": "jailbreak", "enabled": false, "color": "red"}
		], "note": 1}
	]
}`

func parse(t *testing.T, file string) tavern.Preset {
	t.Helper()
	p, err := readable(tavern.ParsePreset([]byte(file)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// readable returns the value of a reader, and its problems if the file was refused.
func readable[T any](value T, problems talewright.Problems) (T, error) { return value, problems.Err() }

// TestPresetFile lays out a prompt with a preset file.
func TestPresetFile(t *testing.T) {
	t.Parallel()
	pieces := prompt.Scene{Lore: []prompt.Lore{{Text: "old", Position: "before"}}}
	in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "hi"},
		{Role: llm.Assistant, Text: "yo"}}}
	env := prompt.Env{User: "Mara", Char: "Orin",
		Card: macro.Card{Personality: "calm", Description: "tall"}}
	got, err := parse(t, presetFile).Assemble(pieces, in, env, prompt.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	want := []llm.Message{
		{Role: llm.System, Text: "MAIN"},
		{Role: llm.System, Text: "Lore: old"},
		{Role: llm.User, Text: "Orin is calm."},
		{Role: llm.System, Text: "[Begin]"},
		{Role: llm.User, Text: "Mara: hi"},
		{Role: llm.Assistant, Text: "Orin: yo"},
		{Role: llm.System, Text: "OWN"},
		{Role: llm.User, Text: "(go on)"},
	}
	if diff := cmp.Diff(want, got.Messages); diff != "" {
		t.Errorf("messages (-want +got):\n%s", diff)
	}
	if got.Prefill != "Well," {
		t.Errorf("prefill %q", got.Prefill)
	}
	for key, status := range map[string]prompt.Status{
		"char.description": prompt.Unlisted, "post_history": prompt.Disabled,
		"swiped": prompt.Trigger, "own": prompt.Kept,
	} {
		if line, _ := got.Report.Line(key); line.Status != status {
			t.Errorf("%s is %q, want %q", key, line.Status, status)
		}
	}
}

func TestBadPreset(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"", "[]", `{"prompts": 3`} {
		if _, problems := tavern.ParsePreset([]byte(file)); problems.Err() == nil {
			t.Errorf("%q: problems %v", file, problems)
		}
	}
	p := tavern.Default()
	if json.Unmarshal([]byte(`[{"role": 1}]`), &p) == nil || len(p.Prompts) != 12 {
		t.Error("a failed reading changed the preset")
	}
}

// TestPromptNamedLikeASlot: prompts may have the names of places after the last slot.
func TestPromptNamedLikeASlot(t *testing.T) {
	t.Parallel()
	p := parse(t, `{"new_chat_prompt": "", "prompts": [
		{"identifier": "prefill", "role": "assistant", "content": "PREFILL", "system_prompt": false},
		{"identifier": "control", "content": "CONTROL", "system_prompt": false},
		{"identifier": "follow_ups", "content": "DEEP", "system_prompt": false, "injection_position": 1, "injection_depth": 0}
	], "prompt_order": [{"order": [{"identifier": "control", "enabled": true}, {"identifier": "chatHistory", "enabled": true},
		{"identifier": "prefill", "enabled": true}, {"identifier": "follow_ups", "enabled": true}]}]}`)
	got, err := p.Assemble(prompt.Scene{}, prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "Hi."}}, Control: "Now."},
		prompt.Env{}, prompt.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	want := []llm.Message{{Role: llm.System, Text: "CONTROL"}, {Role: llm.User, Text: "Hi."}, {Role: llm.System, Text: "DEEP"},
		{Role: llm.Assistant, Text: "PREFILL"}, {Role: llm.System, Text: "Now."}}
	if diff := cmp.Diff(want, got.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, got.Report)
	}
}

// TestPromptNamedLikeAPart has a user's prompt with the key of a part: both are sent.
func TestPromptNamedLikeAPart(t *testing.T) {
	t.Parallel()
	p := parse(t, `{"prompts": [{"identifier": "note", "content": "OWN", "system_prompt": false}], "prompt_order": [{"order": [
		{"identifier": "note", "enabled": true}, {"identifier": "chatHistory", "enabled": true}]}]}`)
	p.NewChat = ""
	got, err := p.Assemble(prompt.Scene{Note: prompt.AuthorNote{Text: "NOTE"}}, prompt.Input{},
		prompt.Env{}, prompt.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	want := []llm.Message{{Role: llm.System, Text: "OWN"}, {Role: llm.System, Text: "NOTE"}}
	if diff := cmp.Diff(want, got.Messages); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, got.Report)
	}
}

// TestOrders covers presets with unusual orders.
func TestOrders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, orders, want string
	}{
		{"none", `[]`, ""},
		{"of one character", `[{"character_id": 7, "order": [{"identifier": "main", "enabled": true}]}]`, "MAIN"},
		{"repeated", `[{"character_id": 7, "order": [{"identifier": "main", "enabled": true},
			{"identifier": "main", "enabled": true}]}]`, "MAIN"},
		{"without a name", `[{"character_id": 7, "order": [{"enabled": true}]}]`, ""},
	} {
		p := parse(t, `{"prompts": [{"identifier": "main", "content": "MAIN"}],
			"prompt_order": `+c.orders+`}`)
		got, err := p.Assemble(prompt.Scene{}, prompt.Input{}, prompt.Env{}, prompt.Budget{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var texts []string
		for _, m := range got.Messages {
			texts = append(texts, m.Text)
		}
		if text := strings.Join(texts, "|"); text != c.want {
			t.Errorf("%s: %q, want %q", c.name, text, c.want)
		}
	}
}

// TestExamplesWithoutSpeakers: such examples are left out, as in SillyTavern. Here the report also
// shows this.
func TestExamplesWithoutSpeakers(t *testing.T) {
	t.Parallel()
	pieces := prompt.Scene{Lore: []prompt.Lore{{Key: "rain", Text: "It rains.", Position: "em_top"}}}
	env := prompt.Env{User: "Mara", Char: "Orin", Card: macro.Card{Examples: "<START>\n用户：你好\n<START>\nOrin: yes"}}
	got, err := tavern.Default().Assemble(pieces, prompt.Input{}, env, prompt.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, m := range got.Messages[1:] {
		texts = append(texts, m.Name+":"+m.Text)
	}
	if want := ":It rains.|:[Example Chat]|example_assistant:yes|:[Start a new Chat]"; strings.Join(texts, "|") != want {
		t.Errorf("%q, want %q", strings.Join(texts, "|"), want)
	}
	line, _ := got.Report.Line("example.1")
	if line.Status != "empty" || line.Reason != "no_speaker" {
		t.Errorf("the report says %q, %q", line.Status, line.Reason)
	}
	if p := got.Report.Problems; len(p) != 1 || p[0].Code != "no_speaker" || p[0].Path != "example.1" {
		t.Errorf("problems %v", p)
	}
}

// TestReportNamesTextsOfTheCard: the report says which texts of the preset the card replaces.
func TestReportNamesTextsOfTheCard(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		card macro.Card
		want [2]string // main, post_history
	}{
		{macro.Card{}, [2]string{"", ""}},
		{macro.Card{SystemPrompt: "Be brief."}, [2]string{"of the card", ""}},
		{macro.Card{PostHistory: "Be kind."}, [2]string{"", "of the card"}},
	} {
		got, err := tavern.Default().Assemble(prompt.Scene{}, prompt.Input{}, prompt.Env{User: "Mara", Char: "Orin", Card: c.card}, prompt.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		main, _ := got.Report.Line("main")
		after, _ := got.Report.Line("post_history")
		if reasons := [2]string{main.Reason, after.Reason}; reasons != c.want {
			t.Errorf("%+v: %q, want %q", c.card, reasons, c.want)
		}
	}
}
