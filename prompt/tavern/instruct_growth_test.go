package tavern_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/tavern"
)

// TestGrowthInstruct checks that reading preset files, and rendering texts with long ones, takes
// linear work.
func TestGrowthInstruct(t *testing.T) {
	repeat := func(head, open, tail string) testkit.Atom {
		return testkit.Atom{Head: head, Open: open, Tail: tail}
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
	files := []testkit.Atom{
		testkit.Repeat("{"), testkit.Repeat("["), testkit.Repeat("雨"), testkit.Repeat(`{"a":`),
		repeat(`{"a":"`, "x", `"}`), repeat(`{"name":"`, `\"`, `"}`), repeat(`{"wrap":"`, "x", `"}`),
		repeat(`{"a":0`, `,"a":1`, "}"), repeat(`{"names":"`, "x", `"}`), repeat(`{"separator_sequence":"`, `\n`, `"}`),
		repeat(`{"system_prompt":"`, "x", `"}`), repeat(`{"story_string_depth":`, "1", "}"),
		{Head: `{"a":`, Open: "[", Mid: "1", Close: "]", Tail: "}"},
	}
	texts := []testkit.Atom{
		testkit.Repeat("x"), testkit.Repeat("\n"), testkit.Repeat(" "), testkit.Repeat("雨"),
		testkit.Repeat("{{name}}"), testkit.Repeat("{{"), testkit.Repeat("{{system}}"), testkit.Repeat("{{trim}}\n"),
		testkit.Nest("{{#if system}}", "x", "{{/if}}"), testkit.Repeat("{{#if a}}"), testkit.Repeat("anchorbefore"),
	}
	rendering := func(name string, room int, read func(text string) (tavern.ContextTemplate, tavern.InstructTemplate, []prompt.Line)) testkit.Reader {
		return testkit.Reader{Name: name, Atoms: texts, Read: func(text string) {
			context, template, history := read(text)
			in := prompt.Input{History: history}
			_, _ = tavern.Render(prompt.Scene{System: "SYS"}, in, names, prompt.Budget{Context: room}, context, &template)
			_, _ = tavern.Render(prompt.Scene{System: "SYS"}, in, names, prompt.Budget{}, context, nil)
		}}
	}
	testkit.Growth(t,
		testkit.Reader{Name: "template", Atoms: files, Read: func(text string) { write(readable(tavern.ParseInstruct([]byte(text)))) }},
		testkit.Reader{Name: "context", Atoms: files, Read: func(text string) { write(readable(tavern.ParseContext([]byte(text)))) }},
		testkit.Reader{Name: "system prompt", Atoms: files, Read: func(text string) { write(readable(tavern.ParseSystemPrompt([]byte(text)))) }},
		rendering("story", 0, func(text string) (tavern.ContextTemplate, tavern.InstructTemplate, []prompt.Line) {
			return tavern.ContextTemplate{Story: text}, tavern.ChatML(), talk()
		}),
		rendering("frames", 0, func(text string) (tavern.ContextTemplate, tavern.InstructTemplate, []prompt.Line) {
			template := tavern.InstructTemplate{UserPrefix: text, UserSuffix: text, AssistantPrefix: text, StoryPrefix: text, Stop: text, Wrap: true}
			return tavern.ContextTemplate{Story: "s", ExampleSeparator: text, ChatStart: text}, template, talk()
		}),
		rendering("message", 4000, func(text string) (tavern.ContextTemplate, tavern.InstructTemplate, []prompt.Line) {
			return tavern.ContextTemplate{Story: "{{system}}"}, tavern.Alpaca(), []prompt.Line{{Role: llm.User, Text: text}}
		}),
		rendering("history", 4000, func(text string) (tavern.ContextTemplate, tavern.InstructTemplate, []prompt.Line) {
			history := make([]prompt.Line, len(text)/16)
			for i := range history {
				history[i] = prompt.Line{Role: []llm.Role{llm.User, llm.Assistant}[i%2], Text: "I knock and wait."}
			}
			return tavern.ContextTemplate{Story: "{{system}}"}, tavern.ChatML(), history
		}),
	)
}
