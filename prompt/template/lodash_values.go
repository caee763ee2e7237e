package template

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// lodashValues are the functions of lodash that test and convert one value.
func lodashValues() map[string]native {
	out := map[string]native{
		"isArray": isKind(listKind), "isString": isKind(textKind), "isNumber": isKind(numberKind), "isBoolean": isKind(boolKind),
		"isPlainObject": isKind(objectKind), "isUndefined": isKind(undefinedKind), "isNull": isKind(nullKind),
		"isFunction": isKind(functionKind), "isRegExp": isKind(patternKind), "isDate": isKind(dateKind),
		"isNil": is(value.isNullish), "isInteger": is(isWhole),
		"isObject": is(func(v value) bool { return v.kind >= listKind }),
		"isNaN":    is(func(v value) bool { return v.kind == numberKind && v.num != v.num }),
		"isMap":    is(func(v value) bool { c, ok := v.ref.(*collection); return ok && c.isMap }),
		"isSet":    is(func(v value) bool { c, ok := v.ref.(*collection); return ok && !c.isMap }),
		"isError":  is(func(v value) bool { o, ok := v.ref.(*object); return ok && o.isError }),
		"isFinite": is(func(v value) bool { return v.kind == numberKind && finite(v.num) }),
		"isEqual":  func(f *frame, args []value) value { return boolean(f.equal(arg(args, 0), arg(args, 1), 0)) },
		"round":    rounded(func(n float64) float64 { return math.Floor(n + 0.5) }), "floor": rounded(math.Floor), "ceil": rounded(math.Ceil),
		"inRange": func(f *frame, args []value) value {
			n, from, to := f.number(arg(args, 0)), 0.0, f.number(arg(args, 1))
			if len(args) > 2 {
				from, to = to, f.number(args[2])
			}
			return boolean(n >= min(from, to) && n < max(from, to))
		},
		"clamp": func(f *frame, args []value) value {
			n := f.number(arg(args, 0))
			if len(args) < 3 {
				return number(min(n, f.number(arg(args, 1))))
			}
			return number(min(max(n, f.number(args[1])), f.number(args[2])))
		},
		"random": func(f *frame, args []value) value {
			low, high := 0.0, 1.0
			floating := false
			if n := len(args); n > 0 && args[n-1].kind == boolKind {
				floating = args[n-1].num != 0
				args = args[:n-1]
			}
			switch len(args) {
			case 0:
			case 1:
				high = f.number(args[0])
			default:
				low, high = f.number(args[0]), f.number(args[1])
			}
			if low > high {
				low, high = high, low
			}
			if r := f.build.random(); floating || low != math.Trunc(low) || high != math.Trunc(high) {
				return number(min(low+r*(high-low), high))
			} else {
				return number(low + math.Floor(r*(high-low+1)))
			}
		},
		"toNumber":  func(f *frame, args []value) value { return number(f.number(arg(args, 0))) },
		"toInteger": func(f *frame, args []value) value { return number(f.whole(args, 0, 0)) },
		"toString": func(f *frame, args []value) value {
			if v := arg(args, 0); !v.isNullish() {
				return text(f.text(v))
			}
			return text("")
		},
		"defaultTo": func(f *frame, args []value) value {
			if v := arg(args, 0); !v.isNullish() && (v.kind != numberKind || v.num == v.num) {
				return v
			}
			return arg(args, 1)
		},
		"identity": func(_ *frame, args []value) value { return arg(args, 0) },
		"constant": func(_ *frame, args []value) value {
			v := arg(args, 0)
			return builtin(func(*frame, []value) value { return v })
		},
		"noop": func(*frame, []value) value { return value{} },
		"iteratee": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 0))
			return builtin(func(_ *frame, args []value) value { return by(arg(args, 0), arg(args, 1), arg(args, 2)) })
		},
		"toUpper": byMethod("toUpperCase"), "toLower": byMethod("toLowerCase"),
		"upperFirst": firstRune(unicode.ToUpper), "lowerFirst": firstRune(unicode.ToLower),
		"capitalize": func(f *frame, args []value) value {
			return firstRune(unicode.ToUpper)(f, []value{text(lower(f.text(arg(args, 0))))})
		},
	}
	for _, name := range []string{"padStart", "padEnd", "startsWith", "endsWith", "split", "replace"} {
		out[name] = byMethod(name)
	}
	return out
}

// byMethod is a function that calls a method of texts or lists, whose value is the first argument.
func byMethod(name string) native {
	return func(f *frame, args []value) value {
		of := arg(args, 0)
		if of.isNullish() {
			of = text("")
		}
		if of.kind != listKind {
			of = text(f.text(of))
		}
		m := f.methodOf(of, name)
		if m == nil {
			return value{}
		}
		return m(f, of, args[min(1, len(args)):])
	}
}

// firstRune is a function that changes the first character of a text.
func firstRune(change func(r rune) rune) native {
	return func(f *frame, args []value) value {
		s := ""
		if v := arg(args, 0); !v.isNullish() {
			s = f.text(v)
		}
		r, size := utf8.DecodeRuneInString(s)
		if size == 0 || r == utf8.RuneError {
			return text(s)
		}
		return f.made(string(change(r)) + s[size:])
	}
}
