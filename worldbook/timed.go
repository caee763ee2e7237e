package worldbook

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// timing holds the timed effects of one scan: the running effects and the next state.
type timing struct {
	length           int // of the chat
	in               *Input
	round            int  // the number of the current round, 0 until it is asked for
	off              bool // a dry run neither applies nor changes anything
	sticky, cooldown draft[Record]
	last             draft[[2]int]
	stickyNow        hashes
	coolingNow       hashes
	held             map[string]heldSet // by the name of the set
	called           hashes             // the entries of sets that this scan called, by name
	keys             []string
}

// heldSet is the entry of a set that was called last, and the length of the chat at that time.
type heldSet struct {
	*entry
	since int
}

func (t *timing) begin(st State, length int, in *Input) {
	t.length, t.round, t.off, t.in = length, 0, in.DryRun, in
	t.sticky, t.cooldown = draft[Record]{m: st.Sticky}, draft[Record]{m: st.Cooldown}
	t.last = draft[[2]int]{m: st.Last}
}

func (t *timing) release() {
	t.sticky, t.cooldown, t.last, t.in = draft[Record]{}, draft[Record]{}, draft[[2]int]{}, nil
	clear(t.stickyNow)
	clear(t.coolingNow)
	clear(t.called)
	clear(t.held)
	clear(t.keys)
}

// state returns the next state without its fuses.
func (t *timing) state() State {
	return State{Sticky: t.sticky.done(), Cooldown: t.cooldown.done(), Last: t.last.done()}
}

// isSticky reports whether a sticky effect of an entry is running. Effects are stored by hash, so a
// forced copy has the effects of its original.
func (t *timing) isSticky(e *entry) bool { return t.stickyNow.has(e.hash) }

// isCooling reports whether a cooldown of an entry is running.
func (t *timing) isCooling(e *entry) bool { return t.coolingNow.has(e.hash) }

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
	if t.off {
		return
	}
	if c.links != nil {
		t.applySets(c, touched)
	}
	for _, key := range t.recordsIn(t.sticky.m) {
		t.applySticky(c, key, touched)
	}
	for _, key := range t.recordsIn(t.cooldown.m) {
		r := t.cooldown.m[key]
		e, running := t.check(c, key, r, func(e *entry) duration { return e.cooldown })
		switch {
		case running:
			t.coolingNow.add(e.hash)
		case e == nil && t.blocks(r):
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
		if !ok || t.held[e.own.set].entry != nil && t.held[e.own.set].since >= since {
			continue
		}
		if t.held == nil {
			t.held = map[string]heldSet{}
		}
		t.held[e.own.set] = heldSet{e, since}
	}
	for _, h := range t.held {
		touched.Put(int(c.home(h.entry)))
	}
}

// holds reports whether an entry is the last called one of its set. It also returns the length of
// the chat at the last call of the set: older messages are not new calls.
func (t *timing) holds(e *entry) (since int, ok bool) {
	h := t.held[e.own.set]
	return h.since, h.entry != nil && h.id == e.id
}

// applySticky applies one sticky record. Loops examine its entry, because it needs no key.
func (t *timing) applySticky(c *Compiled, key string, touched match.Set) {
	r := t.sticky.m[key]
	e, running := t.check(c, key, r, func(e *entry) duration { return e.sticky })
	switch {
	case running:
		t.stickyNow.add(e.hash)
		c.touchHash(e.hash, touched)
		return
	case e == nil && t.blocks(r):
		return
	}
	t.sticky.drop(key)
	if e != nil && t.endsNow(r) && e.sticky.length != 0 && e.cooldown.length != 0 {
		r := Record{Hash: e.hash, Start: t.length, Rounds: e.cooldown.rounds, Protected: true}
		r.End = t.now(r) + int(e.cooldown.length)
		t.cooldown.put(e.name(), r)
		t.coolingNow.add(e.hash)
	}
}

