package eino_test

import (
	"context"
	"io"
	"testing"

	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/schema"
	"github.com/talewright/talewright/internal/wire/wiretest"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/eino"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt"
)

// foreign is an Eino model that does not use talewright. It sends the replies of a script in Eino's
// types. Calls have no index, or come in pieces with an index.
type foreign struct{ script *llmtest.Scripted }

func (f foreign) Generate(ctx context.Context, in []*schema.Message, opts ...model.Option) (*schema.Message, error) {
	stream, err := f.Stream(ctx, in, opts...)
	if err != nil {
		return nil, err
	}
	return schema.ConcatMessageStream(stream)
}

func (f foreign) Stream(ctx context.Context, in []*schema.Message, _ ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	out, w := schema.Pipe[*schema.Message](1)
	go func() {
		defer w.Close()
		for chunk, err := range f.script.Generate(ctx, llm.Request{Messages: make([]llm.Message, len(in))}) {
			m := &schema.Message{Role: schema.Assistant}
			switch c := chunk.(type) {
			case llm.TextDelta:
				m.Content = c.Text
			case llm.ReasoningDelta:
				m.ReasoningContent = c.Text
			case llm.CallDelta:
				m.ToolCalls = []schema.ToolCall{{Index: new(c.Index), ID: c.ID, Function: schema.FunctionCall{Name: c.Name, Arguments: c.Arguments}}}
			case llm.UsageReport:
				m.ResponseMeta = &schema.ResponseMeta{Usage: &schema.TokenUsage{PromptTokens: c.Usage.PromptTokens, CompletionTokens: c.Usage.CompletionTokens,
					PromptTokenDetails:      schema.PromptTokenDetails{CachedTokens: c.Usage.CachedTokens},
					CompletionTokensDetails: schema.CompletionTokensDetails{ReasoningTokens: c.Usage.ReasoningTokens}}}
			case llm.Done:
				m.ResponseMeta = &schema.ResponseMeta{FinishReason: string(c.Reason)}
			}
			if w.Send(m, err) || err != nil {
				return
			}
		}
	}()
	return out, nil
}

// LL-14, LL-17: the contract test, with an Eino model.
func TestContractFrom(t *testing.T) {
	llmtest.TestModel(t, func(_ *testing.T, script ...llmtest.Reply) llm.Model {
		return eino.From(foreign{llmtest.NewScripted(script...)}, eino.Options{})
	})
}

// LL-14, LL-17: the contract test, with a talewright model that is converted to Eino and back.
func TestContractBothWays(t *testing.T) {
	llmtest.TestModel(t, func(_ *testing.T, script ...llmtest.Reply) llm.Model {
		return eino.From(eino.To(llmtest.NewScripted(script...)), eino.Options{})
	})
}

// LL-17: a campaign of 20 turns with a model that is converted to Eino and back. It has thinking, a
// call, a repair, a refusal, a 429, an incomplete reply and an identical rebuild.
func TestCampaign(t *testing.T) {
	wiretest.Play(t, prompt.ShapeOpenAI, "", "", func(_ *testing.T, script []llmtest.Reply) (llm.Model, *wiretest.Tape) {
		return eino.From(eino.To(llmtest.NewScripted(script...)), eino.Options{}), &wiretest.Tape{}
	})
}

// answers is an Eino model that sends these messages, and then an error.
type answers struct {
	messages []*schema.Message
	err      error
	asked    *model.Options
	input    []*schema.Message
}

func (a *answers) Generate(context.Context, []*schema.Message, ...model.Option) (*schema.Message, error) {
	return nil, io.ErrUnexpectedEOF // never called
}

func (a *answers) Stream(_ context.Context, in []*schema.Message, opts ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	a.asked, a.input = model.GetCommonOptions(nil, opts...), in
	out, w := schema.Pipe[*schema.Message](len(a.messages) + 1)
	for _, m := range a.messages {
		w.Send(m, nil)
	}
	if a.err != nil {
		w.Send(nil, a.err)
	}
	w.Close()
	return out, nil
}
