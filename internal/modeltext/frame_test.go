package modeltext

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
)

// line returns parts on one line. Split prose, also within a character, is joined.
func line(parts []Part) string {
	var out []string
	prose := ""
	end := func() {
		if prose != "" {
			out, prose = append(out, fmt.Sprintf("%q", prose)), ""
		}
	}
	for _, p := range parts {
		if p.Text != "" && !p.Unreadable {
			prose += p.Text
			continue
		}
		end()
		if p.Unreadable {
			out = append(out, fmt.Sprintf("!%q", p.Text))
		}
		for _, c := range p.Calls {
			id := ""
			if c.ID != "" {
				id = "#" + c.ID
			}
			out = append(out, c.Name+id+c.Arguments)
		}
	}
	end()
	return strings.Join(out, " ")
}

var frames = []struct{ name, text, want string }{
	{"prose", "You < wait. [x] <b>Now</b> `a`", `"You < wait. [x] <b>Now</b> ` + "`a`" + `"`},
	{"hermes", "Go.\n<tool_call>\n{\"name\": \"move\", \"arguments\": {\"to\": \"hall\"}}\n</tool_call>\nDone.", `"Go.\n" move{"to": "hall"} "\nDone."`},
	{"two in one", "<tool_call>{\"name\":\"a\"}\n{\"name\":\"b\"}</tool_call>", `a{} b{}`},
	{"not closed", `<tool_call>{"name":"a","arguments":{"k":1}} So.`, `a{"k":1} " So."`},
	{"not closed, twice", `<tool_call>{"name":"a"}<tool_call>{"name":"b"}`, `a{} b{}`},
	{"broken off", `<tool_call>{"name":"a","arguments":{"k":1`, `a{"k":1}`},
	{"empty", "Go.<tool_call></tool_call>", `"Go."`},
	{"no call", "<tool_call>let me think</tool_call>", `!"<tool_call>let me think</tool_call>"`},
	{"a closing mark alone", `{"name":"a"}</tool_call>`, `"{\"name\":\"a\"}</tool_call>"`},
	{"attributes", `<tool_call id="1">{"name":"a"}</tool_call>`, `a{}`},
	{"in a fence, broken", "<tool_call>\n```json\n{name: 'a', arguments: {'x': 1,}\n```\n</tool_call>", `a{"x": 1}`},
	{"qwen coder", "<tool_call>\n<function=move>\n<parameter=to>\nhall\n</parameter>\n<parameter=n>\n3\n</parameter>\n</function>\n</tool_call>", `move{"to":"hall","n":3}`},
	{"glm", "<tool_call>move\n<arg_key>to</arg_key>\n<arg_value>hall</arg_value>\n<arg_key>n</arg_key><arg_value>[1]</arg_value>\n</tool_call>", `move{"to":"hall","n":[1]}`},
	{"mistral", `[TOOL_CALLS][{"name": "move", "arguments": {"to": "hall"}}, {"name": "b", "id": "x1"}] You go.`, `move{"to": "hall"} b#x1{} " You go."`},
	{"mistral, newer", `You go.[TOOL_CALLS]move[CALL_ID]c1[ARGS]{"to": "hall"}[TOOL_CALLS]b[ARGS]{}`, `"You go." move#c1{"to": "hall"} b{}`},
	{"llama", `<function=move>{"to": "hall"}</function>`, `move{"to": "hall"}`},
	{"llama, not closed", `<function=move>{"to": "hall"}`, `move{"to": "hall"}`},
	{"llama, in a prompt of others", `<function name="move">{"to": "hall"}</function>`, `move{"to": "hall"}`},
	{"llama, built in", `<|python_tag|>{"name": "move", "parameters": {"to": "hall"}}; {"name": "b", "parameters": {}}<|eom_id|>`, `move{"to": "hall"} b{}`},
	{"llama, python", `<|python_tag|>move.call(to="hall, left", n=-1)`, `move{"to":"hall, left","n":-1}`},
	{"llama 4", `<|python_start|>[move(to='it\'s', open=True), b()]<|python_end|>`, `move{"to":"it's","open":true} b{}`},
	{"gemma", "You go.\n```tool_code\nprint(move(to=\"hall\"))\n```\n", `"You go.\n" move{"to":"hall"} "\n"`},
	{"a fence of calls", "You go.\n```tool_call\nmove(to=\"hall\")\n```\n```tool_calls\n[{\"name\": \"b\"}]\n```", `"You go.\n" move{"to":"hall"} "\n" b{}`},
	{"deepseek", "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>move\n```json\n{\"to\": \"hall\"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>b\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>", `move{"to": "hall"} b{}`},
	{"deepseek, newer", `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>move<｜tool▁sep｜>{"to": "hall"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`, `move{"to": "hall"}`},
	{"deepseek, DSML", `<｜DSML｜function_calls><｜DSML｜invoke name="move"><｜DSML｜parameter name="n" string="true">3</｜DSML｜parameter></｜DSML｜invoke></｜DSML｜function_calls>`, `move{"n":"3"}`},
	{"kimi", `<|tool_calls_section_begin|><|tool_call_begin|>functions.move:0<|tool_call_argument_begin|>{"to": "hall"}<|tool_call_end|><|tool_calls_section_end|>`, `move{"to": "hall"}`},
	{"granite", `<|tool_call|>[{"name": "move", "arguments": {"to": "hall"}}]`, `move{"to": "hall"}`},
	{"phi", `<|tool_call|>[{"name": "move", "arguments": {}}]<|/tool_call|>`, `move{}`},
	{"command r", `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "move", "parameters": {"to": "hall"}}]<|END_ACTION|>`, `move#0{"to": "hall"}`},
	{"internlm", "<|action_start|><|plugin|>\n{\"name\": \"move\", \"parameters\": {}}<|action_end|>", `move{}`},
	{"xml", `<function_calls><invoke name="move"><parameter name="to">hall</parameter></invoke> <invoke name="b"></invoke></function_calls> So.`, `move{"to":"hall"} b{} " So."`},
	{"openai in text", `<tool_calls>[{"id":"c1","type":"function","function":{"name":"move","arguments":"{\"to\":1}"}}]</tool_calls>`, `move#c1{"to":1}`},
	{"results are nobody's to write", "A.<tool_response>\n{\"hp\": 3}\n</tool_response>B.[TOOL_RESULTS]{\"x\":1}[/TOOL_RESULTS]C.", `"A." "B." "C."`},
	{"arguments that are no JSON", `<tool_call>{"name":"a","arguments":"hall"}</tool_call>`, `ahall`},
	{"arguments without keys", "```tool_code\nmove('hall')\n```", "!\"```tool_code\\nmove('hall')\\n```\""},
}

