package hooks

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// path compiles a key such as payload.hp.current: equality with a scalar, or an
// object of operators that must all hold. A list is refused and not compared with:
// whoever writes one means "any of", as in the simple keys.
func (c *conditions) path(root, path string, want tree.Value, at place) term {
	find := finder(root, path)
	if find == nil {
		c.report(at, "unknown condition key: a path begins with payload, metadata, vars, "+
			"state or relationship, followed by keys%s",
			hint(root, "payload", "metadata", "vars", "state", "relationship"))
		return term{test: never}
	}
	t := term{actual: find}
	switch {
	case want.IsObject():
		ops, ok := c.operators(want, at)
		if !ok {
			t.test = never
			break
		}
		t.test = func(s *scene) bool {
			got := find(s)
			for _, op := range ops {
				if !op(got) {
					return false
				}
			}
			return true
		}
	case want.IsArray():
		c.report(at, "must be a scalar or an object of operators; for a list write {\"in\": […]}")
		t.test = never
	default:
		t.test = func(s *scene) bool { got := find(s); return got.Exists() && got.Equal(want) }
	}
	return t
}

// finder returns the reader of a path, nil if the path leads nowhere. Variables are
// the host's: it gets the path as it is written and has its own way to read it. All
// other values are walked by the keys of objects.
func finder(root, path string) func(*scene) tree.Value {
	keys := strings.Split(path, ".")
	if slices.Contains(keys, "") {
		return nil
	}
	var from func(*scene) tree.Value
	switch root {
	case "vars":
		return func(s *scene) tree.Value { return s.variable(path) }
	case "payload":
		from = func(s *scene) tree.Value { return s.event.Payload }
	case "metadata":
		from = func(s *scene) tree.Value { return s.event.Metadata }
	case "state":
		from = func(s *scene) tree.Value { return s.character }
	case "relationship":
		from = func(s *scene) tree.Value { return s.relationship }
	default:
		return nil
	}
	return func(s *scene) tree.Value {
		v := from(s)
		for _, k := range keys {
			v = v.Get(k) // keys of objects only: a list has no member 0
		}
		return v
	}
}

// operators compiles an object of operators. False means that one of them, or
// the object itself, is wrong, and the whole key is never true: the operators that
// are right would let pass what the wrong one was to keep out. An empty object is
// wrong too, though all of its operators hold.
func (c *conditions) operators(want tree.Value, at place) ([]func(tree.Value) bool, bool) {
	if want.Len() == 0 {
		c.report(at, "has no operator; write a scalar or one of eq ne gt gte lt lte in nin "+
			"contains exists")
		return nil, false
	}
	var ops []func(tree.Value) bool
	good := true
	for name, arg := range want.Members() {
		op, mistake := operator(name, arg)
		if mistake != "" {
			c.report(at.key(name), "%s", mistake)
			good = false
			continue
		}
		ops = append(ops, op)
	}
	return ops, good
}

// operator compiles one comparison with a value that may be absent. Types are
// strict; only the four orderings take plain decimal texts for numbers.
func operator(name string, arg tree.Value) (op func(tree.Value) bool, mistake string) {
	switch name {
	case "eq":
		return func(v tree.Value) bool { return v.Exists() && v.Equal(arg) }, ""
	case "ne":
		return func(v tree.Value) bool { return v.Exists() && !v.Equal(arg) }, ""
	case "gt":
		return ordering(arg, above)
	case "gte":
		return ordering(arg, atLeast)
	case "lt":
		return ordering(arg, below)
	case "lte":
		return ordering(arg, atMost)
	case "in", "nin":
		if !arg.IsArray() {
			return nil, "must be a list, not " + named(arg.Kind())
		}
		return func(v tree.Value) bool {
			return v.Exists() && contains(arg, v) == (name == "in")
		}, ""
	case "contains":
		return func(v tree.Value) bool { return contains(v, arg) }, ""
	case "exists":
		want, ok := arg.AsBool()
		if !ok {
			return nil, "must be true or false, not " + named(arg.Kind())
		}
		return func(v tree.Value) bool { return v.Exists() == want }, ""
	}
	return nil, "unknown operator; use eq ne gt gte lt lte in nin contains exists" +
		hint(name, "eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "exists")
}

// ordering compares two numbers, exactly: 0.1 and 0.2 are decimals in a game's rules,
// and must not be the nearest binary fractions.
func ordering(arg tree.Value, op func(int) bool) (func(tree.Value) bool, string) {
	limit, ok := asNumber(arg)
	if !ok {
		return nil, "must be a number, not " + brief(arg)
	}
	return func(v tree.Value) bool {
		n, ok := asNumber(v)
		return ok && op(n.Cmp(limit))
	}, ""
}

// contains reports whether a list has the element, or a text the substring. Anything
// else contains nothing.
func contains(v, elem tree.Value) bool {
	if text, ok := v.AsText(); ok {
		part, ok := elem.AsText()
		return ok && strings.Contains(text, part)
	}
	for _, e := range v.Elements() {
		if e.Equal(elem) {
			return true
		}
	}
	return false
}

// maxDecimal bounds the length of texts that are read as numbers: exact
// arithmetic with longer ones is no game's business.
const maxDecimal = 64

// asNumber reads a JSON number, or a text that is a plain decimal number: a sign
// at most, digits, and a fraction at most. Numbers too large for double precision
// are no numbers.
func asNumber(v tree.Value) (tree.Number, bool) {
	n, ok := v.AsNumber()
	if text, isText := v.AsText(); isText {
		n, ok = decimal(text)
	}
	if !ok || math.IsInf(n.Float64(), 0) {
		return "", false
	}
	return n, true
}

// decimal spells a plain decimal text as a JSON number, which has neither a plus
// sign nor leading zeros. It is stricter than the parsers at hand, which know
// infinities, exponents, hexadecimal digits and underscores: a text with one of those
// is more likely an accident than a number.
func decimal(text string) (tree.Number, bool) {
	if len(text) > maxDecimal {
		return "", false
	}
	digits, negative := strings.CutPrefix(text, "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	whole, fraction, dot := strings.Cut(digits, ".")
	if !isDigits(whole) || dot && !isDigits(fraction) {
		return "", false
	}
	n := strings.TrimLeft(whole, "0")
	if n == "" {
		n = "0"
	}
	if negative {
		n = "-" + n
	}
	if dot {
		n += "." + fraction
	}
	return tree.Number(n), true
}

// isDigits reports whether s is one ASCII digit or more.
func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
