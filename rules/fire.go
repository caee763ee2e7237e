package rules

import (
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
	passing  []passer

	chain uint64   // stamp of the chain
	fired []uint64 // by id number: the chain in which it fired
	once  bool     // only the first firing of an id counts
}

// verdict is the decision of the gates on a unit for one version of the state.
type verdict struct {
	version          uint64
	stops, otherwise bool
}

// passer is a unit that passed its gates, or a unit whose conditions failed and that has an else
// message.
type passer struct {
	unit      int32
	otherwise bool
}

// pass returns the units that pass the gates, in the order of evaluation. The list is valid until
// the next call.
func (g *gates) pass(found []int32, params tree.Value) []passer {
	g.passing = g.passing[:0]
	for _, i := range found {
		if p, ok := g.check(i, params); ok {
			g.passing = append(g.passing, p)
		}
	}
	slices.SortFunc(g.passing, func(a, b passer) int { return int(a.unit - b.unit) })
	return g.passing
}

// hasFired reports whether the id of a unit has already fired in this chain.
func (g *gates) hasFired(i int32) bool { return g.once && g.fired[g.set.numbers[i]] == g.chain }

// markFired records that a unit has fired.
func (g *gates) markFired(i int32) { g.fired[g.set.numbers[i]] = g.chain }

// closed reports whether it is certain that a unit cannot fire any more in this hop.
func (g *gates) closed(i int32) bool {
	v := &g.verdicts[i]
	return v.version == g.version && v.stops || g.hasFired(i)
}

// check checks the gates that draw no random number, for a unit whose WHEN is satisfied.
func (g *gates) check(i int32, params tree.Value) (passer, bool) {
	if g.hasFired(i) {
		return passer{}, false
	}
	if params.IsObject() { // parameters differ from event to event
		return g.decide(i, params)
	}
	v := &g.verdicts[i]
	if v.version != g.version {
		p, ok := g.decide(i, params)
		*v = verdict{g.version, !ok, p.otherwise}
	}
	return passer{i, v.otherwise}, !v.stops
}

// decide checks the gates in their order, without the cache.
func (g *gates) decide(i int32, params tree.Value) (passer, bool) {
	u := &g.set.units[i]
	if !g.enabled(u) || !g.moduleActive(u.module) {
		return passer{}, false
	}
	if g.fails(u.tests, u.anyTest, params) {
		return passer{unit: i, otherwise: true}, u.otherwise != ""
	}
	switch ledger := &g.state.Ledger; {
	case len(u.stopTests) > 0 && !g.fails(u.stopTests, true, params): // one of them holds
	case len(ledger.Cooldowns) > 0 && ledger.Cooldowns[u.id] > g.state.Turn: // new games hash no ids
	case u.maxFirings >= 0 && ledger.FireCounts[u.id] >= u.maxFirings:
	default:
		return passer{unit: i}, true
	}
	return passer{}, false
}

// firing lets units fire and collects the effects of a hop.
type firing struct {
	reader *reader // of references in random operands
	opts   Options
	draws  []float64
	units  []int32 // the units that fired in this hop

	// The results of the hop so far; takeResults copies them.
	fired      []Fired
	effectEnds []int               // for each firing, the end of its effects in the list effects
	effects    []effect.Effect     // of all firings, in order
	attributed []effect.Attributed // the same effects and the else messages, with their sources
}

// random draws a number in [0, 1) and records it.
func (f *firing) random() float64 {
	n := f.opts.draw()
	f.draws = append(f.draws, n)
	return n
}

// addElseNotice records the else message of a unit whose conditions failed.
func (f *firing) addElseNotice(u *unit, params tree.Value) {
	text := u.otherwise
	if params.IsObject() {
		text = report.Print(text, params)
	}
	notice := effect.Notify{Message: text, Style: "warning", Quiet: true}
	f.attributed = append(f.attributed, effect.Attributed{Source: u.id, Effect: notice})
}

// fire lets unit i fire for the n-th event of the hop.
func (f *firing) fire(i int32, u *unit, n int, h *happening, params tree.Value) {
	start := len(f.effects)
	for k := range u.effects {
		f.addEffect(&u.effects[k], params)
	}
	for _, asked := range f.effects[start:] {
		f.attributed = append(f.attributed, effect.Attributed{Source: u.id, Effect: asked})
	}
	f.fired = append(f.fired, Fired{ID: u.id, Event: h.builtEvent(), Index: n})
	f.effectEnds = append(f.effectEnds, len(f.effects))
	f.units = append(f.units, i)
}

// addEffect appends the final form of one effect of a firing unit.
func (f *firing) addEffect(p *plan, params tree.Value) {
	asked := p.effect
	if p.tokens && params.IsObject() {
		asked = effect.Fill(asked, params)
	}
	if !p.dynamic {
		f.effects = append(f.effects, asked)
		return
	}
	// The operand is drawn now and not when the effect is applied. So the recorded effects of a
	// chain contain the result, and replay without a source of random numbers.
	set, _ := asked.(effect.SetVariable)
	for _, drawn := range set.Drawn(f.reader.read, f.random) {
		f.effects = append(f.effects, drawn)
	}
}

// takeResults copies the results of the hop into lists of the exact size, which belong to the
// caller. Then it empties the working lists, which must not keep this game's values alive.
func (f *firing) takeResults() Evaluation {
	if len(f.attributed)+len(f.fired) == 0 {
		return Evaluation{}
	}
	out := Evaluation{Fired: takeAll(&f.fired), Effects: takeAll(&f.attributed)}
	effects, start := takeAll(&f.effects), 0
	for i, end := range f.effectEnds {
		out.Fired[i].Effects = effects[start:end:end]
		start = end
	}
	f.effectEnds = f.effectEnds[:0]
	return out
}

// takeAll returns a copy of the list, or nil if it is empty, and clears the list.
func takeAll[T any](list *[]T) []T {
	if len(*list) == 0 {
		return nil
	}
	out := slices.Clone(*list)
	clear(*list)
	*list = (*list)[:0]
	return out
}
