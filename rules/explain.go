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
