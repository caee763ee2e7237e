package worldbook

import (
	"math/bits"
	"slices"

	"github.com/talewright/talewright/internal/tokens"
)

// scan is the working memory of one scan. Its stages are in the order in which a loop runs them.
// Each stage has its own memory and sees only the data of other stages that it gets.
type scan struct {
	view
	input Input // view.in points here
	out   *Result

	own        ownKeys      // keys that exist only in this scan
	contents   contents     // the texts of entries
	injections []string     // the injections of the input that are not empty
	cands      candidates   // of the current loop
	members    []member     // the candidates that are in groups
	groups     groupThinner // removes candidates by inclusion groups
	budget     budget       // charges candidates to the budget
	spent      spending     // charges active entries to the limits
	roster     roster       // the active and the failed entries
	linker     linker       // the linked candidates of the current loop
	recursion  recursion    // the searchable texts of active entries
	placer     placer       // places their texts in the result
	explain    *explainer   // nil unless asked for
	watch      func(*scan)  // nil except in tests
}

// run passes over the entries until no further loop starts.
func (s *scan) run() {
	for s.loop.state != stateStop {
		if limit := s.c.settings.MaxRecursionSteps; limit != 0 && s.loop.number >= limit {
			return
		}
		s.collect()
		s.cands.order(&s.c.settings)
		before := len(s.roster.activated)
		s.budget.BeginLoop()
		s.recursion.fresh = s.recursion.fresh[:0]
		if s.c.links != nil {
			s.linker.withhold(&s.cands)
		}
		s.pass()
		for s.c.links != nil && s.linker.nextPass(&s.cands) {
			s.pass()
		}
		s.next(before)
		if s.watch != nil {
			s.watch(s)
		}
	}
}

// pass thins the candidates and lets them pay.
func (s *scan) pass() {
	if s.cands.grouped {
		s.thin()
	}
	s.pay()
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
		RemovesAgain: s.c.quirk.Has(quirkGroupRemoval), CoolsSticky: s.c.quirk.Has(quirkGroupCooldown),
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

// groupJudge implements [judgeGroup] for the groups of a scan.
type groupJudge struct{ s *scan }

// Closed implements [judgeGroup]. A group is closed if its name is the whole group text of an entry
// that an earlier loop activated.
func (j groupJudge) Closed(name string) bool { return j.s.roster.closedBy(name) != nil }

// Draw implements [judgeGroup].
func (j groupJudge) Draw(place int32, name string) float64 {
	return j.s.out.roll(j.s.in.Random, j.s.cands.list[place].id, name)
}

// Score implements [judgeGroup]. It counts the found primary keys. With AND_ANY it adds the found
// secondary keys; with AND_ALL it adds them only if all are found. It does not matter whether the
// entry is selective. A missing logic counts no secondary keys. Keys are used as written (quirk
// raw-group-keys).
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
	case e.group.logic == int8(AndAny):
		return p + q
	case e.group.logic == int8(AndAll) && q == n:
		return p + q
	}
	return p
}

// pay lets the candidates roll for their probability and pay from the budget, in their order.
// Candidates that pass are activated.
//
//  1. Once the budget has overflowed, in this loop or an earlier one, only entries that ignore it
//     continue.
//  2. A probability of exactly 100 needs no roll, and neither does a sticky entry.
//  3. The text is added to the texts that this loop has asked for so far, including refused and
//     free texts.
//  4. If these texts and the base reach the budget, the entry is refused and the budget has
//     overflowed. Exactly reaching the budget is already too much.
func (s *scan) pay() {
	s.roster.expect(len(s.cands.list))
	s.out.Activated = slices.Grow(s.out.Activated, len(s.cands.list))
	for i := range s.cands.list {
		c := &s.cands.list[i]
		if s.c.links != nil && s.linker.stops(c) {
			continue
		}
		if s.budget.Overflowed && !c.ignoreBudget {
			s.refuse(c, 0)
			s.explain.refused(c, gateOverflow)
			s.feed(c)
			continue
		}
		if c.useProbability && !s.rollProbability(c) {
			continue
		}
		content := s.contents.of(c.entry)
		need := 0
		if len(s.c.limits) > 0 {
			counted, _ := s.contents.counted(c.entry, content)
			if need = s.budget.counter.measure(counted); !c.ignoreBudget && s.exceeds(c, need) {
				continue
			}
		}
		s.feed(c)
		counted, weight := s.contents.counted(c.entry, content)
		before := 0 // only explanations need this count
		if s.explain != nil {
			before = s.budget.Base + s.budget.Asked.Tokens()
		}
		s.budget.Asked.Add(counted, weight)
		if !c.ignoreBudget && !s.budget.Fits() {
			s.budget.Overflowed = true
			asked := s.budget.Base + s.budget.Asked.Tokens()
			s.refuse(c, asked)
			s.explain.tooDear(c, before, asked-before, s.budget.Limit)
			continue
		}
		s.budget.Spent.Add(counted, weight)
		if len(s.c.limits) > 0 {
			s.spent.spend(s.c.limits, c.id.Book, c.book.source, need)
		}
		s.activate(c, content)
	}
	s.out.Overflowed = s.budget.Overflowed
}

