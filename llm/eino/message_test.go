package eino_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/google/go-cmp/cmp"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/eino"
	"github.com/talewright/talewright/llm/llmtest"
)

func raw(name, value string) map[string]json.RawMessage {
	return map[string]json.RawMessage{name: json.RawMessage(value)}
}

// everything returns a request with a value in every field that Eino supports.
func everything() llm.Request {
	return llm.Request{
		Model: "m",
		Messages: []llm.Message{
			{Role: llm.System, Text: "You are the keeper.", Extra: raw("cache_control", `{"type":"ephemeral"}`)},
			{Role: llm.User, Name: "ann", Text: "What is this?", Images: []llm.Image{
				{MIME: "image/png", Data: []byte{1, 2}}, {URL: "https://host/i.png", Extra: raw("detail", `"low"`)}}},
			{Role: llm.Assistant, Text: "I look.",
				Thoughts:  []llm.Thought{{Provider: "a", Text: "Hm.\nOh.", Signature: "sig"}, {Provider: "a", Redacted: "xyz"}},
				ToolCalls: []llm.ToolCall{{ID: "1", Name: "look", Arguments: `{"at":"wall"}`, Signature: "s", Extra: raw("x", "1")}, {ID: "2", Name: "look", Arguments: "no JSON"}}},
			{Role: llm.Tool, ToolCallID: "1", Name: "look", Text: "a dragon"},
			{Role: llm.Tool, ToolCallID: "2", Text: ""},
		},
		Tools: []llm.ToolSpec{
			{Name: "look", Description: "Looks.", Parameters: json.RawMessage(`{"properties":{"at":{"type":"string"}},"type":"object","required":["at"]}`), Extra: raw("strict", "true")},
			{Name: "wait"},
		},
		Options: llm.Options{Temperature: new(0.7), TopP: new(0.95), MaxTokens: new(77), Stop: []string{"###"}, ToolChoice: "look"},
	}
}

