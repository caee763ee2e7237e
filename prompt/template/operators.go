package template

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
)

// operator is a sign between two values; a higher rank binds tighter.
type operator struct {
	sign  string
	rank  int
	apply func(f *frame, a, b value) value // nil for && || ??
}

// operatorOf returns an operator by its sign.
func operatorOf(sign string) (operator, bool) {
	op, ok := operators[sign]
	op.sign = sign
	return op, ok
}

var operators = map[string]operator{
	"??": {rank: 1}, "||": {rank: 2}, "&&": {rank: 3},
	"|":   whole32(4, func(a, b int32) float64 { return float64(a | b) }),
	"^":   whole32(5, func(a, b int32) float64 { return float64(a ^ b) }),
	"&":   whole32(6, func(a, b int32) float64 { return float64(a & b) }),
	"==":  {rank: 7, apply: func(f *frame, a, b value) value { return boolean(f.looselyEqual(a, b)) }},
	"!=":  {rank: 7, apply: func(f *frame, a, b value) value { return boolean(!f.looselyEqual(a, b)) }},
	"===": {rank: 7, apply: func(f *frame, a, b value) value { return boolean(f.strictlyEqual(a, b)) }},
	"!==": {rank: 7, apply: func(f *frame, a, b value) value { return boolean(!f.strictlyEqual(a, b)) }},
	"<":   ordered(func(order int) bool { return order < 0 }),
	">":   ordered(func(order int) bool { return order > 0 }),
	"<=":  ordered(func(order int) bool { return order <= 0 }),
	">=":  ordered(func(order int) bool { return order >= 0 }),
	"in":  {rank: 8, apply: (*frame).hasMember},

	"instanceof": {rank: 8, apply: isInstance},

	"<<":  whole32(9, func(a, b int32) float64 { return float64(a << (uint32(b) & 31)) }),
	">>":  whole32(9, func(a, b int32) float64 { return float64(a >> (uint32(b) & 31)) }),
	">>>": whole32(9, func(a, b int32) float64 { return float64(uint32(a) >> (uint32(b) & 31)) }),
	"+":   {rank: 10, apply: (*frame).plus},
	"-":   arithmetic(10, func(a, b float64) float64 { return a - b }),
	"*":   arithmetic(11, func(a, b float64) float64 { return a * b }),
	"/":   arithmetic(11, func(a, b float64) float64 { return a / b }),
	"%":   arithmetic(11, math.Mod),
	"**":  arithmetic(12, power),
}

// isInstance is instanceof: b is the name of a type.
func isInstance(f *frame, a, b value) value {
	switch name := b.text; a.kind {
	case listKind:
		return boolean(name == "Array" || name == "Object")
	case objectKind:
		o := a.ref.(*object)
		own, _ := o.get(f, "name")
		return boolean(name == "Object" || o.isError && (name == "Error" || own.text == name))
	case functionKind:
		return boolean(name == "Function" || name == "Object")
	case patternKind:
		return boolean(name == "RegExp" || name == "Object")
	case dateKind:
		return boolean(name == "Date" || name == "Object")
	case collectionKind:
		return boolean(name == a.ref.(*collection).name() || name == "Object")
	}
	return boolean(false)
}

// arithmetic returns an operator on numbers.
func arithmetic(rank int, apply func(a, b float64) float64) operator {
	return operator{rank: rank, apply: func(f *frame, a, b value) value {
		x := f.toNumber(a)
		return number(apply(x, f.toNumber(b)))
	}}
}

// whole32 returns an operator on numbers of 32 bits.
func whole32(rank int, apply func(a, b int32) float64) operator {
	return arithmetic(rank, func(a, b float64) float64 { return apply(toInt32(a), toInt32(b)) })
}

// ordered returns a comparison of order. Without an order it is false.
func ordered(holds func(order int) bool) operator {
	return operator{rank: 8, apply: func(f *frame, a, b value) value {
		order, ok := f.compare(a, b)
		return boolean(ok && holds(order))
	}}
}

// power is **. In JavaScript 1 to an infinite power is not a number.
func power(a, b float64) float64 {
	if math.IsNaN(b) || (a == 1 || a == -1) && math.IsInf(b, 0) {
		return math.NaN()
	}
	return math.Pow(a, b)
}

// toInt32 returns the low 32 bits of a number.
func toInt32(n float64) int32 {
	if !finite(n) {
		return 0
	}
	n = math.Mod(math.Trunc(n), 1<<32)
	if n < 0 {
		n += 1 << 32
	}
	return int32(uint32(n))
}

// compare orders two values; ok is false if one is not a number.
func (f *frame) compare(a, b value) (order int, ok bool) {
	for _, v := range [...]*value{&a, &b} {
		if v.kind == dateKind {
			*v = number(v.ref.(*date).ms)
		}
		*v = f.toPrimitive(*v)
	}
	if a.kind == textKind && b.kind == textKind {
		f.chargeBytes(min(len(a.text), len(b.text)))
		return compareTexts(a.text, b.text), true
	}
	x, y := f.toNumber(a), f.toNumber(b)
	switch {
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	}
	return 0, x == y
}

