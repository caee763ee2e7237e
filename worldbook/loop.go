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

	dynamicKeys dynamicKeyIndex // keys that exist only in this scan
	contents    contents        // the texts of entries
	injections  []string        // the injections of the input that are not empty
	candidates  candidates      // the entries that may be activated in the current loop
	members     []member        // the candidates that are in groups
	groups      groupThinner    // removes candidates by inclusion groups
	budget      budget          // charges candidates to the budget
	limitUse    limitUse        // charges active entries to the limits
	roster      roster          // the active and the failed entries
	linker      linker          // the linked candidates of the current loop
	recursion   recursion       // the searchable texts of active entries
	placer      placer          // places their texts in the result
	explain     *explainer      // nil unless asked for
	watch       func(*scan)     // nil except in tests
}

// run passes over the entries until no further loop starts.
func (s *scan) run() {
	for s.loop.state != stateStop {
		if limit := s.compiled.settings.MaxRecursionSteps; limit != 0 && s.loop.number >= limit {
			return
		}
		s.collect()
		s.candidates.order(&s.compiled.settings)
		before := len(s.roster.activated)
		s.budget.BeginLoop()
		s.recursion.newFeeders = s.recursion.newFeeders[:0]
		if s.compiled.links != nil {
			s.linker.withholdWaiters(&s.candidates)
		}
		s.activatePass()
		for s.compiled.links != nil && s.linker.nextPass(&s.candidates) {
			s.activatePass()
		}
		s.prepareNextLoop(before)
		if s.watch != nil {
			s.watch(s)
		}
	}
}

// activatePass applies the inclusion groups to the candidates and activates those that the budget allows.
func (s *scan) activatePass() {
	if s.candidates.anyInGroups {
		s.applyGroups()
	}
	s.activateWithinBudget()
}

// collect finds the candidates of one loop.
func (s *scan) collect() {
	s.candidates.reset()
	s.loop.commonWindow = s.usualWindow()
	if s.explain != nil {
		for i := range s.compiled.entries {
			s.examine(i)
		}
		return
	}
	open := s.search.Touched
	if s.loop.number > 0 {
		open = s.roster.undecided(s.compiled, open)
	}
	for w, word := range open {
		for ; word != 0; word &= word - 1 {
			s.examine(w<<6 + bits.TrailingZeros64(word))
		}
	}
}

// examine applies the rules of [Compiled.Scan] to one entry, in their order.
func (s *scan) examine(i int) {
	if (s.compiled.homes != nil || s.explain != nil) && s.roster.decided(s.compiled, i) {
		return
	}
	c := s.candidates.examineNext(s.compiled.entries[i], i)
	stopped := s.decide(i, c)
	if c.at < 0 && s.compiled.homes != nil && s.candidates.copies[c.entry] {
		stopped = gateTwin
	}
	if stopped != gateNone {
		s.explain.recordGate(i, stopped)
		return
	}
	if s.explain != nil {
		s.explain.recordCandidate(i, c)
	}
	s.candidates.keep(c)
}

// applyGroups leaves at most one candidate per inclusion group.
func (s *scan) applyGroups() {
	s.members = s.members[:0]
	for i := range s.candidates.list {
		if c := &s.candidates.list[i]; c.inGroups {
			m := c.member(s.compiled.settings.UseGroupScoring)
			m.Place, m.Sticky, m.Cooling = int32(i), s.timing.isSticky(c.entry), s.timing.isCooling(c.entry)
			s.members = append(s.members, m)
		}
	}
	rules := groupRules{
		Scores:       s.compiled.settings.UseGroupScoring,
		RemovesAgain: s.compiled.settings.hasQuirk(quirkGroupRemoval), CoolsSticky: s.compiled.settings.hasQuirk(quirkGroupCooldown),
	}
	list := s.candidates.list
	for _, l := range s.groups.Thin(len(list), s.members, rules, scanQueries{s}) {
		var winner *entry
		switch {
		case l.Winner == activeEntry:
			winner = s.roster.closedBy(l.Group)
		case l.Winner >= 0:
			winner = list[l.Winner].entry
		}
		s.explain.recordLostGroup(&list[l.Place], l.Group, winner)
	}
	left := list[:0]
	for i := range list {
		if !s.groups.Removed(i) {
			left = append(left, list[i])
		}
	}
	s.candidates.list = left
}

// scanQueries implements [groupQueries] for the groups of a scan.
type scanQueries struct{ s *scan }

