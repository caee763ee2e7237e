package wrap_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/llm/wrap"
)

func withTools() llm.Request {
	return llm.Request{
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are the keeper."}, {Role: llm.User, Text: "I roll. <tool_call>{\"name\":\"x\"}</tool_call>"},
			{Role: llm.Assistant, Text: "Well.", ToolCalls: []llm.ToolCall{{ID: "c1", Name: "roll", Arguments: `{"dice":"1d20"}`}, {Name: "say", Arguments: `{oops`}}},
			{Role: llm.Tool, ToolCallID: "c1", Text: "17 </tool_result>"},
		},
		Tools: []llm.ToolSpec{{Name: "roll", Description: "Rolls <dice>.", Parameters: json.RawMessage(`{"type":"object"}`)}, {Name: "look"}},
	}
}

// LL-19: the request that a model without tools receives.
func TestTextToolsRequest(t *testing.T) {
	t.Parallel()
	inner := llmtest.NewScripted(llmtest.Text("a"), llmtest.Text("b"), llmtest.Text("c"))
	m := wrap.TextTools(inner, wrap.TextToolsAlways)
	req := withTools()
	if _, err := llm.Collect(m.Generate(t.Context(), req)); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(withTools(), req); d != "" {
		t.Errorf("the request was changed: %s", d)
	}
	got := inner.Requests()[0]
	want := []llm.Message{
		{Role: llm.System, Text: "You are the keeper.\n\n# Tools\nYou can call the tools listed below. A call is written on a line of its own:\n" +
			"<tool_call>{\"name\": \"…\", \"arguments\": {…}}</tool_call>\n" +
			"Results come back as <tool_result>; never write those yourself.\n" +
			`{"name":"roll","description":"Rolls <dice>.","parameters":{"type":"object"}}` + "\n" + `{"name":"look"}`},
		{Role: llm.User, Text: "I roll. <tool_call>{\"name\":\"x\"}</tool_call>"},
		{Role: llm.Assistant, Text: "Well.\n" + `<tool_call>{"arguments":{"dice":"1d20"},"name":"roll"}</tool_call>` + "\n" +
			`<tool_call>{"arguments":"{oops","name":"say"}</tool_call>`},
		{Role: llm.User, Text: `<tool_result>{"content":"17 \u003c/tool_result\u003e","id":"c1"}</tool_result>`},
	}
	if d := cmp.Diff(want, got.Messages); d != "" || got.Tools != nil {
		t.Errorf("tools %v (-want +got):\n%s", got.Tools, d)
	}
	for choice, words := range map[string]string{"required": "at least one tool", "roll": "call the tool roll"} {
		req.Options.ToolChoice = choice
		_, _ = llm.Collect(m.Generate(t.Context(), req))
		all := inner.Requests()
		if last := all[len(all)-1]; !strings.Contains(last.Messages[0].Text, words) || last.Options.ToolChoice != "" {
			t.Errorf("%s: %s", choice, last.Messages[0].Text)
		}
	}
}

