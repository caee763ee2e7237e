package rules

import (
	"fmt"
	"math"
	"strconv"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/condition"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/match"
)

// Evaluation has three steps per event: the index yields the units that the event
// concerns, the gates take out those that may not fire, and what is left fires in order.
// Only the last step draws random numbers, so that the order of draws is that of firing,
// which is documented, and not that of the index, which may change.
//
// All memory is reused between calls; an event that fires nothing allocates nothing. Marks
// are numbered instead of being cleared: a mark counts if it carries the number of the
// present event, hop or chain.

// run is the working memory of one evaluation or chain. It comes from the Program's
// pool; nothing in it outlives the call.
type run struct {
	reader
	// state is that of the chain, which changes from hop to hop, or the run's own copy of
	// what an evaluation was given.
	state *State
	own   State
	opts  Options

	// The index marks what it finds with the stamp of the event, once however many of its
	// shelves hold a unit.
	stamp uint32
	seen  []uint32 // by unit
	found []int32
	pass  []passer // those of found that got through the gates

	chain     uint32   // stamp of the chain
	fired     []uint32 // by id number: the chain in which it fired
	justFired []int32  // units that fired in this hop
	once      bool     // only the first firing of an id counts

	// verdicts remembers what the gates said of a unit: within one hop they say the
	// same for every event without parameters. live is what is left of the units that
	// watch a variable, when all that cannot fire any more in this hop are taken out.
	verdicts []verdict
	live     []liveList // by watched variable

	active []moduleState // by module

	// Of the present text: itself in lower case, the keywords that were found, and the same
	// by keyword, as the stamp of the text that holds it.
	folded []byte
	gaveUp []int32 // units of which a regular expression was given up
	hits   []int32
	heard  []uint32

	wordEdges func(id, start, end int) bool
	draws     []float64
	traces    *tracer

	// What the hop has gathered so far; harvest copies it. Effects of all firings are in
	// arena, those of one end where its place in ends says.
	firings []Fired
	ends    []int
	arena   []effect.Effect
	pool    []effect.Caused

	// Lists of a chain's writer.
	changes []tree.Change
	host    []effect.Caused
	raised  []event.Event
}

// liveList is a list of watchers as it is at one version of the state.
type liveList struct {
	version uint32
	units   []int32
}

// moduleState remembers within one hop whether a module is active.
type moduleState uint8

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
	fired     bool
}

// begin takes working memory for an evaluation of st. A chain sets the state itself.
func (s *Program) begin(st *State, vars condition.Vars, opts *Options) *run {
	r, _ := s.scratch.Get().(*run)
	if r == nil {
		r = &run{
			seen:     make([]uint32, len(s.units)),
			fired:    make([]uint32, s.ids),
			verdicts: make([]verdict, len(s.units)),
			active:   make([]moduleState, len(s.modules)),
			live:     make([]liveList, s.index.Changes.Lists),
		}
		r.set = s
		r.readings = make([]reading, len(s.slots))
		keywords := max(len(s.index.Texts[0].Units), len(s.index.Texts[1].Units))
		r.heard = make([]uint32, keywords)
		r.wordEdges = func(_, start, end int) bool {
			return match.StandsAlone(r.folded, start, end)
		}
	}
	r.own, r.opts, r.vars = *st, *opts, vars
	r.state = &r.own
	// After four thousand million chains in one memory the numbers begin anew.
	if r.chain == math.MaxUint32 {
		clear(r.fired)
		r.chain = 0
	}
	r.chain++
	r.once = false
	r.look()
	return r
}

// look makes the run see the present state of its variables and switches.
func (r *run) look() {
	r.views = r.state.Views
	if again := r.use(r.state.Variables.Root()); again {
		clear(r.verdicts)
		for i := range r.live {
			r.live[i].version = 0
		}
	}
	clear(r.active)
}

// end gives the memory back. Whatever belongs to this game is cleared first: the next one
// to use the memory is another game.
func (r *run) end() {
	r.forget()
	r.state, r.traces = nil, nil
	r.own, r.opts = State{}, Options{}
	r.draws, r.justFired = nil, r.justFired[:0]
	r.set.scratch.Put(r)
}

// nextStamp starts a new event. Stamps make clearing the marks of the last event
// unnecessary.
func (r *run) nextStamp() {
	if r.stamp == math.MaxUint32 {
		clear(r.seen)
		clear(r.heard)
		r.stamp = 0
	}
	r.stamp++
}

// enabled asks the run-time switch first: it beats the authored flag both ways.
func (r *run) enabled(u *unit) bool {
	if len(r.state.Ledger.Enabled) > 0 {
		if on, ok := r.state.Ledger.Enabled[u.id]; ok {
			return on
		}
	}
	return u.on
}

// failing reports whether a list of conditions does not hold.
func (r *run) failing(tests []test, any bool, params tree.Value) bool {
	for k := range tests {
		if tests[k].holds(&r.reader, params) == any {
			return !any
		}
	}
	return any && len(tests) > 0
}

// tracer collects the traces of one hop.
type tracer struct {
	set    *Program
	hop    int
	traces []Trace
	last   []int32 // the newest trace of each unit, and one; 0: none
}

// newTracer starts the traces of a hop.
func newTracer(s *Program, hop int) *tracer {
	return &tracer{set: s, hop: hop, last: make([]int32, len(s.units))}
}

// add appends a trace.
func (t *tracer) add(i int32, event int, gate, text string) {
	u := &t.set.units[i]
	t.traces = append(t.traces, Trace{
		ID: u.id, Path: u.path, Hop: t.hop, Event: event, Gate: gate, Text: text,
	})
	t.last[i] = int32(len(t.traces))
}

// fired is the last word on a unit that fired.
func (t *tracer) fired(i int32, event int) { t.replace(i, event, "fired", "fired") }

// unlucky is the last word on a unit that chance was against.
func (t *tracer) unlucky(i int32, event int, chance float64) {
	t.replace(i, event, "chance", fmt.Sprintf("chance %s: not this time", number(chance)))
}

// replace gives the trace of an event its last word.
func (t *tracer) replace(i int32, event int, gate, text string) {
	if n := t.last[i]; n > 0 && t.traces[n-1].Event == event {
		t.traces[n-1].Gate, t.traces[n-1].Text = gate, text
		return
	}
	t.add(i, event, gate, text)
}

// list returns the traces, those of units that no event concerned last.
func (t *tracer) list() []Trace {
	for i := range t.set.units {
		if t.last[i] == 0 {
			t.add(int32(i), -1, "pattern", "pattern")
		}
	}
	return t.traces
}

// number prints a number without a needless fraction.
func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
