package worldbook

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
)

// next decides whether and how another loop runs; the first rule that says so
// wins. before is the number of entries that were active before this loop.
//
//  1. Recursion, if it is on, the budget has not overflowed, and this loop had
//     candidates whose texts may activate others (even some that the budget
//     refused), or was one that searched deeper and earlier loops had such texts.
//  2. A deeper search, if too few entries are active and the budget has not
//     overflowed.
//  3. Recursion at the next delay level that waits, also with recursion off and
//     after an overflow (Q6).
func (s *scan) next(before int) {
	overflow := s.out.Overflowed
	quirk := s.c.quirk
	next := StateStop
	recursive := s.c.settings.Recursive && !overflow
	if recursive && len(s.fresh) > 0 {
		next = StateRecursion
	}
	if recursive && s.loop == StateMinActivations && len(s.recursion) > 0 {
		// The deeper search did not look at the recursion texts: look again.
		next = StateRecursion
	}
	if next == StateStop && !overflow && s.wantsMore() {
		next = StateMinActivations
		s.skew++
	}
	if next == StateStop && len(s.levels) > 0 && (recursive || quirk[quirkWaitingLevels]) {
		next = StateRecursion
		s.level, s.levels = s.levels[0], s.levels[1:]
	}
	s.out.Loops[len(s.out.Loops)-1].Next = next
	s.loops++
	s.loop = next
	if next == StateStop {
		return
	}
	s.addRecursionText()
	// With Q8 the base of later loops is what recursion sees. Texts of entries that
	// prevent it are forgotten, and those that the budget refused are charged.
	if !quirk[quirkForgottenTexts] {
		for _, e := range s.activated[before:] {
			content := s.contentOf(e)
			s.charged.add(content, weightOf(e, content))
		}
	}
	if next == StateMinActivations {
		s.readMessages(s.depth())
	}
}

// wantsMore reports whether the search should go one message deeper. The depth
// that is compared with the limits is the one just searched, so that the next loop
// can reach one message beyond them (Q5).
func (s *scan) wantsMore() bool {
	set := &s.c.settings
	if set.MinActivations <= 0 || len(s.activated) >= set.MinActivations {
		return false
	}
	depth := set.searched() + s.skew
	if !s.c.quirk[quirkExtraDepth] {
		depth++
	}
	limit := set.MinActivationsDepthMax
	return (limit <= 0 || depth <= limit) && depth <= s.length
}

// recursionText is the text that one loop made searchable: the contents of its
// feeders, joined by newlines.
type recursionText struct {
	from, to int    // the feeders, in scan.feeders
	text     string // once it was asked for; at once if a macro is in it
}

// addRecursionText makes the texts of this loop's feeders searchable.
func (s *scan) addRecursionText() {
	size, weight := len(s.fresh)-1, 0
	for _, e := range s.fresh {
		size += len(s.rawContent(e))
		weight += int(e.contentWeight)
	}
	if size <= 0 { // no feeder, or a single one without a text
		return
	}
	r := recursionText{from: len(s.feeders)}
	s.feeders = append(s.feeders, s.fresh...)
	r.to = len(s.feeders)
	// What the texts hold is mostly known from compile time; then the text itself is
	// built only if a regex or a counter asks for it.
	known := s.prematched()
	if !known || s.in.CountTokens != nil {
		r.text = s.joinFeeders(r)
		weight = tokens.Weight(r.text)
	}
	s.recursion = append(s.recursion, r)
	if s.c.quirk[quirkForgottenTexts] {
		s.charged.prepend(r.text, weight)
	}
	if !known {
		s.readPart(r.text, partRecursion)
		return
	}
	for _, e := range s.fresh {
		s.base.addAtoms(e.contentKeys, partRecursion)
	}
	s.touch(s.touched)
}

// recursionAt returns the text of an earlier loop.
func (s *scan) recursionAt(i int) string {
	r := &s.recursion[i]
	if r.text == "" {
		r.text = s.joinFeeders(*r)
	}
	return r.text
}

// joinFeeders builds the text of one loop: the contents, as far as their macros
// have been expanded, joined by newlines. Nothing is trimmed.
func (s *scan) joinFeeders(r recursionText) string {
	var b strings.Builder
	for i, e := range s.feeders[r.from:r.to] {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(s.rawContent(e))
	}
	return b.String()
}

// prematched reports whether the lists made at compile time say everything about
// the feeders' texts.
func (s *scan) prematched() bool {
	return len(s.extraRefs) == 0 && !slices.ContainsFunc(s.fresh, func(e *entry) bool {
		return e.dynamicContent || e.contentEngine
	})
}
