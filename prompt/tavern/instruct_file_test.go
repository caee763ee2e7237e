package tavern_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
	"github.com/talewright/talewright/worldbook"
)

// kinds are the kinds of preset files, by the name of their folder.
var kinds = map[string]func([]byte) (any, error){
	"template": func(data []byte) (any, error) { return readable(tavern.ParseInstruct(data)) },
	"context":  func(data []byte) (any, error) { return readable(tavern.ParseContext(data)) },
	"system":   func(data []byte) (any, error) { return readable(tavern.ParseSystemPrompt(data)) },
}

// instructPresetFiles returns whole preset files of several versions, by name.
func instructPresetFiles(tb testing.TB, kind string) map[string][]byte {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", kind, "*.json"))
	if err != nil || len(paths) < 2 {
		tb.Fatalf("%d files of the kind %s, %v", len(paths), kind, err)
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

func instructAnything(tb testing.TB, data []byte) any {
	tb.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		tb.Fatal(err)
	}
	return v
}

// TestFilesComeBackInstruct writes preset files back: all members are present, also members without
// effect, and no others.
func TestFilesComeBackInstruct(t *testing.T) {
	t.Parallel()
	for kind, parse := range kinds {
		for name, file := range instructPresetFiles(t, kind) {
			preset, err := parse(file)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(preset)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(instructAnything(t, file), instructAnything(t, data)); diff != "" {
				t.Errorf("%s/%s (-before +after):\n%s", kind, name, diff)
			}
		}
	}
}

// TestOldNames reads presets of older versions.
func TestOldNames(t *testing.T) {
	t.Parallel()
	old, err := readable(tavern.ParseInstruct(instructPresetFiles(t, "template")["old.json"]))
	if err != nil {
		t.Fatal(err)
	}
	if old.StoryPrefix != "<<" || old.StorySuffix != ">>" || old.AssistantSuffix != "</s>" ||
		old.Names != "force" {
		t.Errorf("template %+v", old)
	}
	system, err := readable(tavern.ParseSystemPrompt(instructPresetFiles(t, "system")["old.json"]))
	if err != nil || !strings.HasPrefix(system.Content, "You are {{char}}") {
		t.Errorf("system prompt %q, %v", system.Content, err)
	}
	for text, want := range map[string]tavern.InstructNames{
		`{"names":true}`: "always", `{"names_force_groups":true}`: "force",
		`{"names_behavior":"none","names":true}`: "none",
		`{"names":false}`:                        "none",
		`{"names":"odd"}`:                        "none",
		`{"names_behavior":null,"names":true}`:   "always",
	} {
		if got, err := readable(tavern.ParseInstruct([]byte(text))); err != nil || got.Names != want {
			t.Errorf("%s: names %q, %v", text, got.Names, err)
		}
	}
}

// TestChangesComeBackInstruct edits presets: the change is written and read again, even if an old
// member has a different value.
func TestChangesComeBackInstruct(t *testing.T) {
	t.Parallel()
	template, err := readable(tavern.ParseInstruct(instructPresetFiles(t, "template")["old.json"]))
	if err != nil {
		t.Fatal(err)
	}
	template.Names, template.AssistantSuffix, template.Wrap = "", "", false
	data, err := json.Marshal(template)
	if err != nil {
		t.Fatal(err)
	}
	again, err := readable(tavern.ParseInstruct(data))
	if err != nil || again.Names != "" || again.AssistantSuffix != "" || again.Wrap {
		t.Errorf("%s\nread again: %+v, %v", data, again, err)
	}
	if again.StoryPrefix != "<<" || again.UserPrefix != "\n### In:" {
		t.Errorf("what was not changed: %+v", again)
	}
	made, err := json.Marshal(tavern.Mistral())
	if err != nil || strings.Contains(string(made), "names_behavior") {
		t.Errorf("a template of this package: %s, %v", made, err)
	}
	if back, err := readable(tavern.ParseInstruct(made)); err != nil || back.Stop != "</s>" {
		t.Errorf("read again: %+v, %v", back, err)
	}
}

// TestFileErrors lists all mistakes of a file with their places.
func TestFileErrors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind, file string
		want       string // in the message
		problems   int
	}{
		{"system", `"You are a narrator."`, "must be an object, not a text", 1},
		{"template", `null`, "must be an object, not null", 1},
		{"context", `{"story_string": `, "this is not JSON", 1},
	} {
		_, err := kinds[c.kind]([]byte(c.file))
		bad, ok := errors.AsType[talewright.Problems](err)
		if !ok || len(bad) != c.problems || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v", c.kind, c.file, err)
		}
	}
}

// TestMembersOfWrongTypesInstruct: no member of a wrong type makes a file invalid. Each is reported
// with its place.
func TestMembersOfWrongTypesInstruct(t *testing.T) {
	t.Parallel()
	template, err := readable(tavern.ParseInstruct([]byte(`{"wrap": 1, "input_sequence": ["a"], "output_sequence": null}`)))
	frame, frameErr := readable(tavern.ParseContext([]byte(`{"story_string_depth": "deep", "chat_start": 5}`)))
	system, systemErr := readable(tavern.ParseSystemPrompt([]byte(`{"content": {}}`)))
	if err := errors.Join(err, frameErr, systemErr); err != nil || !template.Wrap || frame.StoryDepth != nil || frame.ChatStart != "5" {
		t.Errorf("%+v, %+v, %v", template, frame, err)
	}
	for _, c := range []struct {
		got  talewright.Problems
		want int
	}{{template.Vet(), 2}, {frame.Vet(), 2}, {system.Vet(), 1}} {
		if len(c.got) != c.want {
			t.Errorf("%v: want %d", c.got, c.want)
		}
	}
}

