package worldbook

import (
	"maps"
	"slices"
)

// applyTimed goes through the stored effects before a scan, first the sticky ones,
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
func (s *scan) applyTimed() {
	if s.in.DryRun {
		return
	}
	for _, key := range s.recordsIn(s.sticky.m) {
		r := s.sticky.m[key]
		e, running := s.checkRecord(key, r, func(e *entry) float64 { return e.sticky })
		if running {
			s.stickyNow.add(e.hash)
			s.touchHash(e.hash)
			continue
		}
		if e == nil && s.blocks(r) {
			continue
		}
		s.sticky.drop(key)
		if e != nil && s.endsNow(r) && e.sticky != 0 && e.cooldown != 0 {
			s.cooldown.put(e.name, Record{
				Hash: e.hash, Start: s.length, End: s.length + int(e.cooldown), Protected: true,
			})
			s.coolingNow.add(e.hash)
		}
	}
	for _, key := range s.recordsIn(s.cooldown.m) {
		r := s.cooldown.m[key]
		e, running := s.checkRecord(key, r, func(e *entry) float64 { return e.cooldown })
		switch {
		case running:
			s.coolingNow.add(e.hash)
		case e == nil && s.blocks(r):
		default:
			s.cooldown.drop(key)
		}
	}
}

// recordsIn lists the keys of stored effects in order.
func (s *scan) recordsIn(m map[string]Record) []string {
	s.records = slices.AppendSeq(s.records[:0], maps.Keys(m))
	slices.Sort(s.records)
	return s.records
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
func (s *scan) blocks(r Record) bool {
	return (s.length > r.Start || r.Protected) && s.length < r.End
}

// endsNow reports whether a record is over because its time has passed.
func (s *scan) endsNow(r Record) bool {
	return (s.length > r.Start || r.Protected) && s.length >= r.End
}

// checkRecord finds the entry of a record and whether the effect runs.
func (s *scan) checkRecord(
	key string, r Record, field func(*entry) float64,
) (e *entry, running bool) {
	e = s.recorded(key, r.Hash)
	if e == nil || s.length <= r.Start && !r.Protected {
		return e, false
	}
	return e, field(e) != 0 && s.length < r.End
}

// recorded finds the first entry with the hash of a record.
func (s *scan) recorded(key, hash string) *entry {
	if hash == "" {
		return nil
	}
	if i, ok := s.c.byHash[hash]; ok {
		return s.c.entries[i]
	}
	// A forced copy can have got the effect from its override. The entry itself
	// has none then, so nobody has asked for its hash yet.
	if e := s.c.named(key); e != nil && !e.timed && hashEntry(e) == hash {
		return e
	}
	return nil
}

// touchHash makes the loops look at the entries with the hash: sticky ones need no
// key. Entries that are the same in all members share a hash.
func (s *scan) touchHash(hash string) {
	s.touched.set(int(s.c.byHash[hash]))
	for _, i := range s.c.twins[hash] {
		s.touched.set(int(i))
	}
}

// storeTimed stores the effects of the entries that were activated. A record that
// is there already stays: an effect is not extended by further matches. Entries
// lost to the budget, to a roll or to a group get none.
func (s *scan) storeTimed() {
	if s.in.DryRun {
		return
	}
	for _, i := range s.special {
		a := s.activated[i]
		if s.remembers(a) && !s.staysFor(a) {
			old, known := s.last.m[a.name]
			if now := old.next(s.length); !known || now != old {
				s.last.put(a.name, now)
			}
		}
		if !a.timed {
			continue
		}
		s.store(&s.sticky, a, a.sticky)
		s.store(&s.cooldown, a, a.cooldown)
	}
}

// store adds a record unless there is one.
func (s *scan) store(d *draft[Record], e *entry, length float64) {
	if _, ok := d.m[e.name]; !ok && length != 0 {
		d.put(e.name, Record{Hash: e.hash, Start: s.length, End: s.length + int(length)})
	}
}

// staysFor reports whether an entry is active only because its sticky effect runs, so
// that this scan spends no messages: a keyword that was said meanwhile counts
// afterwards.
func (s *scan) staysFor(e *entry) bool {
	return s.isSticky(e) && (e.v3 == nil || !e.v3.keepAfterMatch && !e.v3.stopAfterMatch)
}

// remembers reports whether an entry's rules ask when it was last active.
func (s *scan) remembers(e *entry) bool {
	if s.c.settings.SpendMessages && (e.sticky != 0 || e.cooldown != 0) {
		return true
	}
	return e.v3 != nil && (e.v3.keepAfterMatch || e.v3.stopAfterMatch)
}
