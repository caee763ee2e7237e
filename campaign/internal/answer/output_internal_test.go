package answer

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/llm"
)

// summary prints an output on one line: text, calls, other members, and the error.
func summary(o Answer) string {
	text := fmt.Sprintf("%q", o.Text)
	for _, c := range o.Calls {
		text += fmt.Sprintf(" %s=%s%s", c.ID, c.Tool, c.Args)
		if c.Form != "" {
			text += "!" + string(c.Form)
		}
	}
	if o.Extra.Exists() {
		text += " +" + o.Extra.String()
	}
	if o.Broken != "" {
		text += " " + o.Broken
	}
	return text
}

// TestReadOutput: what counts as narration, as calls and as nothing (CA-15).
func TestReadOutput(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", tool.MaxName+1)
	for _, c := range []struct {
		name, raw string
		native    []llm.ToolCall
		want      string
	}{
		{"narration", " You wait.\n", nil, `"You wait."`},
		{"nothing", " \n\t", nil, `"" empty_output`},
		{"an object", `{"text": " You wait. ", "tool_calls": [], "mood": "grim", "hp": 3}`, nil,
			`"You wait." +{"mood":"grim","hp":3}`},
		{"an empty object", `{}`, nil, `"" empty_output`},
		{"calls in a list", `{"text": "You go.", "assistant_structured": [{"tool": "move", "args": {"to": 1}}]}`, nil, `"You go." call_001=move{"to":1}`},
		{"a list that has no calls", `{"text": "You go.", "assistant_structured": [7]}`, nil, `"You go." +{"assistant_structured":[7]}`},
		{"an empty list", `{"text": "You go.", "assistant_structured": []}`, nil, `"You go." +{"assistant_structured":[]}`},
		{"nulls", `{"text": null, "tool_calls": null}`, nil, `"" empty_output`},
		{"an object and a frame that cannot be parsed", `{"text": "x"} <tool_call>{"name": </tool_call>`, nil, `"x" malformed_output`},
		{"a call in the form of a provider", `You run. {"function": {"name": "move", "arguments": {"to": 1}}}`, nil, `"You run." call_001=move{"to":1}`},
		{"calls alone", `{"tool_calls": [{"tool": "move", "args": {"to": 1}}, {"tool": "x", "id": "b"}]}`,
			nil, `"" call_001=move{"to":1} b=x{}`},
		{"args null", `{"tool_calls": [{"tool": "x", "args": null, "id": null}]}`, nil, `"" call_001=x{}`},
		{"bad forms", `{"tool_calls": [7, {}, {"tool": 5}, {"tool": " "}, {"tool": "x", "args": "y"},
			{"tool": "x", "id": 7}]}`, nil,
			`"" call_001=null!invalid_call.object ` +
				`call_002=null!invalid_call.tool call_003=null!invalid_call.tool ` +
				`call_004= null!invalid_call.tool call_005=x"y"!invalid_call.args ` +
				`call_006=xnull!invalid_call.id`},
		{"long names", `{"tool_calls": [{"tool": "x", "id": "` + long + `"}, {"tool": "` + long + `", "id": "b"}]}`, nil,
			`"" ` + long[1:] + `=xnull!invalid_call.long_id b=` + long[1:] + `null!invalid_call.long_tool`},
		{"long names of a provider", "", []llm.ToolCall{{ID: long, Name: "x"}, {ID: "b", Name: long}},
			`"" ` + long[1:] + `=xnull!invalid_call.long_id b=` + long[1:] + `null!invalid_call.long_tool`},
		{"a text that is no text", `{"text": 5}`, nil, `"" malformed_output`},
		{"calls that are no list", `{"text": "x", "tool_calls": {}}`, nil, `"x" malformed_output`},
		{"half an object", `{"text": "x"`, nil, `"{\"text\": \"x\"" malformed_output`},
		{"an object and more", `{"text": "x"} Then`, nil, `"x"`},
		{"two objects, of which one is no answer", `{"mood": "grim"} {"hp": 5}`, nil, `"" +{"mood":"grim"} malformed_output`},
		{"two objects as a list without brackets", `{"text": "a"}, {"text": "b"}`, nil, `"a" malformed_output`},
		{"an object and a directive", `{"text": "a"}[gold: 3]`, nil, `"a"`},
		{"two empty objects", `{}{}`, nil, `"" malformed_output`},
		{"calls, then prose", `{"tool_calls": [{"tool": "a"}]} You wait.`, nil, `"You wait." call_001=a{}`},
		{"an object behind words", `好的：{"text": "x", "tool_calls": [{"tool": "a"}]}`, nil, `"x" call_001=a{}`},
		{"an object behind one that cannot be read", `He says {"text": [}. {"text": "x"}`, nil, `"x"`},
		{"an object behind a thought", `<think>{"tool": "b"} Hm.</think>{"text": "x"}`, nil, `"x"`},
		{"a thought within the text", `{"text": "<think>Hm.</think> x"}`, nil, `"x"`},
		{"a thought that began before", "Hm.</think>\nYou wait.", nil, `"You wait."`},
		{"a thought without end", "You wait. <think>Hm.", nil, `"You wait."`},
		{"only thoughts", "<Thinking>Hm.</Thinking>", nil, `"" empty_output`},
		{"a list of calls", `[{"tool": "a"}, {"name": "b", "arguments": {"k": 1}}]`, nil,
			`"" call_001=a{} call_002=b{"k":1}`},
		{"one call", `{"tool": "a", "args": {"k": 1}}`, nil, `"" call_001=a{"k":1}`},
		{"prose, then calls in a fence", "You go.\n\n```json\n{\"tool_calls\": [{\"tool\": \"a\"}]}\n```", nil,
			`"You go." call_001=a{}`},
		{"prose around a list in a fence", "You go.\n```\n[{\"tool\": \"a\"}]\n```\nIt is dark.", nil,
			`"You go.\n\nIt is dark." call_001=a{}`},
		{"calls line by line", "You go.\n{\"tool\": \"a\"}\n{\"tool\": \"b\"}", nil,
			`"You go." call_001=a{} call_002=b{}`},
		{"the words of other makers", `{"tool_calls": [{"name": "a", "parameters": {"k": 1}}, {"tool": "b", "input": {}},
			{"id": "c", "type": "function", "function": {"name": "d", "arguments": "{\"k\": 2}"}}]}`, nil,
			`"" call_001=a{"k":1} call_002=b{} c=d{"k":2}`},
		{"arguments as broken text", `{"tool_calls": [{"name": "a", "arguments": "{"}]}`, nil,
			`"" call_001=a"{"!invalid_call.json`},
		{"calls that break off", "You go. {\"tool_calls\": [{\"tool\": \"a\"", nil,
			`"You go. {\"tool_calls\": [{\"tool\": \"a\"" malformed_output`},
		{"an object of a command", `You go. memory('a', {"text": "b"})`, nil, `"You go. memory('a', {\"text\": \"b\"})"`},
		{"a sheet in prose", `Her sheet: {"name": "Ann", "hp": 3}`, nil, `"Her sheet: {\"name\": \"Ann\", \"hp\": 3}"`},
		{"two texts", `{"text": "a"} and {"text": "b"}`, nil, `"a\nb"`},
		{"a list is narration", `[1, 2]`, nil, `"[1, 2]"`},
		{"a fence", "```json\n{\"text\": \"x\"}\n```", nil, `"x"`},
		{"a fence without a language", "```\nYou wait.\n```\n", nil, `"You wait."`},
		{"a fence in the middle stays", "Look:\n```\nx\n```", nil, "\"Look:\\n```\\nx\\n```\""},
		{"two fences stay", "```\na\n```\n```\nb\n```", nil, "\"```\\na\\n```\\n```\\nb\\n```\""},
		{"an empty fence", "```\n```", nil, `"" empty_output`},
		{"ticks alone stay", "``````", nil, "\"``````\""},
		{"a frame behind prose", "你来到集市。\n<tool_call>{\"name\":\"move\",\"arguments\":{\"to\":\"集市\"}}</tool_call>", nil, `"你来到集市。" call_001=move{"to":"集市"}`},
		{"an empty frame", "You go.\n<tool_call></tool_call>", nil, `"You go."`},
		{"frames alone", `[TOOL_CALLS][{"name":"a","arguments":{"k":1}}]`, nil, `"" call_001=a{"k":1}`},
		{"a frame that closes only", `{"name":"a","arguments":{"k":1}}</tool_call>`, nil, `"" call_001=a{"k":1}`},
		{"a frame that cannot be read", "You go.\n<tool_call>move hall</tool_call>", nil,
			`"You go.\n<tool_call>move hall</tool_call>" malformed_output`},
		{"a frame in the text of an object", `{"text":"You go. <function=a>{\"k\":1}</function>"}`, nil, `"You go." call_001=a{"k":1}`},
		{"a frame behind an object", "{\"text\":\"You go.\"}\n<tool_call>{\"name\":\"a\"}</tool_call>", nil, `"You go." call_001=a{}`},
		{"a frame in a thought", `<think><tool_call>{"name":"a"}</tool_call></think>You go.`, nil, `"You go."`},
		{"calls of Python", `[a(k="x"), b()]`, nil, `"" call_001=a{"k":"x"} call_002=b{}`},
		{"the end of a turn", "You go.<|eot_id|>", nil, `"You go."`},
		{"the words of Command R", "Action: ```json\n[{\"tool_name\": \"a\", \"parameters\": {\"k\": 1}}]\n```", nil, `"" call_001=a{"k":1}`},
		{"the form of the log", `{"assistant_structured":{"tool_calls":[{"tool":"a","args":{"k":1}}],"combat_log":"x","hp":3}}`, nil,
			`"" call_001=a{"k":1} +{"combat_log":"x","hp":3}`},
		{"the form of the log, with its text", `{"assistant_output_text":"You go.","assistant_structured":{"tool_calls":[{"tool":"a"}]}}`, nil,
			`"You go." call_001=a{}`},
		{"narration for text", `{"narration":"You go.","tool_calls":[{"tool":"a"}]}`, nil, `"You go." call_001=a{}`},
		{"narration alone", `{"narration":"You go."}`, nil, `"You go."`},
		{"text before narration", `{"text":"You go.","narration":"x"}`, nil, `"You go." +{"narration":"x"}`},
		{"a message of OpenAI", `{"role":"assistant","content":"You go.","tool_calls":[{"function":{"name":"a","arguments":"{}"}}]}`, nil,
			`"You go." call_001=a{} +{"role":"assistant"}`},
		{"narrative alone belongs to a dialect", `{"narrative":"You go."}`, nil, `"" +{"narrative":"You go."} empty_output`},
		{"a single call", `{"text":"You go.","tool_call":{"tool":"a"},"function_call":{"name":"b","arguments":{}}}`, nil,
			`"You go." call_001=a{} call_002=b{}`},
		{"a label before the calls", "You go.\n\nassistant_structured.tool_calls: [\n  {\"tool\": \"a\"}\n]", nil, `"You go." call_001=a{}`},
		{"a label of Markdown", "You go.\n\n**assistant_structured**:\n```json\n{\"tool_calls\": [{\"tool\": \"a\"}]}\n```", nil, `"You go." call_001=a{}`},
		{"a trailing comma", `{"text":"You go.","tool_calls":[{"tool":"a",},],}`, nil, `"You go." call_001=a{}`},
		{"a trailing comma behind prose", `You go. {"tool_calls":[{"tool":"a"},]} So.`, nil, `"You go.  So." call_001=a{}`},
		{"single quotes and a line break", "{'text': 'You go.\nIt rains.', tool_calls: []}", nil, `"You go.\nIt rains."`},
		{"a trailing comma in native arguments", "", []llm.ToolCall{{ID: "n1", Name: "b", Arguments: `{"k":1,}`}}, `"" n1=b{"k":1}`},
		{"a narration that begins with a macro", `{{user}} nods.`, nil, `"{{user}} nods."`},
		{"a frame that cannot be read in the text of an object", `{"text":"<tool_call>move hall</tool_call>"}`, nil, `"<tool_call>move hall</tool_call>" malformed_output`},
		{"a frame that can be read after one that cannot", `<tool_call>move hall</tool_call> <tool_call>{"name":"a"}</tool_call>`, nil,
			`"<tool_call>move hall</tool_call>" call_001=a{} malformed_output`},
		{"the id of a call in a frame", `[TOOL_CALLS][{"name":"a","arguments":{},"id":"abc456789"}]`, nil, `"" abc456789=a{}`},
		{"an object with a text and more in prose", `A letter: {"text": "Come.", "seal": "red"}`, nil, `"A letter: {\"text\": \"Come.\", \"seal\": \"red\"}"`},
		{"an object with a text and a single call after prose", `So: {"text": "You go.", "tool_call": {"tool": "a"}}`, nil, `"You go." call_001=a{}`},
		{"the form of the log after prose", `You go. {"assistant_structured": {"tool_calls": [{"tool": "a"}]}}`, nil, `"You go." call_001=a{}`},
		{"a member with a call in a different object", `You go. {"reason": "x", "tool_call": {"tool": "a"}}`, nil,
			`"You go. {\"reason\": \"x\", \"tool_call\": {\"tool\": \"a\"}}"`},
		{"ticks with words before the calls", "He writes ``` on the wall. {\"tool\": \"a\"}", nil, "\"He writes ``` on the wall.\" call_001=a{}"},
		{"the calls of the log that are not a list", `{"text": "x", "assistant_structured": {"tool_calls": 7}}`, nil, `"x" +{"tool_calls":7}`},
		{"a single call that is not a call", `{"text": "x", "tool_call": 7}`, nil, `"x" +{"tool_call":7}`},
		{"a tool null next to a name", `{"tool_calls": [{"tool": null, "name": "a"}]}`, nil, `"" call_001=a{}`},
		{"four ticks stay", "````", nil, "\"````\""},
		{"words in braces", `{not json}`, nil, `"{not json}" malformed_output`},
		{"native calls join", `{"text": "x", "tool_calls": [{"tool": "a"}]}`,
			[]llm.ToolCall{{ID: "n1", Name: "b", Arguments: `{"k": 1}`}, {Name: "c"}},
			`"x" call_001=a{} n1=b{"k":1} call_003=c{}`},
		{"native calls alone", "", []llm.ToolCall{{ID: "n1", Name: "b", Arguments: " "}}, `"" n1=b{}`},
		{"native arguments that are no JSON", "", []llm.ToolCall{{ID: "n1", Name: "b", Arguments: "{"}},
			`"" n1=bnull!invalid_call.json`},
		{"native arguments that are no object", "", []llm.ToolCall{{ID: "n1", Name: "b", Arguments: "[1]"}},
			`"" n1=b[1]!invalid_call.args`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, summary(Read(c.raw, c.native))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// FuzzReadOutput: any output of a model is read without a panic. Every call has an id, and an
// output that is not broken has a text or calls.
func FuzzReadOutput(f *testing.F) {
	files, err := filepath.Glob("../../testdata/conformance/*.json")
	if err != nil || len(files) == 0 {
		f.Fatal("no cases to begin with", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		var doc struct {
			Cases []struct {
				Steps []struct {
					Outputs []json.RawMessage `json:"outputs"`
				} `json:"steps"`
			} `json:"cases"`
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			f.Fatal(err)
		}
		for _, c := range doc.Cases {
			for _, s := range c.Steps {
				for _, o := range s.Outputs {
					f.Add(string(o), "")
				}
			}
		}
	}
	f.Add("```json\n{\"text\": \"x\"}\n```", `{"a": [1]}`)
	f.Add("<tool_call>{\"name\": \"move\", \"arguments\": {}}</tool_call>\n{\"tool_calls\": [{\"tool\": }", "") // broken, with a call
	f.Fuzz(func(t *testing.T, text, arguments string) {
		o := Read(text, []llm.ToolCall{{Name: "x", Arguments: arguments}})
		for _, c := range o.Calls {
			if c.ID == "" {
				t.Error("a call without an id")
			}
			if c.Form == "" && (!c.Args.IsObject() || strings.TrimSpace(c.Tool) == "") {
				t.Errorf("a call in good form: %q %s", c.Tool, c.Args)
			}
		}
		alone := Read(text, nil)
		if alone.Broken == "" && alone.Text == "" && len(alone.Calls) == 0 {
			t.Error("an output of nothing is not broken")
		}
		if alone.Text != strings.TrimSpace(alone.Text) {
			t.Errorf("text %q is not trimmed", alone.Text)
		}
	})
}
