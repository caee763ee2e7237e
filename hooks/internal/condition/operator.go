package condition

import (
	"slices"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// path compiles a key such as payload.hp.current: equality with a scalar, or an object of operators
// that must all be true. A list is refused, because authors mean "any of" by it, as in the simple
// keys.
func (c *compiler) path(root, path string, want tree.Value, at Place) term {
	find := pathReader(root, path)
	if find == nil {
		c.report(at, "unknown condition key: a path begins with payload, metadata, vars, "+
			"state or relationship, followed by keys%s",
			Hint(root, "payload", "metadata", "vars", "state", "relationship"))
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
		t.test = func(s *Scene) bool {
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
		t.test = func(s *Scene) bool { got := find(s); return got.Exists() && got.Equal(want) }
	}
	return t
}

// roots are the values that paths lead into, apart from variables.
var roots = map[string]func(*Scene) tree.Value{
	"payload":      func(s *Scene) tree.Value { return s.Event.Payload },
	"metadata":     func(s *Scene) tree.Value { return s.Event.Metadata },
	"state":        func(s *Scene) tree.Value { return s.Character },
	"relationship": func(s *Scene) tree.Value { return s.Relationship },
}

// pathReader returns the reader of a path, nil if the path is invalid. Variables belong to the
// host: it receives the path as written and reads it in its own way. All other values are read by
// the keys of objects.
func pathReader(root, path string) func(*Scene) tree.Value {
	keys, from := strings.Split(path, "."), roots[root]
	switch {
	case slices.Contains(keys, ""):
		return nil
	case root == "vars":
		return func(s *Scene) tree.Value { return s.variable(path) }
	case from == nil:
		return nil
	}
	return func(s *Scene) tree.Value {
		v := from(s)
		for _, k := range keys {
			v = v.Get(k) // keys of objects only: a list has no member 0
		}
		return v
	}
}

// operators compiles an object of operators. It returns false if one of them, or the object itself,
// is wrong; then the whole key is never true. The correct operators alone would accept values that
// the wrong one was meant to exclude. An empty object is wrong too, although it has no false
// operator.
func (c *compiler) operators(want tree.Value, at Place) ([]func(tree.Value) bool, bool) {
	if want.Len() == 0 {
		c.report(at, "has no operator; write a scalar or one of eq ne gt gte lt lte in nin "+
			"contains exists")
		return nil, false
	}
	var ops []func(tree.Value) bool
	valid := true
	for name, arg := range want.Members() {
		op, mistake := operator(name, arg)
		if mistake != "" {
			c.report(at.Key(name), "%s", mistake)
			valid = false
			continue
		}
		ops = append(ops, op)
	}
	return ops, valid
}

// operator compiles one comparison with a value that may be absent. Types are strict; only the four
// orderings accept plain decimal texts as numbers.
func operator(name string, arg tree.Value) (op func(tree.Value) bool, mistake string) {
	switch name {
	case "eq":
		return func(v tree.Value) bool { return v.Exists() && v.Equal(arg) }, ""
	case "ne":
		return func(v tree.Value) bool { return v.Exists() && !v.Equal(arg) }, ""
	case "gt", "gte", "lt", "lte":
		return ordering(arg, rules.Operator(name))
	case "in", "nin":
		if !arg.IsArray() {
			return nil, "must be a list, not " + Named(arg.Kind())
		}
		return func(v tree.Value) bool {
			return v.Exists() && rules.Contains.Compares(arg, v) == (name == "in")
		}, ""
	case "contains":
		return func(v tree.Value) bool { return rules.Contains.Compares(v, arg) }, ""
	case "exists":
		want, ok := arg.AsBool()
		if !ok {
			return nil, "must be true or false, not " + Named(arg.Kind())
		}
		return func(v tree.Value) bool { return v.Exists() == want }, ""
	}
	return nil, "unknown operator; use eq ne gt gte lt lte in nin contains exists" +
		Hint(name, "eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "exists")
}

// ordering compares two numbers exactly: 0.1 and 0.2 in a game's rules are decimals, not the
// nearest binary fractions.
func ordering(arg tree.Value, op rules.Operator) (func(tree.Value) bool, string) {
	limit, ok := Number(arg)
	if !ok {
		return nil, "must be a number, not " + Brief(arg)
	}
	return func(v tree.Value) bool {
		n, ok := Number(v)
		return ok && op.Orders(n.Cmp(limit))
	}, ""
}
