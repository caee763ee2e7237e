package worldbook

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// timing holds the timed effects of one scan: the running effects and the next state.
type timing struct {
	length           int // the number of messages of the chat
	in               *Input
	round            int  // the number of the current round, 0 until it is asked for
	dryRun           bool // a dry run neither applies nor changes anything
	sticky, cooldown draft[Record]
	last             draft[[2]int]
	stickyNow        map[string]bool        // by hash: its sticky effect runs
	coolingNow       map[string]bool        // by hash: its cooldown runs
	lastCalled       map[string]calledEntry // by the name of the set: its entry that was called last
	called           map[string]bool        // the entries of sets that this scan called, by name
	keys             []string
}

// calledEntry is the entry of a set that was called last, and the length of the chat at that time.
type calledEntry struct {
	*entry
	since int
}

func (t *timing) begin(st State, length int, in *Input) {
	t.length, t.round, t.dryRun, t.in = length, 0, in.DryRun, in
	t.sticky, t.cooldown = draft[Record]{m: st.Sticky}, draft[Record]{m: st.Cooldown}
	t.last = draft[[2]int]{m: st.Last}
}

func (t *timing) release() {
	t.sticky, t.cooldown, t.last, t.in = draft[Record]{}, draft[Record]{}, draft[[2]int]{}, nil
	clear(t.stickyNow)
	clear(t.coolingNow)
	clear(t.called)
	clear(t.lastCalled)
	clear(t.keys)
}

// state returns the next state without its fuses.
func (t *timing) state() State {
	return State{Sticky: t.sticky.result(), Cooldown: t.cooldown.result(), Last: t.last.result()}
}

// isSticky reports whether a sticky effect of an entry is running. Effects are stored by hash, so a
// forced copy has the effects of its original.
func (t *timing) isSticky(e *entry) bool { return t.stickyNow[e.hash] }

// isCooling reports whether a cooldown of an entry is running.
func (t *timing) isCooling(e *entry) bool { return t.coolingNow[e.hash] }

// apply processes the stored effects before a scan: first the sticky records, then the cooldowns,
// including cooldowns that the first pass added. For each record, whose entry is identified by the
// hash:
//
//  1. If the chat has not grown since and the record is not protected, it is removed. So a reply
//     that is generated again finds the earlier state.
//  2. If the entry is unknown, the record is removed when its time is over. Until then it has no
//     effect but prevents a new record.
//  3. If the entry no longer has such an effect, the record is removed.
//  4. If its time is over, the record is removed. After a sticky effect the entry's cooldown, if it
//     has one, starts here and is protected.
//  5. Otherwise the effect runs in this scan.
//
// A dry run neither applies nor changes anything.
func (t *timing) apply(c *Compiled, touched match.Set) {
	if t.dryRun {
		return
	}
	if c.links != nil {
		t.applySets(c, touched)
	}
	for _, key := range t.sortedKeys(t.sticky.m) {
		t.applySticky(c, key, touched)
	}
	for _, key := range t.sortedKeys(t.cooldown.m) {
		r := t.cooldown.m[key]
		e, running := t.runningEffect(c, key, r, func(e *entry) duration { return e.cooldown })
		switch {
		case running:
			put(&t.coolingNow, e.hash, true)
		case e == nil && t.preventsNew(r):
		default:
			t.cooldown.drop(key)
		}
	}
}

// applySets finds the entry of each set that was called last. Loops examine it, because it needs no
// key.
func (t *timing) applySets(c *Compiled, touched match.Set) {
	for _, at := range c.links.members {
		e := c.entries[at]
		since, ok := t.lastActive(e)
		if !ok || t.lastCalled[e.own.set].entry != nil && t.lastCalled[e.own.set].since >= since {
			continue
		}
		put(&t.lastCalled, e.own.set, calledEntry{e, since})
	}
	for _, h := range t.lastCalled {
		touched.Put(int(c.home(h.entry)))
	}
}

// isLastCalled reports whether an entry is the last called one of its set. It also returns the length of
// the chat at the last call of the set: older messages are not new calls.
func (t *timing) isLastCalled(e *entry) (since int, ok bool) {
	h := t.lastCalled[e.own.set]
	return h.since, h.entry != nil && h.id == e.id
}

// applySticky applies one sticky record. Loops examine its entry, because it needs no key.
func (t *timing) applySticky(c *Compiled, key string, touched match.Set) {
	r := t.sticky.m[key]
	e, running := t.runningEffect(c, key, r, func(e *entry) duration { return e.sticky })
	switch {
	case running:
		put(&t.stickyNow, e.hash, true)
		c.touchHash(e.hash, touched)
		return
	case e == nil && t.preventsNew(r):
		return
	}
	t.sticky.drop(key)
	if e == nil || !t.isOver(r) || e.sticky.length == 0 || e.cooldown.length == 0 {
		return
	}
	cool := Record{Hash: e.hash, Start: t.length, Rounds: e.cooldown.rounds, Protected: true}
	from := t.now(cool)
	if r.Rounds && cool.Rounds {
		from = r.End // there may have been no scan in the rounds since
	}
	cool.End = from + int(e.cooldown.length)
	if cool.Rounds && t.now(cool) >= cool.End {
		return
	}
	t.cooldown.put(e.name(), cool)
	put(&t.coolingNow, e.hash, true)
}

