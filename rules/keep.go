package rules

import (
	"maps"
	"slices"

	"github.com/talewright/talewright/rules/effect"
)

// This file changes the ledger of a game. It copies what it changes: the input ledger is not
// modified.

// keeper changes a ledger. A part of it is copied only before its first write. So chains in which
// nothing happens copy nothing, and others copy once per map and not per firing.
type keeper struct {
	Ledger *Memory
	// owned marks the copied switch maps, by kind; the other maps belong to the input ledger.
	owned                                      [len(switches)]bool
	cooldowns, fireCounts, directives, pending bool
}

// switches returns the map of each kind of switch in the ledger.
var switches = [...]func(*Memory) *map[string]bool{
	effect.Entries:   func(l *Memory) *map[string]bool { return &l.Entries },
	effect.Rules:     func(l *Memory) *map[string]bool { return &l.Enabled },
	effect.Variables: func(l *Memory) *map[string]bool { return &l.Variables },
	effect.Books:     func(l *Memory) *map[string]bool { return &l.Books },
}

// ownMap copies a map of the ledger before its first write. A new map has a capacity of n keys.
func ownMap[V any](m *map[string]V, owned *bool, n int) {
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

// Switch sets a switch. It copies nothing if the switch already has that position.
func (k *keeper) Switch(kind effect.Switches, id string, on bool) {
	m := switches[kind](k.Ledger)
	if old, ok := (*m)[id]; ok && old == on {
		return
	}
	ownMap(m, &k.owned[kind], 0)
	(*m)[id] = on
}

// switchOf returns the position of a switch. ok is false if it was never set.
func (k *keeper) switchOf(kind effect.Switches, id string) (on, ok bool) {
	on, ok = (*switches[kind](k.Ledger))[id]
	return on, ok
}

// Inject adds a directive at the end, or moves the directive of the same id there: the newest
// directive is last in the prompt.
func (k *keeper) Inject(d Directive) {
	k.Remove(d.ID)
	ownList(&k.Ledger.Directives, &k.directives)
	k.Ledger.Directives = append(k.Ledger.Directives, d)
}

// Remove removes a directive. A directive that does not exist is not an error.
func (k *keeper) Remove(id string) {
	i := slices.IndexFunc(k.Ledger.Directives, func(d Directive) bool { return d.ID == id })
	if i >= 0 {
		ownList(&k.Ledger.Directives, &k.directives)
		k.Ledger.Directives = slices.Delete(k.Ledger.Directives, i, i+1)
	}
}

// addContext adds one-shot context after the waiting context.
func (k *keeper) addContext(e effect.SendContext) {
	ownList(&k.Ledger.Pending, &k.pending)
	k.Ledger.Pending = append(k.Ledger.Pending, e)
}

// countFiring counts one firing. n is the number of firings in the hop.
func (k *keeper) countFiring(id string, n int) {
	ownMap(&k.Ledger.FireCounts, &k.fireCounts, n)
	k.Ledger.FireCounts[id] = turnsAfter(k.Ledger.FireCounts[id], 1)
}

// startCooldown keeps an id from firing until a turn. n is the number of cooldowns in the hop.
func (k *keeper) startCooldown(id string, until, n int) {
	ownMap(&k.Ledger.Cooldowns, &k.cooldowns, n)
	k.Ledger.Cooldowns[id] = until
}