// exceeds reports whether a candidate exceeds a limit, and records that.
func (s *scan) exceeds(c *candidate, need int) bool {
	by, text, total, limit := s.spent.refuses(s.c.limits, c.id.Book, c.book.source, need)
	if by == "" {
		return false
	}
	if s.roster.refuse(c.home(s.c)) {
		s.out.Cut = append(s.out.Cut, Cut{c.id, total, limit, by})
	}
	s.explain.because(c, text)
	return true
}

// refuse adds an entry that the budget refused to Result.Cut, once.
func (s *scan) refuse(c *candidate, tokens int) {
	if s.roster.refuse(c.home(s.c)) {
		s.out.Cut = append(s.out.Cut, Cut{ID: c.id, Tokens: tokens, Budget: s.budget.Limit})
	}
}

// feed records a candidate whose text may start a further loop. A forced copy that has failed its
// roll is never recorded.
func (s *scan) feed(c *candidate) {
	if !s.c.loops.only && !c.preventRecursion && !slices.Contains(s.roster.failedCopies, c.entry) {
		s.recursion.fresh = append(s.recursion.fresh, c.entry)
	}
}

// rollProbability reports whether a candidate passes. A failure is stored for the rest of the scan,
// except for a forced copy (quirk forced-reroll). Call it only for entries that use a probability.
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

// roll takes a random number and records it, so that a replay can supply the same numbers.
func (r *Result) roll(random func() float64, id ID, group string) float64 {
	v := 0.0
	if random != nil {
		v = random()
	}
	r.Rolls = append(r.Rolls, Roll{ID: id, Group: group, Value: v})
	return v
}

// activate adds a candidate to the result. It also stores what later steps need of all active
// entries.
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
	if c.dynamicContent && c.capped() {
		a.Trimmed = s.contents.trimmed[c.entry]
	}
	if !replaced && s.placer.fits(a.Order) {
		s.placer.place(c.entry, a)
	}
	if c.inSet {
		s.linker.occupy(c)
	}
	s.explain.activated(c)
}

// next decides whether a further loop runs, and its kind. The first rule that applies counts.
// before is the number of entries that were active before this loop.
//
//  1. Recursion, if it is on and the budget has not overflowed. In addition, this loop must have
//     had candidates whose texts may activate others, even if the budget refused them. A loop that
//     searched deeper also counts if earlier loops had such texts.
//  2. A deeper search, if too few entries are active and the budget has not overflowed.
//  3. Recursion at the next waiting delay level, even if recursion is off or the budget has
//     overflowed (quirk waiting-levels).
func (s *scan) next(before int) {
	next := s.nextState()
	s.loop.number++
	s.loop.state = next
	if next == stateStop {
		return
	}
	s.recur()
	// With the quirk forgotten-texts the base of later loops is the text that recursion sees. Texts
	// of entries that prevent recursion are not charged, and texts that the budget refused are
	// charged.
	if !s.c.quirk.Has(quirkForgottenTexts) {
		for _, e := range s.roster.activated[before:] {
			s.budget.Charged.Add(s.contents.counted(e, s.contents.of(e)))
		}
	}
	if next == stateMinActivations {
		s.search.Reach(s.depth())
	}
}

// nextState returns the kind of the next loop.
func (s *scan) nextState() scanState {
	overflow := s.budget.Overflowed
	recursive := s.c.settings.Recursive && !overflow
	// A deeper search does not see the recursion texts, so they need a further loop.
	missed := s.loop.state == stateMinActivations && len(s.recursion.texts) > 0
	switch {
	case recursive && (len(s.recursion.fresh) > 0 || missed):
		return stateRecursion
	case !overflow && s.loop.wantsMore(s.c, len(s.roster.activated), s.length):
		s.loop.skew++
		return stateMinActivations
	case len(s.loop.levels) > 0 && (recursive || s.c.quirk.Has(quirkWaitingLevels)):
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
	// The keys in the texts are mostly known from compile time. Then the joined text is built only
	// if a regex or a counter needs it.
	known := !s.search.HasExtra() && s.recursion.prematched()
	weight := text.weight
	if !known || s.in.CountTokens != nil {
		text.text = s.recursion.join(text, s.contents.soFar)
		weight = tokens.Weight(text.text)
	}
	if s.c.quirk.Has(quirkForgottenTexts) {
		counted := text.text
		if s.in.Rendered != nil {
			counted = s.recursion.join(text, func(e *entry) string { return s.contents.render(e, s.contents.of(e)) })
			weight = tokens.Weight(counted)
		}
		s.budget.Charged.Prepend(counted, weight)
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