// TestSplit: each frame is found, also if it arrives in pieces.
func TestSplit(t *testing.T) {
	t.Parallel()
	for _, f := range frames {
		if diff := cmp.Diff(f.want, line(Split(f.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", f.name, diff)
		}
		for _, size := range []int{1, 2, 3, 7} {
			var s Splitter
			var parts []Part
			for at := 0; at < len(f.text); at += size {
				parts = append(parts, s.Write(f.text[at:min(at+size, len(f.text))])...)
			}
			if diff := cmp.Diff(f.want, line(append(parts, s.End()...))); diff != "" {
				t.Errorf("%s, in pieces of %d (-want +got):\n%s", f.name, size, diff)
			}
		}
	}
}

// TestPythonCalls: only a complete text can be a list of calls; a directive or a list of JSON is
// not.
func TestPythonCalls(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[move(to="hall"), b(n=[1, 2])]`: `move{"to":"hall"} b{"n":[1, 2]}`,
		`[move(to="hall")] You go.`:      "", `move(to="hall")`: "", `[hp: -1]`: "", `["a"]`: "", `[]`: "", `[move("hall")]`: "", `[move(to=`: "",
	} {
		calls, ok := PythonCalls(text)
		if got := line([]Part{{Calls: calls}}); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s, %v", text, got, ok)
		}
	}
}

// TestWithoutFrameMarks: a mark without its partner, which a server swallowed, is removed; other
// tags remain.
func TestWithoutFrameMarks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"You go.</tool_call>": "You go.", "You go.<|eot_id|>": "You go.", "[TOOL_CALLS] You go.": "You go.",
		"<b>You</b> [go] </s>": "<b>You</b> [go] </s>", "You go.": "You go.",
	} {
		if got := WithoutFrameMarks(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestGrowthOfFrames: the cost of reading is linear in the length of any text.
func TestGrowthOfFrames(t *testing.T) {
	var all strings.Builder
	for _, f := range frames {
		all.WriteString(f.text)
	}
	atoms := []testkit.Atom{testkit.Repeat(all.String())}
	for _, mark := range []string{"<tool_call>", "<tool_call>{", `<tool_call>{"`, "<tool_call>{}", "<function=a>", "<function=a><parameter=b>", "[TOOL_CALLS]",
		"[TOOL_CALLS][", "<|python_tag|>a(b=", "<|python_tag|>a(b='", "<tool_calls><tool_call>", "<tool_call>{}<tool_use>{}", "```tool_code", "</tool_call>", "<", "[", "`", "<tool_"} {
		atoms = append(atoms, testkit.Repeat(mark))
	}
	testkit.Growth(t,
		testkit.Reader{Name: "Split", Size: 4 << 10, Atoms: atoms, Read: func(text string) { Split(text) }},
		testkit.Reader{Name: "Splitter", Size: 2 << 10, Atoms: atoms, Read: func(text string) {
			var s Splitter
			for at := 0; at < len(text); at += 16 {
				s.Write(text[at:min(at+16, len(text))])
			}
			s.End()
		}},
	)
}

// FuzzSplit: the parts do not depend on the pieces, and prose is never lost.
func FuzzSplit(f *testing.F) {
	for _, one := range frames {
		f.Add(one.text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = max(1, size%64)
		var s Splitter
		var parts []Part
		for at := 0; at < len(text); at += size {
			parts = append(parts, s.Write(text[at:min(at+size, len(text))])...)
		}
		if diff := cmp.Diff(line(Split(text)), line(append(parts, s.End()...))); diff != "" {
			t.Errorf("pieces of %d (-whole +pieces):\n%s", size, diff)
		}
	})
}
