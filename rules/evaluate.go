package rules

import (
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/param"
)

// Evaluate decides what fires for a list of events, and applies nothing. For each
// event in turn, the rules and reactions go through their gates in order of priority
// and then of place, rules first:
//
//  1. enabled: the run-time switch, or else the authored flag; its module active
//  2. trigger or event pattern
//  3. conditions; when they fail, its else message becomes a notice
//  4. no stop condition holds
//  5. cooldown over
//  6. fired less often than its maximum
//  7. chance, which is the only gate that draws a random number
//
// Everything sees the state that was given: no firing changes what another sees, and
// one rule may fire for several events. [Program.Run] is the whole chain.
func (s *Program) Evaluate(st State, events []event.Event, opts Options) Evaluation {
	return s.evaluate(&st, nil, events, &opts)
}

// evaluate is one hop without a chain around it.
func (s *Program) evaluate(st *State, vars condition.Vars, events []event.Event, opts *Options) Evaluation {
	if s == nil {
		return Evaluation{}
	}
	r := s.begin(st, vars, opts)
	if opts.Explain {
		r.traces = newTracer(s, 1)
	}
	out := r.hop(events, nil)
	out.Draws = r.draws
	if r.traces != nil {
		out.Trace = r.traces.list()
	}
	r.end()
	return out
}

// Evaluate decides what rules make of events, for tests and small uses. It compiles
// the rules each time; see [Compile] and [Program.Evaluate]. Chances and random operands
// draw 0.5.
func Evaluate(list []Rule, events []event.Event, vars condition.Vars) []Fired {
	set, _ := Compile(Content{Rules: list})
	return set.EvaluateVars(vars, events)
}

// EvaluateVars is [Program.Evaluate] for a new game whose variables come from anywhere.
func (s *Program) EvaluateVars(vars condition.Vars, events []event.Event) []Fired {
	return s.evaluate(&State{}, vars, events, &Options{}).Fired
}

// hop evaluates events, and after them changes, against the state that the run sees.
func (r *run) hop(events []event.Event, changes []tree.Change) Evaluation {
	for n := range len(events) + len(changes) {
		h := r.set.schema.happeningAt(n, events, changes)
		r.candidates(&h)
		if (len(r.found) > 0 || r.traces != nil) && h.mend() {
			r.candidates(&h) // what is recorded is what must have been heard
		}
		if r.traces != nil {
			r.explain(n, h.spelled())
		}
		if len(r.found) == 0 {
			continue
		}
		// First all gates, and then all firings: no firing decides what another one sees.
		params := h.params()
		r.pass = r.pass[:0]
		for _, i := range r.found {
			if p, ok := r.gates(i, params); ok {
				r.pass = append(r.pass, p)
			}
		}
		slices.SortFunc(r.pass, func(a, b passer) int { return int(a.unit - b.unit) })
		for k := range r.pass {
			r.pass[k].fired = r.perform(r.pass[k], n, &h, params)
		}
		for _, p := range r.pass { // only now: units of one id fire together
			if p.fired {
				r.fired[r.set.numbers[p.unit]] = r.chain
				r.justFired = append(r.justFired, p.unit)
			}
		}
	}
	return r.harvest()
}

// harvest copies what the hop has gathered into lists of the right size, which belong to
// the caller, and empties the working lists: they must not keep this game's values alive.
func (r *run) harvest() Evaluation {
	if len(r.pool)+len(r.firings) == 0 {
		return Evaluation{}
	}
	out := Evaluation{Fired: take(&r.firings), Effects: take(&r.pool)}
	effects, start := take(&r.arena), 0
	for i, end := range r.ends {
		out.Fired[i].Effects = effects[start:end:end]
		start = end
	}
	r.ends = r.ends[:0]
	return out
}

// take returns a copy of the list, nil if it is empty, and clears the list itself.
func take[T any](list *[]T) []T {
	if len(*list) == 0 {
		return nil
	}
	out := slices.Clone(*list)
	clear(*list)
	*list = (*list)[:0]
	return out
}

// gates takes a unit whose WHEN is satisfied through the gates that draw nothing.
func (r *run) gates(i int32, params tree.Value) (passer, bool) {
	if r.once && r.fired[r.set.numbers[i]] == r.chain {
		return passer{}, false
	}
	if params.IsObject() { // they differ from event to event
		return r.decide(i, params)
	}
	v := &r.verdicts[i]
	if v.version != r.version {
		p, ok := r.decide(i, params)
		*v = verdict{r.version, !ok, p}
	}
	return v.passer, !v.stops
}

// decide asks the gates themselves, in their order.
func (r *run) decide(i int32, params tree.Value) (passer, bool) {
	u := &r.set.units[i]
	if !r.enabled(u) || !r.moduleActive(u.module) {
		return passer{}, false
	}
	if r.failing(u.tests, u.any, params) {
		return passer{unit: i, otherwise: true}, u.otherwise != ""
	}
	for k := range u.stops {
		if u.stops[k].holds(&r.reader, params) {
			return passer{}, false
		}
	}
	// Asking for the length first keeps new games from hashing ids for nothing.
	if len(r.state.Ledger.Cooldowns) > 0 && r.state.Ledger.Cooldowns[u.id] > r.state.Turn {
		return passer{}, false
	}
	if u.most >= 0 && r.state.Ledger.FireCounts[u.id] >= u.most {
		return passer{}, false
	}
	return passer{unit: i}, true
}

// random draws a number in [0, 1) and records it.
func (r *run) random() float64 {
	f := r.opts.draw()
	r.draws = append(r.draws, f)
	return f
}

// perform lets a unit fire that passed its gates, unless chance is against it, and
// reports whether it did.
func (r *run) perform(p passer, n int, h *happening, params tree.Value) bool {
	u := &r.set.units[p.unit]
	if p.otherwise {
		text := u.otherwise
		if params.IsObject() {
			text = param.Print(text, params)
		}
		notice := effect.Notify{Message: text, Style: "warning", Quiet: true}
		r.pool = append(r.pool, effect.Caused{By: u.id, Effect: notice})
		return false
	}
	if u.chance < 100 && r.random()*100 >= u.chance {
		if r.traces != nil {
			r.traces.unlucky(p.unit, n, u.chance)
		}
		return false
	}
	start := len(r.arena)
	for k := range u.then {
		r.instantiate(&u.then[k], params)
	}
	for _, asked := range r.arena[start:] {
		r.pool = append(r.pool, effect.Caused{By: u.id, Effect: asked})
	}
	r.firings = append(r.firings, Fired{ID: u.id, Event: h.spelled(), Index: n})
	r.ends = append(r.ends, len(r.arena))
	if r.traces != nil {
		r.traces.fired(p.unit, n)
	}
	return true
}

// instantiate appends what one effect of a firing unit has become.
func (r *run) instantiate(p *plan, params tree.Value) {
	asked := p.effect
	if p.tokens && params.IsObject() {
		asked = effect.Fill(asked, params)
	}
	if !p.dynamic {
		r.arena = append(r.arena, asked)
		return
	}
	// The operand is drawn now and not when the effect is applied: the recorded effects of
	// a chain say what came out, and replay without a source of random numbers.
	set, _ := asked.(effect.SetVariable)
	for _, drawn := range set.Drawn(r.read, r.random) {
		r.arena = append(r.arena, drawn)
	}
}
