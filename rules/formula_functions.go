package rules

import (
	"math"
	"strings"
)

// function is a function with its numbers of arguments; most 0 means no limit.
type function struct {
	least, most int
	apply       func(args []value) float64 // NaN if the arguments have no result
}

// functions returns the function with a lower-case name.
func functions(name string) (function, bool) {
	switch name {
	case "min":
		return function{1, 0, func(a []value) float64 { return fold(a, math.Min) }}, true
	case "max":
		return function{1, 0, func(a []value) float64 { return fold(a, math.Max) }}, true
	case "sum": // an element that is not a number counts as 0, which skips it
		return function{1, 0, func(a []value) float64 {
			return fold(a, func(x, y float64) float64 { return x + y })
		}}, true
	case "floor":
		return one(math.Floor), true
	case "ceil":
		return one(math.Ceil), true
	case "abs":
		return one(math.Abs), true
	case "round":
		// Halves round up: -2.5 becomes -2.
		return one(func(x float64) float64 { return math.Floor(x + 0.5) }), true
	case "len":
		return function{1, 1, func(a []value) float64 { return length(a[0]) }}, true
	case "clamp":
		return function{3, 3, func(a []value) float64 {
			// The upper limit counts if the two are swapped.
			return math.Min(math.Max(a[0].number(), a[1].number()), a[2].number())
		}}, true
	case "if":
		return function{3, 3, choose}, true
	}
	return function{}, false
}

// one converts a function of one number.
func one(f func(float64) float64) function {
	return function{1, 1, func(a []value) float64 { return f(a[0].number()) }}
}

// fold combines all arguments, including the elements of lists. The result of nothing is 0. An
// argument that is not a number makes the result NaN. In a list, whose content comes from the game,
// such an element is skipped.
func fold(args []value, join func(x, y float64) float64) float64 {
	// Lists may contain lists, such as the rows of a table.
	result, first := 0.0, true
	var walk func(list []value, inside bool)
	walk = func(list []value, inside bool) {
		for _, v := range list {
			if v.kind == isList {
				walk(v.list, true)
				continue
			}
			n := v.number()
			if inside && (math.IsNaN(n) || v.blank()) {
				continue
			}
			if first {
				result, first = n, false
			} else {
				result = join(result, n)
			}
		}
	}
	walk(args, false)
	return result
}

// blank reports whether a value is a number only because it is unset or empty.
func (v value) blank() bool { return v.unset || v.kind == isText && strings.TrimSpace(v.text) == "" }

// length counts elements, or the parts of a text that is used as a list.
func length(v value) float64 {
	switch v.kind {
	case isList:
		return float64(len(v.list))
	case isText:
		n := 0
		separates := func(r rune) bool { return r == ',' || r == '，' || r == '|' }
		for part := range strings.FieldsFuncSeq(v.text, separates) {
			if strings.TrimSpace(part) != "" {
				n++
			}
		}
		return float64(n)
	}
	return math.NaN()
}

// choose implements if. A number in the branch that is not taken must also be valid.
func choose(a []value) float64 {
	yes, no := a[1].number(), a[2].number()
	if a[0].truth() {
		return yes
	}
	return no
}
