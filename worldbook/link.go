package worldbook

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// This file decides when a loop pays for its linked candidates ([Options.Requires], Excludes and
// Replaces).

// linker holds the linked candidates of one loop. The loop pays in passes. The first pass has the
// candidates that wait for no other candidate. Each decision may release more of them.
type linker struct {
	view        *view
	roster      *roster
	explain     *explainer
	activeOfSet map[string]*entry // the active entry of each set, in this scan
	undecided   match.Set         // candidates that are not decided yet, by the first place of their id
	propagated  match.Set         // decisions that are passed on, by the first place of the id
	waiters     []waiter          // in the order of the candidates
	followers   map[int32][]follower
	ranks       []setRank
	passHomes   []int32   // the candidates of the current pass, by the first place of their id
	decided     []int32   // decisions that are not yet passed to their followers
	ready       []int32   // waiters for the next pass
	releasable  match.Set // waiters that are not done and whose required entries are active
}

// waiter is a linked candidate.
type waiter struct {
	candidate
	index           int   // in the list of candidates
	home            int32 // the first place of its id
	missingRequired int   // required entries that are not active yet
	blockers        int   // candidates that are decided before it
	calledAfter     int32 // the waiter that was called after it, of the same set; -1 without one
	done            bool  // it is free or stopped
	released        bool  // the next pass or an earlier one has it
}

// follower is a waiter that waits for the decision about an entry.
type follower struct {
	waiter int32
	link   linkKind
}

// linkKind is the reason why a waiter waits.
type linkKind uint8

const (
	linkRequires linkKind = iota // the waiter requires the entry
	linkExcludes                 // the entry excludes the waiter
	linkReplaces                 // the entry, of the same set, was called after the waiter
	linkExcluded                 // the waiter excludes the entry; it does not wait
	linkReplaced                 // the waiter, of the same set, was called after the entry; it does not wait
)

// setRank orders the candidates of a set, smallest first.
type setRank struct {
	waiter int32
	value  int
}

// The ranks of candidates. A candidate that is called by a message has the number of newer messages.
const (
	rankForced      = -1
	rankEarlierCall = match.MaxMessages + 1 // it was called in an earlier scan
	rankNotCalled   = rankEarlierCall + 1   // it was not called
)

func (l *linker) begin(v *view, r *roster, x *explainer) { l.view, l.roster, l.explain = v, r, x }

func (l *linker) end() {
	l.view, l.roster, l.explain = nil, nil, nil
	clear(l.activeOfSet)
	clear(l.followers)
	clear(l.waiters[:cap(l.waiters)])
}

// placeIn returns the place of a candidate's entry in the list. A forced copy has the first place of its
// id.
func (c *candidate) placeIn(of *Compiled) int32 {
	if c.at >= 0 {
		return c.at
	}
	return of.home(c.entry)
}

// withholdWaiters removes the candidates that wait from the list of candidates.
func (l *linker) withholdWaiters(cands *candidates) {
	l.waiters, l.ranks, l.ready, l.decided = l.waiters[:0], l.ranks[:0], l.ready[:0], l.decided[:0]
	clear(l.followers)
	l.undecided, l.propagated = l.undecided.Reset(len(l.view.compiled.entries)), l.propagated.Reset(len(l.view.compiled.entries))
	for i := range cands.list {
		c := &cands.list[i]
		home := c.home(l.view.compiled)
		l.undecided.Put(home)
		if l.view.compiled.links.linked.Has(int(c.placeIn(l.view.compiled))) {
			l.waiters = append(l.waiters, waiter{candidate: *c, index: i, home: int32(home), calledAfter: -1})
		}
	}
	l.releasable = l.releasable.Reset(len(l.waiters))
	for i := range l.waiters {
		l.connectLinks(int32(i))
	}
	l.queueSets()
	l.propagate()
	for i := range l.waiters {
		l.releaseIfReady(int32(i))
	}
	next, left := 0, cands.list[:0]
	for i := range cands.list {
		if next < len(l.waiters) && l.waiters[next].index == i {
			next++
			if !l.waiters[next-1].released {
				continue
			}
		}
		left = append(left, cands.list[i])
	}
	cands.list, l.ready = left, l.ready[:0]
	l.recordPass(left)
}

