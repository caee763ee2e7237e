package worldbook

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/worldbook/internal/match"
)

// timing are the timed effects of one scan: those that run, and the next state.
type timing struct {
	length           int  // of the chat
	off              bool // a dry run neither applies nor changes anything
	sticky, cooldown draft[Record]
	last             draft[[2]int]
	stickyNow        hashes
	coolingNow       hashes
	keys             []string
}

func (t *timing) begin(st State, length int, dryRun bool) {
	t.length, t.off = length, dryRun
	t.sticky, t.cooldown = draft[Record]{m: st.Sticky}, draft[Record]{m: st.Cooldown}
	t.last = draft[[2]int]{m: st.Last}
}

func (t *timing) release() {
	t.sticky, t.cooldown, t.last = draft[Record]{}, draft[Record]{}, draft[[2]int]{}
	clear(t.stickyNow)
	clear(t.coolingNow)
	clear(t.keys)
}

// state is the next state, but for its fuses.
func (t *timing) state() State {
	return State{Sticky: t.sticky.done(), Cooldown: t.cooldown.done(), Last: t.last.done()}
}

// isSticky reports whether a sticky effect runs for an entry. Effects are tied
// to the hash, so that a forced copy has those of its original.
func (t *timing) isSticky(e *entry) bool { return t.stickyNow.has(e.hash) }

// isCooling reports whether a cooldown runs for an entry.
func (t *timing) isCooling(e *entry) bool { return t.coolingNow.has(e.hash) }

// apply goes through the stored effects before a scan, first the sticky ones,
// then the cooldowns, those included that the first pass has added. For each
// record, with its entry recognised by the hash:
//
//  1. The chat has not grown since, and the record is not protected: it goes. So a
//     reply that is generated again finds the state as it was.
//  2. The entry is unknown: the record goes when its time is over. Until then it
//     has no effect but keeps a new one from being stored.
//  3. The entry has no such effect any more: it goes.
//  4. Its time is over: it goes. After a sticky effect the entry's cooldown, if it
//     has one, begins here and is protected.
//  5. Else the effect runs in this scan.
//
// A dry run neither applies nor changes anything.
func (t *timing) apply(c *Compiled, touched match.Set) {
	if t.off {
		return
	}
	for _, key := range t.recordsIn(t.sticky.m) {
		t.applySticky(c, key, touched)
	}
	for _, key := range t.recordsIn(t.cooldown.m) {
		r := t.cooldown.m[key]
		e, running := t.check(c, key, r, func(e *entry) float64 { return e.cooldown })
		switch {
		case running:
			t.coolingNow.add(e.hash)
		case e == nil && t.blocks(r):
		default:
			t.cooldown.drop(key)
		}
	}
}

// applySticky applies one sticky record. Its entry needs no key, so that loops look at it.
func (t *timing) applySticky(c *Compiled, key string, touched match.Set) {
	r := t.sticky.m[key]
	e, running := t.check(c, key, r, func(e *entry) float64 { return e.sticky })
	switch {
	case running:
		t.stickyNow.add(e.hash)
		c.touchHash(e.hash, touched)
		return
	case e == nil && t.blocks(r):
		return
	}
	t.sticky.drop(key)
	if e != nil && t.endsNow(r) && e.sticky != 0 && e.cooldown != 0 {
		t.cooldown.put(e.name, Record{
			Hash: e.hash, Start: t.length, End: t.length + int(e.cooldown), Protected: true,
		})
		t.coolingNow.add(e.hash)
	}
}

// recordsIn lists the keys of stored effects in order.
func (t *timing) recordsIn(m map[string]Record) []string {
	t.keys = slices.AppendSeq(t.keys[:0], maps.Keys(m))
	slices.Sort(t.keys)
	return t.keys
}

// hashes are those of entries for which an effect runs.
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

// blocks reports whether the record of an entry that is no longer known is kept:
// until its end it keeps a new one from being stored.
func (t *timing) blocks(r Record) bool {
	return (t.length > r.Start || r.Protected) && t.length < r.End
}

// endsNow reports whether a record is over because its time has passed.
func (t *timing) endsNow(r Record) bool {
	return (t.length > r.Start || r.Protected) && t.length >= r.End
}

// check finds the entry of a record and whether the effect runs.
func (t *timing) check(
	c *Compiled, key string, r Record, field func(*entry) float64,
) (e *entry, running bool) {
	e = c.recorded(key, r.Hash)
	if e == nil || t.length <= r.Start && !r.Protected {
		return e, false
	}
	return e, field(e) != 0 && t.length < r.End
}

// recorded finds the first entry with the hash of a record.
func (d *directory) recorded(key, hash string) *entry {
	if hash == "" {
		return nil
	}
	if i, ok := d.byHash[hash]; ok {
		return d.entries[i]
	}
	// A forced copy can have got the effect from its override. The entry itself
	// has none then, so nobody has asked for its hash yet.
	if e := d.named(key); e != nil && !e.timed && hashEntry(e) == hash {
		return e
	}
	return nil
}

// touchHash makes the loops look at the entries with the hash: sticky ones need no
// key. Entries that are the same in all members share a hash.
func (d *directory) touchHash(hash string, touched match.Set) {
	touched.Put(int(d.byHash[hash]))
	for _, i := range d.twins[hash] {
		touched.Put(int(i))
	}
}

// storeAll stores the effects of the entries that were activated, those at some places of a
// list. A record that is there already stays: an effect is not extended by further matches.
// Entries lost to the budget, to a roll or to a group get none.
func (t *timing) storeAll(activated []*entry, places []int32, spend bool) {
	if t.off {
		return
	}
	if spend { // all of them are remembered
		for _, e := range activated {
			t.store(e, spend)
		}
		return
	}
	for _, i := range places {
		t.store(activated[i], spend)
	}
}

// store notes that an entry is active.
func (t *timing) store(e *entry, spend bool) {
	if e.remembers(spend) && !t.staysFor(e) {
		old, known := t.last.m[e.name]
		if now := past(old).next(t.length); !known || now != old {
			t.last.put(e.name, now)
		}
	}
	if e.timed {
		t.record(&t.sticky, e, e.sticky)
		t.record(&t.cooldown, e, e.cooldown)
	}
}

// record adds a record unless there is one.
func (t *timing) record(d *draft[Record], e *entry, length float64) {
	if _, ok := d.m[e.name]; !ok && length != 0 {
		d.put(e.name, Record{Hash: e.hash, Start: t.length, End: t.length + int(length)})
	}
}

// staysFor reports whether an entry is active only because its sticky effect runs, so
// that this scan spends no messages: a keyword that was said meanwhile counts
// afterwards.
func (t *timing) staysFor(e *entry) bool {
	return t.isSticky(e) && (e.v3 == nil || !e.v3.KeepAfterMatch && !e.v3.StopAfterMatch)
}

// remembers reports whether the state keeps when an entry was last active: where its rules ask
// for it, and with spend for every entry.
func (e *entry) remembers(spend bool) bool {
	return spend || e.v3 != nil && (e.v3.KeepAfterMatch || e.v3.StopAfterMatch)
}

// lastActive returns the length of the chat at the latest activation of an
// earlier turn.
func (t *timing) lastActive(e *entry) (int, bool) {
	lengths, ok := t.last.m[e.name]
	if !ok {
		return 0, false
	}
	return past(lengths).before(t.length)
}

// matchedBefore reports whether an entry was active on an earlier turn.
func (t *timing) matchedBefore(e *entry) bool {
	_, ok := t.lastActive(e)
	return ok
}