// sortedKeys returns the keys of stored effects, sorted.
func (t *timing) sortedKeys(m map[string]Record) []string {
	t.keys = slices.AppendSeq(t.keys[:0], maps.Keys(m))
	slices.Sort(t.keys)
	return t.keys
}

// now returns the current value of the clock that the end of a record counts by.
func (t *timing) now(r Record) int {
	if r.Rounds {
		return t.currentRound()
	}
	return t.length
}

// currentRound returns the number of the current round.
func (t *timing) currentRound() int {
	if t.round == 0 {
		t.round = t.in.round()
	}
	return t.round
}

// preventsNew reports whether the record of an unknown entry is kept. Until its end it prevents a new
// record.
func (t *timing) preventsNew(r Record) bool {
	return (t.length > r.Start || r.Protected) && t.now(r) < r.End
}

// isOver reports whether the time of a record has passed.
func (t *timing) isOver(r Record) bool {
	return (t.length > r.Start || r.Protected) && t.now(r) >= r.End
}

// runningEffect finds the entry of a record and reports whether the effect runs.
func (t *timing) runningEffect(
	c *Compiled, key string, r Record, field func(*entry) duration,
) (e *entry, running bool) {
	e = c.entryOfRecord(key, r.Hash)
	if e == nil || t.length <= r.Start && !r.Protected {
		return e, false
	}
	return e, field(e).length != 0 && t.now(r) < r.End
}

// entryOfRecord returns the first entry with the hash of a record.
func (d *directory) entryOfRecord(key, hash string) *entry {
	if hash == "" {
		return nil
	}
	if i, ok := d.byHash[hash]; ok {
		return d.entries[i]
	}
	// The effect of a forced copy may come from its override. Then the entry itself has no effect,
	// so its hash has not been computed yet.
	if e := d.named(key); e != nil && !e.hasTimedEffects && hashEntry(e) == hash {
		return e
	}
	return nil
}

// touchHash makes the loops examine the entries with the hash, because sticky entries need no key.
// Entries with equal members share a hash.
func (d *directory) touchHash(hash string, touched match.Set) {
	touched.Put(int(d.byHash[hash]))
	for _, i := range d.twins[hash] {
		touched.Put(int(i))
	}
}

// storeAll stores the effects of the activated entries; places are indexes into activated. An
// existing record stays: further matches do not extend an effect. Entries that lost to the budget,
// a roll or a group get no effect.
func (t *timing) storeAll(activated []*entry, places []int32, spend bool) {
	if t.dryRun {
		return
	}
	if spend { // record all of them
		for _, e := range activated {
			t.store(e, spend)
		}
		return
	}
	for _, i := range places {
		t.store(activated[i], spend)
	}
}

// store records that an entry is active.
func (t *timing) store(e *entry, spend bool) {
	if e.recordsActivity(spend) && !t.isOnlySticky(e) || len(t.called) > 0 && t.called[e.name()] {
		old, known := t.last.m[e.name()]
		if now := activity(old).next(t.length); !known || now != old {
			t.last.put(e.name(), now)
		}
	}
	if e.hasTimedEffects {
		t.addUnlessRunning(&t.sticky, e, e.sticky)
		t.addUnlessRunning(&t.cooldown, e, e.cooldown)
	}
}

// addUnlessRunning adds a record unless one exists.
func (t *timing) addUnlessRunning(d *draft[Record], e *entry, lasts duration) {
	if _, ok := d.m[e.name()]; !ok && lasts.length != 0 {
		round := 0
		if lasts.rounds {
			round = t.currentRound()
		}
		d.put(e.name(), lasts.from(e.hash, t.length, round))
	}
}

// isOnlySticky reports whether an entry is active only because its sticky effect runs. Then this scan
// spends no messages: a keyword said in the meantime counts afterwards.
func (t *timing) isOnlySticky(e *entry) bool {
	return t.isSticky(e) && (e.v3 == nil || !e.v3.KeepAfterMatch && !e.v3.StopAfterMatch)
}

// recordsActivity reports whether the state records when the entry was last active. It does for entries
// whose rules need it and, with spend, for every entry. For entries of sets it records calls.
func (e *entry) recordsActivity(spend bool) bool {
	return spend && !e.inSet || e.v3 != nil && (e.v3.KeepAfterMatch || e.v3.StopAfterMatch)
}

// lastActive returns the length of the chat at the latest activation in an earlier turn.
func (t *timing) lastActive(e *entry) (int, bool) {
	lengths, ok := t.last.m[e.name()]
	if !ok {
		return 0, false
	}
	return activity(lengths).before(t.length)
}

// delayLeft returns how many messages or rounds an entry still waits; 0 or less means that it does
// not wait.
func (t *timing) delayLeft(e *entry) float64 {
	if e.delay.rounds { // rounds count from 1: a delay of n rounds ends in round n+1
		return e.delay.length + 1 - float64(t.currentRound())
	}
	return e.delay.length - float64(t.length)
}

// matchedBefore reports whether an entry was active on an earlier turn.
func (t *timing) matchedBefore(e *entry) bool {
	_, ok := t.lastActive(e)
	return ok
}
