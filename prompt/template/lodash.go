package template

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// lodashFunctions are the functions of lodash that are written in Go: tests, and functions that many
// cards use or that others are made of. The others are in library.js.
func lodashFunctions() map[string]native {
	// withIteratee returns a function of a value and an iteratee.
	withIteratee := func(apply func(f *frame, of value, by iteratee) value) native {
		return func(f *frame, args []value) value { return apply(f, arg(args, 0), f.iteratee(arg(args, 1))) }
	}
	all := map[string]native{
		"isArray": isKind(listKind), "isString": isKind(textKind), "isNumber": isKind(numberKind),
		"isBoolean": isKind(boolKind), "isPlainObject": isKind(objectKind), "isUndefined": isKind(undefinedKind),
		"isNull": isKind(nullKind), "isFunction": isKind(functionKind), "isRegExp": isKind(patternKind),
		"isDate": isKind(dateKind), "isNil": is(value.isNullish), "isInteger": is(isWhole), "isNaN": is(isNaN),
		"isFinite": is(func(v value) bool { return v.kind == numberKind && finite(v.num) }),
		"isObject": is(func(v value) bool { return v.kind >= listKind }),
		"isMap":    is(func(v value) bool { c, ok := v.ref.(*collection); return ok && c.isMap }),
		"isSet":    is(func(v value) bool { c, ok := v.ref.(*collection); return ok && !c.isMap }),
		"isError":  is(func(v value) bool { o, ok := v.ref.(*object); return ok && o.isError }),
		"isEqual":  func(f *frame, args []value) value { return boolean(f.equal(arg(args, 0), arg(args, 1), 0)) },

		"get": func(f *frame, args []value) value {
			v := f.pathValue(arg(args, 0), arg(args, 1))
			if v.kind == undefinedKind {
				return arg(args, 2)
			}
			return v
		},
		"has": func(f *frame, args []value) value {
			_, ok := f.lookupPath(arg(args, 0), f.pathOf(arg(args, 0), arg(args, 1)))
			return boolean(ok)
		},
		"toPath":    func(f *frame, args []value) value { return listOf(textsOf(f.pathOf(value{}, arg(args, 0)))...) },
		"size":      func(f *frame, args []value) value { return number(float64(f.size(arg(args, 0)))) },
		"keys":      func(f *frame, args []value) value { return listOf(f.keysOf(arg(args, 0))...) },
		"values":    func(f *frame, args []value) value { return listOf(f.elementsOf(arg(args, 0))...) },
		"clone":     func(f *frame, args []value) value { return f.copyOf(arg(args, 0), false, 0) },
		"cloneDeep": func(f *frame, args []value) value { return f.copyOf(arg(args, 0), true, 0) },

		"iteratee": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 0))
			return builtin(func(_ *frame, args []value) value { return by(arg(args, 0), arg(args, 1), arg(args, 2)) })
		},
		"map":     withIteratee((*frame).mapped),
		"filter":  withIteratee(func(f *frame, of value, by iteratee) value { return f.filtered(of, by, true) }),
		"reject":  withIteratee(func(f *frame, of value, by iteratee) value { return f.filtered(of, by, false) }),
		"findKey": withIteratee(func(f *frame, of value, by iteratee) value { return f.firstKey(of, by, true) }),
		"forEach": withIteratee(func(f *frame, of value, by iteratee) value {
			f.each(of, by, func(_, _, result value) bool { return result.kind != boolKind || result.isTrue() })
			return of
		}),
		"reduce": func(f *frame, args []value) value {
			sum, hasSum, fn := arg(args, 2), len(args) > 2, f.mustBeFunction(arg(args, 1))
			f.entriesOf(arg(args, 0), func(v, key value) bool {
				if !hasSum {
					sum, hasSum = v, true
				} else {
					sum = f.callFunction(fn, []value{sum, v, key, args[0]})
				}
				return true
			})
			return sum
		},
		"sortBy": func(f *frame, args []value) value {
			return f.sortBy(arg(args, 0), f.flat(args[min(1, len(args)):], 1), nil)
		},
		"orderBy": func(f *frame, args []value) value {
			var descending []bool
			for _, order := range f.flat([]value{arg(args, 2)}, 1) {
				descending = append(descending, f.toText(order) == "desc")
			}
			return f.sortBy(arg(args, 0), f.flat([]value{arg(args, 1)}, 1), descending)
		},
		"round": rounded(func(n float64) float64 { return math.Floor(n + 0.5) }),
		"floor": rounded(math.Floor),
		"ceil":  rounded(math.Ceil),
		"chain": wrapper(true),
	}
	for alias, name := range map[string]string{
		"hasIn": "has", "keysIn": "keys", "valuesIn": "values", "toArray": "values", "toPlainObject": "clone",
		"each": "forEach", "forOwn": "forEach", "forIn": "forEach",
	} {
		all[alias] = all[name]
	}
	return all
}