// recordPass stores which candidates the next pass decides.
func (l *linker) recordPass(list []candidate) {
	l.passHomes = l.passHomes[:0]
	for i := range list {
		l.passHomes = append(l.passHomes, int32(list[i].home(l.view.compiled)))
	}
}

// connectLinks counts the candidates that a waiter waits for. It stops a waiter whose links cannot be
// satisfied in this loop.
func (l *linker) connectLinks(i int32) {
	w := &l.waiters[i]
	if l.blockedByActive(&w.candidate) {
		l.stop(i)
		return
	}
	for _, to := range l.view.compiled.links.requires[w.placeIn(l.view.compiled)] {
		switch {
		case to != missing && l.roster.active.Has(int(to)):
		case to != missing && l.undecided.Has(int(to)):
			w.missingRequired++
			l.follow(to, i, linkRequires)
		default:
			l.explainRequired(&w.candidate)
			l.stop(i)
			return
		}
	}
	for _, by := range l.view.compiled.links.excludedBy[w.home] {
		if l.undecided.Has(int(by)) {
			w.blockers++
			l.follow(by, i, linkExcludes)
		}
	}
	for _, to := range l.view.compiled.links.excludes[w.placeIn(l.view.compiled)] {
		if l.undecided.Has(int(to)) {
			l.follow(to, i, linkExcluded)
		}
	}
	if w.inSet {
		l.ranks = append(l.ranks, setRank{i, l.rankOf(&w.candidate)})
	}
}

// rankOf returns the rank of a candidate in its set, and records a call.
func (l *linker) rankOf(c *candidate) int {
	since, held := l.view.timing.isLastCalled(c.entry)
	newest := rankNotCalled
	switch {
	case c.why == byForce:
		newest = rankForced
	case c.why == byEarlierMatch: // its keys are not found
	default:
		refs := c.keys.List
		if !c.hasKeys && c.hasExpression {
			refs = c.own.when.refs
		}
		w := l.view.windowOf(c.entry)
		for _, ref := range refs {
			if l.view.search.Found(ref, w) {
				if at, _ := l.view.search.Describe(ref, w); at >= 0 && l.view.length-1-int(at) >= since {
					newest = min(newest, int(at))
				}
			}
		}
	}
	switch {
	case newest < rankEarlierCall:
		put(&l.view.timing.called, c.name(), true)
	case held:
		return rankEarlierCall
	}
	return newest
}

// queueSets makes each candidate of a set wait for the candidate that was called after it.
func (l *linker) queueSets() {
	slices.SortStableFunc(l.ranks, func(a, b setRank) int { return a.value - b.value })
	last := map[string]int32{} // waiters
	for _, r := range l.ranks {
		w := &l.waiters[r.waiter]
		if before, ok := last[w.own.set]; ok {
			w.blockers++
			l.followSet(before, r.waiter)
		}
		last[w.own.set] = r.waiter
	}
}

// followSet makes a waiter wait for the one before it in its set.
func (l *linker) followSet(before, waiter int32) {
	l.waiters[waiter].calledAfter = before
	l.follow(l.waiters[before].home, waiter, linkReplaces)
	l.follow(l.waiters[waiter].home, before, linkReplaced)
}

// followNext makes a waiter wait for the next undecided one before it in its set, now that the one
// before it is not active. It reports whether there is one.
func (l *linker) followNext(waiter int32) bool {
	at := l.waiters[l.waiters[waiter].calledAfter].calledAfter
	for at >= 0 && l.propagated.Has(int(l.waiters[at].home)) {
		at = l.waiters[at].calledAfter
	}
	if at < 0 {
		return false
	}
	l.followSet(at, waiter)
	return true
}

// follow makes a waiter wait for the decision about an entry.
func (l *linker) follow(entry, waiter int32, link linkKind) {
	put(&l.followers, entry, append(l.followers[entry], follower{waiter, link}))
}

// stop records that a waiter is not active in this loop.
func (l *linker) stop(i int32) {
	w := &l.waiters[i]
	w.done = true
	l.releasable.Drop(int(i))
	l.decided = append(l.decided, w.home)
}

