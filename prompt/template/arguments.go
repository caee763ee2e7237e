package template

import "math"

// arg returns an argument, undefined if it is missing.
func arg(args []value, i int) value {
	if i < len(args) {
		return args[i]
	}
	return value{}
}

// wholeArg returns an argument as a whole number; a missing one is the fallback.
func (f *frame) wholeArg(args []value, i int, fallback float64) float64 {
	v := arg(args, i)
	if v.kind == undefinedKind {
		return fallback
	}
	n := math.Trunc(f.toNumber(v))
	if math.IsNaN(n) {
		return 0
	}
	return n
}

// positionArg returns an argument as a position among n items. Negative ones count from the end.
func (f *frame) positionArg(args []value, i, fallback, n int) int {
	at := f.wholeArg(args, i, float64(fallback))
	if at < 0 {
		return int(max(at+float64(n), 0))
	}
	return int(min(at, float64(n)))
}

// clampedArg returns an argument as a position from 0 to n.
func (f *frame) clampedArg(args []value, i, fallback, n int) int {
	return int(max(min(f.wholeArg(args, i, float64(fallback)), float64(n)), 0))
}

// mustBeFunction returns an argument that must be a function.
func (f *frame) mustBeFunction(v value) value {
	if v.kind != functionKind {
		f.fail(codeWrongType, "", "expected a function: write one as x => …")
	}
	return v
}

// objectArg returns the first argument, which must not be undefined or null.
func (f *frame) objectArg(args []value) value {
	v := arg(args, 0)
	if v.isNullish() {
		f.fail(codeWrongType, "", "cannot take the members of "+f.toText(v)+": test the value first")
	}
	return v
}

// is is a function that tests its argument.
func is(test func(v value) bool) native {
	return func(_ *frame, args []value) value { return boolean(test(arg(args, 0))) }
}

func isKind(k kind) native { return is(func(v value) bool { return v.kind == k }) }

func isNaN(v value) bool { return v.kind == numberKind && v.num != v.num }

// isWhole reports whether a value is a number without a fraction.
func isWhole(v value) bool {
	return v.kind == numberKind && finite(v.num) && v.num == math.Trunc(v.num)
}

// members makes a name with members.
func members(call native, m map[string]native) value {
	fn := &function{call: call, members: map[string]value{}}
	for name, call := range m {
		fn.members[name] = builtin(call)
	}
	return value{kind: functionKind, ref: fn}
}

// builtin returns a function of the library as a value.
func builtin(call native) value {
	return value{kind: functionKind, ref: &function{call: call}}
}

// newText counts a new text.
func (f *frame) newText(s string) value {
	f.chargeMemory(len(s))
	f.checkSize(len(s))
	return text(mend(s))
}
