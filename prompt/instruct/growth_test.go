package instruct_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/internal/growthtest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/instruct"
	"github.com/talewright/talewright/prompt/scene"
)

// TestGrowth holds the reading of preset files, and texts rendered with long ones, to
// linear work.
func TestGrowth(t *testing.T) {
	repeat := func(head, open, tail string) growthtest.Atom {
		return growthtest.Atom{Head: head, Open: open, Tail: tail}
	}
	write := func(v any, err error) {
		if err != nil {
			_ = err.Error()
			return
		}
		if _, err := json.Marshal(v); err != nil {
			t.Fatal(err)
		}
	}
	files := []growthtest.Atom{
		growthtest.Repeat("{"), growthtest.Repeat("["), growthtest.Repeat("雨"), growthtest.Repeat(`{"a":`),
		repeat(`{"a":"`, "x", `"}`), repeat(`{"name":"`, `\"`, `"}`), repeat(`{"wrap":"`, "x", `"}`),
		repeat(`{"a":0`, `,"a":1`, "}"), repeat(`{"names":"`, "x", `"}`), repeat(`{"separator_sequence":"`, `\n`, `"}`),
		repeat(`{"system_prompt":"`, "x", `"}`), repeat(`{"story_string_depth":`, "1", "}"),
		{Head: `{"a":`, Open: "[", Mid: "1", Close: "]", Tail: "}"},
	}
	texts := []growthtest.Atom{
		growthtest.Repeat("x"), growthtest.Repeat("\n"), growthtest.Repeat(" "), growthtest.Repeat("雨"),
		growthtest.Repeat("{{name}}"), growthtest.Repeat("{{"), growthtest.Repeat("{{system}}"), growthtest.Repeat("{{trim}}\n"),
		growthtest.Nest("{{#if system}}", "x", "{{/if}}"), growthtest.Repeat("{{#if a}}"), growthtest.Repeat("anchorbefore"),
	}
	rendering := func(name string, room int, read func(text string) (instruct.Context, instruct.Template, []prompt.Line)) growthtest.Reader {
		return growthtest.Reader{Name: name, Atoms: texts, Read: func(text string) {
			context, template, history := read(text)
			in := prompt.Input{History: history}
			_, _ = instruct.Render(scene.Scene{System: "SYS"}, in, names, prompt.Budget{Context: room}, context, &template)
			_, _ = instruct.Render(scene.Scene{System: "SYS"}, in, names, prompt.Budget{}, context, nil)
		}}
	}
	growthtest.Run(t,
		growthtest.Reader{Name: "template", Atoms: files, Read: func(text string) { write(instruct.ParseTemplate([]byte(text))) }},
		growthtest.Reader{Name: "context", Atoms: files, Read: func(text string) { write(instruct.ParseContext([]byte(text))) }},
		growthtest.Reader{Name: "system prompt", Atoms: files, Read: func(text string) { write(instruct.ParseSystemPrompt([]byte(text))) }},
		rendering("story", 0, func(text string) (instruct.Context, instruct.Template, []prompt.Line) {
			return instruct.Context{Story: text}, instruct.ChatML(), talk()
		}),
		rendering("frames", 0, func(text string) (instruct.Context, instruct.Template, []prompt.Line) {
			template := instruct.Template{UserPrefix: text, UserSuffix: text, AssistantPrefix: text, StoryPrefix: text, Stop: text, Wrap: true}
			return instruct.Context{Story: "s", ExampleSeparator: text, ChatStart: text}, template, talk()
		}),
		rendering("message", 4000, func(text string) (instruct.Context, instruct.Template, []prompt.Line) {
			return instruct.Context{Story: "{{system}}"}, instruct.Alpaca(), []prompt.Line{{Role: llm.User, Text: text}}
		}),
		rendering("history", 4000, func(text string) (instruct.Context, instruct.Template, []prompt.Line) {
			history := make([]prompt.Line, len(text)/16)
			for i := range history {
				history[i] = prompt.Line{Role: []llm.Role{llm.User, llm.Assistant}[i%2], Text: "I knock and wait."}
			}
			return instruct.Context{Story: "{{system}}"}, instruct.ChatML(), history
		}),
	)
}
