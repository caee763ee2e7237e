package wrap

import (
	"context"
	"fmt"
	"iter"
	"sync"

	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/llm"
)

// Budget counts the cost of replies and refuses requests once it is used up. The host decides the
// unit (tokens or money) and the scope (a campaign, a day or a player). One budget may wrap many
// models, and several budgets may wrap one model.
//
// The zero Budget counts tokens and has no limit. It is safe for concurrent use and must not be
// copied. Set the fields before its first use.
type Budget struct {
	// Limit is the amount that may be spent. 0 or less: no limit.
	Limit float64
	// Price returns the cost of a reply. nil: its tokens, prompt and completion. A cost that is not
	// above 0 counts as 0. model is the name in the request, "" for the default of the adapter. If
	// the models of [Fallback] have different prices, wrap each of them in the budget, and set their
	// [Candidate].ModelName: around Fallback, Price gets the name that was asked for first.
	Price func(model string, usage llm.Usage) float64

	mu    sync.Mutex
	spent float64
}

// Model returns a model that spends from the budget.
//
// If the budget is used up, a request gets an [*llm.Error] with llm.CodeBudget and is not sent. A
// reply that has begun is not stopped. So the budget may exceed its limit a little, by one reply
// for each concurrent request. A reply is counted when it ends, with or without an error. If the
// provider reports no usage, the tokens are estimated as prompt.EstimateTokens does. A request that
// failed before its first chunk costs nothing.
func (b *Budget) Model(m llm.Model) llm.Model {
	return metered(m, b.check, b.count)
}

// check refuses a request if the budget is used up.
func (b *Budget) check(context.Context) error {
	if spent := b.Spent(); b.Limit > 0 && spent >= b.Limit {
		return &llm.Error{
			Code:    llm.CodeBudget,
			Message: fmt.Sprintf("the budget of %g is used up, %g were spent", b.Limit, spent),
		}
	}
	return nil
}

// Spent returns the amount spent so far.
func (b *Budget) Spent() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// Set replaces the amount spent: for example with a stored amount, or with 0 at the beginning of a
// new day.
func (b *Budget) Set(spent float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = spent
}

// count adds the cost of a reply.
func (b *Budget) count(model string, usage llm.Usage) {
	cost := float64(usage.PromptTokens) + float64(usage.CompletionTokens)
	if b.Price != nil {
		cost = b.Price(model, usage)
	}
	if cost > 0 { // not NaN, after which no limit would hold
		b.mu.Lock()
		defer b.mu.Unlock()
		b.spent += cost
	}
}

// metered returns a model that calls before each request, and count with the usage of each reply that
// has begun. An error of before refuses the request.
func metered(m llm.Model, before func(context.Context) error, count func(model string, usage llm.Usage)) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			if err := before(ctx); err != nil {
				yield(nil, err)
				return
			}
			t := meter{}
			defer func() {
				if t.begun {
					count(req.Model, t.usage(req))
				}
			}()
			for chunk, err := range m.Generate(ctx, req) {
				t.see(chunk)
				if !yield(chunk, err) {
					return
				}
			}
		})
	})
}

// meter measures the usage of a reply.
type meter struct {
	begun    bool
	weight   int // of the reply, see tokens.Weight
	reported *llm.Usage
}

// see measures the next chunk; nil means no chunk.
func (t *meter) see(chunk llm.Chunk) {
	t.begun = t.begun || chunk != nil
	switch c := chunk.(type) {
	case llm.TextDelta:
		t.weight += tokens.Weight(c.Text)
	case llm.ReasoningDelta:
		t.weight += tokens.Weight(c.Text)
	case llm.CallDelta:
		t.weight += tokens.Weight(c.Name) + tokens.Weight(c.Arguments)
	case llm.UsageReport:
		t.reported = &c.Usage
	}
}

// usage returns the usage that the provider reported, or an estimate.
func (t *meter) usage(req llm.Request) llm.Usage {
	if t.reported != nil {
		return *t.reported
	}
	asked := 0
	for _, m := range req.Messages {
		asked += tokens.Weight(m.Text)
		for _, call := range m.ToolCalls {
			asked += tokens.Weight(call.Arguments)
		}
	}
	for _, tool := range req.Tools {
		asked += tokens.Weight(tool.Description) + tokens.Weight(string(tool.Parameters))
	}
	count := func(weight int) int { return min(weight, tokens.Tokens(weight)) } // 0 without a text
	return llm.Usage{PromptTokens: count(asked), CompletionTokens: count(t.weight)}
}
