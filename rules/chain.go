package rules

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// Run processes the whole chain that events start. Each hop evaluates its events as
// [Program.Evaluate] does, applies all effects in order as [Program.Apply] does, and counts the
// firings. The raised events are the next hop: emitted events and triggers, then one
// [event.TypeStateChanged] per change.
//
//   - Everything in one hop sees the state before the hop. Switches, counts and writes apply from
//     the next hop on.
//   - An id fires at most once per chain, so that loops end.
//   - The chain ends when nothing is raised, when nothing fires, or at the limit. The limit is the
//     limit of the options, or the smallest limit of a fired reaction. Events that would have fired
//     something after the limit are in Cut.
//
// Run does not count turns and does not expire directives: see [Memory.Expire] and [event.OfTurn].
// Invalid UTF-8 in events is replaced. Run is pure and safe for concurrent use. It does not modify
// st.
func (s *Program) Run(st State, events []event.Event, opts Options) Outcome {
	if s == nil {
		return Outcome{State: st}
	}
	// The run and the writer share the state: the run reads it and decides, the writer changes it
	// between the hops. The run owns their lists, so that the next chain finds them allocated.
	c := &chain{writer: newWriter(s, st, opts), run: s.begin(&st, nil, &opts), limit: opts.hops()}
	c.run.gates.state, c.run.gates.once = &c.writer.state, true
	c.writer.out.Changes, c.writer.out.Host, c.writer.raised = c.run.lists.changes, c.run.lists.host, c.run.lists.raised
	var changes []tree.Change
	for hop := 1; len(events)+len(changes) > 0; hop++ {
		if hop > c.limit {
			if c.wouldFire(events, changes) {
				c.out.Cut = c.writer.set.spell(slices.Clone(events), changes)
			}
			break
		}
		events, changes = c.hop(hop, events, changes)
	}
	c.finish()
	return c.out
}

// chain is the working state of one chain.
type chain struct {
	writer *writer
	run    *run
	limit  int // hops; a unit that fires may lower it
	out    Outcome
}

// finish copies the results out of the working memory and releases it.
func (c *chain) finish() {
	w, lists := c.writer, &c.run.lists
	*lists = chainLists{w.out.Changes, w.out.Host, w.raised}
	c.out.State = w.state
	c.out.Changes, c.out.Host, c.out.Refused = takeAll(&lists.changes), takeAll(&lists.host), w.out.Refused
	c.out.Emitted = emitted(takeAll(&lists.raised))
	c.out.Context = w.addedContext
	c.out.Draws = c.run.firing.draws
	c.run.end()
}

// emitted removes the triggers, which are internal to rules.
func emitted(raised []event.Event) []event.Event {
	byHand := func(e event.Event) bool { return e.Type == event.TypeTrigger }
	if raised = slices.DeleteFunc(raised, byHand); len(raised) == 0 {
		return nil
	}
	return raised
}

// hop processes one hop and returns the events and changes of the next hop. Changes are not
// converted to events. Most of them concern no rule, and their events would need most of the memory
// of a chain.
func (c *chain) hop(hop int, events []event.Event, changes []tree.Change) (
	[]event.Event, []tree.Change,
) {
	e := c.run.hop(hop, events, changes)
	c.out.Trace = append(c.out.Trace, e.Trace...)
	if len(e.Effects) == 0 && len(e.Fired) == 0 {
		return nil, nil
	}
	// Counting comes after the effects: a rule that switches itself off has still fired.
	c.writer.apply(e.Effects)
	c.countFirings(hop)
	c.run.gates.refresh()
	c.out.Effects = append(c.out.Effects, e.Effects)
	if len(e.Fired) == 0 {
		return nil, nil // there were only else messages
	}
	c.out.Hops = append(c.out.Hops, e.Fired)
	return c.writer.batch()
}

// countFirings counts each id that fired in the hop once, and applies its limits. Only units with
// one id can fire twice in a chain; the cooldown of the first unit counts.
func (c *chain) countFirings(hop int) {
	set, fired := c.writer.set, c.run.firing.units
	cooling := 0
	for _, i := range fired {
		if set.units[i].cooldown > 0 {
			cooling++
		}
	}
	for n, i := range fired {
		u := &set.units[i]
		if u.depth > 0 { // including this hop
			c.limit = min(c.limit, hop+u.depth-1)
		}
		number := set.numbers[i]
		if !u.sharesID || !slices.ContainsFunc(fired[:n], func(i int32) bool { return set.numbers[i] == number }) {
			c.writer.countFiring(u, len(fired), cooling)
		}
	}
	c.run.firing.units = fired[:0]
}

// wouldFire reports whether any of the events and changes would make a unit fire. A chain that
// reached its limit with nothing more to do was not cut. Reporting it as cut would make an author
// search for a mistake that does not exist.
func (c *chain) wouldFire(events []event.Event, changes []tree.Change) bool {
	for n := range len(events) + len(changes) {
		h := c.writer.set.schema.happeningAt(n, events, changes)
		for _, i := range c.run.finder.find(&h) {
			if p, ok := c.run.gates.check(i, h.params()); ok && !p.otherwise {
				return true
			}
		}
	}
	return false
}
