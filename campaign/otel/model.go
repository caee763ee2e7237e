package otel

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/llm"
)

// operation returns the attributes of all measurements of a request.
func (o *observer) operation(model string) []attribute.KeyValue {
	out := []attribute.KeyValue{operationName.String("chat")}
	if o.provider != "" {
		out = append(out, providerName.String(o.provider))
	}
	if model != "" {
		out = append(out, requestModel.String(model))
	}
	return out
}

// asked begins the span of a request.
func (o *observer) asked(ctx context.Context, p observe.Place, m observe.ModelAsked) context.Context {
	ctx = o.begin(ctx, p, strings.TrimSpace("chat "+m.Model), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(append(o.operation(m.Model),
		conversation.String(p.Campaign), requestStream.Bool(true), attempt.Int(m.Attempt), again.Int(m.Again), why.String(m.Retry),
		messages.Int(m.Messages), tools.Int(m.Tools))...))
	if m.Generation != nil {
		o.current(ctx).SetAttributes(inputMessages.String(messagesJSON("", m.Generation.Request.LLM().Messages...)))
	}
	return ctx
}

// answered ends the span of a request, and measures it.
func (o *observer) answered(ctx context.Context, s span, p observe.Place, m observe.ModelAnswered) {
	if m.Kept { // the answer was stored: no request was made, and no span was started
		event(s, p, "answer kept", attempt.Int(m.Attempt))
		return
	}
	operation := metric.WithAttributes(o.operation(m.Model)...)
	if m.First > 0 {
		s.SetAttributes(firstChunk.Float64(m.First.Seconds()))
		o.meters.first.Record(ctx, m.First.Seconds(), operation)
	}
	if u := m.Usage; u != nil {
		s.SetAttributes(inputTokens.Int(u.PromptTokens), outputTokens.Int(u.CompletionTokens), cacheRead.Int(u.CachedTokens),
			cacheCreation.Int(u.CacheWriteTokens), reasoningTokens.Int(u.ReasoningTokens))
		o.meters.tokens.Record(ctx, int64(u.PromptTokens), operation, metric.WithAttributes(tokenType.String("input")))
		o.meters.tokens.Record(ctx, int64(u.CompletionTokens), operation, metric.WithAttributes(tokenType.String("output")))
	}
	if m.Finish != "" {
		s.SetAttributes(finishReasons.StringSlice([]string{string(m.Finish)}))
	}
	s.SetAttributes(calls.Int(m.Calls))
	if m.Reply != nil {
		s.SetAttributes(outputMessages.String(messagesJSON(cmp.Or(m.Finish, llm.FinishStop), *m.Reply)))
	}
	var failure []attribute.KeyValue
	if m.Failed != "" {
		fail(s, string(m.Failed))
		failure = []attribute.KeyValue{errorType.String(string(m.Failed))}
	}
	s.End(trace.WithTimestamp(p.At))
	o.meters.requests.Record(ctx, m.Took.Seconds(), operation, metric.WithAttributes(failure...))
}

// part is a part of a message in the JSON form of the conventions.
type part struct {
	Type      string          `json:"type"`
	Content   string          `json:"content,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Response  *string         `json:"response,omitempty"`
}

// partsOf returns the thinking, the text and the calls of a message, or the result of a call.
func partsOf(m llm.Message) []part {
	if m.Role == llm.Tool {
		return []part{{Type: "tool_call_response", ID: m.ToolCallID, Response: &m.Text}}
	}
	out := []part{}
	if m.Reasoning != "" {
		out = append(out, part{Type: "reasoning", Content: m.Reasoning})
	}
	if m.Text != "" {
		out = append(out, part{Type: "text", Content: m.Text})
	}
	for _, c := range m.ToolCalls {
		arguments := json.RawMessage(c.Arguments)
		if !json.Valid(arguments) {
			arguments, _ = json.Marshal(c.Arguments) // a text always encodes
		}
		out = append(out, part{Type: "tool_call", ID: c.ID, Name: c.Name, Arguments: arguments})
	}
	return out
}

// messagesJSON returns messages in the JSON form of the conventions. An answer has a finish reason.
func messagesJSON(finish llm.FinishReason, list ...llm.Message) string {
	type message struct {
		Role   string `json:"role"`
		Parts  []part `json:"parts"`
		Finish string `json:"finish_reason,omitempty"`
	}
	if finish == llm.FinishToolCalls {
		finish = "tool_call" // the word of the conventions
	}
	out := make([]message, len(list))
	for i, m := range list {
		out[i] = message{string(m.Role), partsOf(m), string(finish)}
	}
	data, err := json.Marshal(out)
	if err != nil {
		return "" // plain texts always encode
	}
	return string(data)
}
