package wrap

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"unicode/utf8"

	"github.com/talewright/talewright/llm"
)

// Budget counts what replies cost and refuses requests once it is used up. What a
// unit is, tokens or money, and what it is for, a campaign, a day or a player, is the
// host's: one budget may stand around many models, and several around one.
//
// The zero Budget counts tokens and has no limit. It is safe for concurrent use and
// must not be copied. The fields are set before its first use.
type Budget struct {
	// Limit is how much may be spent. 0 or less: no limit.
	Limit float64
	// Price returns what a reply cost. nil: its tokens, prompt and completion.
	Price func(model string, usage llm.Usage) float64

	mu    sync.Mutex
	spent float64
}

// Model returns a model that spends from the budget.
//
// A request that finds the budget used up is an [*llm.Error] with llm.CodeBudget and is not
// sent. A reply that has begun is not cut: the budget may end a little above its
// limit, by one reply for each concurrent request. A reply is counted when it ends,
// well or badly; where the provider reports no usage, it is estimated at a token for
// four characters. A request that failed before anything came costs nothing.
func (b *Budget) Model(m llm.Model) llm.Model {
	return llm.ModelFunc(func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return llm.Once(func(yield func(llm.Chunk, error) bool) {
			if spent := b.Spent(); b.Limit > 0 && spent >= b.Limit {
				yield(nil, &llm.Error{
					Code:    llm.CodeBudget,
					Message: fmt.Sprintf("the budget of %g is used up, %g were spent", b.Limit, spent),
				})
				return
			}
			t := meter{}
			defer func() { b.count(req, t) }()
			for chunk, err := range m.Generate(ctx, req) {
				t.see(chunk)
				if !yield(chunk, err) {
					return
				}
			}
		})
	})
}

// Spent is what was spent so far.
func (b *Budget) Spent() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.spent
}

// Set replaces what was spent: with what a host has stored, or with 0 at the
// beginning of a new day.
func (b *Budget) Set(spent float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent = spent
}

// count adds a reply to what was spent.
func (b *Budget) count(req llm.Request, t meter) {
	if !t.begun {
		return
	}
	usage := t.usage(req)
	cost := float64(usage.PromptTokens) + float64(usage.CompletionTokens)
	if b.Price != nil {
		cost = b.Price(req.Model, usage)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.spent += max(cost, 0)
}

// meter sees what a reply used.
type meter struct {
	begun      bool
	characters int
	reported   *llm.Usage
}

// see takes the next chunk; nil is none.
func (t *meter) see(chunk llm.Chunk) {
	t.begun = t.begun || chunk != nil
	switch c := chunk.(type) {
	case llm.TextDelta:
		t.characters += utf8.RuneCountInString(c.Text)
	case llm.ReasoningDelta:
		t.characters += utf8.RuneCountInString(c.Text)
	case llm.CallDelta:
		t.characters += len(c.Name) + utf8.RuneCountInString(c.Arguments)
	case llm.UsageReport:
		t.reported = &c.Usage
	}
}

// usage is what the provider reported, or an estimate.
func (t *meter) usage(req llm.Request) llm.Usage {
	if t.reported != nil {
		return *t.reported
	}
	asked := 0
	for _, m := range req.Messages {
		asked += utf8.RuneCountInString(m.Text)
	}
	for _, tool := range req.Tools {
		asked += len(tool.Description) + len(tool.Parameters)
	}
	return llm.Usage{PromptTokens: (asked + 3) / 4, CompletionTokens: (t.characters + 3) / 4}
}
