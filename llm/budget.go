package llm

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"unicode/utf8"
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
	Price func(model string, usage Usage) float64

	mu    sync.Mutex
	spent float64
}

// Model returns a model that spends from the budget.
//
// A request that finds the budget used up is an [*Error] with CodeBudget and is not
// sent. A reply that has begun is not cut: the budget may end a little above its
// limit, by one reply for each concurrent request. A reply is counted when it ends,
// well or badly; where the provider reports no usage, it is estimated at a token for
// four characters. A request that failed before anything came costs nothing.
func (b *Budget) Model(m Model) Model {
	return ModelFunc(func(ctx context.Context, req Request) iter.Seq2[Chunk, error] {
		return Once(func(yield func(Chunk, error) bool) {
			if spent := b.Spent(); b.Limit > 0 && spent >= b.Limit {
				yield(nil, &Error{
					Code:    CodeBudget,
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
func (b *Budget) count(req Request, t meter) {
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
	reported   *Usage
}

// see takes the next chunk; nil is none.
func (t *meter) see(chunk Chunk) {
	t.begun = t.begun || chunk != nil
	switch c := chunk.(type) {
	case TextDelta:
		t.characters += utf8.RuneCountInString(c.Text)
	case ReasoningDelta:
		t.characters += utf8.RuneCountInString(c.Text)
	case CallDelta:
		t.characters += len(c.Name) + utf8.RuneCountInString(c.Arguments)
	case UsageReport:
		t.reported = &c.Usage
	}
}

// usage is what the provider reported, or an estimate.
func (t *meter) usage(req Request) Usage {
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
	return Usage{PromptTokens: (asked + 3) / 4, CompletionTokens: (t.characters + 3) / 4}
}
