package worldbook

import (
	"math/bits"
	"slices"

	"github.com/talewright/talewright/internal/tokens"
)

// scan is the working memory of one scan: its stages in the order in which a loop passes
// them. Each stage has its own memory and sees no more of the others than it is handed.
type scan struct {
	view
	input Input // what view.in points to
	out   *Result

	own        ownKeys      // keys that only this scan knows as texts
	contents   contents     // the texts of entries
	injections []string     // those of the input with something in them
	cands      candidates   // of the loop
	members    []member     // those of them that are in groups
	groups     groupThinner // thins them out
	purse      purse        // lets them pay
	roster     roster       // who is active, who failed
	recursion  recursion    // what the active ones make searchable
	placer     placer       // puts their texts into the result
	explain    *explainer   // nil unless asked for
	watch      func(*scan)  // nil but in tests
}

// run passes over the entries until nothing starts another loop.
func (s *scan) run() {
	for s.loop.state != stateStop {
		if limit := s.c.settings.MaxRecursionSteps; limit != 0 && s.loop.number >= limit {
			return
		}
		s.collect()
		s.cands.order(&s.c.settings)
		if s.cands.grouped {
			s.thin()
		}
		before := len(s.roster.activated)
		s.pay()
		s.next(before)
		if s.watch != nil {
			s.watch(s)
		}
	}
}

// collect finds the candidates of one loop.
func (s *scan) collect() {
	s.cands.reset()
	s.loop.usual = s.usualWindow()
	if s.explain != nil {
		for i := range s.c.entries {
			s.examine(i)
		}
		return
	}
	open := s.search.Touched
	if s.loop.number > 0 {
		open = s.roster.undecided(s.c, open)
	}
	for w, word := range open {
		for ; word != 0; word &= word - 1 {
			s.examine(w<<6 + bits.TrailingZeros64(word))
		}
	}
}

// examine applies the rules of [Compiled.Scan] to one entry, in their order.
func (s *scan) examine(i int) {
	if (s.c.ident != nil || s.explain != nil) && s.roster.decided(s.c, i) {
		return
	}
	c := s.cands.next(s.c.entries[i], i)
	stopped := s.decide(i, c)
	if c.at < 0 && s.c.ident != nil && s.cands.copies[c.entry] {
		stopped = gateTwin
	}
	if stopped != gateNone {
		s.explain.stop(i, stopped)
		return
	}
	s.explain.candidate(i, c)
	s.cands.keep(c)
}

// thin leaves at most one candidate per inclusion group.
func (s *scan) thin() {
	s.members = s.members[:0]
	for i := range s.cands.list {
		if c := &s.cands.list[i]; c.grouped {
			m := c.member(s.c.settings.UseGroupScoring)
			m.Place, m.Sticky, m.Cooling = int32(i), s.timing.isSticky(c.entry), s.timing.isCooling(c.entry)
			s.members = append(s.members, m)
		}
	}
	rules := groupRules{
		Scores:       s.c.settings.UseGroupScoring,
		RemovesAgain: s.c.quirk.Has(QuirkGroupRemoval), CoolsSticky: s.c.quirk.Has(QuirkGroupCooldown),
	}
	list := s.cands.list
	for _, l := range s.groups.Thin(len(list), s.members, rules, groupJudge{s}) {
		var winner *entry
		switch {
		case l.To == toActive:
			winner = s.roster.closedBy(l.Group)
		case l.To >= 0:
			winner = list[l.To].entry
		}
		s.explain.lostGroup(&list[l.Place], l.Group, winner)
	}
	left := list[:0]
	for i := range list {
		if !s.groups.Gone(i) {
			left = append(left, list[i])
		}
	}
	s.cands.list = left
}

// groupJudge is the judge of the groups of a scan.
type groupJudge struct{ s *scan }

// Closed implements [judgeGroup]. A group is closed whose name is the whole group text of
// an entry that an earlier loop activated.
func (j groupJudge) Closed(name string) bool { return j.s.roster.closedBy(name) != nil }

// Draw implements [judgeGroup].
func (j groupJudge) Draw(place int32, name string) float64 {
	return j.s.out.roll(j.s.in.Random, j.s.cands.list[place].id, name)
}

