package secret

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/worldbook"
)

// Joined returns a state with the timed lore and the modules that a viewer knows: the shared ones,
// and the ones of the viewer's groups. Without groups it returns s. The result is read-only.
func Joined(s *state.State, viewer state.Viewer) *state.State {
	if len(s.Groups) == 0 {
		return s
	}
	out := *s
	out.Groups, out.Ledger.Books = nil, modulesKnownTo(s, viewer.Sees)
	for i := range s.Groups {
		if g := &s.Groups[i]; viewer.Sees(g.Witnesses) {
			out.Lore.Sticky = mergeLater(out.Lore.Sticky, g.Lore.Sticky, endsLater)
			out.Lore.Cooldown = mergeLater(out.Lore.Cooldown, g.Lore.Cooldown, endsLater)
			out.Lore.Last = mergeLater(out.Lore.Last, g.Lore.Last, func(a, b [2]int) bool { return a[0] > b[0] })
		}
	}
	return &out
}

// modulesKnownTo returns the switches of modules that a viewer knows.
func modulesKnownTo(s *state.State, sees func(witnesses []string) bool) map[string]bool {
	out := s.Ledger.Books
	for _, g := range s.Groups {
		if sees(g.Witnesses) {
			out = mergeLater(out, g.Modules, func(_, _ bool) bool { return true })
		}
	}
	return out
}

// knownToAll returns a function that reports whether all characters of a group know what only
// witnesses know. An empty group means everybody.
func knownToAll(group []string) func(witnesses []string) bool {
	return state.Viewer{Shared: true, Group: group}.Sees
}

func endsLater(a, b worldbook.Record) bool { return a.End > b.End }

// mergeLater merges two maps. If both have a key, the result has the later value.
func mergeLater[V any](first, second map[string]V, later func(a, b V) bool) map[string]V {
	if len(second) == 0 {
		return first
	}
	out := map[string]V{}
	maps.Copy(out, first)
	for key, v := range second {
		if old, ok := out[key]; !ok || later(v, old) {
			out[key] = v
		}
	}
	return out
}

// KeepLore stores in s the timed effects after a scan for the viewer. An effect that began in the
// scan belongs to the characters who know what activated its entry. The function that findOwners
// returns names them; no owners means everybody. findOwners returns nil if the scan read only texts
// that everybody knows. It is called only if an effect began or ended, or if there are groups.
func (v Sight) KeepLore(s *state.State, next worldbook.State, findOwners func() (owners func(entry string) []string)) {
	before := v.State.Lore
	var owners func(entry string) []string
	if len(s.Groups) > 0 || !sameEffects(before, next) {
		owners = findOwners()
	}
	if owners == nil {
		if len(s.Groups) == 0 {
			s.Lore = next
			return
		}
		owners = func(string) []string { return nil }
	}
	w := groupWriter{State: s, sees: v.sees}
	w.Lore.Fuses = next.Fuses
	ended := keepEffects(&w, stickyOf, before, next, owners)
	keepEffects(&w, cooldownOf, before, next, func(entry string) []string {
		if by, follows := ended[entry]; follows { // who knew the sticky effect knows its cooldown
			return by
		}
		return owners(entry)
	})
	keepEffects(&w, lastOf, before, next, owners)
	w.prune()
}

// sameEffects reports whether two states have the same timed effects.
func sameEffects(a, b worldbook.State) bool {
	return maps.Equal(a.Sticky, b.Sticky) && maps.Equal(a.Cooldown, b.Cooldown) && maps.Equal(a.Last, b.Last)
}

// A kind selects one kind of the timed effects of a state, by entry.
type kind[V any] func(*worldbook.State) *map[string]V

func stickyOf(l *worldbook.State) *map[string]worldbook.Record   { return &l.Sticky }
func cooldownOf(l *worldbook.State) *map[string]worldbook.Record { return &l.Cooldown }
func lastOf(l *worldbook.State) *map[string][2]int               { return &l.Last }

