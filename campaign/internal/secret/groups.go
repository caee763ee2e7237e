package secret

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/worldbook"
)

// Joined returns a state with the timed lore and the modules that a viewer knows: the shared ones,
// and the ones of the viewer's groups. Without groups it returns s. The result is read-only.
func Joined(s *state.State, viewer state.Viewer) *state.State { return joinGroups(s, viewer.Sees) }

// joinGroups is Joined for a viewer who sees what sees reports.
func joinGroups(s *state.State, sees func(witnesses []string) bool) *state.State {
	if len(s.Groups) == 0 {
		return s
	}
	out := *s
	out.Groups, out.Ledger.Books = nil, modulesKnownTo(s, sees)
	for i := range s.Groups {
		if g := &s.Groups[i]; sees(g.Witnesses) {
			out.Lore.Sticky = mergeLater(out.Lore.Sticky, g.Lore.Sticky, endsLater)
			out.Lore.Cooldown = mergeLater(out.Lore.Cooldown, g.Lore.Cooldown, endsLater)
			out.Lore.Last = mergeLater(out.Lore.Last, g.Lore.Last, func(a, b [2]int) bool { return a[0] > b[0] })
		}
	}
	return &out
}

func endsLater(a, b worldbook.Record) bool { return a.End > b.End }

// mergeLater merges two maps. If both have a key, the result has the later value.
func mergeLater[V any](first, second map[string]V, later func(a, b V) bool) map[string]V {
	if len(second) == 0 {
		return first
	}
	out := maps.Clone(first)
	if out == nil {
		out = map[string]V{}
	}
	for key, v := range second {
		if old, ok := out[key]; !ok || later(v, old) {
			out[key] = v
		}
	}
	return out
}

// knownToAll returns a function that reports whether all characters of a group know what only
// witnesses know. An empty group means everybody.
func knownToAll(group []string) func(witnesses []string) bool {
	return state.Viewer{Shared: true, Group: group}.Sees
}

// modulesKnownTo returns the switches of modules that a viewer knows.
func modulesKnownTo(s *state.State, sees func(witnesses []string) bool) map[string]bool {
	out := maps.Clone(s.Ledger.Books)
	for _, g := range s.Groups {
		if len(g.Modules) == 0 || !sees(g.Witnesses) {
			continue
		}
		if out == nil {
			out = map[string]bool{}
		}
		maps.Copy(out, g.Modules)
	}
	return out
}

// KeepLore stores in the state the timed effects that a scan for the viewer left. An effect that
// began in the scan belongs to the characters who know what activated its entry. The function that
// find returns names them; no owners means everybody. find returns nil if the scan read only texts
// that everybody knows. It is called only if an effect began or ended, or if there are groups.
func (v Sight) KeepLore(s *state.State, next worldbook.State, findOwners func() (owners func(entry string) []string)) {
	before := v.State.Lore
	if len(s.Groups) == 0 && sameEffects(before, next) {
		s.Lore = next
		return
	}
	owners := findOwners()
	if owners == nil {
		if len(s.Groups) == 0 {
			s.Lore = next
			return
		}
		owners = func(string) []string { return nil }
	}
	w := groupWriter{State: s, sees: v.sees}
	w.Lore.Fuses = next.Fuses
	ended := map[string][]string{} // sticky effects that have ended, and who knew them
	keepEffects(&w, before.Sticky, next.Sticky, func(l *worldbook.State) *map[string]worldbook.Record { return &l.Sticky },
		owners, func(entry string, by []string) { ended[entry] = by })
	keepEffects(&w, before.Cooldown, next.Cooldown, func(l *worldbook.State) *map[string]worldbook.Record { return &l.Cooldown },
		func(entry string) []string {
			if by, over := ended[entry]; over { // the cooldown follows from the sticky effect
				return by
			}
			return owners(entry)
		}, nil)
	keepEffects(&w, before.Last, next.Last, func(l *worldbook.State) *map[string][2]int { return &l.Last }, owners, nil)
	w.prune()
}

// sameEffects reports whether two states have the same timed effects.
func sameEffects(a, b worldbook.State) bool {
	return maps.Equal(a.Sticky, b.Sticky) && maps.Equal(a.Cooldown, b.Cooldown) && maps.Equal(a.Last, b.Last)
}

// groupWriter changes the groups of a state. Successive states share maps, so it copies a map or the list
// of groups before it changes it.
type groupWriter struct {
	*state.State
	sees         func(witnesses []string) bool
	hasOwnGroups bool // Groups is a copy
}

// keepEffects stores one kind of timed lore, which the function kind selects. It removes each changed
// effect from its old place, and adds the new value for its owners. It calls removed, unless it is nil,
// for each removed entry with the characters who knew it.
func keepEffects[V comparable](w *groupWriter, before, next map[string]V, kind func(*worldbook.State) *map[string]V,
	owners func(entry string) []string, removed func(entry string, by []string)) {
	for _, entry := range slices.Sorted(maps.Keys(before)) {
		if v, ok := next[entry]; ok && v == before[entry] {
			continue
		}
		by := removeEffect(w, kind, entry)
		if removed != nil {
			removed(entry, by)
		}
	}
	for _, entry := range slices.Sorted(maps.Keys(next)) {
		if v, ok := before[entry]; ok && v == next[entry] {
			continue
		}
		at := &w.Lore
		if by := owners(entry); len(by) > 0 {
			at = &w.group(by).Lore
		}
		m := kind(at)
		if *m = maps.Clone(*m); *m == nil {
			*m = map[string]V{}
		}
		(*m)[entry] = next[entry]
	}
}

