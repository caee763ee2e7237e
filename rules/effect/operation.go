package effect

import (
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/wording"
	"github.com/talewright/talewright/memvars/tree"
)

// Operation is what [SetVariable] does with its operand. If the operand or the variable has the
// wrong type, nothing changes and the refusal is reported.
type Operation string

// The operations.
const (
	Set      Operation = "set"      // assign
	Add      Operation = "add"      // number plus number
	Subtract Operation = "subtract" // number minus number
	Multiply Operation = "multiply" // number times number
	Toggle   Operation = "toggle"   // flip a boolean; the operand is ignored
	Append   Operation = "append"   // append a text to a text
	Merge    Operation = "merge"    // shallow merge of an object into an object
	Push     Operation = "push"     // one element at the end of a list
	// Delete removes the object key or the list index that the operand names. With a dot path and
	// no operand, or with true or null, it removes the node at the path. A dot path into a declared
	// variable always removes its node.
	Delete Operation = "delete"
)

// The nine operations are a pure function of old value and operand. They do not depend on
// variables, paths or schemas. The requirements of a declared variable are checked afterwards, in
// conform. A mismatch is refused with the reason and never repaired: guessing the author's meaning
// makes the next mistake harder to find.

// wrongOperand returns the refusal of an operand.
func wrongOperand(op Operation, want wording.Noun, got tree.Value) Why {
	return Deny(WrongOperand, "%s takes %s, not %s", op, want, got.Kind())
}

// wrongVariable returns the refusal for the current value.
func wrongVariable(op Operation, want wording.Noun, got tree.Value) Why {
	return Deny(WrongVariable, "%s works on %s, and this is %s", op, want, got.Kind())
}

// Result computes the result of the operation on a value. An absent old value is a missing node. It
// counts as 0, false, "", an empty list or an empty object, depending on the operation. If there is
// no result, why gives the reason.
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
		// A pushed list becomes one element: joining lists would need a different operation.
		return tree.Array(append(old.List(), operand)...), Why{}
	case Delete:
		return deleteFrom(old, operand)
	}
	return old, Deny(reasonUnknownOperation, "no operation %q", op)
}

// maxDigits limits the length of exact results. A longer number is rounded to double precision, so
// that repeated multiplication cannot grow without limit.
const maxDigits = 30

// compute adds, subtracts and multiplies decimals exactly. Operands are not converted: a text that
// looks like a number is usually an author's mistake.
func compute(op Operation, old, operand tree.Value) (tree.Value, Why) {
	// Decimals stay exact: 0.1 + 0.2 is 0.3, and crosses a threshold at 0.3.
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
	if len(n) > tree.MaxDigits { // from a loaded document
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
	// A short result without exponent is the usual case.
	if len(result) <= maxDigits && !strings.ContainsAny(string(result), "eEIN") {
		return tree.Num(result), Why{}
	}
	// Exponents beyond all limits are computed in double precision. A result at or beyond its
	// largest number is never intended.
	f := result.Float64()
	if rounded := tree.Float(f); !rounded.IsNull() && math.Abs(f) < math.MaxFloat64 {
		if len(result) <= maxDigits {
			return tree.Num(result), Why{}
		}
		return rounded, Why{}
	}
	return old, Deny(reasonNotFinite, "the result is too large for a number")
}

// merge is shallow: a key of the operand replaces the whole member.
func merge(old, operand tree.Value) (tree.Value, Why) {
	if old.Exists() && !old.IsObject() {
		return old, wrongVariable(Merge, "an object", old)
	}
	if !operand.IsObject() {
		return old, wrongOperand(Merge, "an object", operand)
	}
	// Merging an empty object changes nothing and copies nothing.
	if !old.Exists() || operand.Len() == 0 {
		if old.Exists() {
			return old, Why{}
		}
		return operand, Why{}
	}
	members := make([]tree.Member, 0, old.Len()+operand.Len())
	for _, part := range [...]tree.Value{old, operand} {
		for k, v := range part.Members() {
			members = append(members, tree.Member{Key: k, Value: v})
		}
	}
	return tree.Object(members...), Why{}
}

// deleteFrom removes the key or the index that the operand names. A missing key or index changes
// nothing and is not a refusal.
func deleteFrom(old, operand tree.Value) (tree.Value, Why) {
	switch {
	case old.IsObject():
		key, ok := operand.AsText()
		if !ok {
			return old, wrongOperand(Delete, "a key, which is a text", operand)
		}
		return old.Without(key), Why{}
	case old.IsArray():
		n, ok := operand.AsNumber()
		if !ok {
			return old, wrongOperand(Delete, "an index, which is a number", operand)
		}
		// A fractional index or an index beyond the end names nothing, so there is nothing to
		// delete.
		i, ok := n.Int64()
		if !ok || i < 0 || i >= int64(old.Len()) {
			return old, Why{}
		}
		return old.Without(strconv.Itoa(int(i))), Why{}
	}
	return old, wrongVariable(Delete, "an object or a list", old)
}