// LL-17: a request that is converted to Eino and back does not change.
func TestRoundTripRequest(t *testing.T) {
	for _, choice := range []string{"look", "auto", "none", "required", ""} {
		req := everything()
		if req.Options.ToolChoice = choice; choice == "look" {
			req.Tools = req.Tools[:1] // one tool is allowed
		}
		script := llmtest.NewScripted(llmtest.Text("A dragon."))
		if _, err := llm.Collect(eino.From(eino.To(script), eino.Options{}).Generate(t.Context(), req)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(req, script.Requests()[0], cmp.Transformer("JSON", func(r json.RawMessage) any {
			var v any
			_ = json.Unmarshal(r, &v)
			return v
		})); diff != "" {
			t.Errorf("tool choice %q: %s", choice, diff)
		}
	}
}

// The reasoning that led to calls is in the next request to the Eino model.
func TestReasoningComesBack(t *testing.T) {
	there := &answers{messages: []*schema.Message{
		{ReasoningContent: "Who "}, {ReasoningContent: "knocks?"},
		{Content: "I look.", ToolCalls: []schema.ToolCall{{ID: "1", Function: schema.FunctionCall{Name: "look", Arguments: "{}"}}}},
		{ResponseMeta: &schema.ResponseMeta{FinishReason: "tool_calls"}},
	}}
	model := eino.From(there, eino.Options{})
	got, err := llm.Collect(model.Generate(t.Context(), llm.Request{}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]llm.Thought{{Provider: "eino", Text: "Who knocks?"}}, got.Message.Thoughts); diff != "" {
		t.Error(diff)
	}
	next := llm.Request{Messages: []llm.Message{got.Message, {Role: llm.Tool, ToolCallID: "1", Text: "a dragon"}}}
	if _, err := llm.Collect(model.Generate(t.Context(), next)); err != nil {
		t.Fatal(err)
	}
	want := []*schema.Message{
		{Role: schema.Assistant, Content: "I look.", ReasoningContent: "Who knocks?", ToolCalls: []schema.ToolCall{
			{ID: "1", Type: "function", Function: schema.FunctionCall{Name: "look", Arguments: "{}"}}}},
		{Role: schema.Tool, ToolCallID: "1", Content: "a dragon"},
	}
	if diff := cmp.Diff(want, there.input); diff != "" {
		t.Error(diff)
	}

	there.messages = there.messages[:2:2]
	there.messages = append(there.messages, &schema.Message{Content: "Nobody.", ResponseMeta: &schema.ResponseMeta{FinishReason: "stop"}})
	if got, err := llm.Collect(model.Generate(t.Context(), llm.Request{})); err != nil || got.Message.Thoughts != nil {
		t.Errorf("a reply without calls: %+v, %v", got.Message.Thoughts, err)
	}
}

// A reply with all kinds of content, as a stream, as a whole and joined by Eino.
func TestRoundTripReply(t *testing.T) {
	reply := llmtest.Reply{Chunks: llm.Chunks{
		llm.Warning{Code: "cut", Detail: "the prompt"}, llm.Warning{Code: "twice"},
		llm.ReasoningDelta{Text: "Hm"}, llm.ReasoningDelta{Text: "."}, llm.Seal{Provider: "a", Signature: "sig"}, llm.Seal{Provider: "a", Redacted: "xyz"},
		llm.TextDelta{Text: "A "}, llm.TextDelta{Text: "龙"},
		llm.CallDelta{Index: 0, ID: "1", Name: "look", Signature: "s"}, llm.CallDelta{Index: 0, Arguments: `{"at":`}, llm.CallDelta{Index: 0, Arguments: `1}`},
		llm.CallDelta{Index: 1, ID: "2", Name: "wait", Arguments: "{}"},
		llm.UsageReport{Usage: llm.Usage{PromptTokens: 10, CompletionTokens: 5, CachedTokens: 3, ReasoningTokens: 2}},
		llm.Done{Reason: llm.FinishToolCalls},
	}}
	want, err := llm.Collect(llmtest.NewScripted(reply).Generate(t.Context(), everything()))
	if err != nil {
		t.Fatal(err)
	}
	there := eino.To(llmtest.NewScripted(reply, reply, reply))
	got, err := llm.Collect(eino.From(there, eino.Options{}).Generate(t.Context(), everything()))
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("as a stream: %v %s", err, diff)
	}

	ask := []*schema.Message{schema.UserMessage("What is this?")}
	whole, err := there.Generate(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := there.Stream(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	joined, err := schema.ConcatMessageStream(stream)
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*schema.Message{"whole": whole, "joined by Eino": joined} {
		got, err := llm.Collect(eino.From(&answers{messages: []*schema.Message{m}}, eino.Options{}).Generate(t.Context(), everything()))
		if err != nil {
			t.Fatal(err)
		}
		got.Usage, want.Usage = nil, nil // Eino drops details of the usage when it joins messages
		// In a whole message the thinking comes before its seals.
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Typical behaviour of Eino models.
func TestHostileReplies(t *testing.T) {
	said := func(text string) *schema.Message { return &schema.Message{Role: schema.Assistant, Content: text} }
	over := func(reason string) *schema.Message {
		return &schema.Message{ResponseMeta: &schema.ResponseMeta{FinishReason: reason}}
	}
	part := func(index *int, id, name, arguments string) *schema.Message {
		return &schema.Message{ToolCalls: []schema.ToolCall{{Index: index, ID: id, Function: schema.FunctionCall{Name: name, Arguments: arguments}}}}
	}
	list := func(m ...*schema.Message) []*schema.Message { return m }
	for _, c := range []struct {
		reason  string
		answers []*schema.Message
		err     error
		options eino.Options
		text    string
		calls   []llm.ToolCall
		finish  llm.FinishReason
		code    llm.ErrorCode
		retry   bool
	}{
		{reason: "no finish reason", answers: list(said("Half a ta")), text: "Half a ta", code: llm.CodeIncomplete, retry: true},
		{reason: "nothing at all", code: llm.CodeIncomplete, retry: true},
		{reason: "no finish reason from a model that has none", answers: list(said("A tale.")), options: eino.Options{EndWithoutReason: true}, text: "A tale.", finish: llm.FinishStop},
		{reason: "a call and no finish reason from such a model", answers: list(part(nil, "1", "look", "{}")), options: eino.Options{EndWithoutReason: true},
			calls: []llm.ToolCall{{ID: "1", Name: "look", Arguments: "{}"}}, finish: llm.FinishToolCalls},
		{reason: "the word null is no reason", answers: list(said("Half"), over("null")), text: "Half", code: llm.CodeIncomplete, retry: true},
		{reason: "a stream that broke off", answers: list(said("Half")), err: io.ErrUnexpectedEOF, text: "Half", code: llm.CodeIncomplete, retry: true},
		{reason: "an end behind a reason that is an error", answers: list(said("A tale."), over("stop")), err: errors.New("boom"), text: "A tale.", code: llm.CodeUnknown},
		{reason: "words of Anthropic", answers: list(said("A"), over("end_turn")), text: "A", finish: llm.FinishStop},
		{reason: "words of Gemini", answers: list(said("A"), over("MAX_TOKENS")), text: "A", finish: llm.FinishLength},
		{reason: "a filter", answers: list(said("A"), over("SAFETY")), text: "A", finish: llm.FinishContentFilter},
		{reason: "another word", answers: list(said("A"), over("pause_turn")), text: "A", finish: "pause_turn"},
		{reason: "a nil message", answers: list(nil, said("A"), nil, over("stop")), text: "A", finish: llm.FinishStop},
		{reason: "a character in two pieces", answers: list(said("\xe9\xbe"), said("\x99!"), over("stop")), text: "龙!", finish: llm.FinishStop},
		{reason: "half a character at the end", answers: list(said("A\xe9"), over("stop")), text: "A\uFFFD", finish: llm.FinishStop},
		{reason: "calls without an index are whole", answers: list(part(nil, "1", "look", "{}"), part(nil, "2", "look", "{}"), over("tool_calls")),
			calls: []llm.ToolCall{{ID: "1", Name: "look", Arguments: "{}"}, {ID: "2", Name: "look", Arguments: "{}"}}, finish: llm.FinishToolCalls},
		{reason: "indexes in any order", answers: list(part(new(7), "1", "look", "{"), part(new(-3), "2", "wait", "["), part(new(7), "", "", "}"), part(new(-3), "", "", "]"), over("tool_calls")),
			calls: []llm.ToolCall{{ID: "1", Name: "look", Arguments: "{}"}, {ID: "2", Name: "wait", Arguments: "[]"}}, finish: llm.FinishToolCalls},
		{reason: "calls without an id", answers: list(part(nil, "", "look", "{}"), part(new(0), "", "wait", "{"), part(new(0), "", "", "}"), over("stop")),
			calls: []llm.ToolCall{{ID: "call_001", Name: "look", Arguments: "{}"}, {ID: "call_002", Name: "wait", Arguments: "{}"}}, finish: llm.FinishToolCalls},
		{reason: "a typed error stays", err: &llm.Error{Code: llm.CodeRateLimit, Status: 429, Retry: true}, code: llm.CodeRateLimit, retry: true},
		{reason: "a network error", err: &net.OpError{Op: "dial", Err: os.ErrPermission}, code: llm.CodeNetwork, retry: true},
		{reason: "a time that ran out", err: &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, code: llm.CodeTimeout, retry: true},
		{reason: "an error that the host knows", err: errors.New("busy"), options: eino.Options{Classify: func(error) *llm.Error {
			return &llm.Error{Code: llm.CodeOverloaded, Retry: true}
		}}, code: llm.CodeOverloaded, retry: true},
		{reason: "an error that nobody knows", err: errors.New("boom"), options: eino.Options{Classify: func(error) *llm.Error { return nil }}, code: llm.CodeUnknown},
		{reason: "more than the limits allow", answers: list(said("too much"), over("stop")), options: eino.Options{Limits: llm.Limits{Bytes: 3}}, code: llm.CodeTooLarge},
		{reason: "broken lines in Extra", answers: list(&schema.Message{Content: "A", Extra: map[string]any{"talewright_seals": "{\n\n[]", "talewright_warnings": 7}}, over("stop")), text: "A", finish: llm.FinishStop},
	} {
		t.Run(c.reason, func(t *testing.T) {
			got, err := llm.Collect(eino.From(&answers{messages: c.answers, err: c.err}, c.options).Generate(t.Context(), everything()))
			if got.Message.Text != c.text || got.Finish != c.finish {
				t.Errorf("text %q, finish %q", got.Message.Text, got.Finish)
			}
			if diff := cmp.Diff(c.calls, got.Message.ToolCalls); diff != "" {
				t.Error(diff)
			}
			failure, ok := errors.AsType[*llm.Error](err)
			if (c.code == "") != (err == nil) || ok && (failure.Code != c.code || failure.Retry != c.retry) {
				t.Errorf("error %v, want %q, retry %v", err, c.code, c.retry)
			}
		})
	}
}

// Omitted parts are reported once.
func TestPartsLeftOut(t *testing.T) {
	m := &schema.Message{AssistantGenMultiContent: []schema.MessageOutputPart{
		{Type: schema.ChatMessagePartTypeText, Text: "Look: "}, {Type: schema.ChatMessagePartTypeImageURL, Image: &schema.MessageOutputImage{}},
	}, ResponseMeta: &schema.ResponseMeta{FinishReason: "stop"}}
	got, err := llm.Collect(eino.From(&answers{messages: []*schema.Message{m, m}}, eino.Options{}).Generate(t.Context(), everything()))
	if err != nil || got.Message.Text != "Look: Look: " || len(got.Warnings) != 1 || got.Warnings[0].Code != "part_left_out" {
		t.Errorf("%+v, %v", got, err)
	}
}

// Content that Eino cannot express is refused before anything is sent, all of it at once.
func TestRefusedRequests(t *testing.T) {
	script := llmtest.NewScripted()
	_, err := llm.Collect(eino.From(eino.To(script), eino.Options{}).Generate(t.Context(), llm.Request{
		Messages: []llm.Message{{Role: llm.Assistant, Images: []llm.Image{{URL: "x"}}}, {Role: llm.User}},
		Tools:    []llm.ToolSpec{{Name: "look", Parameters: json.RawMessage(`[`)}},
	}))
	if e, ok := errors.AsType[*llm.Error](err); !ok || e.Code != llm.CodeInvalidRequest || !strings.Contains(err.Error(), "messages[0]") || !strings.Contains(err.Error(), "tools[0]") {
		t.Errorf("got %v", err)
	}
	_, err = eino.To(script).Generate(t.Context(), []*schema.Message{nil, {Role: schema.User, Extra: map[string]any{"f": func() {}}},
		{Role: schema.User, UserInputMultiContent: []schema.MessageInputPart{{Type: schema.ChatMessagePartTypeAudioURL}}}},
		model.WithToolChoice("perhaps"), model.WithTools([]*schema.ToolInfo{nil}))
	for _, want := range []string{"messages[0] is nil", `extra "f"`, `a part of the type "audio_url"`, "perhaps", "tools[0]"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := eino.To(script).WithTools([]*schema.ToolInfo{nil}); err == nil {
		t.Error("a tool that is nil is taken")
	}
	if n := len(script.Requests()); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
}

// Tools are bound to a copy; the tools of a call take precedence. Options that Eino does not have
// are passed by functions in both directions.
func TestOptions(t *testing.T) {
	script := llmtest.NewScripted(llmtest.Text("a"), llmtest.Text("b"), llmtest.Text("c"))
	plain := eino.To(script)
	bound, err := plain.WithTools([]*schema.ToolInfo{{Name: "look"}, {Name: "wait"}})
	if err != nil {
		t.Fatal(err)
	}
	ask := []*schema.Message{schema.UserMessage("?")}
	seed := eino.WithOptions(func(o *llm.Options) { o.Seed = new(int64(7)) })
	for _, call := range []func() (*schema.Message, error){
		func() (*schema.Message, error) { return plain.Generate(t.Context(), ask) },
		func() (*schema.Message, error) { return bound.Generate(t.Context(), ask, seed) },
		func() (*schema.Message, error) {
			return bound.Generate(t.Context(), ask, model.WithToolChoice(schema.ToolChoiceAllowed, "wait"))
		},
	} {
		if _, err := call(); err != nil {
			t.Fatal(err)
		}
	}
	var tools []int
	for _, r := range script.Requests() {
		tools = append(tools, len(r.Tools))
	}
	if diff := cmp.Diff([]int{0, 2, 1}, tools); diff != "" {
		t.Error(diff)
	}
	if s := script.Requests()[1].Options.Seed; s == nil || *s != 7 {
		t.Errorf("the seed is %v", s)
	}

	type private struct{ seed int64 }
	probe := &seen{}
	_, err = llm.Collect(eino.From(probe, eino.Options{Translate: func(o llm.Options) []model.Option {
		return []model.Option{model.WrapImplSpecificOptFn(func(p *private) { p.seed = *o.Seed })}
	}}).Generate(t.Context(), llm.Request{Options: llm.Options{Seed: new(int64(9))}}))
	if err != nil {
		t.Fatal(err)
	}
	if got := model.GetImplSpecificOptions(&private{}, probe.opts...).seed; got != 9 {
		t.Errorf("the model got the seed %d", got)
	}
}

// seen records the options of a call.
type seen struct {
	answers
	opts []model.Option
}

func (s *seen) Stream(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	s.opts = opts
	s.messages = []*schema.Message{{Content: "a", ResponseMeta: &schema.ResponseMeta{FinishReason: "stop"}}}
	return s.answers.Stream(ctx, in, opts...)
}

// TestGrowth tests that reading model output has linear cost.
func TestGrowth(t *testing.T) {
	repeat := testkit.Repeat
	read := func(of func(string) *schema.Message) func(string) {
		return func(text string) {
			m := of(text)
			m.ResponseMeta = &schema.ResponseMeta{FinishReason: "stop"}
			_, _ = llm.Collect(eino.From(&answers{messages: []*schema.Message{m}}, eino.Options{}).Generate(t.Context(), llm.Request{}))
		}
	}
	testkit.Growth(t, testkit.Reader{
		Name: "text", Size: 64 << 10, Read: read(func(s string) *schema.Message { return &schema.Message{Content: s, ReasoningContent: s} }),
		Atoms: []testkit.Atom{repeat("a"), repeat("\xff"), repeat("\xed\xa0\x80"), repeat("\xf0\x9f"), repeat("龙")},
	}, testkit.Reader{
		Name: "extra", Size: 16 << 10, Read: read(func(s string) *schema.Message {
			return &schema.Message{Extra: map[string]any{"talewright_seals": s, "talewright_warnings": s}}
		}),
		Atoms: []testkit.Atom{repeat("\n"), repeat("{}\n"), repeat("["), repeat("\xff"), testkit.Nest("[", "", "]"), testkit.Nest(`{"provider":`, `""`, "}")},
	}, testkit.Reader{
		Name: "arguments", Size: 64 << 10, Read: read(func(s string) *schema.Message {
			return &schema.Message{ToolCalls: []schema.ToolCall{{Function: schema.FunctionCall{Name: "f", Arguments: s}}}}
		}),
		Atoms: []testkit.Atom{repeat("{"), repeat("\xff"), repeat(" ")},
	})
}

// Characters that are split between the messages of a stream arrive whole, also in arguments.
func TestSplitCharacters(t *testing.T) {
	call := func(arguments string) *schema.Message {
		return &schema.Message{ToolCalls: []schema.ToolCall{{Index: new(0), Function: schema.FunctionCall{Name: "look", Arguments: arguments}}}}
	}
	got, err := wiretest.Drain(t, eino.From(&answers{messages: []*schema.Message{
		{Content: "\xe9\xbe", ReasoningContent: "\xe9"}, call(`{"at":"` + "\xe9\xbe"), {Content: "\x99", ReasoningContent: "\xbe\x99"}, call("\x99\"}\xe9"),
		{ResponseMeta: &schema.ResponseMeta{FinishReason: "tool_calls"}},
	}}, eino.Options{}).Generate(t.Context(), llm.Request{}))
	m := got.Message
	if err != nil || m.Text != "龙" || m.Reasoning != "龙" || m.ToolCalls[0].Arguments != "{\"at\":\"龙\"}\uFFFD" {
		t.Errorf("%+v, %v", m, err)
	}
}
