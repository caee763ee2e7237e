package rules

// Run is the whole chain that events start. Each hop evaluates its events as
// [Program.Evaluate] does, then applies all effects in order as [Program.Apply] does, then
// counts the firings. What that raised is the next hop: emitted events and triggers,
// then one [TypeStateChanged] per change.
//
//   - Everything in one hop sees the state from before it; switches, counts and
//     writes hold from the next hop on.
//   - An id fires at most once per chain, so that loops end.
//   - The chain ends when nothing is raised or nothing fires, or at the bound: that
//     of the options, or the smallest that a reaction which fired set for itself.
//     Events that would have fired something then are in Cut.
//
// Run neither counts turns nor ends the life of directives: see [Ledger.Expire] and
// [TurnEvents]. It is pure and safe for concurrent use; the state given stays as it is.
func (s *Program) Run(st State, events []Event, opts Options) Outcome {
	if s == nil {
		return Outcome{State: st}
	}
	c := &chain{w: newWriter(s, st, opts), limit: opts.hops()}
	c.r = s.begin(st, nil, opts)
	c.r.state = &c.w.state
	c.r.once = true
	for hop := 1; len(events) > 0; hop++ {
		if hop > c.limit {
			if c.wouldFire(events) {
				c.out.Cut = events
			}
			break
		}
		if opts.Explain {
			c.r.traces = newTracer(s, hop)
		}
		events = c.hop(hop, events)
	}
	c.out.State = c.w.state
	c.out.Context = c.w.fresh
	c.out.Draws = c.r.draws
	c.r.end()
	return c.out
}

type chain struct {
	w     *writer
	r     *run
	limit int
	out   Outcome
}

// hop carries out one hop and returns the events of the next.
func (c *chain) hop(hop int, events []Event) []Event {
	e := c.r.hop(events)
	if c.r.traces != nil {
		c.out.Trace = append(c.out.Trace, c.r.traces.list()...)
	}
	if len(e.Effects) == 0 && len(e.Fired) == 0 {
		return nil
	}
	c.w.out = Applied{}
	c.w.raised = nil
	c.w.apply(e.Effects)
	applied := c.w.result()
	c.w.state.Variables = applied.State.Variables
	c.record(hop)
	c.r.look()

	c.out.Effects = append(c.out.Effects, e.Effects)
	c.out.Changes = append(c.out.Changes, applied.Changes...)
	c.out.Host = append(c.out.Host, applied.Host...)
	c.out.Refused = append(c.out.Refused, applied.Refused...)
	for _, raised := range c.w.raised {
		if raised.Type != TypeTrigger {
			c.out.Emitted = append(c.out.Emitted, raised)
		}
	}
	if len(e.Fired) == 0 {
		return nil
	}
	c.out.Hops = append(c.out.Hops, e.Fired)
	return applied.Events
}

// record counts each id that fired in the hop once, and takes over its bounds.
func (c *chain) record(hop int) {
	c.w.recordAll(c.r)
	for _, i := range c.r.justFired {
		if u := &c.r.set.units[i]; u.depth >= 0 {
			c.limit = min(c.limit, max(hop+u.depth-1, hop))
		}
	}
	c.r.justFired = c.r.justFired[:0]
}

// recordAll counts the firings of a hop, each id once, with the cooldown of the unit that
// fired first.
func (w *writer) recordAll(r *run) {
	for n, i := range r.justFired {
		u := &r.set.units[i]
		if n > 0 && r.countedBefore(n, u.number) {
			continue
		}
		w.record(u)
	}
}

// countedBefore reports whether an earlier firing of the hop has the same id. Only
// units of one id can fire twice in one chain, so the list is searched for them alone.
func (r *run) countedBefore(n int, number int32) bool {
	if len(r.set.byID[r.set.units[r.justFired[n]].id]) < 2 {
		return false
	}
	for _, i := range r.justFired[:n] {
		if r.set.units[i].number == number {
			return true
		}
	}
	return false
}

// wouldFire reports whether any of the events gets a unit to its chance.
func (c *chain) wouldFire(events []Event) bool {
	for _, e := range events {
		c.r.candidates(e)
		params := e.Fields.Get("params")
		for _, i := range c.r.found {
			if p, ok := c.r.gates(i, params); ok && !p.otherwise {
				return true
			}
		}
	}
	return false
}
