package rules

import (
	"fmt"
	"strconv"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/param"
)

// Explaining asks the gates again, one after another, for each unit that an event
// concerned. It is separate from evaluation, so that evaluation has not a single branch
// for it beyond asking whether there is a listener; that both say the same is tested.

// The texts are stable, for tests and for tools that show them: "disabled", "pattern", "module
// not active", "condition 2: hp 35 lt 20", "none of 2 conditions holds", "stop condition 1: …",
// "cooldown 2 left", "count 2 of 2", "chance 10: not this time", "once: …", "fired". Conditions
// count from 1, as people do. A regular expression that takes too many steps says so behind
// "pattern: ".

// Trace says how far a rule or reaction came with the events of one hop, and why not
// further. There is one for each event that satisfied its WHEN, or a single one if
// none did.
type Trace struct {
	ID string `json:"id"`
	// Path is the place in the content, as in rules[3]. Ids need not be unique.
	Path string `json:"path"`
	// Hop counts from 1. Event is the place in the hop's events, -1 where none of them
	// satisfied the WHEN or the rule was off.
	Hop   int `json:"hop"`
	Event int `json:"event"`
	// Gate is "fired" or where it stopped: disabled, module, pattern,
	// "condition 2", "stop condition 1", cooldown, count, chance, once.
	Gate string `json:"gate"`
	// Text is the gate with its reason, as in "condition 2: hp 35 lt 20".
	Text string `json:"text"`
}

// String returns the id and the text.
func (t Trace) String() string { return t.ID + ": " + t.Text }

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

// explain traces what an event was to each unit, before it is evaluated. The last gate that
// it can name is chance; what really came of that, and of firing, is known afterwards and
// replaces it.
func (r *run) explain(event int, e event.Event) {
	for _, i := range r.gaveUp {
		if r.seen[i] != r.stamp && r.enabled(&r.set.units[i]) {
			r.traces.add(i, event, "pattern",
				"pattern: a regular expression takes too many steps on this text, and was given up")
		}
	}
	params := e.Fields.Get("params")
	for i := range r.set.units {
		u := &r.set.units[i]
		if !r.enabled(u) {
			if r.traces.last[i] == 0 {
				r.traces.add(int32(i), -1, "disabled", "disabled")
			}
			continue
		}
		if r.seen[i] != r.stamp {
			continue
		}
		gate, text := r.gateOf(int32(i), params)
		r.traces.add(int32(i), event, gate, text)
	}
}

// gateOf names the first gate behind the pattern at which a unit stops.
func (r *run) gateOf(i int32, params tree.Value) (gate, text string) {
	u := &r.set.units[i]
	ledger := &r.state.Ledger
	switch {
	case r.once && r.fired[r.set.numbers[i]] == r.chain:
		return "once", "once: it has fired in this chain"
	case !r.moduleActive(u.module):
		return "module", "module not active"
	}
	if r.failing(u.tests, u.any, params) {
		return r.failedCondition(u, params)
	}
	for k := range u.stops {
		if u.stops[k].holds(&r.reader, params) {
			gate = "stop condition " + strconv.Itoa(k+1)
			return gate, gate + ": " + r.describe(&u.stops[k], params)
		}
	}
	if left := ledger.Cooldowns[u.id] - r.state.Turn; left > 0 {
		return "cooldown", fmt.Sprintf("cooldown %d left", left)
	}
	if u.most >= 0 && ledger.FireCounts[u.id] >= u.most {
		return "count", fmt.Sprintf("count %d of %d", ledger.FireCounts[u.id], u.most)
	}
	return "chance", "chance"
}

// failedCondition names the first condition that does not hold. With [condition.Any] none does, and
// naming one would mislead.
func (r *run) failedCondition(u *unit, params tree.Value) (gate, text string) {
	if u.any {
		return "condition any", "none of " + strconv.Itoa(len(u.tests)) + " conditions holds"
	}
	for k := range u.tests {
		if !u.tests[k].holds(&r.reader, params) {
			gate = "condition " + strconv.Itoa(k+1)
			return gate, gate + ": " + r.describe(&u.tests[k], params)
		}
	}
	return "condition", "condition"
}

// describe prints a condition with the values that it was decided on.
func (r *run) describe(t *test, params tree.Value) string {
	slots := r.set.slots
	left := r.at(t.left).value
	shown := "is missing"
	if left.Exists() {
		shown = short(left)
	}
	// The right side is shown as it was compared, with its name where it has one.
	right := short(t.value)
	switch {
	case t.param != "" && params.IsObject():
		right = short(param.Value(params, t.param))
	case t.right >= 0:
		right = slots[t.right].text + " " + short(r.at(t.right).value)
	case t.tokens && params.IsObject():
		right = short(param.Fill(t.value, params))
	}
	return slots[t.left].text + " " + shown + " " + string(t.op) + " " + right
}

// short prints a value on one short line.
func short(v tree.Value) string {
	if !v.Exists() {
		return "missing"
	}
	return authorjson.Line(v.String())
}
