package worldbook

import (
	"math"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
)

// This file counts the tokens of the texts of a scan and reports when they exceed the budget.

// entryBudget returns the number of tokens that entries may use: a percentage of the context, limited by
// the cap if that is above 0. A share of 0 becomes one token.
func entryBudget(percent float64, context, limit int) int {
	b := math.Floor(percent*float64(context)/100 + 0.5)
	if b == 0 || math.IsNaN(b) {
		b = 1
	}
	if limit > 0 {
		b = math.Min(b, float64(limit))
	}
	// A host may pass math.MaxInt for no limit.
	return int(max(-math.MaxInt32, min(b, math.MaxInt32)))
}

// budgetCounter counts the tokens of texts.
type budgetCounter struct {
	// Count is the counter of the host. If nil, the weights of texts are added up.
	Count func(text string) int
	// Each makes Count measure each text alone instead of all of them together.
	Each bool
}

// budget is the remaining budget of one scan.
type budget struct {
	Limit      int
	Base       int // the size of Charged when this loop began
	Overflowed bool

	Asked       tally // texts that this loop requested, including refused texts and texts that ignore the budget
	Charged     tally // texts of earlier loops; Base is their size
	Spent       tally // texts of all activated entries
	counter     budgetCounter
	weightLimit int // without a counter: the weight that Asked must stay below
}

// Begin prepares the budget for a scan.
func (p *budget) Begin(counter budgetCounter, limit int) {
	*p = budget{Limit: limit, counter: counter}
	p.Charged, p.Spent = newTally(&p.counter), newTally(&p.counter)
}

// Release forgets the texts and the counter.
func (p *budget) Release() { *p = budget{} }

// BeginLoop prepares the budget for the candidates of a loop.
func (p *budget) BeginLoop() {
	p.Base, p.Asked = p.Charged.Tokens(), newTally(&p.counter)
	if p.counter.Count == nil {
		p.weightLimit = tokens.Least(p.Limit - p.Base)
	}
}

// Fits reports whether the texts of this loop stay below the limit. Reaching it exactly is
// already too much.
func (p *budget) Fits() bool {
	if p.counter.Count == nil {
		return p.Asked.sum < p.weightLimit
	}
	return p.Base+p.Asked.Tokens() < p.Limit
}

// tally counts the tokens of a growing text.
type tally struct {
	counter *budgetCounter
	hasText bool            // with the built-in counter: a text was added
	sum     int             // with the built-in counter: the weight of the texts; with Each: their tokens
	text    strings.Builder // with a counter of the host and without Each: all texts
}

func newTally(by *budgetCounter) tally { return tally{counter: by} }

// Add appends a text with a weight, and a newline, which has no weight.
func (t *tally) Add(text string, weight int) {
	if t.counter.Count == nil {
		t.hasText = true
		t.sum += weight
		return
	}
	t.addText(text)
}

// addText adds a text for a counter of the host.
func (t *tally) addText(text string) {
	switch {
	case t.counter.Each:
		t.sum += t.counter.Count(text + "\n")
	default:
		t.text.WriteString(text)
		t.text.WriteByte('\n')
	}
}

// Prepend inserts a text with a weight, and a newline, before the current text.
func (t *tally) Prepend(text string, weight int) {
	if t.counter.Count == nil || t.counter.Each {
		t.Add(text, weight)
		return
	}
	rest := t.text.String()
	t.text.Reset()
	t.text.WriteString(text)
	t.text.WriteByte('\n')
	t.text.WriteString(rest)
}

// Tokens returns the size of the added texts, rounded up.
func (t *tally) Tokens() int {
	switch {
	case t.counter.Count != nil:
		return t.hostCount()
	case t.hasText:
		return tokens.Tokens(t.sum)
	}
	return 0
}

// hostCount calls the counter of the host. The counter gets the whole running text, because the
// counts of parts need not add up, unless the host set Each.
func (t *tally) hostCount() int {
	switch {
	case t.counter.Each:
		return t.sum
	case t.text.Len() == 0:
		return 0
	}
	return t.counter.Count(t.text.String())
}