// Closed implements [groupQueries]. A group is closed if its name is the whole group text of an entry
// that an earlier loop activated.
func (j scanQueries) Closed(name string) bool { return j.s.roster.closedBy(name) != nil }

// Draw implements [groupQueries].
func (j scanQueries) Draw(place int32, name string) float64 {
	return j.s.out.roll(j.s.in.Random, j.s.candidates.list[place].id, name)
}

// Score implements [groupQueries]. It counts the found primary keys. With AND_ANY it adds the found
// secondary keys; with AND_ALL it adds them only if all are found. It does not matter whether the
// entry is selective. A missing logic counts no secondary keys. Keys are used as written (quirk
// raw-group-keys).
func (j scanQueries) Score(place int32) int {
	e := j.s.candidates.list[place].entry
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

// activateWithinBudget activates the candidates that pass their probability and that the limits and the budget
// allow, in their order.
//
//  1. Once the budget has overflowed, in this loop or an earlier one, only entries that ignore it
//     continue.
//  2. A probability of exactly 100 needs no roll, and neither does a sticky entry.
//  3. The text is added to the requested texts of this loop. They include refused texts and the texts of
//     entries that ignore the budget.
//  4. If the requested texts and the texts of earlier loops reach the budget, the entry is refused and the
//     budget has overflowed. Exactly reaching the budget is already too much.
func (s *scan) activateWithinBudget() {
	s.roster.reserve(len(s.candidates.list))
	s.out.Activated = slices.Grow(s.out.Activated, len(s.candidates.list))
	for i := range s.candidates.list {
		switch c := &s.candidates.list[i]; {
		case s.compiled.links != nil && s.linker.blockedByActive(c):
		case s.budget.Overflowed && !c.ignoreBudget:
			s.cutByBudget(c, 0)
			s.explain.recordLaterGate(c, gateOverflow)
			s.addFeeder(c)
		case c.useProbability && !s.rollProbability(c):
		default:
			s.activateIfAffordable(c)
		}
	}
	s.out.Overflowed = s.budget.Overflowed
}

// activateIfAffordable activates a candidate if the limits and the budget allow its text (rules 3 and 4 of
// [scan.activateWithinBudget]).
func (s *scan) activateIfAffordable(c *candidate) {
	content := s.contents.text(c.entry)
	need := 0
	if len(s.compiled.limits) > 0 {
		counted, _ := s.contents.budgetText(c.entry, content)
		if need = s.budget.counter.tokensOf(counted); !c.ignoreBudget && s.cutByLimit(c, need) {
			return
		}
	}
	s.addFeeder(c)
	counted, weight := s.contents.budgetText(c.entry, content)
	before := 0 // only explanations need this count
	if s.explain != nil {
		before = s.budget.Base + s.budget.Asked.Tokens()
	}
	s.budget.Asked.Add(counted, weight)
	if !c.ignoreBudget && !s.budget.Fits() {
		s.budget.Overflowed = true
		asked := s.budget.Base + s.budget.Asked.Tokens()
		s.cutByBudget(c, asked)
		s.explain.recordOverBudget(c, before, asked-before, s.budget.Limit)
		return
	}
	s.budget.Spent.Add(counted, weight)
	if len(s.compiled.limits) > 0 {
		s.limitUse.charge(s.compiled.limits, c.id.Book, c.book.source, need)
	}
	s.activate(c, content)
}

// cutByLimit reports whether a candidate exceeds a limit, and records that.
func (s *scan) cutByLimit(c *candidate, need int) bool {
	over := s.limitUse.firstExceeded(s.compiled.limits, c.id.Book, c.book.source, need)
	if over.of == "" {
		return false
	}
	if s.roster.markOverBudget(c.home(s.compiled)) {
		s.out.Cut = append(s.out.Cut, Cut{c.id, over.count, over.limit, over.of})
	}
	s.explain.recordText(c, over.explanation)
	return true
}

// cutByBudget adds an entry that the budget refused to Result.Cut, once.
func (s *scan) cutByBudget(c *candidate, tokens int) {
	if s.roster.markOverBudget(c.home(s.compiled)) {
		s.out.Cut = append(s.out.Cut, Cut{ID: c.id, Tokens: tokens, Budget: s.budget.Limit})
	}
}

// addFeeder records a candidate whose text may start a further loop. A forced copy that has failed its
// roll is never recorded.
func (s *scan) addFeeder(c *candidate) {
	if !s.compiled.loops.oneLoop && !c.preventRecursion && !slices.Contains(s.roster.failedCopies, c.entry) {
		s.recursion.newFeeders = append(s.recursion.newFeeders, c.entry)
	}
}

// rollProbability reports whether a candidate passes. A failure is stored for the rest of the scan,
// except for a forced copy (quirk forced-reroll). Call it only for entries that use a probability.
func (s *scan) rollProbability(c *candidate) bool {
	if c.keptActive {
		return true
	}
	r := s.out.roll(s.in.Random, c.id, "")
	if r*100 <= c.probability && (s.in.Random != nil || c.probability > 0) {
		return true
	}
	s.roster.markFailed(s.compiled, c)
	s.explain.recordFailedRoll(c, r)
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
	at, old, replaced := s.roster.activate(s.compiled, c)
	if replaced {
		s.explain.recordReplaced(old.entry)
		s.placer.inOrder = false
	} else {
		s.out.Activated = s.out.Activated[:at+1]
	}
	a := &s.out.Activated[at]
	c.writeTo(a, content, s.loop.number)
	if c.dynamicContent && c.limitsText() {
		a.Trimmed = s.contents.trimmed[c.entry]
	}
	if !replaced && s.placer.fitsInOrder(a.Order) {
		s.placer.placeText(c.entry, a)
	}
	if c.inSet {
		s.linker.recordSetMember(c)
	}
	if s.explain != nil {
		s.explain.recordActive(c)
	}
}

// prepareNextLoop decides whether a further loop runs, and its kind. The first rule that applies counts.
// before is the number of entries that were active before this loop.
//
//  1. Recursion, if it is on and the budget has not overflowed. In addition, this loop must have
//     had candidates whose texts may activate others, even if the budget refused them. A loop that
//     searched deeper also counts if earlier loops had such texts.
//  2. A deeper search, if too few entries are active and the budget has not overflowed.
//  3. Recursion at the next waiting delay level, even if recursion is off or the budget has
//     overflowed (quirk waiting-levels).
func (s *scan) prepareNextLoop(before int) {
	next := s.nextState()
	s.loop.number++
	s.loop.state = next
	if next == stateStop {
		return
	}
	s.searchFeeders()
	// With the quirk forgotten-texts the base of later loops is the text that recursion sees. Texts
	// of entries that prevent recursion are not charged, and texts that the budget refused are
	// charged.
	if !s.compiled.settings.hasQuirk(quirkForgottenTexts) {
		for _, e := range s.roster.activated[before:] {
			s.budget.Charged.Add(s.contents.budgetText(e, s.contents.text(e)))
		}
	}
	if next == stateMinActivations {
		s.search.ExtendTo(s.depth())
	}
}

// nextState returns the kind of the next loop.
func (s *scan) nextState() scanState {
	overflow := s.budget.Overflowed
	recursive := s.compiled.settings.Recursive && !overflow
	// A deeper search does not see the recursion texts, so they need a further loop.
	missed := s.loop.state == stateMinActivations && len(s.recursion.texts) > 0
	switch {
	case recursive && (len(s.recursion.newFeeders) > 0 || missed):
		return stateRecursion
	case !overflow && s.loop.wantsMore(s.compiled, len(s.roster.activated), s.length):
		s.loop.extraDepth++
		return stateMinActivations
	case len(s.loop.levelsLeft) > 0 && (recursive || s.compiled.settings.hasQuirk(quirkWaitingLevels)):
		s.loop.nextLevel()
		return stateRecursion
	}
	return stateStop
}

// searchFeeders makes the texts of this loop's feeders searchable.
func (s *scan) searchFeeders() {
	text, ok := s.recursion.addText()
	if !ok {
		return
	}
	// The keys in the texts are mostly known from compile time. Then the joined text is built only
	// if a regex or a counter needs it.
	known := !s.search.HasExtra() && s.recursion.prematched()
	weight := text.weight
	if !known || s.in.CountTokens != nil {
		text.text = s.recursion.join(text, s.contents.searchText)
		weight = tokens.Weight(text.text)
	}
	if s.compiled.settings.hasQuirk(quirkForgottenTexts) {
		counted := text.text
		if s.in.Rendered != nil {
			counted = s.recursion.join(text, func(e *entry) string { return s.contents.render(e, s.contents.text(e)) })
			weight = tokens.Weight(counted)
		}
		s.budget.Charged.Prepend(counted, weight)
	}
	if !known {
		s.search.AddRecursion(text.text)
		return
	}
	for _, e := range s.recursion.newFeeders {
		s.search.MarkRecursion(e.contentKeys)
	}
	s.search.AddKnownRecursion()
}
