package rules

import (
	"math"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// gates decide which of the units that an event concerns may fire, in one state and, in a chain,
// once for each id.
type gates struct {
	view
	// verdicts remembers what was decided of a unit: within one hop it is the same for
	// every event without parameters.
	verdicts []verdict
	passed   []passer

	chain uint32   // stamp of the chain
	fired []uint32 // by id number: the chain in which it fired
	once  bool     // only the first firing of an id counts
}

// verdict is what the gates said of a unit for one version of the state.
type verdict struct {
	version uint32
	stops   bool
	passer  passer
}

// passer is a unit that passed its gates, or whose conditions failed and which has
// something to say about it.
type passer struct {
	unit      int32
	otherwise bool
}

// newChain forgets which ids have fired.
func (g *gates) newChain() {
	// After four thousand million chains in one memory the numbers begin anew.
	if g.chain == math.MaxUint32 {
		clear(g.fired)
		g.chain = 0
	}
	g.chain++
	g.once = false
}

// look makes the gates see the present state, and reports whether the numbers of its versions
// begin anew.
func (g *gates) look() (again bool) {
	if again = g.view.look(); again {
		clear(g.verdicts)
	}
	return again
}

// pass returns those of some units that get through, in the order of evaluation. The list is
// valid until the next call.
func (g *gates) pass(found []int32, params tree.Value) []passer {
	g.passed = g.passed[:0]
	for _, i := range found {
		if p, ok := g.ask(i, params); ok {
			g.passed = append(g.passed, p)
		}
	}
	slices.SortFunc(g.passed, func(a, b passer) int { return int(a.unit - b.unit) })
	return g.passed
}

// retired reports whether the id of a unit has had its one firing of a chain.
func (g *gates) retired(i int32) bool { return g.once && g.fired[g.set.numbers[i]] == g.chain }

// retire notes that a unit has fired.
func (g *gates) retire(i int32) { g.fired[g.set.numbers[i]] = g.chain }

// closed reports whether a unit is known not to fire any more in this hop.
func (g *gates) closed(i int32) bool {
	v := &g.verdicts[i]
	return v.version == g.version && v.stops || g.retired(i)
}

// ask takes a unit whose WHEN is satisfied through the gates that draw nothing.
func (g *gates) ask(i int32, params tree.Value) (passer, bool) {
	if g.retired(i) {
		return passer{}, false
	}
	if params.IsObject() { // they differ from event to event
		return g.decide(i, params)
	}
	v := &g.verdicts[i]
	if v.version != g.version {
		p, ok := g.decide(i, params)
		*v = verdict{g.version, !ok, p}
	}
	return v.passer, !v.stops
}

// decide asks the gates themselves, in their order.
func (g *gates) decide(i int32, params tree.Value) (passer, bool) {
	u := &g.set.units[i]
	if !g.enabled(u) || !g.moduleActive(u.module) {
		return passer{}, false
	}
	if g.failing(u.tests, u.any, params) {
		return passer{unit: i, otherwise: true}, u.otherwise != ""
	}
	for k := range u.stops {
		if u.stops[k].holds(&g.reader, params) {
			return passer{}, false
		}
	}
	// Asking for the length first keeps new games from hashing ids for nothing.
	if len(g.state.Ledger.Cooldowns) > 0 && g.state.Ledger.Cooldowns[u.id] > g.state.Turn {
		return passer{}, false
	}
	if u.most >= 0 && g.state.Ledger.FireCounts[u.id] >= u.most {
		return passer{}, false
	}
	return passer{unit: i}, true
}

// firing lets units fire, and gathers what the firings of a hop ask for.
type firing struct {
	reader *reader // of references in random operands
	opts   Options
	draws  []float64
	units  []int32 // that fired in this hop

	// What the hop has gathered so far; harvest copies it. Effects of all firings are in
	// arena, those of one end where its place in ends says.
	fired []Fired
	ends  []int
	arena []effect.Effect
	pool  []effect.Caused
}

// random draws a number in [0, 1) and records it.
func (f *firing) random() float64 {
	n := f.opts.draw()
	f.draws = append(f.draws, n)
	return n
}

// tell notes the message of a unit whose conditions failed.
func (f *firing) tell(u *unit, params tree.Value) {
	text := u.otherwise
	if params.IsObject() {
		text = report.Print(text, params)
	}
	notice := effect.Notify{Message: text, Style: "warning", Quiet: true}
	f.pool = append(f.pool, effect.Caused{By: u.id, Effect: notice})
}

// fire lets unit i fire for the n-th event of the hop.
func (f *firing) fire(i int32, u *unit, n int, h *happening, params tree.Value) {
	start := len(f.arena)
	for k := range u.then {
		f.instantiate(&u.then[k], params)
	}
	for _, asked := range f.arena[start:] {
		f.pool = append(f.pool, effect.Caused{By: u.id, Effect: asked})
	}
	f.fired = append(f.fired, Fired{ID: u.id, Event: h.spelled(), Index: n})
	f.ends = append(f.ends, len(f.arena))
	f.units = append(f.units, i)
}

// instantiate appends what one effect of a firing unit has become.
func (f *firing) instantiate(p *plan, params tree.Value) {
	asked := p.effect
	if p.tokens && params.IsObject() {
		asked = effect.Fill(asked, params)
	}
	if !p.dynamic {
		f.arena = append(f.arena, asked)
		return
	}
	// The operand is drawn now and not when the effect is applied: the recorded effects of
	// a chain say what came out, and replay without a source of random numbers.
	set, _ := asked.(effect.SetVariable)
	for _, drawn := range set.Drawn(f.reader.read, f.random) {
		f.arena = append(f.arena, drawn)
	}
}

// harvest copies what the hop has gathered into lists of the right size, which belong to
// the caller, and empties the working lists: they must not keep this game's values alive.
func (f *firing) harvest() Evaluation {
	if len(f.pool)+len(f.fired) == 0 {
		return Evaluation{}
	}
	out := Evaluation{Fired: take(&f.fired), Effects: take(&f.pool)}
	effects, start := take(&f.arena), 0
	for i, end := range f.ends {
		out.Fired[i].Effects = effects[start:end:end]
		start = end
	}
	f.ends = f.ends[:0]
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
