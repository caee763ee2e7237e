package mvu

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/talewright/talewright/internal/jsregex"
	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/memvars/tree"
)

// check reads a bound or a change of texts. It returns nil for any other method.
func (r *zodReader) check(name string, arg *scriptExpr) zodCheck {
	switch name {
	case "int", "safe":
		return requireInteger
	case "trim":
		return changeText(keyindex.TrimSpace)
	case "toLowerCase":
		return changeText(strings.ToLower)
	case "toUpperCase":
		return changeText(strings.ToUpper)
	case "regex":
		return pattern(r.resolve(arg))
	}
	bound := boundChecks[name]
	if bound.limit != "" {
		return limitBy(bound.limit, bound.order)
	}
	v, _ := r.literal(arg)
	text, isText := v.AsText()
	number, isNumber := v.AsNumber()
	switch has := textChecks[name]; {
	case isText && has != nil:
		return contains(name, text, has)
	case isNumber && bound.order != nil:
		return limitBy(number, bound.order)
	case isNumber && (name == "multipleOf" || name == "step"):
		return requireMultiple(number)
	}
	return nil
}

// boundChecks are the methods that compare a number or a length with a bound. Without a limit the bound is
// their argument.
var boundChecks = map[string]struct {
	order *order
	limit tree.Number
}{
	"positive": {moreThan, "0"}, "negative": {lessThan, "0"},
	"nonnegative": {atLeast, "0"}, "nonpositive": {atMost, "0"}, "nonempty": {atLeast, "1"},
	"min": {order: atLeast}, "gte": {order: atLeast}, "max": {order: atMost}, "lte": {order: atMost},
	"gt": {order: moreThan}, "lt": {order: lessThan}, "length": {order: exactly},
}

// textChecks are the methods that seek their argument in a text.
var textChecks = map[string]func(s, part string) bool{
	"includes": strings.Contains, "startsWith": strings.HasPrefix, "endsWith": strings.HasSuffix,
}

// measure returns what bounds compare: a number, or the length of a text or a list.
func measure(v tree.Value) (n tree.Number, what string) {
	switch v.Kind() {
	case tree.KindText:
		text, _ := v.AsText()
		return tree.Number(strconv.Itoa(len(utf16.Encode([]rune(text))))), "the length"
	case tree.KindArray, tree.KindObject:
		return tree.Number(strconv.Itoa(v.Len())), "the number of elements"
	}
	n, _ = v.AsNumber()
	return n, "the number"
}

// order says how a number or a length compares with a bound.
type order struct {
	name  string
	holds func(compared int) bool
}

var (
	moreThan = &order{"more than", func(compared int) bool { return compared > 0 }}
	atLeast  = &order{"at least", func(compared int) bool { return compared >= 0 }}
	exactly  = &order{"exactly", func(compared int) bool { return compared == 0 }}
	atMost   = &order{"at most", func(compared int) bool { return compared <= 0 }}
	lessThan = &order{"less than", func(compared int) bool { return compared < 0 }}
)

// limitBy compares a number or a length with a bound.
func limitBy(limit tree.Number, o *order) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		n, what := measure(v)
		if n != "" && !o.holds(n.Cmp(limit)) {
			return v, refuse("%s must be %s %s, found %s", what, o.name, limit, n)
		}
		return v, nil
	}
}

// requireInteger refuses numbers that are not integers within the exact range of JavaScript.
func requireInteger(_ *zodRun, v tree.Value) (tree.Value, *refusal) {
	if n, ok := v.AsFloat(); ok && (n != math.Trunc(n) || math.Abs(n) > 1<<53-1) {
		return v, refuse("expected a whole number, found %s", describeValue(v))
	}
	return v, nil
}

// requireMultiple refuses numbers that are not a multiple.
func requireMultiple(of tree.Number) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		n, _ := v.AsNumber()
		times := tree.Number(strconv.FormatFloat(math.Round(n.Float64()/of.Float64()), 'f', 0, 64))
		if !times.Valid() || times.Mul(of).Cmp(n) != 0 {
			return v, refuse("the number must be a multiple of %s, found %s", of, n)
		}
		return v, nil
	}
}

// changeText changes texts.
func changeText(change func(string) string) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		if text, ok := v.AsText(); ok {
			return tree.Text(change(text)), nil
		}
		return v, nil
	}
}

// contains tests a text for a part; what is the name of the method.
func contains(what, part string, has func(s, part string) bool) zodCheck {
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		if text, _ := v.AsText(); !has(text, part) {
			return v, refuse("%s(%s): found %s", what, strconv.Quote(part), describeValue(v))
		}
		return v, nil
	}
}

// pattern tests a text with a regular expression. It returns nil for a pattern that cannot be read.
func pattern(e *scriptExpr) zodCheck {
	if e.kind != exprPattern || strings.ContainsAny(e.flags, "gy") {
		return nil
	}
	re, err := jsregex.Compile(e.text, jsregex.Flags{IgnoreCase: strings.Contains(e.flags, "i"), Multiline: strings.Contains(e.flags, "m"),
		DotAll: strings.Contains(e.flags, "s"), Unicode: strings.Contains(e.flags, "u")})
	if err != nil {
		return nil
	}
	return func(p *zodRun, v tree.Value) (tree.Value, *refusal) {
		text, _ := v.AsText()
		if ok, err := re.Match(text); err != nil || !ok {
			return v, refuse("the text does not match /%s/, found %s", e.text, describeValue(v))
		}
		return v, nil
	}
}
