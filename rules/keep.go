package rules

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/rules/effect"
)

// The keep part changes the ledger of a game, and copies what it changes: the ledger that went in stays
// as it is.

// keeper changes a ledger. A part of it is copied before the first write, and only then: chains in
// which nothing happens copy nothing, others once per map and not per firing.
type keeper struct {
	Ledger *Memory
	// owned are the switches that were copied, by their kind; the others are parts of the ledger.
	owned                                      [len(switches)]bool
	cooldowns, fireCounts, directives, pending bool
}

// switches are where the ledger keeps those of each kind that were turned.
var switches = [...]func(*Memory) *map[string]bool{
	effect.Entries:   func(l *Memory) *map[string]bool { return &l.Entries },
	effect.Rules:     func(l *Memory) *map[string]bool { return &l.Enabled },
	effect.Variables: func(l *Memory) *map[string]bool { return &l.Variables },
	effect.Books:     func(l *Memory) *map[string]bool { return &l.Books },
}

// own copies a map of the ledger before its first write. A new map gets room for n keys.
func own[V any](m *map[string]V, owned *bool, n int) {
	if *owned {
		return
	}
	*owned = true
	*m = maps.Clone(*m)
	if *m == nil {
		*m = make(map[string]V, n)
	}
}

// ownList is own for a list.
func ownList[E any](list *[]E, owned *bool) {
	if !*owned {
		*owned = true
		*list = slices.Clone(*list)
	}
}

// Switch sets a switch. One that stands right already is not copied.
func (k *keeper) Switch(kind effect.Switches, id string, on bool) {
	m := switches[kind](k.Ledger)
	if was, ok := (*m)[id]; ok && was == on {
		return
	}
	own(m, &k.owned[kind], 0)
	(*m)[id] = on
}

// Switched is the position of a switch that was turned; ok is false for one that was not.
func (k *keeper) Switched(kind effect.Switches, id string) (on, ok bool) {
	on, ok = (*switches[kind](k.Ledger))[id]
	return on, ok
}

// Inject adds a directive at the end, or moves one of the same id there: the newest directive
// stands last in the prompt.
func (k *keeper) Inject(d Directive) {
	k.Remove(d.ID)
	ownList(&k.Ledger.Directives, &k.directives)
	k.Ledger.Directives = append(k.Ledger.Directives, d)
}

// Remove takes a directive away; one that is not there is no error.
func (k *keeper) Remove(id string) {
	i := slices.IndexFunc(k.Ledger.Directives, func(d Directive) bool { return d.ID == id })
	if i >= 0 {
		ownList(&k.Ledger.Directives, &k.directives)
		k.Ledger.Directives = slices.Delete(k.Ledger.Directives, i, i+1)
	}
}

// Remind adds one-shot context behind what waits there already.
func (k *keeper) Remind(e effect.SendContext) {
	ownList(&k.Ledger.Pending, &k.pending)
	k.Ledger.Pending = append(k.Ledger.Pending, e)
}

// Fired counts a firing, one of n in its hop.
func (k *keeper) Fired(id string, n int) {
	own(&k.Ledger.FireCounts, &k.fireCounts, n)
	k.Ledger.FireCounts[id] = TurnsAfter(k.Ledger.FireCounts[id], 1)
}

// Cool keeps an id from firing until a turn. It is one of n in its hop.
func (k *keeper) Cool(id string, until, n int) {
	own(&k.Ledger.Cooldowns, &k.cooldowns, n)
	k.Ledger.Cooldowns[id] = until
}
