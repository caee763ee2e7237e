package effect

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// Operation says what [SetVariable] does with its operand. Operand or variable of
// the wrong type: nothing is changed, and the refusal is reported.
type Operation string

// The operations.
const (
	Set      Operation = "set"      // assign
	Add      Operation = "add"      // number plus number
	Subtract Operation = "subtract" // number minus number
	Multiply Operation = "multiply" // number times number
	Toggle   Operation = "toggle"   // flip a boolean; the operand is not looked at
	Append   Operation = "append"   // text after text
	Merge    Operation = "merge"    // shallow merge of an object into an object
	Push     Operation = "push"     // one element at the end of a list
	// Delete takes the key of an object or the index of a list that the operand names. A dot
	// path without an operand, or with true or null, names the part by itself; into a declared
	// variable it always does.
	Delete Operation = "delete"
)

// The nine operations are a pure function of old value and operand. They know nothing of
// variables, paths or schemas; what a declared variable demands of the result comes
// afterwards, in conform. A mismatch is refused with the reason, never repaired: guessing
// what an author meant makes the next mistake harder to find.

// wrongOperand is the refusal of what was given.
func wrongOperand(op Operation, want wording.Noun, got tree.Value) Why {
	return Deny(WrongOperand, "%s takes %s, not %s", op, want, got.Kind())
}

// wrongVariable is the refusal for what is there.
func wrongVariable(op Operation, want wording.Noun, got tree.Value) Why {
	return Deny(WrongVariable, "%s works on %s, and this is %s", op, want, got.Kind())
}

// Result computes what the operation makes of a value. An absent old value is a node that is
// missing: it counts as 0, false, "", an empty list or an empty object, whichever the operation
// works on. Why is set where there is no result.
func (op Operation) Result(old, operand tree.Value) (result tree.Value, why Why) {
	switch op {
	case "", Set:
		if !operand.Exists() {
			return old, wrongOperand(Set, "a value", operand)
		}
		return operand, Why{}
	case Add, Subtract, Multiply:
		return compute(op, old, operand)
	case Toggle:
		b, ok := old.AsBool()
		if old.Exists() && !ok {
			return old, wrongVariable(op, "a boolean", old)
		}
		return tree.Bool(!b), Why{}
	case Append:
		s, ok := old.AsText()
		if old.Exists() && !ok {
			return old, wrongVariable(op, "a text", old)
		}
		tail, ok := operand.AsText()
		if !ok {
			return old, wrongOperand(op, "a text", operand)
		}
		return tree.Text(s + tail), Why{}
	case Merge:
		return merge(old, operand)
	case Push:
		if old.Exists() && !old.IsArray() {
			return old, wrongVariable(op, "a list", old)
		}
		if !operand.Exists() {
			return old, wrongOperand(op, "a value", operand)
		}
		// A list that is pushed is one element: joining lists would need another word.
		list := append(make([]tree.Value, 0, old.Len()+1), elements(old)...)
		return tree.Array(append(list, operand)...), Why{}
	case Delete:
		return deleteFrom(old, operand)
	}
	return old, Deny(UnknownOperation, "no operation %q", op)
}

// maxDigits bounds the spelling of exact results. Beyond it a number is rounded
// to double precision, so that repeated multiplication cannot grow without end.
const maxDigits = 30

// compute adds, subtracts and multiplies decimals exactly. Operands are not converted: a
// text that looks like a number is an author's mistake more often than not.
func compute(op Operation, old, operand tree.Value) (tree.Value, Why) {
	// Decimals stay decimals: 0.1 + 0.2 is 0.3 in a purse, and a threshold at 0.3 is crossed.
	n, ok := old.AsNumber()
	if !old.Exists() {
		n, ok = "0", true
	}
	if !ok {
		return old, wrongVariable(op, "a number", old)
	}
	m, ok := operand.AsNumber()
	if !ok {
		return old, wrongOperand(op, "a number", operand)
	}
	if len(n) > tree.MaxDigits { // of a document that was loaded
		return old, Deny(WrongVariable, "a number of so many digits is not computed with")
	}
	var result tree.Number
	switch op {
	case Add:
		result = n.Add(m)
	case Subtract:
		result = n.Sub(m)
	default:
		result = n.Mul(m)
	}
	// What is short and has no exponent is the everyday case.
	if len(result) <= maxDigits && !strings.ContainsAny(string(result), "eEIN") {
		return tree.Num(result), Why{}
	}
	// Exponents beyond all bounds are computed in double precision, and end at its
	// largest number or beyond: a value that nobody asked for.
	f := result.Float64()
	if rounded := tree.Float(f); !rounded.IsNull() && math.Abs(f) < math.MaxFloat64 {
		if len(result) <= maxDigits {
			return tree.Num(result), Why{}
		}
		return rounded, Why{}
	}
	return old, Deny(NotFinite, "the result is too large for a number")
}

// merge is shallow: a key of the operand replaces the whole member.
func merge(old, operand tree.Value) (tree.Value, Why) {
	if old.Exists() && !old.IsObject() {
		return old, wrongVariable(Merge, "an object", old)
	}
	if !operand.IsObject() {
		return old, wrongOperand(Merge, "an object", operand)
	}
	// Merging nothing into something is something, unchanged and not copied.
	if !old.Exists() || operand.Len() == 0 {
		if old.Exists() {
			return old, Why{}
		}
		return operand, Why{}
	}
	members := make([]tree.Member, 0, old.Len()+operand.Len())
	for k, v := range old.Members() {
		members = append(members, tree.Member{Key: k, Value: v})
	}
	for k, v := range operand.Members() {
		members = append(members, tree.Member{Key: k, Value: v})
	}
	return tree.Object(members...), Why{}
}

// deleteFrom removes the key or the index that the operand names. A key or index
// that is not there changes nothing, and that is no refusal.
func deleteFrom(old, operand tree.Value) (tree.Value, Why) {
	switch {
	case old.IsObject():
		key, ok := operand.AsText()
		if !ok {
			return old, wrongOperand(Delete, "a key, which is a text", operand)
		}
		return withoutKey(old, key), Why{}
	case old.IsArray():
		n, ok := operand.AsNumber()
		if !ok {
			return old, wrongOperand(Delete, "an index, which is a number", operand)
		}
		// Half an index, or one behind the end, names nothing: there is nothing to delete.
		i, ok := n.Int64()
		if !ok || i < 0 || i >= int64(old.Len()) {
			return old, Why{}
		}
		return withoutIndex(old, int(i)), Why{}
	}
	return old, wrongVariable(Delete, "an object or a list", old)
}

// withoutKey returns the object itself if it has no such key.
func withoutKey(v tree.Value, key string) tree.Value {
	if !v.Get(key).Exists() {
		return v
	}
	members := make([]tree.Member, 0, v.Len())
	for k, m := range v.Members() {
		if k != key {
			members = append(members, tree.Member{Key: k, Value: m})
		}
	}
	return tree.Object(members...)
}

// withoutIndex moves later elements up.
func withoutIndex(v tree.Value, i int) tree.Value {
	list := elements(v)
	return tree.Array(slices.Delete(list, i, i+1)...)
}
