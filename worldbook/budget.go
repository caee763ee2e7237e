package worldbook

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
)

// budgetFor is the number of tokens that entries may use.
func (c *Compiled) budgetFor(context int) int {
	b := math.Floor(c.settings.Budget*float64(context)/100 + 0.5)
	if b == 0 || math.IsNaN(b) {
		b = 1
	}
	if c.settings.BudgetCap > 0 {
		b = math.Min(b, float64(c.settings.BudgetCap))
	}
	// A host may well say math.MaxInt where it has no limit.
	return int(max(-math.MaxInt32, min(b, math.MaxInt32)))
}

// purse is what is left of the budget.
type purse struct {
	in         *Input
	budget     int
	overflowed bool
	base       int   // of this loop
	asked      tally // texts of this loop, refused and free ones included
	charged    tally // base of later loops
	spent      tally // texts of all activated entries
}

func (p *purse) begin(in *Input, budget int) {
	*p = purse{in: in, budget: budget, charged: tally{in: in}, spent: tally{in: in}}
}

func (p *purse) release() { *p = purse{} }

// beginLoop prepares the purse for the candidates of a loop.
func (p *purse) beginLoop() {
	p.base, p.asked = p.charged.tokens(), tally{in: p.in}
}

// reaches reports whether the texts of this loop reach the budget, and notes that it has
// overflowed then. need is their size.
func (p *purse) reaches() (need int, over bool) {
	need = p.asked.tokens()
	over = p.base+need >= p.budget
	p.overflowed = p.overflowed || over
	return need, over
}

// tally counts the tokens of a growing text.
type tally struct {
	in   *Input
	some bool            // with the built-in counter: anything was added
	sum  int             // and its weight; with CountEach, tokens
	text strings.Builder // with a counter of the host's own
}

// add appends a text of a weight and a newline, which weighs nothing.
func (t *tally) add(text string, weight int) {
	if t.in.CountTokens == nil {
		t.some = true
		t.sum += weight
		return
	}
	t.addText(text)
}

// addText adds a text for a counter of the host's own.
func (t *tally) addText(text string) {
	switch {
	case t.in.CountEach:
		t.sum += t.in.CountTokens(text + "\n")
	default:
		t.text.WriteString(text)
		t.text.WriteByte('\n')
	}
}

// prepend puts a text of a weight and a newline in front of what is there.
func (t *tally) prepend(text string, weight int) {
	if t.in.CountTokens == nil || t.in.CountEach {
		t.add(text, weight)
		return
	}
	rest := t.text.String()
	t.text.Reset()
	t.text.WriteString(text)
	t.text.WriteByte('\n')
	t.text.WriteString(rest)
}

// tokens is the size of what was added, rounded up.
func (t *tally) tokens() int {
	switch {
	case t.in.CountTokens != nil:
		return t.counted()
	case t.some:
		return tokens.Tokens(t.sum)
	}
	return 0
}

// counted asks the counter. It sees the whole running text, because counts of
// parts need not add up, unless the host said that they do.
func (t *tally) counted() int {
	switch {
	case t.in.CountEach:
		return t.sum
	case t.text.Len() == 0:
		return 0
	}
	return t.in.CountTokens(t.text.String())
}

// pay lets the candidates roll for their probability and pay from the budget, in
// their order. Those that pass are activated.
//
//  1. Once the budget has overflowed, in this loop or an earlier one, only entries
//     that ignore it go on.
//  2. A probability of exactly 100 needs no roll, and neither does a sticky entry.
//  3. The text is added to what this loop has asked for so far, refused and free
//     texts included.
//  4. If that and the base reach the budget, the entry is refused and the budget
//     has overflowed. Reaching it exactly is already too much.
func (s *scan) pay() {
	s.purse.beginLoop()
	s.recursion.fresh = s.recursion.fresh[:0]
	s.roster.expect(len(s.cands.list))
	s.out.Activated = slices.Grow(s.out.Activated, len(s.cands.list))
	for i := range s.cands.list {
		c := &s.cands.list[i]
		if s.purse.overflowed && !c.ignoreBudget {
			s.refuse(c, 0)
			s.explain.refused(c, gateOverflow)
			s.feed(c)
			continue
		}
		if c.useProbability && !s.rollProbability(c) {
			continue
		}
		content := s.contents.of(c.entry)
		s.feed(c)
		s.purse.asked.add(content, weightOf(c.entry, content))
		if !c.ignoreBudget {
			if need, over := s.purse.reaches(); over {
				s.refuse(c, s.purse.base+need)
				s.explain.tooDear(c, s.purse.base, need)
				continue
			}
		}
		s.activate(c, content)
	}
	s.out.Overflowed = s.purse.overflowed
}

// refuse lists an entry that the budget refused, once.
func (s *scan) refuse(c *candidate, tokens int) {
	if s.roster.refuse(c.home(s.c)) {
		s.out.Cut = append(s.out.Cut, Cut{c.id, tokens, s.purse.budget})
	}
}

// feed notes a candidate whose text may start another loop. A forced copy that
// ever failed its roll never does.
func (s *scan) feed(c *candidate) {
	if !s.c.oneLoop && !c.preventRecursion && !slices.Contains(s.roster.failedCopies, c.entry) {
		s.recursion.fresh = append(s.recursion.fresh, c.entry)
	}
}

// rollProbability reports whether a candidate passes. A failure is remembered
// for the rest of the scan, except for a forced copy (quirk forced-reroll). Only entries
// that use a probability are asked.
func (s *scan) rollProbability(c *candidate) bool {
	if c.stays {
		return true
	}
	r := s.out.roll(s.in.Random, c.id, "")
	if r*100 <= c.probability && (s.in.Random != nil || c.probability > 0) {
		return true
	}
	s.roster.fail(s.c, c)
	s.explain.unlucky(c, r)
	return false
}

// roll takes a random number and records it, so that a replay can hand the same
// ones in again.
func (r *Result) roll(random func() float64, id ID, group string) float64 {
	v := 0.0
	if random != nil {
		v = random()
	}
	r.Rolls = append(r.Rolls, Roll{ID: id, Group: group, Value: v})
	return v
}

// activate writes a candidate into the result. What later steps ask of all active
// entries is noted here, while the entry is at hand.
func (s *scan) activate(c *candidate, content string) {
	s.purse.spent.add(content, weightOf(c.entry, content))
	at, old, replaced := s.roster.enter(s.c, c)
	if replaced {
		s.explain.replaced(old.entry)
		s.placer.inOrder = false
	} else {
		s.out.Activated = s.out.Activated[:at+1]
	}
	a := &s.out.Activated[at]
	c.show(a, content, s.loop.number)
	if !replaced && s.placer.fits(s.out.Activated) {
		s.placer.place(c.entry, a)
	}
	s.explain.activated(c)
}