// groupWriter changes the groups of a state. Successive states share maps, so it copies a map or the list
// of groups before it changes it.
type groupWriter struct {
	*state.State
	sees         func(witnesses []string) bool
	hasOwnGroups bool // Groups is a copy
}

// keepEffects stores the changed effects of one kind. It removes each from its old place, and adds the
// new value for its owners. It returns the removed entries with the characters who knew them.
func keepEffects[V comparable](w *groupWriter, of kind[V], before, next worldbook.State, owners func(entry string) []string) map[string][]string {
	removed := map[string][]string{}
	was, is := *of(&before), *of(&next)
	for _, entry := range slices.Sorted(maps.Keys(was)) {
		if v, ok := is[entry]; !ok || v != was[entry] {
			removed[entry] = removeEffect(w, of, entry)
		}
	}
	for _, entry := range slices.Sorted(maps.Keys(is)) {
		if v, ok := was[entry]; ok && v == is[entry] {
			continue
		}
		lore := &w.Lore
		if by := owners(entry); len(by) > 0 {
			lore = &w.group(by).Lore
		}
		effects := of(lore)
		*effects = withEntry(*effects, entry, is[entry])
	}
	return removed
}

// removeEffect removes the effect of an entry from the shared lore and from the groups of the viewer. It
// returns the characters who knew it; nil means everybody.
func removeEffect[V any](w *groupWriter, of kind[V], entry string) (by []string) {
	found := removeEntry(of(&w.Lore), entry)
	for i := range w.Groups {
		if !w.sees(w.Groups[i].Witnesses) {
			continue
		}
		w.copyGroups()
		if removeEntry(of(&w.Groups[i].Lore), entry) && !found {
			by, found = w.Groups[i].Witnesses, true
		}
	}
	return by
}

// withEntry returns a copy of a map with one value changed or added.
func withEntry[V any](m map[string]V, key string, v V) map[string]V {
	out := map[string]V{}
	maps.Copy(out, m)
	out[key] = v
	return out
}

// removeEntry replaces a map by a copy without a key, and reports whether the map had the key. An empty
// copy becomes nil.
func removeEntry[V any](m *map[string]V, key string) bool {
	if _, ok := (*m)[key]; !ok {
		return false
	}
	*m = maps.Clone(*m)
	if delete(*m, key); len(*m) == 0 {
		*m = nil
	}
	return true
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
// switches. OpenModules calls it first for the characters who heard the line, and then for each group
// that heard it.
func OpenModules(s *state.State, heard []string, switched func(books map[string]bool) map[string]bool) {
	switchModules(s, heard, switched)
	for _, g := range slices.Clone(s.Groups) {
		if knownToAll(g.Witnesses)(heard) {
			switchModules(s, g.Witnesses, switched)
		}
	}
}

// switchModules stores for some characters the switches that a line changes.
func switchModules(s *state.State, witnesses []string, switched func(books map[string]bool) map[string]bool) {
	before := modulesKnownTo(s, knownToAll(witnesses))
	after := switched(before)
	w := groupWriter{State: s}
	for _, id := range slices.Sorted(maps.Keys(after)) {
		on := after[id]
		if was, ok := before[id]; ok && was == on {
			continue
		}
		if len(witnesses) == 0 {
			s.Ledger.Books = withEntry(s.Ledger.Books, id, on)
			continue
		}
		g := *w.group(witnesses) // it moves to the end, as later switches override earlier ones
		g.Modules = withEntry(g.Modules, id, on)
		w.Groups = append(slices.DeleteFunc(w.Groups, func(old state.Group) bool { return state.SameAudience(old.Witnesses, witnesses) }), g)
	}
	w.prune()
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
		s.Ledger.Books = withEntry(s.Ledger.Books, id, on)
		w.copyGroups()
		for i := range w.Groups {
			w.Groups[i].Modules = maps.Clone(w.Groups[i].Modules)
			delete(w.Groups[i].Modules, id)
		}
	}
	w.prune()
}
