package worldbook

import (
	"cmp"
	"math/bits"
	"slices"
)

// collect finds the candidates of one loop.
func (s *scan) collect() {
	s.cands, s.queued, s.grouped = s.cands[:0], true, false
	s.usual = s.usualWindow()
	if s.explain != nil {
		for i := range s.c.entries {
			s.examine(i)
		}
		return
	}
	for w, word := range s.touched {
		for ; word != 0; word &= word - 1 {
			s.examine(w<<6 + bits.TrailingZeros64(word))
		}
	}
}

// examine applies the rules of [Compiled.Scan] to one entry, in their order. A
// decorator decides before the outside copy is taken, and the copy needs no key;
// what stands in the way of the entry itself (disabled, filtered, delayed,
// cooling down) stands in the way of its copy too.
func (s *scan) examine(i int) {
	e := s.c.entry(i)
	// Nothing can be active or have failed before the first loop pays.
	if s.loops > 0 && (s.failed.has(i) || s.active.has(s.c.first(i))) {
		return
	}
	sticky := e.timed && s.stickyNow.has(e.hash)
	if (e.gated || e.disabled || len(s.switches) > 0) && s.gate(i, e, sticky) {
		return
	}
	c := s.candidate(i, e, sticky)
	if !s.activates(i, e, c) {
		s.cands = s.cands[:len(s.cands)-1]
		return
	}
	if s.explain != nil {
		s.explain.candidate(i, c)
	}
	if e.gated || c.at < 0 { // it may be sticky, forced or ranked by a decorator
		s.queued = false
	}
	if c.grouped {
		s.grouped = true
	}
}

// candidate appends to the candidates. It is filled in where it stands.
func (s *scan) candidate(i int, e *entry, sticky bool) *candidate {
	n := len(s.cands)
	s.cands = slices.Grow(s.cands, 1)[:n+1]
	c := &s.cands[n]
	c.entry, c.at, c.sticky = e, int32(i), sticky
	c.why, c.place, c.key, c.text = 0, 0, 0, ""
	return c
}

// activates reports whether something makes a candidate of the entry, and what.
func (s *scan) activates(i int, e *entry, c *candidate) bool {
	switch {
	case e.activate:
		c.why = whyDecorator
	case e.dontActivate:
		return !s.stop(i, gateDecorator)
	case len(s.forced) > 0 && s.forced[e.id] != nil:
		if s.c.ident != nil && s.stands(s.forced[e.id]) {
			return !s.stop(i, gateTwin) // one copy stands for all entries of the id
		}
		c.entry, c.at = s.forced[e.id], -1
		c.sticky = s.isSticky(c.entry)
		c.why = whyForce
	case e.constant:
		c.why = whyConstant
	case c.sticky:
		c.why = whySticky
	case e.gated && e.v3 != nil && e.v3.keepAfterMatch && s.matchedBefore(e):
		c.why = whyEarlierMatch
	default:
		return s.matchKeys(i, e, c)
	}
	return true
}

// gate reports whether one of the rules before the keys stops the entry. A sticky
// effect that runs lifts the cooldown and the rules about recursion, not the
// others.
func (s *scan) gate(i int, e *entry, sticky bool) bool {
	disabled := e.disabled
	if len(s.switches) > 0 && s.switches[i] != switchedNot {
		if s.switches[i] == switchedClosed {
			return s.stop(i, gateClosed)
		}
		disabled = s.switches[i] == switchedOff
	}
	switch {
	case disabled:
		return s.stop(i, gateDisabled)
	case !e.gated: // nearly all entries
		return false
	case e.guarded && s.hostGate(i, e):
		return true
	case e.delay != 0 && float64(s.length) < e.delay:
		return s.stop(i, gateDelay)
	}
	if sticky {
		return false
	}
	recursing := s.loop == StateRecursion
	switch {
	case e.timed && s.coolingNow.has(e.hash):
		return s.stop(i, gateCooldown)
	case e.waits && !recursing:
		return s.stop(i, gateLevel)
	case e.waits && e.level.number > s.level:
		return s.stop(i, gateLevel)
	case e.excludeRecursion && recursing && s.c.settings.Recursive:
		return s.stop(i, gateExclude)
	}
	return e.v3 != nil && s.cardGate(i, e)
}

// hostGate applies the rules that look at what the host says about the turn.
func (s *scan) hostGate(i int, e *entry) bool {
	switch {
	case !s.triggered(e):
		return s.stop(i, gateTrigger)
	case !s.namePasses(e):
		return s.stop(i, gateName)
	case !s.tagsPass(e):
		return s.stop(i, gateTag)
	case !s.conditionsHold(e):
		return s.stop(i, gateConditions)
	}
	return false
}

