package worldbook

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
)

// This file counts the tokens of the texts of a scan and reports when they exceed the budget or a
// limit of a book or a source.

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

// tokensOf returns the number of tokens of one text alone.
func (c *budgetCounter) tokensOf(text string) int {
	if c.Count != nil {
		return c.Count(text)
	}
	return tokens.Tokens(tokens.Weight(text))
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
	hasText bool            // with the built-in counter: a text was added, and sum is a weight
	sum     int             // with the built-in counter: the weight of the texts; with Each: their tokens
	text    strings.Builder // with a counter of the host and without Each: all texts
}

func newTally(by *budgetCounter) tally { return tally{counter: by} }

// Add appends a text with a weight, and a newline, which has no weight.
func (t *tally) Add(text string, weight int) {
	switch {
	case t.counter.Count == nil:
		t.hasText = true
		t.sum += weight
	case t.counter.Each:
		t.sum += t.counter.Count(text + "\n")
	default:
		t.text.WriteString(text)
		t.text.WriteByte('\n')
	}
}

// Prepend inserts a text with a weight, and a newline, before the current text.
func (t *tally) Prepend(text string, weight int) {
	rest := t.text.String()
	t.text.Reset()
	t.Add(text, weight)
	t.text.WriteString(rest)
}

// Tokens returns the size of the added texts, rounded up. A counter of the host without Each gets
// the whole running text, because the counts of parts need not add up.
func (t *tally) Tokens() int {
	switch {
	case t.hasText:
		return tokens.Tokens(t.sum)
	case t.text.Len() > 0:
		return t.counter.Count(t.text.String())
	}
	return t.sum
}

// covers reports whether a limit counts the entries of a book and a source.
func (l *Limit) covers(book string, from Source) bool {
	return (l.Book == "" || l.Book == book) && (l.Source == "" || l.Source == from)
}

// scopeText names the entries that a limit counts.
func (l *Limit) scopeText() string {
	var parts []string
	if l.Book != "" {
		parts = append(parts, fmt.Sprintf("book %q", l.Book))
	}
	if l.Source != "" {
		parts = append(parts, "source "+string(l.Source))
	}
	if len(parts) == 0 {
		return "all books"
	}
	return strings.Join(parts, ", ")
}

// limitUse has, for each limit, the tokens and the number of the active entries that it counts.
type limitUse []struct{ tokens, entries int }

// excess says which limit an entry would exceed, and with which count.
type excess struct {
	of           string // what the limit counts; empty if the entry exceeds none
	count, limit int
	explanation  string
}

// firstExceeded returns the first limit that an entry with need tokens would exceed.
func (u limitUse) firstExceeded(limits []Limit, book string, from Source, need int) (over excess) {
	for i := range limits {
		l := &limits[i]
		if !l.covers(book, from) {
			continue
		}
		counted, used, added, limit := "entries of ", u[i].entries, 1, l.Entries
		if limit <= 0 || used+added <= limit {
			counted, used, added, limit = "tokens of ", u[i].tokens, need, l.Tokens
		}
		if limit > 0 && used+added > limit {
			over = excess{of: counted + l.scopeText(), count: used + added, limit: limit}
			over.explanation = fmt.Sprintf("%s %d+%d > %d", over.of, used, added, limit)
			break
		}
	}
	return over
}

// charge charges an active entry to the limits that count it.
func (u limitUse) charge(limits []Limit, book string, from Source, need int) {
	for i := range limits {
		if limits[i].covers(book, from) {
			u[i].tokens += need
			u[i].entries++
		}
	}
}

// checkLimits reports the limits that limit nothing.
func checkLimits(limits []Limit, problems *problemList) {
	for i, l := range limits {
		path := fmt.Sprintf("settings.limits[%d]", i)
		if l.Tokens < 0 || l.Entries < 0 || l.Tokens == 0 && l.Entries == 0 {
			problems.add(codeBadOption, path, "needs tokens or entries above 0: add one, or remove the limit")
		}
		if l.Source != "" && !slices.Contains(allSources, l.Source) {
			problems.add(codeBadOption, path+".source", "there is no source %q: use global, character, character_extra, chat or persona", l.Source)
		}
	}
}
