package rules

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/internal/report"
)

// Contradictory conditions are found with one interval for each variable. Every comparison with a
// constant narrows the interval. If it is empty, the list of conditions is never true. References
// to other variables and parameters of events are ignored, because their values are not known
// before play.

// This is not a solver: it checks one variable at a time, and only lists joined by all. Reported
// lists are certainly impossible. Other lists may still be impossible.

// conditions reports lists that can never hold.
func (r rule) conditions() {
	possible := r.each(r.Conditions, ".conditions")
	r.each(r.StopConditions, ".stopConditions")
	if r.ConditionLogic == Any || !possible {
		return
	}
	// The condition that empties the interval is reported, and not an earlier one: authors write
	// the exception last.
	ranges := make(map[string]*interval)
	for i, c := range r.Conditions {
		if c.ValueRef != "" || hasTokenValue(c.Value) {
			continue
		}
		left := ranges[c.VariableID]
		if left == nil {
			left = newInterval(r.variables[c.VariableID])
			ranges[c.VariableID] = left
		}
		if !left.narrow(c) {
			r.add(".conditions["+strconv.Itoa(i)+"]", codeContradiction,
				"excludes a condition before it, or the bounds of %s; the list is never true; change one, or join them with any",
				c.VariableID)
			return
		}
	}
}

// each checks every condition of a list alone, and reports whether all of them can hold. For a list
// with an impossible condition, contradictions need not be reported.
func (r rule) each(list []Condition, member string) (possible bool) {
	possible = true
	for i, c := range list {
		at := member + "[" + strconv.Itoa(i) + "]"
		if !slices.Contains(operators[:], c.Operator) {
			r.add(at+".operator", BadConditions,
				"unknown operator %q; the condition is never true; %s",
				c.Operator, report.Hint(c.Operator, operators[:]...))
			possible = false
			continue
		}
		if text := r.mismatch(c); text != "" {
			r.add(at, codeContradiction, "%s", text)
			possible = false
		}
	}
	return possible
}

// hasTokenValue reports whether a value has a parameter, whose value is not known before play.
func hasTokenValue(v tree.Value) bool {
	s, ok := v.AsText()
	return ok && report.HasToken(s)
}

// mismatch returns the reason why a condition is never true for a variable of its declared type.
func (n *names) mismatch(c Condition) string {
	d, ok := n.variables[c.VariableID]
	if !ok || c.ValueRef != "" || d.Type == TypeJSON || hasTokenValue(c.Value) {
		return ""
	}
	// A json variable may have any value at any time, and a reference is known only during play.
	// For all others the declaration is sufficient.
	switch c.Operator {
	case Gt, Gte, Lt, Lte:
		if d.Type != TypeNumber {
			return string(c.Operator) + " compares numbers, and " + d.ID + " is " + string(d.Type) +
				"; use eq or neq"
		}
	case Contains:
		if d.Type != TypeString {
			return "contains looks into texts and lists, and " + d.ID + " is " + string(d.Type) +
				"; use a different operator"
		}
	case Neq:
		return "" // always true is useless, but it can hold
	}
	if !d.Type.fits(c.Value) {
		return "compares " + d.ID + ", which is " + string(d.Type) + ", with " + c.Value.Kind().String()
	}
	return ""
}

// interval is the set of values of a variable that the conditions so far allow.
type interval struct {
	low, high         float64
	openLow, openHigh bool         // the limit itself is excluded
	equal             *tree.Value  // the one value that eq allows
	not               []tree.Value // the values that neq excludes
}

// newInterval starts with the bounds of the variable, because its value is always within them.
func newInterval(d Variable) *interval {
	r := &interval{low: math.Inf(-1), high: math.Inf(1)}
	if d.Min != nil {
		r.low = *d.Min
	}
	if d.Max != nil {
		r.high = *d.Max
	}
	return r
}

// narrow applies a condition and reports whether any value is left.
func (r *interval) narrow(c Condition) bool {
	n, isNum := c.Value.AsFloat()
	switch c.Operator {
	case Eq:
		if r.equal != nil {
			return r.equal.Equal(c.Value)
		}
		r.equal = &c.Value
		if slices.ContainsFunc(r.not, c.Value.Equal) {
			return false
		}
	case Neq:
		if r.equal != nil && r.equal.Equal(c.Value) {
			return false
		}
		r.not = append(r.not, c.Value)
		return true // there are always other values
	case Gt, Gte:
		// Of two limits the narrower counts. Of equal limits the exclusive one counts. A comparison
		// with a value that is not a number is reported separately.
		if isNum && (n > r.low || n == r.low && c.Operator == Gt) {
			r.low, r.openLow = n, c.Operator == Gt
		}
	case Lt, Lte:
		if isNum && (n < r.high || n == r.high && c.Operator == Lt) {
			r.high, r.openHigh = n, c.Operator == Lt
		}
	}
	return r.leaves()
}

// leaves reports whether any value is left.
func (r *interval) leaves() bool {
	if r.low > r.high || r.low == r.high && (r.openLow || r.openHigh) {
		return false
	}
	if r.equal == nil {
		return true
	}
	// A value that is not a number satisfies no comparison, so any limit excludes it.
	n, isNum := r.equal.AsFloat()
	if !isNum {
		return math.IsInf(r.low, -1) && math.IsInf(r.high, 1)
	}
	return (n > r.low || n == r.low && !r.openLow) && (n < r.high || n == r.high && !r.openHigh)
}

// cycles reports each cycle at its first member.
func (v *vetting) cycles() {
	place := make(map[string]string)
	for _, h := range v.list {
		place[h.ID] = cmp.Or(place[h.ID], h.path)
	}
	for _, circle := range cycles(v.content) {
		way := strings.Join(append(slices.Clone(circle), circle[0]), " → ")
		v.note(place[circle[0]], circle[0], codeCycle,
			"causes itself: %s; each fires once per chain; break the circle if that is not meant", way)
	}
}

// conflicts reports pairs of rules that set one variable to different values for the same trigger,
// without conditions that could separate them.
func (v *vetting) conflicts() {
	type claim struct{ id, value string }
	// Triggers are compared by their complete JSON: two different triggers may fire at different
	// times.
	claims := make(map[string]claim)
	for _, h := range v.list {
		// Conditions may separate the two rules, and patterns match in too many ways to compare.
		if len(h.Conditions) > 0 || h.Trigger == nil || h.Trigger.Type == Manual {
			continue
		}
		trigger, err := h.Trigger.MarshalJSON()
		if err != nil {
			continue
		}
		for _, e := range h.Then {
			set, ok := e.(effect.SetVariable)
			constant := ok && set.ValueRef == "" && set.Random == nil &&
				(set.Operation == effect.Set || set.Operation == "")
			if !constant {
				continue
			}
			// Different priorities express which rule should win.
			key := string(trigger) + "\x00" + set.Path + "\x00" + numberText(h.Priority)
			was, claimed := claims[key]
			if claimed && was.id != h.ID && was.value != set.Value.String() {
				v.note(h.path, h.ID, codeConflict,
					"sets %s to %s where %s sets it to %s, for the same trigger; the later one wins; give them priorities or conditions",
					set.Path, set.Value.String(), was.id, was.value)
			}
			claims[key] = claim{h.ID, set.Value.String()}
		}
	}
}