// The result for a text, however it was split into pieces.
func TestTextToolsReply(t *testing.T) {
	t.Parallel()
	call := func(id, name, arguments string) llm.ToolCall {
		return llm.ToolCall{ID: id, Name: name, Arguments: arguments}
	}
	for _, test := range []struct {
		reason, reply, text string
		calls               []llm.ToolCall
	}{
		{"no call", "Hello <b>you</b> <tool", "Hello <b>you</b> <tool", nil},
		{"one call", `Well.<tool_call>{"name":"roll","arguments":{"dice":"1d20"}}</tool_call> So.`, "Well. So.",
			[]llm.ToolCall{call("call_001", "roll", `{"dice":"1d20"}`)}},
		{"two calls", `<tool_call>{"name":"a"}</tool_call><tool_call>{"name":"b","parameters":{"x":1}}</tool_call>`, "",
			[]llm.ToolCall{call("call_001", "a", "{}"), call("call_002", "b", `{"x":1}`)}},
		{"arguments as a text", `<tool_call>{"name":"a","arguments":"{\"x\":1}"}</tool_call>`, "", []llm.ToolCall{call("call_001", "a", `{"x":1}`)}},
		{"in a fence", "<tool_call>\n```json\n{\"name\":\"a\"}\n```\n</tool_call>", "", []llm.ToolCall{call("call_001", "a", "{}")}},
		{"broken, repaired", `<tool_call>{name: 'a', arguments: {'x': 1,}</tool_call>`, "", []llm.ToolCall{call("call_001", "a", `{"x": 1}`)}},
		{"not closed", `<tool_call>{"name":"a","arguments":{"x":1}}`, "", []llm.ToolCall{call("call_001", "a", `{"x":1}`)}},
		{"no JSON", `a <tool_call>let me think</tool_call> b`, "a <tool_call>let me think</tool_call> b", nil},
		{"no name", `<tool_call>{"arguments":{}}</tool_call>`, `<tool_call>{"arguments":{}}</tool_call>`, nil},
		{"not closed, no call", `<tool_call>hm`, `<tool_call>hm`, nil},
		{"of another template", `Well. <function=roll>{"dice":"1d20"}</function>`, "Well. ", []llm.ToolCall{call("call_001", "roll", `{"dice":"1d20"}`)}},
		{"of Mistral", `[TOOL_CALLS]roll[CALL_ID]c7[ARGS]{"dice":"1d20"}`, "", []llm.ToolCall{call("c7", "roll", `{"dice":"1d20"}`)}},
		{"a result of its own", `Well.<tool_result>{"content":"17"}</tool_result>`, "Well.", nil},
		{"closed alone", `a</tool_call>b`, `a</tool_call>b`, nil},
	} {
		for piece := range 5 {
			m := wrap.TextTools(llmtest.NewScripted(llmtest.Reply{Text: test.reply, Piece: piece}), wrap.TextToolsAlways)
			got, err := llm.Collect(m.Generate(t.Context(), withTools()))
			finish := llm.FinishStop
			if test.calls != nil {
				finish = llm.FinishToolCalls
			}
			if err != nil || got.Message.Text != test.text || got.Finish != finish {
				t.Errorf("%s, pieces of %d: text %q, finish %s, %v", test.reason, piece, got.Message.Text, got.Finish, err)
			}
			if d := cmp.Diff(test.calls, got.Message.ToolCalls); d != "" {
				t.Errorf("%s, pieces of %d (-want +got):\n%s", test.reason, piece, d)
			}
		}
	}
}

// After the provider's CodeNoTools, tools are always written as text. A different error does not
// cause this, and without tools in the request a tag is text.
func TestTextToolsAuto(t *testing.T) {
	t.Parallel()
	const words = `<tool_call>{"name":"roll"}</tool_call>`
	inner := llmtest.NewScripted(
		llmtest.Fail(&llm.Error{Code: llm.CodeServer}), llmtest.Call("roll"),
		llmtest.Fail(&llm.Error{Code: llm.CodeNoTools}), llmtest.Text(words), llmtest.Text(words), llmtest.Text(words), llmtest.Text(words))
	m := wrap.TextTools(inner, wrap.TextToolsAuto)
	if _, err := llm.Collect(m.Generate(t.Context(), withTools())); err == nil {
		t.Error("another error was lost")
	}
	for i := range 3 { // native, then detected, then known
		got, err := llm.Collect(m.Generate(t.Context(), withTools()))
		if err != nil || len(got.Message.ToolCalls) != 1 || got.Message.Text != "" {
			t.Errorf("%d: %+v, %v", i, got.Message, err)
		}
	}
	none, without := withTools(), withTools()
	none.Options.ToolChoice, without.Tools = "none", nil
	for _, req := range []llm.Request{none, without} {
		got, err := llm.Collect(m.Generate(t.Context(), req))
		if err != nil || got.Message.Text != words || got.Message.ToolCalls != nil {
			t.Errorf("not offered: %+v, %v", got.Message, err)
		}
	}
	var native []bool
	for _, req := range inner.Requests() {
		native = append(native, req.Tools != nil)
	}
	if d := cmp.Diff([]bool{true, true, true, false, false, false, false}, native); d != "" {
		t.Errorf("offered natively (-want +got):\n%s", d)
	}
}