// Score implements [judgeGroup]. It counts the keys that are found: the primary ones, and
// with AND_ANY the secondary ones too; with AND_ALL those count only if all are found.
// Whether the secondary keys are switched on does not matter, a logic that is missing
// counts none of them, and keys are taken as they are written (quirk raw-group-keys).
func (j groupJudge) Score(place int32) int {
	e := j.s.cands.list[place].entry
	if !e.hasKeys {
		return 0
	}
	w := j.s.windowOf(e)
	p := j.s.search.Count(e.group.keys, w)
	n := len(e.group.secondary)
	if n == 0 {
		return p
	}
	q := j.s.search.Count(e.group.secondary, w)
	switch {
	case e.scoreLogic == int8(AndAny):
		return p + q
	case e.scoreLogic == int8(AndAll) && q == n:
		return p + q
	}
	return p
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
	s.purse.BeginLoop()
	s.recursion.fresh = s.recursion.fresh[:0]
	s.roster.expect(len(s.cands.list))
	s.out.Activated = slices.Grow(s.out.Activated, len(s.cands.list))
	for i := range s.cands.list {
		c := &s.cands.list[i]
		if s.purse.Overflowed && !c.ignoreBudget {
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
		weight := weightOf(c.entry, content)
		before := 0 // it is counted for an explanation alone
		if s.explain != nil {
			before = s.purse.Base + s.purse.Asked.Tokens()
		}
		s.purse.Asked.Add(content, weight)
		if !c.ignoreBudget && !s.purse.Fits() {
			s.purse.Overflowed = true
			asked := s.purse.Base + s.purse.Asked.Tokens()
			s.refuse(c, asked)
			s.explain.tooDear(c, before, asked-before, s.purse.Limit)
			continue
		}
		s.purse.Spent.Add(content, weight)
		s.activate(c, content)
	}
	s.out.Overflowed = s.purse.Overflowed
}

// refuse lists an entry that the budget refused, once.
func (s *scan) refuse(c *candidate, tokens int) {
	if s.roster.refuse(c.home(s.c)) {
		s.out.Cut = append(s.out.Cut, Cut{c.id, tokens, s.purse.Limit})
	}
}

// feed notes a candidate whose text may start another loop. A forced copy that
// ever failed its roll never does.
func (s *scan) feed(c *candidate) {
	if !s.c.loops.only && !c.preventRecursion && !slices.Contains(s.roster.failedCopies, c.entry) {
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
	at, old, replaced := s.roster.enter(s.c, c)
	if replaced {
		s.explain.replaced(old.entry)
		s.placer.inOrder = false
	} else {
		s.out.Activated = s.out.Activated[:at+1]
	}
	a := &s.out.Activated[at]
	c.show(a, content, s.loop.number)
	if !replaced && s.placer.fits(a.Order) {
		s.placer.place(c.entry, a)
	}
	s.explain.activated(c)
}

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
	s.loop.number++
	s.loop.state = next
	if next == stateStop {
		return
	}
	s.recur()
	// With the quirk forgotten-texts the base of later loops is what recursion sees. Texts
	// of entries that prevent it are forgotten, and those that the budget refused are charged.
	if !s.c.quirk.Has(QuirkForgottenTexts) {
		for _, e := range s.roster.activated[before:] {
			content := s.contents.of(e)
			s.purse.Charged.Add(content, weightOf(e, content))
		}
	}
	if next == stateMinActivations {
		s.search.Reach(s.depth())
	}
}

// nextState is the kind of the next loop.
func (s *scan) nextState() scanState {
	overflow := s.purse.Overflowed
	recursive := s.c.settings.Recursive && !overflow
	// A deeper search did not look at the recursion texts: look again.
	missed := s.loop.state == stateMinActivations && len(s.recursion.texts) > 0
	switch {
	case recursive && (len(s.recursion.fresh) > 0 || missed):
		return stateRecursion
	case !overflow && s.loop.wantsMore(s.c, len(s.roster.activated), s.length):
		s.loop.skew++
		return stateMinActivations
	case len(s.loop.levels) > 0 && (recursive || s.c.quirk.Has(QuirkWaitingLevels)):
		s.loop.nextLevel()
		return stateRecursion
	}
	return stateStop
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
	if s.c.quirk.Has(QuirkForgottenTexts) {
		s.purse.Charged.Prepend(text.text, weight)
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
