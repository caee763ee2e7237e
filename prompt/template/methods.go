package template

import (
	"math"
	"slices"
)

// commonMethods are the methods of every value.
func commonMethods() map[string]method {
	return map[string]method{
		"toString":       func(f *frame, of value, _ []value) value { return text(f.text(of)) },
		"toLocaleString": func(f *frame, of value, _ []value) value { return text(f.text(of)) },
		"valueOf":        func(_ *frame, of value, _ []value) value { return of },
		"hasOwnProperty": func(f *frame, of value, args []value) value {
			if of.kind != objectKind && of.kind != listKind {
				return boolean(false)
			}
			return f.has(arg(args, 0), of)
		},
	}
}

// arg returns an argument, undefined if it is missing.
func arg(args []value, i int) value {
	if i < len(args) {
		return args[i]
	}
	return value{}
}

// whole returns an argument as a whole number; a missing one is the fallback.
func (f *frame) whole(args []value, i int, fallback float64) float64 {
	v := arg(args, i)
	if v.kind == undefinedKind {
		return fallback
	}
	n := math.Trunc(f.number(v))
	if math.IsNaN(n) {
		return 0
	}
	return n
}

// position returns an argument as a position among n items. Negative ones count from the end.
func (f *frame) position(args []value, i, fallback, n int) int {
	at := f.whole(args, i, float64(fallback))
	if at < 0 {
		return int(max(at+float64(n), 0))
	}
	return int(min(at, float64(n)))
}

// clamped returns an argument as a position from 0 to n.
func (f *frame) clamped(args []value, i, fallback, n int) int {
	return int(max(min(f.whole(args, i, float64(fallback)), float64(n)), 0))
}

// function returns an argument that must be a function.
func (f *frame) function(v value) value {
	if v.kind != functionKind {
		f.fail(codeWrongType, "", "expected a function: write one as x => …")
	}
	return v
}

// is is a function that tests its argument.
func is(test func(v value) bool) native {
	return func(_ *frame, args []value) value { return boolean(test(arg(args, 0))) }
}

func isKind(k kind) native { return is(func(v value) bool { return v.kind == k }) }

// members makes a name with members.
func members(call native, m map[string]native) value {
	fn := &function{call: call, members: map[string]value{}}
	for name, call := range m {
		fn.members[name] = builtin(call)
	}
	return value{kind: functionKind, ref: fn}
}

// objectArg returns the first argument, which must not be undefined or null.
func (f *frame) objectArg(args []value) value {
	v := arg(args, 0)
	if v.isNullish() {
		f.fail(codeWrongType, "", "cannot take the members of "+f.text(v)+": test the value first")
	}
	return v
}

// made counts a new text.
func (f *frame) made(s string) value {
	f.keep(len(s))
	f.limitText(len(s))
	return text(mend(s))
}

func isWhole(v value) bool {
	return v.kind == numberKind && finite(v.num) && v.num == math.Trunc(v.num)
}

// newList returns a list with a copy of the items.
func (f *frame) newList(items []value) value {
	f.keepItems(len(items))
	return listOf(slices.Clone(items)...)
}