// removeEffect removes the effect of an entry from the shared lore and from the groups of the viewer. It
// returns the characters who knew it; nil means everybody.
func removeEffect[V any](w *groupWriter, kind func(*worldbook.State) *map[string]V, entry string) (by []string) {
	known := false
	take := func(l *worldbook.State, witnesses []string) {
		m := kind(l)
		if _, ok := (*m)[entry]; !ok {
			return
		}
		if *m = maps.Clone(*m); len(*m) == 1 {
			*m = nil
		} else {
			delete(*m, entry)
		}
		if !known {
			by, known = witnesses, true
		}
	}
	take(&w.Lore, nil)
	for i := range w.Groups {
		if w.sees(w.Groups[i].Witnesses) {
			w.copyGroups()
			take(&w.Groups[i].Lore, w.Groups[i].Witnesses)
		}
	}
	return by
}

// copyGroups makes Groups a copy that may be changed.
func (w *groupWriter) copyGroups() {
	if !w.hasOwnGroups {
		w.Groups, w.hasOwnGroups = slices.Clone(w.Groups), true
	}
}

// group returns the group of some witnesses. It adds the group if it does not exist.
func (w *groupWriter) group(witnesses []string) *state.Group {
	w.copyGroups()
	i := slices.IndexFunc(w.Groups, func(g state.Group) bool { return state.SameAudience(g.Witnesses, witnesses) })
	if i < 0 {
		i = len(w.Groups)
		w.Groups = append(w.Groups, state.Group{Witnesses: slices.Clone(witnesses)})
	}
	return &w.Groups[i]
}

// prune removes switches that equal the value without them, and groups that know nothing more than
// others.
func (w *groupWriter) prune() {
	for i := range w.Groups {
		if len(w.Groups[i].Modules) == 0 {
			continue
		}
		others := *w.State
		others.Groups = w.Groups[:i]
		without, modules := modulesKnownTo(&others, knownToAll(w.Groups[i].Witnesses)), maps.Clone(w.Groups[i].Modules)
		maps.DeleteFunc(modules, func(id string, on bool) bool { return without[id] == on })
		w.copyGroups()
		w.Groups[i].Modules = modules
	}
	empty := func(g state.Group) bool {
		l := g.Lore
		return len(l.Sticky)+len(l.Cooldown)+len(l.Last)+len(g.Modules)+len(g.Extra) == 0
	}
	if slices.ContainsFunc(w.Groups, empty) {
		w.copyGroups()
		w.Groups = slices.DeleteFunc(w.Groups, empty)
	}
	if len(w.Groups) == 0 {
		w.Groups = nil
	}
}

// OpenModules applies the module switches of a line that the characters in heard have heard; an
// empty list means everybody. The function switched returns the switches after the line for given
// switches. Each group that heard the line applies it to the switches that the group knows.
// OpenModules returns the switches before and after the line for the characters who heard it.
func OpenModules(s *state.State, heard []string, switched func(books map[string]bool) map[string]bool) (before, after map[string]bool) {
	apply := func(witnesses []string) (before, after map[string]bool) {
		before = modulesKnownTo(s, knownToAll(witnesses))
		after = switched(before)
		setModules(s, witnesses, before, after)
		return before, after
	}
	before, after = apply(heard)
	for _, g := range slices.Clone(s.Groups) {
		if len(g.Modules) > 0 && !state.SameAudience(g.Witnesses, heard) && knownToAll(g.Witnesses)(heard) {
			apply(g.Witnesses)
		}
	}
	return before, after
}

// setModules stores the changed switches for some characters.
func setModules(s *state.State, witnesses []string, before, after map[string]bool) {
	w := groupWriter{State: s}
	for _, id := range slices.Sorted(maps.Keys(after)) {
		on := after[id]
		if was, ok := before[id]; ok && was == on {
			continue
		}
		if len(witnesses) == 0 {
			s.Ledger.Books = withSwitch(s.Ledger.Books, id, on)
			continue
		}
		g := *w.group(witnesses)
		g.Modules = withSwitch(g.Modules, id, on)
		w.Groups = append(slices.DeleteFunc(w.Groups, func(old state.Group) bool { return state.SameAudience(old.Witnesses, witnesses) }), g)
	}
	w.prune()
}

// withSwitch returns a copy of switches with one changed.
func withSwitch(switches map[string]bool, id string, on bool) map[string]bool {
	out := maps.Clone(switches)
	if out == nil {
		out = map[string]bool{}
	}
	out[id] = on
	return out
}

// TakeModules stores the module switches after rules ran, which began with the switches that the
// viewer knows. A switch that rules change is changed for everybody.
func TakeModules(s *state.State, viewer state.Viewer, after map[string]bool) {
	if len(s.Groups) == 0 {
		s.Ledger.Books = after
		return
	}
	before := modulesKnownTo(s, viewer.Sees)
	w := groupWriter{State: s}
	for id, on := range after {
		if was, ok := before[id]; ok && was == on {
			continue
		}
		s.Ledger.Books = withSwitch(s.Ledger.Books, id, on)
		w.copyGroups()
		for i := range w.Groups {
			w.Groups[i].Modules = maps.Clone(w.Groups[i].Modules)
			delete(w.Groups[i].Modules, id)
		}
	}
	w.prune()
}
