package worldbook

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/tokens"
	"github.com/talewright/talewright/worldbook/internal/match"
	"github.com/talewright/talewright/worldbook/quirk"
)

// loop says where a scan stands.
type loop struct {
	state  scanState
	number int // from 0
	skew   int // by how many messages the search is deeper than the settings say
	level  float64
	levels []float64    // still waiting
	usual  match.Window // of most entries
}

func (l *loop) begin(levels []float64) {
	*l = loop{state: stateInitial, levels: levels}
	if len(levels) > 0 {
		l.nextLevel()
	}
}

func (l *loop) nextLevel() { l.level, l.levels = l.levels[0], l.levels[1:] }

// next decides whether and how another loop runs; the first rule that says so
// wins. before is the number of entries that were active before this loop.
//
//  1. Recursion, if it is on, the budget has not overflowed, and this loop had
//     candidates whose texts may activate others (even some that the budget
//     refused), or was one that searched deeper and earlier loops had such texts.
//  2. A deeper search, if too few entries are active and the budget has not
//     overflowed.
//  3. Recursion at the next delay level that waits, also with recursion off and
//     after an overflow (quirk waiting-levels).
func (s *scan) next(before int) {
	next := s.nextState()
	s.out.loops[len(s.out.loops)-1].next = next
	s.loop.number++
	s.loop.state = next
	if next == stateStop {
		return
	}
	s.recur()
	// With the quirk forgotten-texts the base of later loops is what recursion sees. Texts
	// of entries that prevent it are forgotten, and those that the budget refused are charged.
	if !s.c.quirk.Has(quirk.ForgottenTexts) {
		for _, e := range s.roster.activated[before:] {
			content := s.contents.of(e)
			s.purse.charged.add(content, weightOf(e, content))
		}
	}
	if next == stateMinActivations {
		s.search.Reach(s.depth())
	}
}

// nextState is the kind of the next loop.
func (s *scan) nextState() scanState {
	overflow := s.purse.overflowed
	recursive := s.c.settings.Recursive && !overflow
	// A deeper search did not look at the recursion texts: look again.
	missed := s.loop.state == stateMinActivations && len(s.recursion.texts) > 0
	switch {
	case recursive && (len(s.recursion.fresh) > 0 || missed):
		return stateRecursion
	case !overflow && s.loop.wantsMore(s.c, len(s.roster.activated), s.length):
		s.loop.skew++
		return stateMinActivations
	case len(s.loop.levels) > 0 && (recursive || s.c.quirk.Has(quirk.WaitingLevels)):
		s.loop.nextLevel()
		return stateRecursion
	}
	return stateStop
}

// wantsMore reports whether the search should go one message deeper. The depth
// that is compared with the limits is the one just searched, so that the next loop
// can reach one message beyond them (quirk extra-depth).
func (l *loop) wantsMore(c *Compiled, active, length int) bool {
	set := &c.settings
	if set.MinActivations <= 0 || active >= set.MinActivations {
		return false
	}
	depth := set.searched() + l.skew
	if !c.quirk.Has(quirk.ExtraDepth) {
		depth++
	}
	limit := set.MinActivationsDepthMax
	return (limit <= 0 || depth <= limit) && depth <= length
}

// recur makes the texts of this loop's feeders searchable.
func (s *scan) recur() {
	text, ok := s.recursion.add()
	if !ok {
		return
	}
	// What the texts hold is mostly known from compile time; then the text itself is
	// built only if a regex or a counter asks for it.
	known := !s.search.HasExtra() && s.recursion.prematched()
	weight := text.weight
	if !known || s.in.CountTokens != nil {
		text.text = s.recursion.join(text)
		weight = tokens.Weight(text.text)
	}
	if s.c.quirk.Has(quirk.ForgottenTexts) {
		s.purse.charged.prepend(text.text, weight)
	}
	if !known {
		s.search.Recur(text.text)
		return
	}
	for _, e := range s.recursion.fresh {
		s.search.Holds(e.contentKeys)
	}
	s.search.RecurKnown()
}

// recursion is what the loops of a scan have made searchable.
type recursion struct {
	contents *contents
	fresh    []*entry // the feeders of this loop: their texts may start another one
	feeders  []*entry // of all texts, one after the other
	texts    []recursionText
}

// recursionText is the text that one loop made searchable: the contents of its
// feeders, joined by newlines.
type recursionText struct {
	from, to int    // the feeders
	weight   int    // of the contents as far as they are known
	text     string // once it was asked for; at once if a macro is in it
}

func (r *recursion) release(ofCaller bool) {
	if ofCaller {
		clear(r.fresh[:cap(r.fresh)])
	}
	clear(r.feeders)
	clear(r.texts)
	r.fresh, r.feeders, r.texts = r.fresh[:0], r.feeders[:0], r.texts[:0]
}

// add makes the text of this loop; false if there is none.
func (r *recursion) add() (*recursionText, bool) {
	size, weight := len(r.fresh)-1, 0
	for _, e := range r.fresh {
		size += len(r.contents.soFar(e))
		weight += int(e.contentWeight)
	}
	if size <= 0 { // no feeder, or a single one without a text
		return nil, false
	}
	text := recursionText{from: len(r.feeders), weight: weight}
	r.feeders = append(r.feeders, r.fresh...)
	text.to = len(r.feeders)
	r.texts = append(r.texts, text)
	return &r.texts[len(r.texts)-1], true
}

// RecursionText implements [match.Recursion].
func (r *recursion) RecursionText(i int) string {
	text := &r.texts[i]
	if text.text == "" {
		text.text = r.join(text)
	}
	return text.text
}

// join builds the text of one loop: the contents, as far as their macros
// have been expanded, joined by newlines. Nothing is trimmed.
func (r *recursion) join(text *recursionText) string {
	var b strings.Builder
	for i, e := range r.feeders[text.from:text.to] {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(r.contents.soFar(e))
	}
	return b.String()
}

// prematched reports whether the lists made at compile time say everything about
// the feeders' texts.
func (r *recursion) prematched() bool {
	return !slices.ContainsFunc(r.fresh, func(e *entry) bool { return e.dynamicContent || e.contentEngine })
}