// conditionsHold asks the host, who alone knows what the JSON means. It gets a
// copy: the compiled book is shared.
func (s *scan) conditionsHold(e *entry) bool {
	c := e.src.Conditions
	return len(c) == 0 || s.in.Condition == nil || s.in.Condition(slices.Clone(c))
}

// triggered applies Triggers: none means every type of generation.
func (s *scan) triggered(e *entry) bool {
	if len(e.src.Triggers) == 0 {
		return true
	}
	return slices.Contains(e.src.Triggers, string(s.in.Type.known()))
}

// known maps unknown types to Normal.
func (t GenerationType) known() GenerationType {
	switch t {
	case Continue, Impersonate, Swipe, Regenerate, Quiet:
		return t
	}
	return Normal
}

// namePasses applies the names of the character filter. Without a current
// character no name fits, so that only an excluding filter lets the entry pass.
func (s *scan) namePasses(e *entry) bool {
	f := e.src.CharacterFilter
	if f == nil || len(f.Names)+len(f.NamesText) == 0 {
		return true
	}
	return f.hasName(s.in.Speaker.Name) != f.IsExclude
}

// tagsPass applies the tags of the character filter: one shared tag is enough.
// A character without stored tags counts as having none; without any current
// character the rule does not apply.
func (s *scan) tagsPass(e *entry) bool {
	f := e.src.CharacterFilter
	if f == nil || len(f.Tags)+len(f.TagsText) == 0 || s.in.Speaker.Name == "" {
		return true
	}
	shared := slices.ContainsFunc(s.in.Speaker.Tags, f.hasTag)
	return shared != f.IsExclude
}

// matchKeys applies the primary and the secondary keys.
func (s *scan) matchKeys(i int, e *entry, c *candidate) bool {
	w := s.windowOf(e)
	first := s.firstKey(i, e, w)
	if first < 0 { // the secondary keys never matter without a primary one
		return !s.stop(i, gateKeys)
	}
	if e.selective && !s.secondaryHolds(e, w) {
		return !s.stop(i, gateSecondary)
	}
	c.why, c.key, c.text = whyKey, int32(first), s.keyText(e, first)
	c.place = s.placeOf(e.primary(first), w)
	return true
}

// firstKey returns the place of the first primary key that is in the window, or
// -1. Only those that some text holds are asked, unless finds say nothing of them.
func (s *scan) firstKey(i int, e *entry, w window) int {
	from := 0
	if !e.late {
		found := s.keyBits[i]
		for ; found&^(1<<lastKeyBit) != 0; found &= found - 1 {
			k := bits.TrailingZeros8(uint8(found))
			ref := e.primary(k) // marked, and nearly always in the window for certain
			if e.run && s.base.marks[ref].in(w) && len(s.fuses.names) == 0 || s.foundMarked(ref, w) {
				return k
			}
		}
		if found == 0 {
			return -1
		}
		from = lastKeyBit
	}
	for k := from; k < len(e.keys); k++ {
		if s.found(e.keys[k], w) {
			return k
		}
	}
	return -1
}

// secondaryHolds applies the selective logic. With m of n secondary keys found,
// AND_ANY asks for m > 0, NOT_ALL for m < n, NOT_ANY for m = 0 and AND_ALL for
// m = n; a number that stands for none of them never holds.
func (s *scan) secondaryHolds(e *entry, w window) bool {
	m := s.count(e.secondary, w)
	switch Logic(e.logic) {
	case AndAny:
		return m > 0
	case NotAll:
		return m < len(e.secondary)
	case NotAny:
		return m == 0
	case AndAll:
		return m == len(e.secondary)
	}
	return false
}

// count tells how many of the keys are in the window. It asks all of them: which
// regexes are given up on the way must not depend on what others say.
func (s *scan) count(refs []keyRef, w window) int {
	n := 0
	for _, ref := range refs {
		if s.found(ref, w) {
			n++
		}
	}
	return n
}

// orderCandidates puts sticky ones first and forced copies before the others.
// Decorators move an entry: ignore_on_max_context to the end, priority to the
// entries of that order.
func (s *scan) orderCandidates() {
	if s.queued {
		return
	}
	inOrder, ranked := true, false
	for i := range s.cands {
		c := &s.cands[i]
		inOrder = inOrder && !c.sticky && c.at >= 0 && !c.lastInLine() && !c.hasPriority()
		ranked = ranked || c.hasPriority()
	}
	if inOrder {
		return
	}
	slices.SortStableFunc(s.cands, func(a, b candidate) int {
		if a.sticky != b.sticky {
			return compareBool(b.sticky, a.sticky)
		}
		if x, y := a.lastInLine(), b.lastInLine(); x != y {
			return compareBool(x, y)
		}
		if ranked {
			if x, y := a.priority(&s.c.settings), b.priority(&s.c.settings); x != y {
				return cmp.Compare(y, x)
			}
		}
		return int(min(a.at, 0) - min(b.at, 0))
	})
}
