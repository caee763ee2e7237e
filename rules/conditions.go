package rules

import (
	"math"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/internal/report"
)

// Conditions exist twice: compiled, for play, and as [Condition.Holds], for everyone else.
// They must agree, and a test compares them on random cases. Both are strict in their
// types, because authors write their content without a compiler that would tell them that
// 10 is not "10"; package vet is that compiler where there is a schema.

// The rules of comparison, for both:
//
//	left side missing      false, whatever the operator; null is not missing
//	reference missing      false; the literal beside it is not looked at
//	eq, neq                same type and value, lists and objects deeply
//	gt, gte, lt, lte       two numbers, else false
//	contains               a text in a text, case and all, or an equal element of a list
//	anything else          false
//
// Numbers are compared as decimals: 10 is 10.0, and 0.1 + 0.2 written by add is 0.3.

// holds decides the condition. Params is the event's parameter object, or absent.
func (t *test) holds(r *reader, params tree.Value) bool {
	left := r.at(t.left)
	if !left.value.Exists() {
		return false
	}
	num, isNum, value := t.num, t.isNum, t.value
	switch {
	// A reference to a parameter, another variable, tokens in the constant: at most one of
	// them applies. Without params a reference to one is the name of a variable like others.
	case t.param != "" && params.IsObject():
		value = report.Value(params, t.param)
		num, isNum = value.AsFloat()
	case t.right >= 0:
		right := r.at(t.right)
		if !right.value.Exists() {
			return false // the literal beside a reference is never meant
		}
		num, isNum, value = right.num, right.isNum, right.value
	case t.tokens && params.IsObject():
		value = report.Fill(value, params)
		num, isNum = value.AsFloat()
	}
	// Doubles decide nearly always; only where they are equal can the numbers as they are
	// written still differ.
	if left.isNum && isNum {
		return t.op.Orders(compareNumbers(left.num, num, left.value, value))
	}
	return t.op.Compares(left.value, value)
}

// compareNumbers is cheap where the doubles differ: rounding keeps their order.
func compareNumbers(f, g float64, v, w tree.Value) int {
	switch {
	case f < g:
		return -1
	case f > g:
		return 1
	}
	// Equal doubles may be rounded: two numbers of twenty digits can differ in the last.
	n, _ := v.AsNumber()
	m, _ := w.AsNumber()
	if n == m {
		return 0
	}
	return n.Cmp(m)
}

// reading is the value of a slot, remembered for one version of the variables.
type reading struct {
	version uint32
	isNum   bool
	num     float64    // the value as a double, for most comparisons
	value   tree.Value // absent where there is no such variable
}

// reader reads variables through slots: each once per version, however many
// conditions ask.
//
// A version is one state of the variables. Readings carry the number of theirs, so that the
// next hop need not clear thousands of them to forget.
type reader struct {
	set      *Program
	vars     Vars       // nil: read the document
	root     tree.Value // of the document
	views    Views      // beside it; may be nil
	version  uint32
	readings []reading // by slot
	used     []int32   // slots that hold values
}

// use makes the reader forget what it has read. It reports whether the numbers of the
// versions begin anew.
func (r *reader) use(root tree.Value) (again bool) {
	r.root = root
	if r.version == math.MaxUint32 {
		clear(r.readings)
		r.used = r.used[:0]
		r.version, again = 0, true
	}
	r.version++
	return again
}

// forget drops the values that were read. It costs what was read and not what could
// have been. Memory that is reused must not keep another game's document alive.
func (r *reader) forget() {
	for _, i := range r.used {
		r.readings[i] = reading{}
	}
	r.used = r.used[:0]
	r.vars, r.views, r.root = nil, nil, tree.Value{}
}

// at reads a slot, for the first time in this version or from memory.
func (r *reader) at(i int32) *reading {
	known := &r.readings[i]
	if known.version == r.version {
		return known
	}
	s := &r.set.slots[i]
	if known.version == 0 {
		r.used = append(r.used, i)
	}
	known.version = r.version
	known.value = r.find(s)
	known.num, known.isNum = floatOf(known.value)
	return known
}

// read returns the value of a variable or path that has no slot.
func (r *reader) read(text string) tree.Value {
	s := slot{text: text}
	if p, err := tree.ParsePath(text); err == nil && (len(p) > 1 || p[0] != text) {
		s.path = p
	}
	s.back = r.set.schema.fallback(text, s.path)
	s.whole, s.place = r.set.schema.elsewhere(text, s.path)
	return r.find(&s)
}

// find reads an id, or else a path, or else the fallback.
func (r *reader) find(s *slot) tree.Value {
	if r.vars != nil { // a source of the caller's own, which walks paths by itself
		if v := ValueOf(r.vars, s.text); v.Exists() {
			return v
		}
		return s.back
	}
	if s.place != nil {
		v, _ := r.set.seen.Through(r.root, s.place)
		if v.Exists() {
			return v
		}
		if whole, _ := r.set.seen.Through(r.root, s.whole); whole.Exists() {
			return v // the game has moved on from the default
		}
		return s.back
	}
	if v := r.root.Get(s.text); v.Exists() {
		if v.IsPair() && r.set.seen.Leaf(tree.Path{s.text}, v) {
			return v.At(0)
		}
		return v
	}
	if r.views != nil {
		if v, ok := r.views.View(s.text); ok {
			return v
		}
	}
	// Where the variable is there and the node in it is not, the default is not asked for
	// the node: the game has moved on from it.
	if s.path != nil && r.root.Get(s.path[0]).Exists() {
		return r.set.seen.Walk(r.root, s.path, 0)
	}
	return s.back
}
