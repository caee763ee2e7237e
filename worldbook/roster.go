package worldbook

import (
	"cmp"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// candidate is an entry that may be activated. It is kept small: its [Reason] is built only at the
// end.
type candidate struct {
	*entry
	text       string // for byKey: the primary key that was found
	key        int32  // for byKey: the index of that key
	at         int32  // place in the entry list, -1 for a forced copy
	place      match.Place
	why        ReasonKind
	keptActive bool // a sticky effect runs, or its set keeps it active
}

// member returns the group data of a candidate that is in groups. scored is the setting for
// comparing scores; the entry can override it.
func (c *candidate) member(scored bool) member {
	g := c.group
	if g.scoring != nil {
		scored = *g.scoring
	}
	return member{
		Names: g.names, Order: c.order, Weight: g.weight, WeightText: g.weightText, Override: g.override,
		Scored: scored, AsksScores: g.scoring != nil && *g.scoring,
	}
}

// home returns the home of the id of a candidate.
func (c *candidate) home(of *Compiled) int {
	if c.at >= 0 {
		return of.homeAt(int(c.at))
	}
	return int(of.home(c.entry))
}

func (c *candidate) lastInLine() bool { return c.v3 != nil && c.v3.LastInLine }

func (c *candidate) hasPriority() bool { return c.v3 != nil && c.v3.Priority != nil }

// priority returns the rank that decides who pays first, larger first.
func (c *candidate) priority(set *ProfileSettings) float64 {
	switch {
	case c.hasPriority():
		return float64(*c.v3.Priority)
	case set.OrderAscending:
		return -c.order
	}
	return c.order
}

// candidates are the candidates of one loop.
type candidates struct {
	list        []candidate
	inListOrder bool            // they are in list order, and no rule changes the order
	anyInGroups bool            // some are in inclusion groups
	copies      map[*entry]bool // the forced copies among them
}

func (c *candidates) reset() {
	c.list, c.inListOrder, c.anyInGroups = c.list[:0], true, false
	clear(c.copies)
}

// release drops the candidates. ofCaller says that some are forced copies, which belong to the caller's input.
func (c *candidates) release(ofCaller bool) {
	if ofCaller {
		clear(c.list[:cap(c.list)])
		clear(c.copies)
	}
}

// examineNext returns the memory after the end of the list for the examined entry. [candidates.keep] makes
// it the last element of the list. Making a candidate elsewhere and copying it costs a tenth of a
// scan (BenchmarkScanPeer, 10,000 entries, window 100, incremental).
func (c *candidates) examineNext(e *entry, at int) *candidate {
	c.list = slices.Grow(c.list, 1)
	n := len(c.list)
	x := &c.list[:n+1][n]
	x.entry, x.at = e, int32(at)
	return x
}

// keep adds the examined entry to the list as a candidate.
func (c *candidates) keep(x *candidate) {
	c.list = c.list[:len(c.list)+1]
	c.inListOrder = c.inListOrder && !x.hasGates && !x.inSet && x.at >= 0 // else it may be sticky, forced or ranked
	c.anyInGroups = c.anyInGroups || x.inGroups
	if x.at < 0 {
		put(&c.copies, x.entry, true)
	}
}

// order sorts sticky candidates first and forced copies before the others. Decorators move an
// entry: ignore_on_max_context to the end, priority to the entries of that order.
func (c *candidates) order(set *ProfileSettings) {
	if c.inListOrder {
		return
	}
	ranked := slices.ContainsFunc(c.list, func(x candidate) bool { return x.hasPriority() })
	slices.SortStableFunc(c.list, func(a, b candidate) int {
		if a.keptActive != b.keptActive {
			return compareBool(b.keptActive, a.keptActive)
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

// reason builds the reason why an entry became a candidate.
func (c *candidate) reason() Reason {
	r := Reason{Kind: c.why}
	if c.why == byKey {
		r.Key, r.Place = c.text, publicPlace(c.place)
	}
	return r
}

// publicPlace converts a place for the result.
func publicPlace(p match.Place) MatchPlace {
	if p >= 0 {
		return MatchPlace{Kind: "message", Message: int(p)}
	}
	return MatchPlace{Kind: p.Name(), Message: -1}
}

// found returns the key that was found, for byKey.
func (c *candidate) found() match.Ref {
	switch {
	case c.hasKeys:
		return c.keys.At(int(c.key))
	case c.key >= 0:
		return c.own.when.refs[c.key]
	}
	return match.Always
}

// writeTo writes an activated entry into the result, field by field. Books are large, and an
// [Activation] built on the stack would have to be copied.
func (c *candidate) writeTo(to *Activation, content string, loop int) {
	e := c.entry
	to.ID, to.Comment, to.AutomationID = e.id, e.comment, ""
	if e.hasAutomation {
		to.AutomationID = e.src.AutomationID
	}
	to.Order, to.Text, to.Loop = e.order, content, loop
	to.Reason = c.reason()
	to.Hides, to.Inject, to.Literal, to.Trimmed = nil, nil, e.literal, 0
	if e.hasGates && e.v3 != nil {
		to.Hides = slices.Clone(e.v3.Hides)
	}
}

// roster holds the active entries of a scan and the entries that lost.
type roster struct {
	activated []*entry // parallel to Result.Activated
	special   []int32  // the places of entries that are forced, have gates or are in a set

	active       match.Set // by the first entry of the same id
	failed       match.Set // entries that lost their roll
	overBudget   match.Set // by the first entry of the same id: refused by the budget
	undecidedSet match.Set // undecided in this loop
	failedCopies []*entry  // forced copies that lost their roll

	// The active entries of ids that several entries have, by the first entry of the id.
	duplicates   map[int32]duplicate
	groupHolders map[string]*entry // active entries by the whole text of their groups
	holdersStale bool              // closed does not have the entries that twins replaced
}

// duplicate is the active entry of an id that several entries have.
type duplicate struct {
	at    int32 // its place among the active ones
	entry int32 // its place in the entry list, negative for a forced copy
}

func (r *roster) begin(c *Compiled) {
	r.active = r.active.Reset(len(c.entries))
	r.failed = r.failed.Reset(len(c.entries))
	r.overBudget = r.overBudget.Reset(len(c.entries))
}

func (r *roster) release(ofCaller bool) {
	if ofCaller {
		clear(r.activated[:cap(r.activated)])
	}
	r.activated, r.special, r.failedCopies = r.activated[:0], r.special[:0], nil
	clear(r.duplicates)
	clear(r.groupHolders)
	r.holdersStale = false
}

// decided reports whether the entry at a place is active or has failed its roll.
func (r *roster) decided(c *Compiled, i int) bool {
	return r.failed.Has(i) || r.active.Has(c.homeAt(i))
}

// undecided returns the entries that a loop must examine, except active and failed entries, in
// memory of its own. If several entries share an id, the active ones stay in the set.
func (r *roster) undecided(c *Compiled, touched match.Set) match.Set {
	r.undecidedSet = append(r.undecidedSet[:0], touched...)
	for i := range r.undecidedSet {
		if r.undecidedSet[i] &^= r.failed[i]; c.homes == nil {
			r.undecidedSet[i] &^= r.active[i]
		}
	}
	return r.undecidedSet
}

// reserve reserves memory for n more active entries.
func (r *roster) reserve(n int) { r.activated = slices.Grow(r.activated, n) }

// markOverBudget records that the budget refused an entry, and reports whether it is the first time.
func (r *roster) markOverBudget(home int) bool {
	if r.overBudget.Has(home) {
		return false
	}
	r.overBudget.Put(home)
	return true
}

// markFailed records that a candidate lost its roll.
func (r *roster) markFailed(c *Compiled, loser *candidate) {
	switch {
	case loser.at >= 0:
		r.failed.Put(int(loser.at))
	case c.settings.hasQuirk(quirkForcedReroll):
		r.failedCopies = append(r.failedCopies, loser.entry)
	default:
		r.failed.Put(int(c.home(loser.entry)))
	}
}

// activate makes a candidate active and returns its place. If an entry of the same id is already
// active, the candidate replaces it, as in SillyTavern. One activation remains: it has the place of
// the first entry and all other data of the last. Both have paid. old is the replaced entry.
//
// Entries of one id meet here only if one loop activates them. Later loops skip entries whose id is
// active.
func (r *roster) activate(c *Compiled, won *candidate) (at int, old duplicate, replaced bool) {
	if c.homes == nil {
		if !c.loops.oneLoop || c.links != nil {
			r.active.Put(won.home(c))
		}
		return r.add(won), duplicate{}, false
	}
	home := won.home(c)
	r.active.Put(home)
	if old, replaced = r.recordDuplicate(int32(home), won.at); replaced {
		r.replace(old.at, won.entry, won.special())
		return int(old.at), old, true
	}
	return r.add(won), duplicate{}, false
}

// special reports whether a candidate is forced, has gates or is in a set.
func (c *candidate) special() bool { return c.hasGates || c.inSet || c.at < 0 }

// add appends a candidate to the active entries and returns its place.
func (r *roster) add(won *candidate) int {
	at := len(r.activated)
	r.activated = append(r.activated, won.entry)
	if won.special() {
		r.special = append(r.special, int32(at))
	}
	if won.inGroups {
		r.holdGroup(won.entry)
	}
	return at
}

// recordDuplicate records the active entry of an id and returns the previous one, if any.
func (r *roster) recordDuplicate(home, entry int32) (old duplicate, ok bool) {
	old, ok = r.duplicates[home]
	now := duplicate{old.at, entry}
	if !ok {
		now.at = int32(len(r.activated))
	}
	put(&r.duplicates, home, now)
	return old, ok
}

// replace replaces an active entry.
func (r *roster) replace(at int32, e *entry, special bool) {
	r.activated[at], r.holdersStale = e, true
	i, was := slices.BinarySearch(r.special, at)
	switch {
	case special && !was:
		r.special = slices.Insert(r.special, i, at)
	case !special && was:
		r.special = slices.Delete(r.special, i, i+1)
	}
}

// closedBy returns the active entry whose whole group text is a name, or nil if not found. Later
// loops choose no member of that group.
func (r *roster) closedBy(group string) *entry {
	if r.holdersStale {
		clear(r.groupHolders)
		for _, e := range r.activated {
			if e.inGroups {
				r.holdGroup(e)
			}
		}
		r.holdersStale = false
	}
	return r.groupHolders[group]
}

// holdGroup records that an active entry closes the group with its group text.
func (r *roster) holdGroup(e *entry) {
	if r.groupHolders[e.src.Group] == nil {
		put(&r.groupHolders, e.src.Group, e)
	}
}

// compareBool sorts false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
