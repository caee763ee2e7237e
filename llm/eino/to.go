package eino

import (
	"context"
	"fmt"
	"slices"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/talewright/talewright/llm"
)

// To returns an Eino model that uses a talewright model. The result is immutable and safe for
// concurrent use.
//
// Errors of m are returned unchanged. An interrupted stream yields its error instead of io.EOF. A
// reply that ended because of a limit or a filter is not an error; the finish reason in its
// ResponseMeta reports it. A panic of m during Stream is an error of the stream.
func To(m llm.Model) model.ToolCallingChatModel { return to{model: m} }

type to struct {
	model llm.Model
	tools []*schema.ToolInfo
}

// WithOptions is an option for models that [To] returns. It changes the options of the request
// after the options of Eino have been applied.
func WithOptions(change func(*llm.Options)) model.Option {
	return model.WrapImplSpecificOptFn(func(o *options) { o.change = append(o.change, change) })
}

type options struct{ change []func(*llm.Options) }

// WithTools returns a model that has only these tools.
func (t to) WithTools(tools []*schema.ToolInfo) (model.ToolCallingChatModel, error) {
	for i, tool := range tools {
		if _, err := decodeTool(tool); err != nil {
			return nil, fmt.Errorf("eino: tools[%d]: %w", i, err)
		}
	}
	t.tools = slices.Clone(tools)
	return t, nil
}

// request reads the input and the options.
func (t to) request(input []*schema.Message, opts []model.Option) (llm.Request, error) {
	req, err := decode(input, model.GetCommonOptions(nil, opts...), t.tools)
	for _, change := range model.GetImplSpecificOptions(&options{}, opts...).change {
		change(&req.Options)
	}
	if err != nil {
		err = &llm.Error{Code: llm.CodeInvalidRequest, Err: err}
	}
	return req, err
}

// Generate returns the whole reply.
func (t to) Generate(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	req, err := t.request(input, opts)
	if err != nil {
		return nil, err
	}
	got, err := llm.Collect(t.model.Generate(ctx, req))
	if err != nil {
		return nil, err
	}
	out, err := encodeMessage(got.Message)
	if err != nil {
		return nil, err
	}
	out.Role, out.ReasoningContent = schema.Assistant, got.Message.Reasoning
	out.ResponseMeta = &schema.ResponseMeta{FinishReason: string(got.Finish), Usage: tokens(got.Usage)}
	for _, w := range got.Warnings {
		told, _ := out.Extra[warningsKey].(string)
		out.Extra = with(out.Extra, warningsKey, told+line(w))
	}
	return out, nil
}

// Stream returns the reply as a stream.
func (t to) Stream(ctx context.Context, input []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	req, err := t.request(input, opts)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	out, in := schema.Pipe[*schema.Message](0)
	go func() {
		defer cancel()
		defer in.Close()
		defer func() {
			if what := recover(); what != nil {
				in.Send(nil, panicError(what))
			}
		}()
		for chunk, err := range t.model.Generate(ctx, req) {
			if err != nil {
				in.Send(nil, err)
				return
			}
			if in.Send(piece(chunk), nil) {
				return
			}
		}
	}()
	return out, nil
}

func piece(chunk llm.Chunk) *schema.Message {
	m := &schema.Message{Role: schema.Assistant}
	switch c := chunk.(type) {
	case llm.TextDelta:
		m.Content = c.Text
	case llm.ReasoningDelta:
		m.ReasoningContent = c.Text
	case llm.Seal:
		m.Extra = map[string]any{sealsKey: line(llm.Thought{Provider: c.Provider, Signature: c.Signature, Redacted: c.Redacted})}
	case llm.CallDelta:
		call := schema.ToolCall{Index: new(c.Index), ID: c.ID, Function: schema.FunctionCall{Name: c.Name, Arguments: c.Arguments}}
		if c.Name != "" {
			call.Type = "function"
		}
		if c.Signature != "" {
			call.Extra = map[string]any{signatureKey: c.Signature}
		}
		m.ToolCalls = []schema.ToolCall{call}
	case llm.UsageReport:
		m.ResponseMeta = &schema.ResponseMeta{Usage: tokens(&c.Usage)}
	case llm.Warning:
		m.Extra = map[string]any{warningsKey: line(c)}
	case llm.Done:
		m.ResponseMeta = &schema.ResponseMeta{FinishReason: string(c.Reason)}
	}
	return m
}

func tokens(u *llm.Usage) *schema.TokenUsage {
	if u == nil {
		return nil
	}
	return &schema.TokenUsage{
		PromptTokens: u.PromptTokens, CompletionTokens: u.CompletionTokens, TotalTokens: u.PromptTokens + u.CompletionTokens,
		PromptTokenDetails:      schema.PromptTokenDetails{CachedTokens: u.CachedTokens},
		CompletionTokensDetails: schema.CompletionTokensDetails{ReasoningTokens: u.ReasoningTokens},
	}
}
