package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
)

// Explaining runs the gates again, one by one, for each unit that an event concerned. It is
// separate from evaluation, so that evaluation has only one branch for it: whether a trace is
// requested. A test checks that both agree.

// The texts are stable, for tests and for tools that show them: "disabled", "pattern", "module not
// active", "condition 2: hp 35 lt 20", "none of 2 conditions holds", "stop condition 1: …",
// "cooldown 2 left", "count 2 of 2", "chance 10: not this time", "once: …", "fired". Conditions
// count from 1. A regular expression that takes too many steps is reported after "pattern: ".

// tracer collects the traces of one hop.
type tracer struct {
	set    *Program
	hop    int
	on     []string // types of the hop's events
	all    string   // each type once, sorted
	traces []Trace
	last   []int32 // the newest trace of each unit, plus one; 0 means none
}

// newTracer starts the traces of a hop with these events and the given number of changes after
// them.
func newTracer(s *Program, hop int, events []event.Event, changes int) *tracer {
	t := &tracer{set: s, hop: hop, last: make([]int32, len(s.units))}
	for _, e := range events {
		t.on = append(t.on, strings.ToValidUTF8(e.Type, "�"))
	}
	t.on = append(t.on, slices.Repeat([]string{event.TypeStateChanged}, changes)...)
	t.all = strings.Join(slices.Compact(slices.Sorted(slices.Values(t.on))), ", ")
	return t
}

// add appends a trace.
func (t *tracer) add(i int32, event int, gate, text string) {
	u := &t.set.units[i]
	on := t.all
	if event >= 0 {
		on = t.on[event]
	}
	t.traces = append(t.traces, Trace{
		ID: u.id, Path: u.path, Hop: t.hop, Event: event, On: on, Gate: gate, Text: text,
	})
	t.last[i] = int32(len(t.traces))
}

// fired records that a unit fired, as its final result. A nil tracer records nothing.
func (t *tracer) fired(i int32, event int) {
	if t != nil {
		t.replace(i, event, "fired", "fired")
	}
}

// unlucky records that a unit failed its chance, as its final result. A nil tracer records nothing.
func (t *tracer) unlucky(i int32, event int, chance float64) {
	if t != nil {
		t.replace(i, event, "chance", fmt.Sprintf("chance %s: not this time", numberText(chance)))
	}
}

// replace sets the final result of an event's trace.
func (t *tracer) replace(i int32, event int, gate, text string) {
	if n := t.last[i]; n > 0 && t.traces[n-1].Event == event {
		t.traces[n-1].Gate, t.traces[n-1].Text = gate, text
		return
	}
	t.add(i, event, gate, text)
}

// explain traces the effect of an event on each unit, before evaluation. The last gate that it can
// report is chance. The result of chance and firing is known afterwards and replaces it.
func (t *tracer) explain(event int, e event.Event, f *finder, g *gates) {
	for _, i := range f.givenUp {
		if !f.has(i) && g.enabled(&t.set.units[i]) {
			t.add(i, event, "pattern",
				"pattern: a regular expression takes too many steps on this text, and was given up")
		}
	}
	params := e.Fields.Get("params")
	for i := range int32(len(t.set.units)) {
		switch {
		case !g.enabled(&t.set.units[i]):
			if t.last[i] == 0 {
				t.add(i, -1, "disabled", "disabled")
			}
		case f.has(i):
			gate, text := g.stoppedAt(i, params)
			t.add(i, event, gate, text)
		}
	}
}

// list returns the traces; units that no event concerned come last. A nil tracer records nothing.
func (t *tracer) list() []Trace {
	if t == nil {
		return nil
	}
	for i := range t.set.units {
		if t.last[i] == 0 {
			t.add(int32(i), -1, "pattern", "pattern")
		}
	}
	return t.traces
}

// stoppedAt returns the first gate after the pattern at which a unit stops.
func (g *gates) stoppedAt(i int32, params tree.Value) (gate, text string) {
	u := &g.set.units[i]
	ledger := &g.state.Ledger
	switch {
	case g.hasFired(i):
		return "once", "once: it has fired in this chain"
	case !g.moduleActive(u.module):
		return "module", "module not active"
	}
	if g.fails(u.tests, u.anyTest, params) {
		return g.failedCondition(u, params)
	}
	for k := range u.stopTests {
		if u.stopTests[k].holds(&g.reader, params) {
			gate = "stop condition " + strconv.Itoa(k+1)
			return gate, gate + ": " + g.describe(&u.stopTests[k], params)
		}
	}
	if left := ledger.Cooldowns[u.id] - g.state.Turn; left > 0 {
		return "cooldown", fmt.Sprintf("cooldown %d left", left)
	}
	if u.maxFirings >= 0 && ledger.FireCounts[u.id] >= u.maxFirings {
		return "count", fmt.Sprintf("count %d of %d", ledger.FireCounts[u.id], u.maxFirings)
	}
	return "chance", "chance"
}

// failedCondition names the first condition that does not hold. With [Any] no condition holds, and
// naming one would mislead.
func (v *view) failedCondition(u *unit, params tree.Value) (gate, text string) {
	if u.anyTest {
		return "condition any", "none of " + strconv.Itoa(len(u.tests)) + " conditions holds"
	}
	for k := range u.tests {
		if !u.tests[k].holds(&v.reader, params) {
			gate = "condition " + strconv.Itoa(k+1)
			return gate, gate + ": " + v.describe(&u.tests[k], params)
		}
	}
	return "condition", "condition"
}

// describe prints a condition with the values that decided it.
func (v *view) describe(t *test, params tree.Value) string {
	slots := v.set.slots
	shown := "is missing"
	if left := v.slotValue(t.left).value; left.Exists() {
		shown = short(left)
	}
	// The right side is shown as it was compared, with its name if it has one.
	right := short(t.compared(&v.reader, params).value)
	if isParam := t.param != "" && params.IsObject(); t.right >= 0 && !isParam {
		right = slots[t.right].text + " " + right
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
