package worldbook

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

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
	if stopped := s.decide(i, c); stopped != gateNone {
		s.explain.stop(i, stopped)
		return
	}
	s.explain.candidate(i, c)
	s.cands.keep(c)
}

// decide says which rule stops an entry, or why it is a candidate. A decorator decides
// before the outside copy is taken, and the copy needs no key; what stands in the way of the
// entry itself (disabled, filtered, delayed, cooling down) stands in the way of its copy too.
func (s *scan) decide(i int, c *candidate) gate {
	e := c.entry
	if e.disabled || len(s.overrides.switches) > 0 {
		if stopped := s.overrides.gate(i, e.disabled); stopped != gateNone {
			return stopped
		}
	}
	c.stays = e.timed && s.timing.isSticky(e)
	if e.gated {
		if stopped := s.gate(e, c.stays); stopped != gateNone {
			return stopped
		}
	}
	switch {
	case e.activate:
		c.why = whyDecorator
	case e.dontActivate:
		return gateDecorator
	case s.overrides.forces(e.id):
		return s.force(c)
	case e.constant:
		c.why = whyConstant
	case c.stays:
		c.why = whySticky
	case e.v3 != nil && e.v3.keepAfterMatch && s.timing.matchedBefore(e):
		c.why = whyEarlierMatch
	default:
		return s.matchKeys(i, c)
	}
	return gateNone
}

// force puts the copy of a forced entry in its place. One copy stands for all entries of
// the id.
func (s *scan) force(c *candidate) gate {
	copied := s.overrides.forced[c.id]
	if s.c.ident != nil && s.cands.copies[copied] {
		return gateTwin
	}
	c.entry, c.at, c.why, c.stays = copied, -1, whyForce, s.timing.isSticky(copied)
	return gateNone
}

// gate says which of the rules before the keys stops an entry that has any. A sticky
// effect that runs lifts the cooldown and the rules about recursion, not the
// others.
func (s *scan) gate(e *entry, sticky bool) gate {
	if e.guarded {
		if stopped := s.in.gate(e); stopped != gateNone {
			return stopped
		}
	}
	recursing := s.loop.state == stateRecursion
	switch {
	case e.delay != 0 && float64(s.length) < e.delay:
		return gateDelay
	case sticky:
		return gateNone
	case e.timed && s.timing.isCooling(e):
		return gateCooldown
	case e.waits && (!recursing || e.level.number > s.loop.level):
		return gateLevel
	case e.excludeRecursion && recursing && s.c.settings.Recursive:
		return gateExclude
	case e.v3 != nil:
		return s.cardGate(e)
	}
	return gateNone
}

// gate applies the rules that look at what the host says about the turn.
func (in *Input) gate(e *entry) gate {
	switch {
	case !in.triggered(e):
		return gateTrigger
	case !in.namePasses(e):
		return gateName
	case !in.tagsPass(e):
		return gateTag
	case !in.conditionsHold(e):
		return gateConditions
	}
	return gateNone
}

// conditionsHold asks the host, who alone knows what the JSON means. It gets a
// copy: the compiled book is shared.
func (in *Input) conditionsHold(e *entry) bool {
	c := e.src.Conditions
	return len(c) == 0 || in.Condition == nil || in.Condition(slices.Clone(c))
}

