package worldbook

import (
	"maps"
	"slices"
)

// applyTimed goes through the stored effects before a scan: what is over goes,
// what runs counts, and a sticky effect that ends may start a cooldown.
func (s *scan) applyTimed() {
	if s.in.DryRun || len(s.state.Sticky)+len(s.state.Cooldown) == 0 {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(s.state.Sticky)) {
		r := s.state.Sticky[key]
		e, running := s.checkRecord(r, func(e *entry) float64 { return e.sticky })
		if running {
			s.sticky = append(s.sticky, e.hash)
			s.touchHash(e.hash)
			continue
		}
		if e == nil && s.blocks(r) {
			continue
		}
		s.state.Sticky = drop(s.state.Sticky, key)
		if e != nil && s.endsNow(r) && e.sticky != 0 && e.cooldown != 0 {
			s.state.Cooldown = put(s.state.Cooldown, e.name, Record{
				Hash: e.hash, Start: s.length, End: s.length + int(e.cooldown), Protected: true,
			})
			s.onCooldown = append(s.onCooldown, e.hash)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.state.Cooldown)) {
		r := s.state.Cooldown[key]
		e, running := s.checkRecord(r, func(e *entry) float64 { return e.cooldown })
		switch {
		case running:
			s.onCooldown = append(s.onCooldown, e.hash)
		case e == nil && s.blocks(r):
		default:
			s.state.Cooldown = drop(s.state.Cooldown, key)
		}
	}
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
func (s *scan) checkRecord(r Record, field func(*entry) float64) (e *entry, running bool) {
	e = s.byHash(r.Hash)
	if e == nil || s.length <= r.Start && !r.Protected {
		return e, false
	}
	return e, field(e) != 0 && s.length < r.End
}

// byHash finds the first entry with the hash.
func (s *scan) byHash(hash string) *entry {
	if hash == "" {
		return nil
	}
	if i, ok := s.c.byHash[hash]; ok {
		return s.c.entries[i]
	}
	return nil
}

// touchHash makes the loops look at the entries with the hash.
func (s *scan) touchHash(hash string) {
	for i := int(s.c.byHash[hash]); i < len(s.c.entries); i++ {
		if s.c.entries[i].hash == hash {
			s.touched.set(i)
		}
	}
}

// storeTimed stores the effects of the entries that were activated.
func (s *scan) storeTimed() {
	if s.in.DryRun {
		return
	}
	for _, i := range s.special {
		a := s.activated[i]
		if s.remembers(a) {
			old, known := s.state.Last[a.name]
			if now := old.next(s.length); !known || now != old {
				s.state.Last = put(s.state.Last, a.name, now)
			}
		}
		if !a.timed {
			continue
		}
		s.state.Sticky = s.store(s.state.Sticky, a, a.sticky)
		s.state.Cooldown = s.store(s.state.Cooldown, a, a.cooldown)
	}
}

// store adds a record unless there is one.
func (s *scan) store(m map[string]Record, e *entry, length float64) map[string]Record {
	if _, ok := m[e.name]; ok || length == 0 {
		return m
	}
	return put(m, e.name, Record{Hash: e.hash, Start: s.length, End: s.length + int(length)})
}

// remembers reports whether an entry's rules ask when it was last active.
func (s *scan) remembers(e *entry) bool {
	if s.c.settings.SpendMessages && (e.sticky != 0 || e.cooldown != 0) {
		return true
	}
	return e.v3 != nil && (e.v3.keepAfterMatch || e.v3.stopAfterMatch)
}