// iteratee returns the function that lodash makes of an argument: a function, the path of a member, an
// object whose members must be equal, a pair of a path and a value, or nothing for the value itself.
func (f *frame) iteratee(by value) iteratee {
	switch by.kind {
	case undefinedKind, nullKind:
		return func(v, _, _ value) value { return v }
	case functionKind:
		return f.callback(by)
	case objectKind:
		return func(v, _, _ value) value {
			all := true
			f.entriesOf(by, func(want, key value) bool {
				all = !v.isNullish() && f.equal(f.memberOf(v, key), want, 0)
				return all
			})
			return boolean(all)
		}
	case listKind:
		if pair := by.ref.(*list).elements(f); len(pair) == 2 {
			return func(v, _, _ value) value { return boolean(f.equal(f.pathValue(v, pair[0]), pair[1], 0)) }
		}
	}
	return func(v, _, _ value) value { return f.pathValue(v, by) }
}

// pathValue returns the member of a value at a path, undefined if there is none.
func (f *frame) pathValue(v, path value) value {
	found, _ := f.lookupPath(v, f.pathOf(v, path))
	return found
}

// equal compares two values with all their members.
func (f *frame) equal(a, b value, level int) bool {
	if f.step(); level > maxLevels {
		f.limit("nesting", "the values are nested too deeply: compare a part of them")
	}
	if f.strictlyEqual(a, b) || isNaN(a) && isNaN(b) {
		return true
	}
	if a.kind != b.kind || a.kind != listKind && a.kind != objectKind || f.size(a) != f.size(b) {
		return false
	}
	all := true
	f.entriesOf(a, func(v, key value) bool {
		all = f.hasMember(key, b).isTrue() && f.equal(v, f.memberOf(b, key), level+1)
		return all
	})
	return all
}

// elementsOf returns the values of a list, an object or a text.
func (f *frame) elementsOf(of value) (out []value) {
	f.entriesOf(of, func(v, _ value) bool {
		f.chargeItems(1)
		out = append(out, v)
		return true
	})
	return out
}

// copyOf copies a value. If deep is set, the copy shares no lists and objects with the value.
func (f *frame) copyOf(v value, deep bool, level int) value {
	if f.step(); level > maxLevels {
		f.limit("nesting", "the value is nested too deeply: copy a part of it")
	}
	copyPart := func(part value) value {
		if deep {
			return f.copyOf(part, true, level+1)
		}
		return part
	}
	switch v.kind {
	case listKind:
		out := f.elementsOf(v)
		for i := range out {
			out[i] = copyPart(out[i])
		}
		return listOf(out...)
	case objectKind:
		o := &object{isError: v.ref.(*object).isError}
		f.entriesOf(v, func(v, key value) bool {
			f.chargeItems(1)
			o.put(key.text, copyPart(v))
			return true
		})
		return objectOf(o)
	}
	return v
}

// sortBy returns the elements sorted by the results of iteratees, each ascending or descending. The
// first iteratee has precedence.
func (f *frame) sortBy(of value, iteratees []value, descending []bool) value {
	type row struct{ v, key value }
	items := f.elementsOf(of)
	if len(iteratees) == 0 {
		iteratees = []value{{}}
	}
	for i := len(iteratees) - 1; i >= 0; i-- { // the sort is stable
		keyOf := f.iteratee(iteratees[i])
		rows := make([]row, len(items))
		for j, v := range items {
			rows[j] = row{v, keyOf(v, number(float64(j)), of)}
		}
		slices.SortStableFunc(rows, func(a, b row) int {
			order := f.sortOrder(a.key, b.key)
			if i < len(descending) && descending[i] {
				return -order
			}
			return order
		})
		for j := range rows {
			items[j] = rows[j].v
		}
	}
	return f.newList(items)
}

// sortOrder compares two values for sorting, with undefined last.
func (f *frame) sortOrder(a, b value) int {
	f.step()
	switch {
	case a.kind == undefinedKind || b.kind == undefinedKind:
		return int(b.kind) - int(a.kind)
	case f.strictlyEqual(a, b):
		return 0
	}
	order, _ := f.compare(a, b)
	return order
}

// rounded returns _.round, _.floor or _.ceil. Their second argument is a number of decimals.
func rounded(round func(float64) float64) native {
	// shift multiplies by a power of ten. It changes the exponent in the decimal text, as lodash does, because
	// a multiplication is not exact.
	shift := func(n float64, power int) float64 {
		mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(n, 'e', -1, 64), "e")
		e, _ := strconv.Atoi(exponent)
		out, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(e+power), 64)
		return out
	}
	return func(f *frame, args []value) value {
		n, digits := f.toNumber(arg(args, 0)), int(max(min(f.wholeArg(args, 1, 0), 292), -292))
		if digits == 0 || !finite(n) || n == 0 {
			return number(round(n))
		}
		return number(shift(round(shift(n, digits)), -digits))
	}
}
