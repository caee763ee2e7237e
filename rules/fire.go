package rules

import (
	"math"
	"slices"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// gates decide which of the units that an event concerns may fire in one state. In a chain each id
// may fire once.
type gates struct {
	view
	// verdicts caches the decision for each unit. Within one hop it is the same for every event
	// without parameters.
	verdicts []verdict
	passed   []passer

	chain uint32   // stamp of the chain
	fired []uint32 // by id number: the chain in which it fired
	once  bool     // only the first firing of an id counts
}

// verdict is the decision of the gates on a unit for one version of the state.
type verdict struct {
	version uint32
	stops   bool
	passer  passer
}

// passer is a unit that passed its gates, or a unit whose conditions failed and that has an else
// message.
type passer struct {
	unit      int32
	otherwise bool
}

// newChain forgets which ids have fired.
func (g *gates) newChain() {
	// After four thousand million chains in one memory the numbers start again.
	if g.chain == math.MaxUint32 {
		clear(g.fired)
		g.chain = 0
	}
	g.chain++
	g.once = false
}

// look updates the gates to the present state. It reports whether the version numbers start again.
func (g *gates) look() (again bool) {
	if again = g.view.look(); again {
		clear(g.verdicts)
	}
	return again
}

// pass returns the units that pass the gates, in the order of evaluation. The list is valid until
// the next call.
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

// retired reports whether the id of a unit has already fired in this chain.
func (g *gates) retired(i int32) bool { return g.once && g.fired[g.set.numbers[i]] == g.chain }

// retire records that a unit has fired.
func (g *gates) retire(i int32) { g.fired[g.set.numbers[i]] = g.chain }

// closed reports whether it is certain that a unit cannot fire any more in this hop.
func (g *gates) closed(i int32) bool {
	v := &g.verdicts[i]
	return v.version == g.version && v.stops || g.retired(i)
}

// ask checks the gates that draw no random number, for a unit whose WHEN is satisfied.
func (g *gates) ask(i int32, params tree.Value) (passer, bool) {
	if g.retired(i) {
		return passer{}, false
	}
	if params.IsObject() { // parameters differ from event to event
		return g.decide(i, params)
	}
	v := &g.verdicts[i]
	if v.version != g.version {
		p, ok := g.decide(i, params)
		*v = verdict{g.version, !ok, p}
	}
	return v.passer, !v.stops
}

// decide checks the gates in their order, without the cache.
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
	// The length is checked first, so that new games do not hash ids needlessly.
	if len(g.state.Ledger.Cooldowns) > 0 && g.state.Ledger.Cooldowns[u.id] > g.state.Turn {
		return passer{}, false
	}
	if u.most >= 0 && g.state.Ledger.FireCounts[u.id] >= u.most {
		return passer{}, false
	}
	return passer{unit: i}, true
}

// firing lets units fire and collects the effects of a hop.
type firing struct {
	reader *reader // of references in random operands
	opts   Options
	draws  []float64
	units  []int32 // the units that fired in this hop

	// The results of the hop so far; harvest copies them. arena has the effects of all firings, and
	// ends has the end of each firing in it.
	fired []Fired
	ends  []int
	arena []effect.Effect
	pool  []effect.Attributed
}

// random draws a number in [0, 1) and records it.
func (f *firing) random() float64 {
	n := f.opts.draw()
	f.draws = append(f.draws, n)
	return n
}

// tell records the else message of a unit whose conditions failed.
func (f *firing) tell(u *unit, params tree.Value) {
	text := u.otherwise
	if params.IsObject() {
		text = report.Print(text, params)
	}
	notice := effect.Notify{Message: text, Style: "warning", Quiet: true}
	f.pool = append(f.pool, effect.Attributed{Source: u.id, Effect: notice})
}

// fire lets unit i fire for the n-th event of the hop.
func (f *firing) fire(i int32, u *unit, n int, h *happening, params tree.Value) {
	start := len(f.arena)
	for k := range u.then {
		f.instantiate(&u.then[k], params)
	}
	for _, asked := range f.arena[start:] {
		f.pool = append(f.pool, effect.Attributed{Source: u.id, Effect: asked})
	}
	f.fired = append(f.fired, Fired{ID: u.id, Event: h.spelled(), Index: n})
	f.ends = append(f.ends, len(f.arena))
	f.units = append(f.units, i)
}

// instantiate appends the final form of one effect of a firing unit.
func (f *firing) instantiate(p *plan, params tree.Value) {
	asked := p.effect
	if p.tokens && params.IsObject() {
		asked = effect.Fill(asked, params)
	}
	if !p.dynamic {
		f.arena = append(f.arena, asked)
		return
	}
	// The operand is drawn now and not when the effect is applied. So the recorded effects of a
	// chain contain the result, and replay without a source of random numbers.
	set, _ := asked.(effect.SetVariable)
	for _, drawn := range set.Drawn(f.reader.read, f.random) {
		f.arena = append(f.arena, drawn)
	}
}

// harvest copies the results of the hop into lists of the exact size, which belong to the caller.
// Then it empties the working lists, which must not keep this game's values alive.
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

// take returns a copy of the list, or nil if it is empty, and clears the list.
func take[T any](list *[]T) []T {
	if len(*list) == 0 {
		return nil
	}
	out := slices.Clone(*list)
	clear(*list)
	*list = (*list)[:0]
	return out
}