// recordsIn returns the keys of stored effects, sorted.
func (t *timing) recordsIn(m map[string]Record) []string {
	t.keys = slices.AppendSeq(t.keys[:0], maps.Keys(m))
	slices.Sort(t.keys)
	return t.keys
}

// hashes is the set of hashes of the entries with a running effect.
type hashes map[string]struct{}

func (h *hashes) add(hash string) {
	if *h == nil {
		*h = hashes{}
	}
	(*h)[hash] = struct{}{}
}

func (h hashes) has(hash string) bool {
	if len(h) == 0 {
		return false
	}
	_, ok := h[hash]
	return ok
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

// blocks reports whether the record of an unknown entry is kept. Until its end it prevents a new
// record.
func (t *timing) blocks(r Record) bool {
	return (t.length > r.Start || r.Protected) && t.now(r) < r.End
}

// endsNow reports whether the time of a record has passed.
func (t *timing) endsNow(r Record) bool {
	return (t.length > r.Start || r.Protected) && t.now(r) >= r.End
}

// check finds the entry of a record and reports whether the effect runs.
func (t *timing) check(
	c *Compiled, key string, r Record, field func(*entry) duration,
) (e *entry, running bool) {
	e = c.recorded(key, r.Hash)
	if e == nil || t.length <= r.Start && !r.Protected {
		return e, false
	}
	return e, field(e).length != 0 && t.now(r) < r.End
}

// recorded returns the first entry with the hash of a record.
func (d *directory) recorded(key, hash string) *entry {
	if hash == "" {
		return nil
	}
	if i, ok := d.byHash[hash]; ok {
		return d.entries[i]
	}
	// The effect of a forced copy may come from its override. Then the entry itself has no effect,
	// so its hash has not been computed yet.
	if e := d.named(key); e != nil && !e.timed && hashEntry(e) == hash {
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
	if t.off {
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
	if e.remembers(spend) && !t.staysFor(e) || len(t.called) > 0 && t.called.has(e.name()) {
		old, known := t.last.m[e.name()]
		if now := past(old).next(t.length); !known || now != old {
			t.last.put(e.name(), now)
		}
	}
	if e.timed {
		t.record(&t.sticky, e, e.sticky)
		t.record(&t.cooldown, e, e.cooldown)
	}
}

// record adds a record unless one exists.
func (t *timing) record(d *draft[Record], e *entry, lasts duration) {
	if _, ok := d.m[e.name()]; !ok && lasts.length != 0 {
		round := 0
		if lasts.rounds {
			round = t.currentRound()
		}
		d.put(e.name(), lasts.from(e.hash, t.length, round))
	}
}

// staysFor reports whether an entry is active only because its sticky effect runs. Then this scan
// spends no messages: a keyword said in the meantime counts afterwards.
func (t *timing) staysFor(e *entry) bool {
	return t.isSticky(e) && (e.v3 == nil || !e.v3.KeepAfterMatch && !e.v3.StopAfterMatch)
}

// remembers reports whether the state records when the entry was last active. It does for entries
// whose rules need it and, with spend, for every entry. For entries of sets it records calls.
func (e *entry) remembers(spend bool) bool {
	return spend && !e.inSet || e.v3 != nil && (e.v3.KeepAfterMatch || e.v3.StopAfterMatch)
}

// lastActive returns the length of the chat at the latest activation in an earlier turn.
func (t *timing) lastActive(e *entry) (int, bool) {
	lengths, ok := t.last.m[e.name()]
	if !ok {
		return 0, false
	}
	return past(lengths).before(t.length)
}

// delayLeft returns how many messages or rounds an entry still waits; 0 or less means that it does
// not wait.
func (t *timing) delayLeft(e *entry) float64 {
	if e.delay.rounds { // the first round that is not among them
		return e.delay.length + 1 - float64(t.currentRound())
	}
	return e.delay.length - float64(t.length)
}

// matchedBefore reports whether an entry was active on an earlier turn.
func (t *timing) matchedBefore(e *entry) bool {
	_, ok := t.lastActive(e)
	return ok
}
