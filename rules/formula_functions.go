package rules

import (
	"math"
	"strings"
)

// function is a function with the number of its arguments; most 0 is no bound.
type function struct {
	least, most int
	apply       func(args []value) float64 // NaN where the arguments have no result
}

// functions returns the function of a name in lower case.
func functions(name string) (function, bool) {
	switch name {
	case "min":
		return function{1, 0, func(a []value) float64 { return fold(a, math.Min) }}, true
	case "max":
		return function{1, 0, func(a []value) float64 { return fold(a, math.Max) }}, true
	case "sum": // an element that is no number counts as 0, which is passing it over
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
		// Halves go up, as authors know it: -2.5 becomes -2.
		return one(func(x float64) float64 { return math.Floor(x + 0.5) }), true
	case "len":
		return function{1, 1, func(a []value) float64 { return length(a[0]) }}, true
	case "clamp":
		return function{3, 3, func(a []value) float64 {
			// The upper bound wins where the two are swapped.
			return math.Min(math.Max(a[0].number(), a[1].number()), a[2].number())
		}}, true
	case "if":
		return function{3, 3, choose}, true
	}
	return function{}, false
}

// one is a function of one number.
func one(f func(float64) float64) function {
	return function{1, 1, func(a []value) float64 { return f(a[0].number()) }}
}

// fold joins all arguments, the elements of lists one by one. Of nothing it is 0. What is no
// number makes the result none where it is an argument; in a list, which holds what the game has
// put there, it is passed over.
func fold(args []value, join func(x, y float64) float64) float64 {
	// Lists may hold lists, such as the rows of a table.
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

// blank reports whether a value is a number only because nobody has filled it in.
func (v value) blank() bool { return v.unset || v.kind == isText && strings.TrimSpace(v.text) == "" }

// length counts elements, or the parts of a text that authors use as a list.
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

// choose is if: a number in a branch that is not taken still has to be one.
func choose(a []value) float64 {
	yes, no := a[1].number(), a[2].number()
	if a[0].truth() {
		return yes
	}
	return no
}