// TestFilesRender writes a scene with each preset file: PR-12.
func TestFilesRender(t *testing.T) {
	t.Parallel()
	templates, contexts := instructPresetFiles(t, "template"), instructPresetFiles(t, "context")
	for _, c := range []struct {
		template, context string
		in                prompt.Input
		want              string
		stop              []string
	}{
		{"current.json", "current.json", prompt.Input{History: talk()},
			"<|im_start|>system\nKeep the light.<|im_end|>\n" +
				"<|im_start|>assistant\nThe lamp turns.<|im_end|>\n" +
				"<|im_start|>user\nI knock.<|im_end|>\n<|im_start|>assistant\n",
			[]string{"<|im_end|>", "<|im_start|>user", "\nMara:"}},
		{"current.json", "old.json", prompt.Input{
			History: talk()[1:], Generation: worldbook.Quiet, Control: "Sum up.",
		},
			"<|im_start|>system\nKeep the light.\n<|im_end|>\n***\n" +
				"<|im_start|>user\nI knock.<|im_end|>\n<|im_start|>system\nSum up.<|im_end|>\n" +
				"<|im_start|>narrator\n",
			[]string{"<|im_end|>", "<|im_start|>user", "\nMara:"}},
		{"old.json", "old.json", prompt.Input{History: talk()},
			"<<\nKeep the light.\n>>***\n\n### Out (Orin):\nThe lamp turns.</s>" +
				"\n### In:\nI knock.\n\n### Out (two paragraphs):\n",
			[]string{"\n### In:", "\nMara:"}},
		{"zeros.json", "inchat.json", prompt.Input{History: talk()},
			"---\n{{name}}> The lamp turns.{{name}}> I knock.{{name}}> [Keep the light.]{{name}}> ",
			[]string{"\n---"}},
	} {
		template, err := readable(tavern.ParseInstruct(templates[c.template]))
		if err != nil {
			t.Fatal(err)
		}
		context, err := readable(tavern.ParseContext(contexts[c.context]))
		if err != nil {
			t.Fatal(err)
		}
		got, err := tavern.Render(prompt.Scene{System: "Keep the light."}, c.in, names,
			prompt.Budget{}, context, &template)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, got.Text); diff != "" {
			t.Errorf("%s, %s (-want +got):\n%s", c.template, c.context, diff)
		}
		if diff := cmp.Diff(c.stop, got.Stop); diff != "" {
			t.Errorf("%s, %s: stop (-want +got):\n%s", c.template, c.context, diff)
		}
	}
}

// FuzzPresets reads any bytes as presets: a readable preset is written back, and its text fits in
// the budget.
func FuzzPresets(f *testing.F) {
	for _, template := range instructMembers(f, "template") {
		f.Add(template, []byte(`{"story_string":"{{system}}"}`), 0)
	}
	for _, context := range instructMembers(f, "context") {
		f.Add([]byte(`{"output_sequence":"A:","wrap":true}`), context, 0)
	}
	f.Add([]byte(`{"input_sequence":"{{name}}","names":true}`),
		[]byte(`{"story_string":"{{#if a}}"}`), 90)
	f.Add([]byte(`{"output_sequence":"<a>","story_string_prefix":"{{"}`),
		[]byte(`{"story_string_depth":-1}`), 40)
	f.Add([]byte(`{"names_behavior":"always","names":3}`),
		[]byte(`{"chat_start":"{{roll::d6}}"}`), 5)
	f.Fuzz(func(t *testing.T, template, context []byte, window int) {
		tpl, errT := readable(tavern.ParseInstruct(template))
		ctx, errC := readable(tavern.ParseContext(context))
		if errT != nil || errC != nil {
			return
		}
		comesBack(t, template, tpl)
		comesBack(t, context, ctx)
		budget := prompt.Budget{Context: max(window, 0) % 500}
		got, err := tavern.Render(prompt.Scene{System: "SYS"}, prompt.Input{History: talk()},
			names, budget, ctx, &tpl)
		if err != nil {
			if budget.Context == 0 || !errors.Is(err, prompt.ErrBudget) {
				t.Fatal(err)
			}
			return
		}
		if !strings.Contains(got.Text, "I knock.") {
			t.Errorf("the newest message is missing in %q", got.Text)
		}
		if budget.Context > 0 && prompt.EstimateTokens(got.Text) > budget.Context {
			t.Errorf("%d tokens in a window of %d", prompt.EstimateTokens(got.Text), budget.Context)
		}
	})
}

// instructMembers returns the members of the files as separate files, in the order of their texts.
// They are short seeds, suitable for a fuzzer.
func instructMembers(tb testing.TB, kind string) [][]byte {
	tb.Helper()
	var list [][]byte
	for _, file := range instructPresetFiles(tb, kind) {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(file, &all); err != nil {
			tb.Fatal(err)
		}
		for name, value := range all {
			if len(value) < 150 {
				list = append(list, fmt.Appendf(nil, "{%q:%s}", name, value))
			}
		}
	}
	slices.SortFunc(list, bytes.Compare)
	return slices.CompactFunc(list, bytes.Equal)
}

// comesBack checks that an unchanged preset is written as it was.
func comesBack(t *testing.T, file []byte, preset json.Marshaler) {
	t.Helper()
	data, err := preset.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(instructAnything(t, file), instructAnything(t, data)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}
