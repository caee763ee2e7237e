package tavern_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// presetFiles returns whole preset files of several versions, by name.
func presetFiles(tb testing.TB) map[string][]byte {
	tb.Helper()
	paths, err := filepath.Glob("testdata/presets/*.json")
	if err != nil || len(paths) < 3 {
		tb.Fatalf("%d preset files, %v", len(paths), err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

func anything(tb testing.TB, data []byte) any {
	tb.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		tb.Fatal(err)
	}
	return v
}

// TestFilesComeBack writes preset files back: all members are present, also members without effect,
// and no others.
func TestFilesComeBack(t *testing.T) {
	t.Parallel()
	for name, file := range presetFiles(t) {
		data, err := json.Marshal(parse(t, string(file)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(anything(t, file), anything(t, data)); diff != "" {
			t.Errorf("%s (-before +after):\n%s", name, diff)
		}
	}
}

// TestChangesComeBack edits a preset: the change is written, and everything else stays.
func TestChangesComeBack(t *testing.T) {
	t.Parallel()
	file := presetFiles(t)["odd.json"]
	p := parse(t, string(file))
	p.Squash, p.LoreFormat = false, "Lore: {0}"
	*p.Prompts[2].Depth = 7 // through the pointer that was read
	p.Prompts[0].Content = ""
	p.Orders[0].Order[1].Enabled = false
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	want := anything(t, file).(map[string]any)
	want["squash_system_messages"], want["wi_format"] = false, "Lore: {0}"
	prompts := want["prompts"].([]any)
	prompts[2].(map[string]any)["injection_depth"] = 7.0
	prompts[0].(map[string]any)["content"] = ""
	order := want["prompt_order"].([]any)[0].(map[string]any)["order"].([]any)
	order[1].(map[string]any)["enabled"] = false
	if diff := cmp.Diff(any(want), anything(t, data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again := parse(t, string(data))
	if again.Squash || again.LoreFormat != "Lore: {0}" || *again.Prompts[2].Depth != 7 {
		t.Errorf("read again: %+v", again)
	}
}

// TestFilesAssemble builds a prompt with each preset file: PR-15.
func TestFilesAssemble(t *testing.T) {
	t.Parallel()
	env := prompt.Env{User: "Mara", Char: "Orin", Persona: "A courier.", Card: macro.Card{
		Description: "Keeps the lamp.", Scenario: "a lighthouse", PostHistory: "not used: forbidden",
		Examples: "<START>\nMara: Evening.\nOrin: Hm.",
	}}
	pieces := prompt.Scene{Lore: []prompt.Lore{{Text: "Storms sing.", Position: "before"}}}
	in := prompt.Input{History: []prompt.Line{
		{Role: llm.Assistant, Text: "The lamp turns."}, {Role: llm.User, Text: "I knock."},
	}}
	files := presetFiles(t)
	for name, want := range map[string][]llm.Message{
		"current.json": {
			{Role: llm.System, Text: "You run a quiet story about Orin and Mara."},
			{Role: llm.System, Text: "<lore>\nStorms sing.\n</lore>"},
			{Role: llm.System, Text: "A courier."},
			{Role: llm.User, Text: "Keeps the lamp."},
			{Role: llm.System, Text: "Where we are: a lighthouse"},
			{Role: llm.System, Text: "[An example of the tone]"},
			{Role: llm.System, Name: "example_user", Text: "Evening."},
			{Role: llm.System, Name: "example_assistant", Text: "Hm."},
			{Role: llm.System, Text: "[The story begins]"},
			{Role: llm.Assistant, Text: "The lamp turns."},
			{Role: llm.User, Text: "I knock."},
			{Role: llm.Assistant, Text: "(It rains.)"},
			{Role: llm.System, Text: "Stay with what Orin can know."},
		},
		"old.json": {
			{Role: llm.System, Text: "Tell Orin's side of it."},
			{Role: llm.System, Text: "Storms sing."},
			{Role: llm.System, Text: "A courier."},
			{Role: llm.System, Text: "Keeps the lamp."},
			{Role: llm.System, Text: "a lighthouse"},
			{Role: llm.System, Text: "[Example Chat]"},
			{Role: llm.System, Name: "example_user", Text: "Evening."},
			{Role: llm.System, Name: "example_assistant", Text: "Hm."},
			{Role: llm.System, Text: "[Start a new Chat]"},
			{Role: llm.Assistant, Name: "Orin", Text: "The lamp turns."},
			{Role: llm.User, Name: "Mara", Text: "I knock."},
			{Role: llm.System, Text: "not used: forbidden"}, // nothing forbids it here
		},
		"odd.json": {
			{Role: llm.System, Text: "MAIN"},
			{Role: llm.System, Text: "[Start a new Chat]"},
			{Role: llm.Assistant, Text: "Orin: The lamp turns."},
			{Role: llm.System, Text: "DEEP"},
			{Role: llm.User, Text: "Mara: I knock."},
		},
	} {
		got, err := parse(t, string(files[name])).Assemble(pieces, in, env, prompt.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got.Messages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestMembersOfWrongTypes: no member of a wrong type makes a preset invalid. Each is reported with
// its place, and a text is converted as JavaScript does.
func TestMembersOfWrongTypes(t *testing.T) {
	t.Parallel()
	p, err := readable(tavern.ParsePreset([]byte(`{"wi_format": 3, "names_behavior": "none", "prompts": [
		{"identifier": "main", "role": 1, "marker": "yes"}, {"injection_depth": 2.5, "marker": ""}, 7],
		"prompt_order": [{"order": [{"identifier": "main", "enabled": "yes"}]}]}`)))
	if err != nil || p.LoreFormat != "3" || len(p.Prompts) != 2 || p.Prompts[0].ID != "main" || !p.Prompts[0].Marker || p.Prompts[1].Marker ||
		p.Prompts[1].Depth != nil || !p.Order()[0].Enabled {
		t.Errorf("%+v, %v", p, err)
	}
	var got []string
	for _, problem := range p.Vet() {
		got = append(got, problem.Severity.String()+" "+problem.Path)
	}
	want := []string{"error prompts[1].injection_depth", "error prompts[2]", "warning prompts[0].role", "warning prompts[0].marker",
		"warning prompts[1].marker", "warning prompt_order[0].order[0].enabled", "warning wi_format", "error names_behavior"}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestImpersonationPrefill(t *testing.T) {
	t.Parallel()
	p := tavern.Default()
	p.Prefill, p.ImpersonationPrefill = "Orin says", "{{user}} says"
	env := prompt.Env{User: "Mara", Char: "Orin"}
	for kind, want := range map[worldbook.GenerationType]string{
		"": "Orin says", worldbook.Swipe: "Orin says", worldbook.Impersonate: "Mara says",
	} {
		got, err := p.Assemble(prompt.Scene{}, prompt.Input{Generation: kind}, env, prompt.Budget{})
		if err != nil || got.Prefill != want {
			t.Errorf("%q: prefill %q, %v", kind, got.Prefill, err)
		}
	}
}

// asWritten decodes a text and keeps the spelling of its numbers: an unknown member may have a
// number beyond all limits.
func asWritten(tb testing.TB, data []byte) (v any) {
	tb.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		tb.Fatal(err)
	}
	return v
}

// FuzzPreset reads any bytes as a preset: a readable preset is written back, and two prompts with
// it are equal and fit.
func FuzzPreset(f *testing.F) {
	for _, file := range members(f) {
		f.Add(file, 0)
	}
	f.Add([]byte(`{"prompt_order": [{"order": [{"identifier": "control"}, {"identifier": "main.after"}]}]}`), 60)
	f.Add([]byte(`{"prompt_order": [{"character_id": 100000, "order": [{"identifier": "main", "enabled": true}]},
		{"character_id": 100001, "order": [{"identifier": "chatHistory", "enabled": true}]}]}`), 200)
	f.Add([]byte(`{"": 1e700}`), 0)
	f.Add([]byte(`{"names_behavior": 9, "wi_format": "{{setvar::x::1}}{0}{0}", "prompts": [null]}`), 9)
	f.Fuzz(func(t *testing.T, data []byte, window int) {
		p, err := readable(tavern.ParsePreset(data))
		if err != nil {
			return
		}
		again, err := p.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(asWritten(t, data), asWritten(t, again)); diff != "" {
			t.Errorf("(-before +after):\n%s", diff)
		}
		in := prompt.Input{History: []prompt.Line{{Role: llm.User, Text: "hi"}}}
		budget := prompt.Budget{Context: max(window, 0) % 500}
		pieces := prompt.Scene{Lore: []prompt.Lore{{Text: "lore", Position: "before"}}}
		first, err1 := p.Assemble(pieces, in, prompt.Env{}, budget)
		second, err2 := p.Assemble(pieces, in, prompt.Env{}, budget)
		if (err1 == nil) != (err2 == nil) {
			t.Fatal(err1, err2)
		}
		if diff := cmp.Diff(first.Messages, second.Messages); diff != "" {
			t.Error(diff)
		}
		if err1 == nil && budget.Context > 0 && first.Tokens > budget.Context {
			t.Errorf("%d tokens in a window of %d", first.Tokens, budget.Context)
		}
	})
}

// members returns the members of the files, and the single prompts, as separate files, in the order
// of their texts. They are short seeds, suitable for a fuzzer.
func members(tb testing.TB) [][]byte {
	tb.Helper()
	var list [][]byte
	for _, file := range presetFiles(tb) {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(file, &all); err != nil {
			tb.Fatal(err)
		}
		for name, value := range all {
			if len(value) < 150 {
				list = append(list, fmt.Appendf(nil, "{%q:%s}", name, value))
			}
		}
		var prompts []json.RawMessage
		if raw := all["prompts"]; raw != nil && json.Unmarshal(raw, &prompts) != nil {
			tb.Fatalf("prompts: %s", raw)
		}
		for _, p := range prompts {
			var one bytes.Buffer
			if err := json.Compact(&one, p); err != nil {
				tb.Fatal(err)
			}
			list = append(list, fmt.Appendf(nil, `{"prompts":[%s]}`, &one))
		}
	}
	slices.SortFunc(list, bytes.Compare)
	return slices.CompactFunc(list, bytes.Equal)
}