// triggered applies Triggers: none means every type of generation.
func (in *Input) triggered(e *entry) bool {
	if len(e.src.Triggers) == 0 {
		return true
	}
	return slices.Contains(e.src.Triggers, string(in.Type.known()))
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
func (in *Input) namePasses(e *entry) bool {
	f := e.src.CharacterFilter
	if f == nil || len(f.Names)+len(f.NamesText) == 0 {
		return true
	}
	return f.hasName(in.Speaker.Name) != f.IsExclude
}

// tagsPass applies the tags of the character filter: one shared tag is enough.
// A character without stored tags counts as having none; without any current
// character the rule does not apply.
func (in *Input) tagsPass(e *entry) bool {
	f := e.src.CharacterFilter
	if f == nil || len(f.Tags)+len(f.TagsText) == 0 || in.Speaker.Name == "" {
		return true
	}
	shared := slices.ContainsFunc(in.Speaker.Tags, f.hasTag)
	return shared != f.IsExclude
}

// matchKeys applies the primary and the secondary keys.
func (s *scan) matchKeys(i int, c *candidate) gate {
	e := c.entry
	w := s.windowOf(e)
	first := s.search.First(i, &e.keys, e.late, w)
	if first < 0 { // the secondary keys never matter without a primary one
		return gateKeys
	}
	if e.selective && !e.secondaryHolds(s.search.Count(e.secondary, w)) {
		return gateSecondary
	}
	ref := e.keys.At(first)
	c.why, c.key = whyKey, int32(first)
	c.place, c.text = s.search.Describe(ref, w)
	if c.text == "" { // no atom of the book
		c.text = e.src.Keys[first]
	}
	return gateNone
}

// secondaryHolds applies the selective logic. With m of n secondary keys found,
// AND_ANY asks for m > 0, NOT_ALL for m < n, NOT_ANY for m = 0 and AND_ALL for
// m = n; a number that stands for none of them never holds.
func (e *entry) secondaryHolds(m int) bool {
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

// windowOf returns the window of an entry in the current loop.
func (s *scan) windowOf(e *entry) match.Window {
	if e.usual && s.loop.usual.Depth > 0 {
		return s.loop.usual
	}
	return s.ownWindow(e)
}

// usualWindow is the window of the entries that have no wish of their own. Where
// the settings make it depend on the entry it is empty: each is asked.
func (s *scan) usualWindow() match.Window {
	if s.c.settings.SpendMessages {
		return match.Window{}
	}
	return s.ownWindow(&entry{scanDepth: noScanDepth})
}

// ownWindow makes the window of one entry. A depth of 0 or less is the empty
// text, without the other parts too. A loop that searches deeper does not see
// the recursion texts.
func (s *scan) ownWindow(e *entry) match.Window {
	w := match.Window{Depth: s.depth()}
	if e.scanDepth >= 0 {
		w.Depth = s.c.settings.reach(int(e.scanDepth))
	}
	if w.Depth <= 0 {
		return match.Window{}
	}
	w.Depth = min(w.Depth, match.MaxMessages)
	if s.c.settings.SpendMessages && e.timed {
		if last, ok := s.timing.lastActive(e); ok {
			w.Depth = min(w.Depth, s.length-last)
		}
	}
	w.Parts = e.data | match.PartInjection
	if s.loop.state != stateMinActivations {
		w.Parts |= match.PartRecursion
	}
	return w
}

// depth is the number of messages that entries without a depth of their own are
// searched in.
func (s *scan) depth() int {
	return s.c.settings.reach(s.c.settings.searched() + s.loop.skew)
}

// searched is Depth, or forever for whatever is deeper.
func (s *Settings) searched() int { return min(s.Depth, forever) }

// reach is the number of messages that a depth means.
func (s *Settings) reach(depth int) int {
	if s.DepthExcludesCurrent {
		return depth + 1
	}
	return depth
}

// candidate is an entry on its way to activation. It is kept small: its [Reason] is
// spelled out at the end only.
type candidate struct {
	*entry
	text  string // for whyKey: the primary key that was found
	key   int32  // and its number
	at    int32  // place in the entry list, -1 for a forced copy
	place match.Place
	why   why
	stays bool // a sticky effect runs
}

// home is the place of the first entry with the id of a candidate.
func (c *candidate) home(of *Compiled) int {
	if c.at >= 0 {
		return of.first(int(c.at))
	}
	return int(of.byID[c.id])
}

func (c *candidate) lastInLine() bool { return c.v3 != nil && c.v3.lastInLine }

func (c *candidate) hasPriority() bool { return c.v3 != nil && c.v3.priority != nil }

// priority is the order that decides who pays first, larger first.
func (c *candidate) priority(set *Settings) float64 {
	switch {
	case c.hasPriority():
		return float64(*c.v3.priority)
	case set.OrderAscending:
		return -c.order
	}
	return c.order
}

// candidates are those of one loop.
type candidates struct {
	list    []candidate
	queued  bool // they stand in list order, and none has a say in it
	grouped bool // some are in inclusion groups
	copies  map[*entry]bool
}

func (c *candidates) reset() {
	c.list, c.queued, c.grouped = c.list[:0], true, false
	clear(c.copies)
}

func (c *candidates) release(ofCaller bool) {
	if ofCaller {
		clear(c.list[:cap(c.list)])
		clear(c.copies)
	}
}

// next is the memory behind the list, where an entry is decided about; [candidates.keep]
// makes it the last of the list. A candidate that is made elsewhere and copied here costs a
// tenth of a scan (BenchmarkScanPeer, 10,000 entries, window 100, incremental).
func (c *candidates) next(e *entry, at int) *candidate {
	c.list = slices.Grow(c.list, 1)
	n := len(c.list)
	x := &c.list[:n+1][n]
	x.entry, x.at = e, int32(at)
	return x
}

// keep makes the entry that was decided about a candidate.
func (c *candidates) keep(x *candidate) {
	c.list = c.list[:len(c.list)+1]
	c.queued = c.queued && !x.gated && x.at >= 0 // else it may be sticky, forced or ranked
	c.grouped = c.grouped || x.grouped
	if x.at < 0 {
		if c.copies == nil {
			c.copies = map[*entry]bool{}
		}
		c.copies[x.entry] = true
	}
}

// order puts sticky ones first and forced copies before the others.
// Decorators move an entry: ignore_on_max_context to the end, priority to the
// entries of that order.
func (c *candidates) order(set *Settings) {
	if c.queued {
		return
	}
	ranked := slices.ContainsFunc(c.list, func(x candidate) bool { return x.hasPriority() })
	slices.SortStableFunc(c.list, func(a, b candidate) int {
		if a.stays != b.stays {
			return compareBool(b.stays, a.stays)
		}
		if x, y := a.lastInLine(), b.lastInLine(); x != y {
			return compareBool(x, y)
		}
		if ranked {
			if x, y := a.priority(set), b.priority(set); x != y {
				return cmp.Compare(y, x)
			}
		}
		return int(min(a.at, 0) - min(b.at, 0))
	})
}