// releaseIfReady makes a waiter free if it waits for nothing.
func (l *linker) releaseIfReady(i int32) {
	w := &l.waiters[i]
	if w.done || w.missingRequired > 0 {
		return
	}
	l.releasable.Put(int(i))
	if w.blockers <= 0 {
		l.release(i)
	}
}

// release makes a waiter a candidate of the next pass.
func (l *linker) release(i int32) {
	w := &l.waiters[i]
	w.done, w.released = true, true
	l.releasable.Drop(int(i))
	l.ready = append(l.ready, i)
}

// propagate passes decisions on to the waiters that wait for them.
func (l *linker) propagate() {
	for len(l.decided) > 0 {
		home := l.decided[len(l.decided)-1]
		l.decided = l.decided[:len(l.decided)-1]
		active := l.roster.active.Has(int(home))
		l.propagated.Put(int(home))
		followers := l.followers[home]
		delete(l.followers, home)
		for _, f := range followers {
			w := &l.waiters[f.waiter]
			switch {
			case w.done:
			case f.link == linkRequires && active:
				w.missingRequired--
			case f.link == linkRequires:
				l.explainRequired(&w.candidate)
				l.stop(f.waiter)
			case (active || l.activeOfSet[w.setName()] != nil) && l.blockedByActive(&w.candidate):
				l.stop(f.waiter)
			case f.link == linkExcludes, f.link == linkReplaces && !l.followNext(f.waiter):
				w.blockers--
			}
			l.releaseIfReady(f.waiter)
		}
	}
}

// nextPass makes the list of candidates of the next pass. It returns false if the list is empty.
func (l *linker) nextPass(cands *candidates) bool {
	l.decided = append(l.decided, l.passHomes...)
	l.propagate()
	if first := l.releasable.Next(0); len(l.ready) == 0 && first >= 0 { // all wait in a circle
		l.release(int32(first))
	}
	if len(l.ready) == 0 {
		for i := range l.waiters { // entries require each other
			if w := &l.waiters[i]; !w.done {
				l.explainRequired(&w.candidate)
			}
		}
		return false
	}
	slices.Sort(l.ready)
	cands.list, cands.anyInGroups = cands.list[:0], false
	for _, i := range l.ready {
		cands.list = append(cands.list, l.waiters[i].candidate)
		cands.anyInGroups = cands.anyInGroups || l.waiters[i].inGroups
	}
	l.ready = l.ready[:0]
	l.recordPass(cands.list)
	return true
}

// blockedByActive reports whether an active entry keeps a candidate inactive, and records that.
func (l *linker) blockedByActive(c *candidate) bool {
	if other := l.activeOfSet[c.setName()]; other != nil && other.id != c.id {
		l.explainLink(c, "set "+strconv.Quote(c.own.set)+": ", other, " is active")
		return true
	}
	for _, by := range l.view.compiled.links.excludedBy[int32(c.home(l.view.compiled))] {
		if l.roster.active.Has(int(by)) {
			l.explainLink(c, "excluded by ", l.view.compiled.entries[by], "")
			return true
		}
	}
	for _, to := range l.view.compiled.links.excludes[c.placeIn(l.view.compiled)] {
		if l.roster.active.Has(int(to)) {
			l.explainLink(c, "excludes ", l.view.compiled.entries[to], ", which is active")
			return true
		}
	}
	return false
}

// explainLink records the active entry that stopped a candidate.
func (l *linker) explainLink(c *candidate, text string, other *entry, end string) {
	if l.explain != nil {
		l.explain.recordText(c, text+other.name()+end)
	}
}

// recordSetMember records the active entry of a set.
func (l *linker) recordSetMember(c *candidate) {
	put(&l.activeOfSet, c.own.set, c.entry)
}

// setName returns the name of the set of an entry, or "" without one.
func (e *entry) setName() string {
	if !e.inSet {
		return ""
	}
	return e.own.set
}

// explainRequired records the first required entry that is not active.
func (l *linker) explainRequired(c *candidate) {
	if l.explain == nil {
		return
	}
	for k, to := range l.view.compiled.links.requires[c.placeIn(l.view.compiled)] {
		if to == missing || !l.roster.active.Has(int(to)) {
			l.explain.recordText(c, fmt.Sprintf("requires %s, which is not active", c.own.requires[k]))
			return
		}
	}
}
