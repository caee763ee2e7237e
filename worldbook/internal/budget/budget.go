// Package budget counts what the texts of a scan cost, and says when they are too much.
package budget

import (
	"math"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
)

// Share is the number of tokens that entries may use: a percentage of the context, but not
// more than the cap, if that is above 0. A share of nothing is one token.
func Share(percent float64, context, limit int) int {
	b := math.Floor(percent*float64(context)/100 + 0.5)
	if b == 0 || math.IsNaN(b) {
		b = 1
	}
	if limit > 0 {
		b = math.Min(b, float64(limit))
	}
	// A host may well say math.MaxInt where it has no limit.
	return int(max(-math.MaxInt32, min(b, math.MaxInt32)))
}

// Counter measures texts.
type Counter struct {
	// Count is the counter of the host; nil adds up the weights of texts.
	Count func(text string) int
	// Each lets Count see each text by itself instead of all of them together.
	Each bool
}

// Purse is what is left of the budget of one scan.
type Purse struct {
	Limit      int
	Base       int // the size of what is charged, when this loop began
	Overflowed bool

	Asked   Tally // texts of this loop, refused and free ones included
	Charged Tally // base of later loops
	Spent   Tally // texts of all activated entries
	counter Counter
	room    int // of the weight of what is asked for, without a counter
}

// Begin prepares the purse for a scan.
func (p *Purse) Begin(counter Counter, limit int) {
	*p = Purse{Limit: limit, counter: counter}
	p.Charged, p.Spent = NewTally(&p.counter), NewTally(&p.counter)
}

// Release forgets the texts and the counter.
func (p *Purse) Release() { *p = Purse{} }

// BeginLoop prepares the purse for the candidates of a loop.
func (p *Purse) BeginLoop() {
	p.Base, p.Asked = p.Charged.Tokens(), NewTally(&p.counter)
	if p.counter.Count == nil {
		p.room = tokens.Least(p.Limit - p.Base)
	}
}

// Fits reports whether the texts of this loop stay below the limit. Reaching it exactly is
// already too much.
func (p *Purse) Fits() bool {
	if p.counter.Count == nil {
		return p.Asked.sum < p.room
	}
	return p.Base+p.Asked.Tokens() < p.Limit
}

// Tally counts the tokens of a growing text.
type Tally struct {
	by   *Counter
	some bool            // with the built-in counter: anything was added
	sum  int             // and its weight; with Counter.Each, tokens
	text strings.Builder // with a counter of the host
}

// NewTally returns an empty tally.
func NewTally(by *Counter) Tally { return Tally{by: by} }

// Add appends a text of a weight and a newline, which weighs nothing.
func (t *Tally) Add(text string, weight int) {
	if t.by.Count == nil {
		t.some = true
		t.sum += weight
		return
	}
	t.addText(text)
}

// addText adds a text for a counter of the host.
func (t *Tally) addText(text string) {
	switch {
	case t.by.Each:
		t.sum += t.by.Count(text + "\n")
	default:
		t.text.WriteString(text)
		t.text.WriteByte('\n')
	}
}

// Prepend puts a text of a weight and a newline in front of what is there.
func (t *Tally) Prepend(text string, weight int) {
	if t.by.Count == nil || t.by.Each {
		t.Add(text, weight)
		return
	}
	rest := t.text.String()
	t.text.Reset()
	t.text.WriteString(text)
	t.text.WriteByte('\n')
	t.text.WriteString(rest)
}

// Tokens is the size of what was added, rounded up.
func (t *Tally) Tokens() int {
	switch {
	case t.by.Count != nil:
		return t.counted()
	case t.some:
		return tokens.Tokens(t.sum)
	}
	return 0
}

// counted asks the counter. It sees the whole running text, because counts of
// parts need not add up, unless the host said that they do.
func (t *Tally) counted() int {
	switch {
	case t.by.Each:
		return t.sum
	case t.text.Len() == 0:
		return 0
	}
	return t.by.Count(t.text.String())
}
