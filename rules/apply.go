package rules

import (
	"maps"
	"math"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
)

// The interpreter is one pass; what each effect does stands in its file. Effects that are data for somebody else,
// such as a notice, leave through the list for the host; effects that rules themselves
// understand end in the document or the ledger. Which of the two an effect is never
// depends on the state.

// Nothing here looks at what fired or why: a cause is carried along for the record, and that
// is all. So hosts can give it the effects of a hook, a tool or a cheat console.

// Apply carries out effects on variables and ledger, in their order, each seeing
// those before it. It is the one interpreter of effects: chains use it, and hosts
// give it the effects of hooks and tools.
//
//   - [SetVariable] writes a variable; a path that begins with @ is one of the
//     system paths that package reactions lists. What cannot be written is in
//     Refused with its reason and changes nothing; a write that leaves an equal
//     value is no change.
//   - [InjectDirective], [RemoveDirective], [ToggleEntry], [ToggleRule],
//     [ToggleVariable], [ToggleBook] and [SendContext] go into the ledger.
//   - [Emit], [TriggerRule], [Notify], [PlayAudio] and [SendContext] raise events.
//   - A directive without id and a message without text are refused, and so is an effect
//     that has no JSON form: a pointer, or one that holds an infinity. Texts that are no
//     UTF-8 are mended. What is applied can be stored, and reads back as it was.
//   - Everything that the host has to do is in Host: notices, audio, at most one
//     [RequestAI], and each effect that this package does not know how to apply.
//
// After the batch formula variables are recomputed. Firing counts and cooldowns are
// not touched: they belong to [Program.Run].
//
// A nil Program has neither a schema nor rules. Apply is pure and safe for concurrent use.
func (s *Program) Apply(st State, effects []Caused, opts Options) Applied {
	w := newWriter(s, st, opts)
	w.apply(w.entered(effects))
	return w.result()
}

// entered refuses the effects that have no JSON form, and returns the others as they read back
// from it; see the function of that name.
func (w *writer) entered(effects []Caused) []Caused {
	out := make([]Caused, 0, len(effects))
	for _, c := range effects {
		e, why := entered(c.Effect)
		if why.reason == "" {
			out = append(out, Caused{By: c.By, Effect: e})
			continue
		}
		path := ""
		if c.Effect != nil && genuine(c.Effect) {
			path = named(c.Effect)
		}
		c.Effect = nil // nothing that cannot be written gets into a record
		w.refuse(c, path, tree.Value{}, why)
	}
	return out
}

// apply carries out one batch. Formulas follow at its end, not after each effect: a batch
// is one step for those who watch.
func (w *writer) apply(effects []Caused) {
	w.changedBefore, w.raisedBefore = len(w.out.Changes), len(w.raised)
	for i := range effects {
		w.effect(effects[i])
	}
	w.recompute()
	w.state.Variables = w.edit.Document()
}

// batch returns what the last batch raised and changed.
func (w *writer) batch() (raised []Event, changes []tree.Change) {
	return w.raised[w.raisedBefore:], w.out.Changes[w.changedBefore:]
}

// result is what a single batch did.
func (w *writer) result() Applied {
	out := w.out
	out.State = w.state
	out.Events = w.set.spell(w.raised, out.Changes)
	return out
}

// spell lists events and, after them, changes as events.
func (s *Program) spell(events []Event, changes []tree.Change) []Event {
	out := slices.Clip(events)
	for i := range changes {
		out = append(out, s.variables().changeEvent(&changes[i]))
	}
	return out
}

// variableOf is the name of what changed: the variable's id, or the path in a
// document without a schema.
func (s *schema) variableOf(c *tree.Change) string {
	if s != nil && s.idAt != nil {
		if id, ok := s.idAt[c.Path.String()]; ok {
			return id
		}
	}
	if len(c.Path) == 1 {
		return c.Path[0]
	}
	return c.Path.String()
}

// effect carries out one effect. Order within the batch is the order of the list, whatever the
// kinds: remove and inject in one hop end injected.
func (w *writer) effect(c Caused) {
	if e, ok := c.Effect.(bounded); ok {
		if why := e.tooLarge(); why.reason != "" {
			w.refuse(c, named(c.Effect), tree.Value{}, why)
			return
		}
	}
	if e, ok := c.Effect.(applied); ok {
		e.apply(w, c)
		return
	}
	w.host(c, c.Effect)
}

// named is what a refusal calls an effect as a whole: what it writes, or else its type.
func named(e Effect) string {
	if set, ok := e.(SetVariable); ok {
		return set.Path
	}
	return e.EffectType()
}

// random draws a number in [0, 1) and records it.
func (w *writer) random() float64 {
	f := w.opts.draw()
	w.out.Draws = append(w.out.Draws, f)
	return f
}

// raise puts an event into the next hop.
func (w *writer) raise(e Event) { w.raised = append(w.raised, e) }

// host hands an effect on. One that could not be read stops here: its type may be one that
// the host knows, and its fields are not to be trusted.
func (w *writer) host(c Caused, e Effect) {
	if unreadable(e) {
		why := deny(NotReadable, "an action that cannot be read")
		w.refuse(c, e.EffectType(), tree.Value{}, why)
		return
	}
	w.out.Host = append(w.out.Host, Caused{By: c.By, Effect: e})
}

// ownership says which parts of the ledger the writer may change in place: those that it has
// copied. All others are shared with the state that went in, which stays as it is.
type ownership struct {
	enabled, cooldowns, fireCounts, entries, variables, books, directives, pending bool
}

// own copies a map of the ledger before the first write of a chain, and only then: chains
// in which nothing happens copy nothing, others once per map and not per firing. A new map
// gets room for n keys.
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

// ownDirectives is [own] for the list of directives.
func (w *writer) ownDirectives() {
	if !w.owned.directives {
		w.owned.directives = true
		w.state.Ledger.Directives = slices.Clone(w.state.Ledger.Directives)
	}
}

// record counts a firing, one of n in its hop, of which some begin a cooldown.
func (w *writer) record(u *unit, n, cooling int) {
	own(&w.state.Ledger.FireCounts, &w.owned.fireCounts, n)
	w.state.Ledger.FireCounts[u.id] = later(w.state.Ledger.FireCounts[u.id], 1)
	if u.cooldown > 0 {
		own(&w.state.Ledger.Cooldowns, &w.owned.cooldowns, cooling)
		w.state.Ledger.Cooldowns[u.id] = later(w.state.Turn, u.cooldown)
	}
}

// later adds turns to a turn, and stays at the last one that there is.
func later(turn, turns int) int {
	if turn > math.MaxInt-turns {
		return math.MaxInt
	}
	return turn + turns
}