// looselyEqual is ==.
func (f *frame) looselyEqual(a, b value) bool {
	switch {
	case a.kind == b.kind || a.isNullish() || b.isNullish():
		return a.isNullish() && b.isNullish() || f.strictlyEqual(a, b)
	case a.kind >= listKind && b.kind >= listKind:
		return false // two different objects
	}
	a, b = f.toPrimitive(a), f.toPrimitive(b)
	if a.kind == textKind && b.kind == textKind {
		return f.strictlyEqual(a, b)
	}
	return f.toNumber(a) == f.toNumber(b)
}

// strictlyEqual is ===.
func (f *frame) strictlyEqual(a, b value) bool {
	if a.kind == textKind && len(a.text) == len(b.text) {
		f.chargeBytes(len(a.text))
	}
	return identical(a, b)
}

// plus adds numbers, or joins texts.
func (f *frame) plus(a, b value) value {
	a, b = f.toPrimitive(a), f.toPrimitive(b)
	if a.kind == textKind || b.kind == textKind {
		x, y := f.toText(a), f.toText(b)
		f.chargeBytes(len(x))
		f.chargeMemory(len(y)) // the first text is usually no longer needed
		f.checkSize(len(x) + len(y))
		return text(concat(x, y))
	}
	return number(f.toNumber(a) + f.toNumber(b))
}

// toPrimitive converts lists, objects and functions to texts.
func (f *frame) toPrimitive(v value) value {
	if w, ok := v.ref.(*wrapped); ok {
		return f.toPrimitive(w.v)
	}
	if v.kind >= listKind {
		return text(f.toText(v))
	}
	return v
}

// toNumber converts to a number.
func (f *frame) toNumber(v value) float64 {
	switch v.kind {
	case nullKind:
		return 0
	case boolKind, numberKind:
		return v.num
	case textKind:
		f.chargeBytes(len(v.text))
		return numberOf(v.text)
	case listKind, wrappedKind:
		return numberOf(f.toText(v))
	case dateKind:
		return v.ref.(*date).ms
	}
	return math.NaN()
}

// numberOf reads a number. A blank text is 0, any other text NaN.
func numberOf(s string) float64 {
	if n, ok := openjson.ParseNumber(s); ok {
		return n
	}
	if keyindex.TrimSpace(s) == "" {
		return 0
	}
	return math.NaN()
}

// toText converts to a text.
func (f *frame) toText(v value) string {
	switch v.kind {
	case undefinedKind:
		return "undefined"
	case nullKind:
		return "null"
	case boolKind:
		if v.num != 0 {
			return "true"
		}
		return "false"
	case numberKind:
		return openjson.FormatNumber(v.num)
	case textKind, patternKind:
		return v.text
	case functionKind:
		return "[function]"
	case objectKind:
		return f.objectText(v.ref.(*object))
	case dateKind:
		return v.ref.(*date).String()
	case wrappedKind:
		return f.toText(v.ref.(*wrapped).v)
	case collectionKind:
		return "[object " + v.ref.(*collection).name() + "]"
	}
	var b strings.Builder
	f.join(&b, v.ref.(*list), ",", nil)
	return mend(b.String())
}

// join writes the elements of a list with a separator. A list within itself, one of outer, is empty.
func (f *frame) join(b *strings.Builder, l *list, separator string, outer []*list) {
	if slices.Contains(outer, l) || len(outer) > maxLevels {
		return
	}
	f.chargeSteps(len(outer))
	outer = append(outer, l)
	for i, e := range l.elements(f) {
		f.step()
		n := b.Len()
		if i > 0 {
			b.WriteString(separator)
		}
		if w, ok := e.ref.(*wrapped); ok { // it may contain this list
			e = w.v
		}
		switch {
		case e.isNullish():
		case e.kind == listKind:
			f.join(b, e.ref.(*list), ",", outer)
			continue
		default:
			b.WriteString(f.toText(e))
		}
		f.chargeMemory(b.Len() - n)
		f.checkSize(b.Len())
	}
}

// objectText is the text of an object.
func (f *frame) objectText(o *object) string {
	if !o.isError {
		return "[object Object]"
	}
	name, _ := o.get(f, "name")
	message, _ := o.get(f, "message")
	if name.kind != textKind || message.kind != textKind {
		return "Error"
	}
	f.chargeBytes(len(name.text) + len(message.text))
	if message.text == "" {
		return name.text
	}
	return name.text + ": " + message.text
}

// hasMember is the operator in.
func (f *frame) hasMember(key, of value) value {
	switch of.kind {
	case listKind:
		n, ok := indexOf(key)
		return boolean(ok && n < len(of.ref.(*list).elements(f)) || !ok && f.toText(key) == "length")
	case objectKind:
		_, ok := of.ref.(*object).get(f, f.toText(key))
		return boolean(ok)
	}
	f.fail(codeWrongType, "", "in needs an object or a list on its right side")
	return value{}
}
