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

// limitUse is the used part of each limit by the active entries of a scan.
type limitUse struct {
	tokens, entries []int
}

// begin prepares for a scan with n limits.
func (s *limitUse) begin(n int) {
	s.tokens, s.entries = append(s.tokens[:0], make([]int, n)...), append(s.entries[:0], make([]int, n)...)
}

// firstExceeded returns the first limit that an entry with need tokens would exceed. by names the limit, or is
// empty if there is none. text is the explanation with the numbers. total is the count with this entry.
func (s *limitUse) firstExceeded(limits []Limit, book string, from Source, need int) (by, text string, total, limit int) {
	for i := range limits {
		l := &limits[i]
		if !l.covers(book, from) {
			continue
		}
		if l.Entries > 0 && s.entries[i]+1 > l.Entries {
			by = "entries of " + l.scopeText()
			return by, fmt.Sprintf("%s %d+1 > %d", by, s.entries[i], l.Entries), s.entries[i] + 1, l.Entries
		}
		if l.Tokens > 0 && s.tokens[i]+need > l.Tokens {
			by = "tokens of " + l.scopeText()
			return by, fmt.Sprintf("%s %d+%d > %d", by, s.tokens[i], need, l.Tokens), s.tokens[i] + need, l.Tokens
		}
	}
	return "", "", 0, 0
}

// charge charges an active entry to the limits that count it.
func (s *limitUse) charge(limits []Limit, book string, from Source, need int) {
	for i := range limits {
		if limits[i].covers(book, from) {
			s.tokens[i] += need
			s.entries[i]++
		}
	}
}

// tokensOf returns the number of tokens of one text alone.
func (c *budgetCounter) tokensOf(text string) int {
	if c.Count != nil {
		return c.Count(text)
	}
	return tokens.Tokens(tokens.Weight(text))
}

// checkLimits reports the limits that limit nothing.
func checkLimits(limits []Limit, problems *problemList) {
	for i, l := range limits {
		path := fmt.Sprintf("settings.limits[%d]", i)
		if l.Tokens < 0 || l.Entries < 0 || l.Tokens == 0 && l.Entries == 0 {
			problems.add(codeBadOption, path, "needs tokens or entries above 0: add one, or remove the limit")
		}
		if l.Source != "" && !slices.Contains([]Source{SourceGlobal, SourceCharacter, SourceCharacterExtra, SourceChat, SourcePersona}, l.Source) {
			problems.add(codeBadOption, path+".source", "there is no source %q: use global, character, character_extra, chat or persona", l.Source)
		}
	}
}
