package rules

import (
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// Evaluation has three steps for each event. The index returns the units that the event concerns.
// The gates remove the units that may not fire. The remaining units fire in order. Only the last
// step draws random numbers. So the order of draws is the documented order of firing, and not the
// order of the index, which may change.
//
// All memory is reused between calls. An event that fires nothing allocates nothing. Marks are
// numbered instead of cleared: a mark is valid if it has the number of the present event, hop or
// chain.

// Evaluate decides what fires for a list of events and applies nothing. For each event, the rules
// and reactions pass their gates in order of priority and then of place, rules first:
//
//  1. It is enabled, by the run-time switch, or else the authored flag, and its module is active.
//  2. Its trigger or event pattern matches.
//  3. Its conditions hold. If they fail, its else message becomes a notice.
//  4. No stop condition holds.
//  5. Its cooldown is over.
//  6. It has fired less often than its maximum.
//  7. Its chance. Only this gate draws a random number.
//
// All gates use the given state: no firing changes the view of a different rule, and one rule may
// fire for several events. [Program.Run] runs the whole chain.
func (s *Program) Evaluate(st State, events []event.Event, opts Options) Evaluation {
	return s.evaluate(&st, nil, events, &opts)
}

// evaluate runs one hop without a chain.
func (s *Program) evaluate(st *State, vars Vars, events []event.Event, opts *Options) Evaluation {
	r := s.orNone().begin(st, vars, opts)
	out := r.hop(1, events, nil)
	out.Draws = r.firing.draws
	r.end()
	return out
}

// Evaluate decides which rules fire for events, for tests and small uses. It compiles the rules
// each time; see [Compile] and [Program.Evaluate]. Chances and random operands draw 0.5.
func Evaluate(list []Rule, events []event.Event, vars Vars) []Fired {
	set, _ := Compile(Content{Rules: list})
	return set.EvaluateVars(vars, events)
}

// EvaluateVars is [Program.Evaluate] for a new game with variables from any source.
func (s *Program) EvaluateVars(vars Vars, events []event.Event) []Fired {
	return s.evaluate(&State{}, vars, events, &Options{}).Fired
}

// run is the working memory of one evaluation or chain, with a part for each step. It comes from
// the Program's pool. No data in it outlives the call.
type run struct {
	finder   finder
	gates    gates
	firing   firing
	ownState State // the state of an evaluation; a chain's state is in its writer
	lists    chainLists
}

// chainLists are the lists of a chain's writer, kept so that the next chain finds them allocated.
type chainLists struct {
	changes []tree.Change
	host    []effect.Attributed
	raised  []event.Event
}

// newRun allocates the working memory for a program.
func newRun(s *Program) *run {
	r := &run{
		finder: finder{
			set:     s,
			seen:    make([]uint64, len(s.units)),
			live:    make([]liveList, s.index.Changes.Lists),
			foundIn: make([]uint64, max(len(s.index.Texts[0].Units), len(s.index.Texts[1].Units))),
		},
		gates: gates{
			view: view{
				reader: reader{set: s, readings: make([]reading, len(s.slots))},
				active: make([]moduleState, len(s.modules)),
			},
			fired:    make([]uint64, len(s.units)),
			verdicts: make([]verdict, len(s.units)),
		},
	}
	r.finder.gates, r.firing.reader = &r.gates, &r.gates.reader
	r.finder.wordEdges = func(_, start, end int) bool {
		return isWholeWord(r.finder.folded, start, end)
	}
	return r
}

// begin prepares working memory for an evaluation of st. A chain sets the state itself.
func (s *Program) begin(st *State, vars Vars, opts *Options) *run {
	r, _ := s.scratch.Get().(*run)
	if r == nil {
		r = newRun(s)
	}
	r.ownState = *st
	r.finder.explain, r.firing.opts = opts.Explain, *opts
	r.gates.vars, r.gates.state = vars, &r.ownState
	r.gates.chain, r.gates.once = r.gates.chain+1, false
	r.gates.refresh()
	return r
}

// end returns the memory to the pool. It first clears all data of this game, because the next user
// is a different game.
func (r *run) end() {
	r.gates.clear()
	r.gates.state = nil
	r.ownState, r.firing.opts = State{}, Options{}
	r.firing.draws, r.firing.units = nil, r.firing.units[:0]
	r.finder.set.scratch.Put(r)
}

// hop evaluates events, and then changes, against the present state of the run.
func (r *run) hop(number int, events []event.Event, changes []tree.Change) Evaluation {
	set := r.finder.set
	var traces *tracer
	if r.finder.explain {
		traces = newTracer(set, number, events, len(changes))
	}
	for n := range len(events) + len(changes) {
		h := set.schema.happeningAt(n, events, changes)
		found := r.finder.find(&h)
		if (len(found) > 0 || traces != nil) && h.mendText() {
			found = r.finder.find(&h) // the recorded event must be the mended one
		}
		if traces != nil {
			traces.explain(n, h.builtEvent(), &r.finder, &r.gates)
		}
		if len(found) == 0 {
			continue
		}
		// All gates come before all firings, so that no firing affects the gates of a different
		// unit.
		params := h.params()
		passed := r.gates.pass(found, params)
		fired := len(r.firing.units)
		for _, p := range passed {
			switch u := &set.units[p.unit]; {
			case p.otherwise:
				r.firing.addElseNotice(u, params)
			case u.chance < 100 && r.firing.random()*100 >= u.chance:
				traces.unlucky(p.unit, n, u.chance)
			default:
				r.firing.fire(p.unit, u, n, &h, params)
				traces.fired(p.unit, n)
			}
		}
		for _, i := range r.firing.units[fired:] { // only now, because units of one id fire together
			r.gates.markFired(i)
		}
	}
	out := r.firing.takeResults()
	out.Trace = traces.list()
	return out
}
