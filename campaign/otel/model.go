package otel

import (
	"context"
	"encoding/json"

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

func (o *observer) asked(ctx context.Context, p observe.Place, m observe.ModelAsked) context.Context {
	name := "chat"
	if m.Model != "" {
		name += " " + m.Model
	}
	ctx = o.begin(ctx, p, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(append(o.operation(m.Model),
		conversation.String(p.Campaign), requestStream.Bool(true), attempt.Int(m.Attempt), again.Int(m.Again), why.String(m.Retry),
		messages.Int(m.Messages), tools.Int(m.Tools))...))
	if m.Generation != nil {
		o.current(ctx).SetAttributes(inputMessages.String(messagesJSON(m.Generation.Request.LLM().Messages)))
	}
	return ctx
}

func (o *observer) answered(ctx context.Context, s span, p observe.Place, m observe.ModelAnswered) {
	if m.Kept { // the answer was stored: no request was made, and no span was started
		event(s, p, "answer kept", attempt.Int(m.Attempt))
		return
	}
	attrs := o.operation(m.Model)
	if m.First > 0 {
		s.SetAttributes(firstChunk.Float64(m.First.Seconds()))
		o.meters.first.Record(ctx, m.First.Seconds(), metric.WithAttributes(attrs...))
	}
	if u := m.Usage; u != nil {
		s.SetAttributes(inputTokens.Int(u.PromptTokens), outputTokens.Int(u.CompletionTokens), cacheRead.Int(u.CachedTokens),
			cacheCreation.Int(u.CacheWriteTokens), reasoningTokens.Int(u.ReasoningTokens))
		o.meters.tokens.Record(ctx, int64(u.PromptTokens), metric.WithAttributes(append(o.operation(m.Model), tokenType.String("input"))...))
		o.meters.tokens.Record(ctx, int64(u.CompletionTokens), metric.WithAttributes(append(o.operation(m.Model), tokenType.String("output"))...))
	}
	if m.Finish != "" {
		s.SetAttributes(finishReasons.StringSlice([]string{string(m.Finish)}))
	}
	s.SetAttributes(calls.Int(m.Calls))
	if m.Reply != nil {
		s.SetAttributes(outputMessages.String(messagesJSON([]llm.Message{*m.Reply})))
	}
	if fail(s, string(m.Failed)); m.Failed != "" {
		attrs = append(attrs, errorType.String(string(m.Failed)))
	}
	s.End(trace.WithTimestamp(p.At))
	o.meters.requests.Record(ctx, m.Took.Seconds(), metric.WithAttributes(attrs...))
}

// messagesJSON returns messages in the JSON form of the conventions.
func messagesJSON(list []llm.Message) string {
	type part struct {
		Type      string `json:"type"`
		Content   string `json:"content,omitempty"`
		ID        string `json:"id,omitempty"`
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments,omitempty"`
	}
	type message struct {
		Role  string `json:"role"`
		Parts []part `json:"parts"`
	}
	out := make([]message, len(list))
	for i, m := range list {
		out[i] = message{Role: string(m.Role), Parts: []part{}}
		if m.Text != "" {
			out[i].Parts = append(out[i].Parts, part{Type: "text", Content: m.Text})
		}
		for _, c := range m.ToolCalls {
			out[i].Parts = append(out[i].Parts, part{Type: "tool_call", ID: c.ID, Name: c.Name, Arguments: c.Arguments})
		}
	}
	data, err := json.Marshal(out)
	if err != nil {
		return "" // plain texts always encode
	}
	return string(data)
}
