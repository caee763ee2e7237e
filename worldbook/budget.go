package worldbook

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
)

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
	base := s.charged.tokens()
	text := tally{in: s.in}
	s.fresh = s.fresh[:0]
	s.activated = slices.Grow(s.activated, len(s.cands))
	s.out.Activated = slices.Grow(s.out.Activated, len(s.cands))
	for i := range s.cands {
		c := &s.cands[i]
		if s.out.Overflowed && !c.ignoreBudget {
			s.cut(c, 0)
			s.stopCandidate(c, gateOverflow)
			s.feed(c)
			continue
		}
		if c.useProbability && !s.rollProbability(c) {
			continue
		}
		content := s.contentOf(c.entry)
		s.feed(c)
		text.add(content, weightOf(c.entry, content))
		if !c.ignoreBudget {
			if need := text.tokens(); base+need >= s.budget {
				s.out.Overflowed = true
				s.cut(c, base+need)
				s.stopBudget(c, base, need)
				continue
			}
		}
		s.activate(c, content)
	}
}

// cut lists an entry that the budget refused, once.
func (s *scan) cut(c *candidate, tokens int) {
	if i := s.placeIn(c); !s.refused.has(i) {
		s.refused.set(i)
		s.out.Cut = append(s.out.Cut, Cut{c.id, tokens, s.budget})
	}
}

// weightOf is the weight of an entry's text.
func weightOf(e *entry, content string) int {
	if e.dynamicContent {
		return tokens.Weight(content)
	}
	return int(e.contentWeight)
}

// activate writes a candidate into the result. What later steps ask of all active
// entries is noted here, while the entry is at hand.
func (s *scan) activate(c *candidate, content string) {
	if !s.c.oneLoop { // later ones pass the entry over
		s.active.set(s.placeIn(c))
	}
	s.spent.add(content, weightOf(c.entry, content))
	if s.c.ident != nil && s.replaces(c, content) {
		return
	}
	n := len(s.activated)
	s.activated = append(s.activated, c.entry)
	s.out.Activated = s.out.Activated[:n+1]
	s.show(c, content, &s.out.Activated[n])
	if s.placing {
		if n > 0 && s.compareOrders(s.out.Activated[n-1].Order, c.order) > 0 {
			s.placing = false
		}
		s.placeOne(c.entry, &s.out.Activated[n])
	}
	if c.grouped {
		s.closeGroup(c.entry)
	}
	if c.gated || c.at < 0 {
		s.special = append(s.special, int32(n))
	}
	if s.explain != nil {
		s.explain.activated(c)
	}
}

// placeIn returns the place of the first entry with the id of a candidate.
func (s *scan) placeIn(c *candidate) int {
	if c.at >= 0 {
		return s.c.first(int(c.at))
	}
	return int(s.c.byID[c.id])
}

// feed notes a candidate whose text may start another loop. A forced copy that
// ever failed its roll never does.
func (s *scan) feed(c *candidate) {
	if s.c.oneLoop || c.preventRecursion || len(s.failedCopies) > 0 && slices.Contains(s.failedCopies, c.entry) {
		return
	}
	s.fresh = append(s.fresh, c.entry)
}

// rollProbability reports whether a candidate passes. A failure is remembered
// for the rest of the scan, except for a forced copy (Q12). Only entries that use
// a probability are asked.
func (s *scan) rollProbability(c *candidate) bool {
	if c.sticky {
		return true
	}
	r := s.roll(c.id, "")
	if r*100 <= c.probability && (s.in.Random != nil || c.probability > 0) {
		return true
	}
	switch {
	case c.at >= 0:
		s.failed.set(int(c.at))
	case s.c.quirk[quirkForcedReroll]:
		s.failedCopies = append(s.failedCopies, c.entry)
	default:
		s.failed.set(int(s.c.byID[c.id]))
	}
	s.stopRoll(c, r)
	return false
}

// contentOf returns the content with its macros expanded.
func (s *scan) contentOf(e *entry) string {
	if !e.dynamicContent {
		return e.content
	}
	return s.expanded(e)
}

// expanded expands the macros of an entry's content, once per scan.
func (s *scan) expanded(e *entry) string {
	text, ok := s.contents[e]
	if !ok {
		text = valid(s.expand(e.content))
		if s.contents == nil {
			s.contents = map[*entry]string{}
		}
		s.contents[e] = text
	}
	return text
}

// rawContent returns the content as far as it has been expanded.
func (s *scan) rawContent(e *entry) string {
	if text, ok := s.contents[e]; ok {
		return text
	}
	return e.content
}

// expand replaces the macros of a text.
func (s *scan) expand(text string) string {
	if s.in.Expand != nil {
		return s.in.Expand(text)
	}
	return expandNames(text, s.in.User, s.in.Char)
}

// expandNames replaces {{user}} and {{char}} in any letter case.
func expandNames(text, user, char string) string {
	const size = len("{{user}}")
	var b strings.Builder
	for {
		i := strings.Index(text, "{{")
		if i < 0 || i+size > len(text) {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		switch strings.ToLower(text[i : i+size]) {
		case "{{user}}":
			b.WriteString(user)
			text = text[i+size:]
		case "{{char}}":
			b.WriteString(char)
			text = text[i+size:]
		default:
			b.WriteByte('{')
			text = text[i+1:]
		}
	}
}
