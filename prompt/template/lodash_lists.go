package template

import (
	"math"
	"slices"
	"strings"
)

// lodashLists are the functions of lodash that visit the elements of a list, an object or a text.
func lodashLists() map[string]native {
	find := eachResult(func(_ *frame, out *[]value, v, _, result value) bool {
		if result.truth() {
			*out = append(*out, v)
		}
		return !result.truth()
	}, firstOf)
	findKey := eachResult(func(_ *frame, out *[]value, _, key, result value) bool {
		if result.truth() {
			*out = append(*out, key)
		}
		return !result.truth()
	}, firstOf)
	least := extremeOf(func(order int) bool { return order < 0 })
	greatest := extremeOf(func(order int) bool { return order > 0 })
	return map[string]native{
		"findLast": func(f *frame, args []value) (found value) {
			by := f.iteratee(arg(args, 1))
			f.entriesOf(arg(args, 0), func(v, key value) bool {
				if by(v, key, args[0]).truth() {
					found = v
				}
				return true
			})
			return found
		},
		"map":     eachResult(takeResult, asList),
		"flatMap": eachResult(takeResult, func(f *frame, out []value) value { return f.newList(f.flat(out, 1)) }),
		"filter":  kept(true), "reject": kept(false),
		"find": find, "findKey": findKey,
		"findIndex": func(f *frame, args []value) value {
			if v := findKey(f, args); v.kind == numberKind {
				return v
			}
			return number(-1)
		},
		"some": func(f *frame, args []value) value { return boolean(findKey(f, args).kind != undefinedKind) },
		"every": func(f *frame, args []value) value {
			all, by := true, f.iteratee(arg(args, 1))
			f.entriesOf(arg(args, 0), func(v, key value) bool { all = by(v, key, args[0]).truth(); return all })
			return boolean(all)
		},
		"forEach": visitEach, "each": visitEach, "forOwn": visitEach, "forIn": visitEach,
		"reduce": func(f *frame, args []value) value {
			sum, has, fn := arg(args, 2), len(args) > 2, f.function(arg(args, 1))
			f.entriesOf(arg(args, 0), func(v, key value) bool {
				if !has {
					sum, has = v, true
				} else {
					sum = f.apply(fn, []value{sum, v, key, args[0]})
				}
				return true
			})
			return sum
		},
		"includes": func(f *frame, args []value) value {
			of, sought := arg(args, 0), arg(args, 1)
			if of.kind == textKind {
				return boolean(strings.Contains(of.text, f.text(sought)))
			}
			return boolean(slices.ContainsFunc(f.elementsOf(of), func(v value) bool { return keyOf(v) == keyOf(sought) }))
		},
		"groupBy": func(f *frame, args []value) value {
			return f.grouped(args, func(old, v value) value {
				if old.kind != listKind {
					return listOf(v)
				}
				old.ref.(*list).items = append(old.ref.(*list).items, v)
				return old
			})
		},
		"keyBy": func(f *frame, args []value) value { return f.grouped(args, func(_, v value) value { return v }) },
		"countBy": func(f *frame, args []value) value {
			return f.grouped(args, func(old, _ value) value { return number(old.num + 1) })
		},
		"partition": func(f *frame, args []value) value {
			var yes, no []value
			by := f.iteratee(arg(args, 1))
			f.entriesOf(arg(args, 0), func(v, key value) bool {
				if by(v, key, args[0]).truth() {
					yes = append(yes, v)
				} else {
					no = append(no, v)
				}
				return true
			})
			return listOf(f.newList(yes), f.newList(no))
		},
		"sortBy": func(f *frame, args []value) value {
			return f.sortBy(arg(args, 0), f.flat(args[min(1, len(args)):], 1), nil)
		},
		"orderBy": func(f *frame, args []value) value {
			keys := []value{arg(args, 1)}
			if by, ok := keys[0].ref.(*list); ok {
				keys = by.elements(f)
			}
			var descending []bool
			for _, o := range f.flat([]value{arg(args, 2)}, 1) {
				descending = append(descending, f.text(o) == "desc")
			}
			return f.sortBy(arg(args, 0), keys, descending)
		},
		"shuffle":    func(f *frame, args []value) value { return f.drawn(arg(args, 0), math.Inf(1)) },
		"sampleSize": func(f *frame, args []value) value { return f.drawn(arg(args, 0), f.whole(args, 1, 1)) },
		"sample": func(f *frame, args []value) value {
			of := arg(args, 0)
			keys := f.keysOf(of)
			if len(keys) == 0 {
				return value{}
			}
			return f.memberOf(of, keys[int(f.build.random()*float64(len(keys)))])
		},
		"toArray": func(f *frame, args []value) value { return listOf(f.elementsOf(arg(args, 0))...) },
		"castArray": func(f *frame, args []value) value {
			if v := arg(args, 0); v.kind == listKind {
				return v
			}
			return f.newList(args[:min(1, len(args))])
		},
		"size":    func(f *frame, args []value) value { return number(float64(f.size(arg(args, 0)))) },
		"isEmpty": func(f *frame, args []value) value { return boolean(f.size(arg(args, 0)) == 0) },
		"sum": func(f *frame, args []value) value {
			if arg(args, 0).kind != listKind {
				return number(0)
			}
			var sum value
			f.iterate(args[0], func(v value) bool {
				switch {
				case v.kind == undefinedKind:
				case sum.kind == undefinedKind:
					sum = v
				default:
					sum = f.plus(sum, v)
				}
				return true
			})
			if sum.kind == undefinedKind {
				return number(0)
			}
			return sum
		},
		"min": least, "minBy": least, "max": greatest, "maxBy": greatest,
		"sumBy": func(f *frame, args []value) value { total, _ := f.total(args); return number(total) },
		"mean": func(f *frame, args []value) value {
			total, n := f.total(args[:min(1, len(args))])
			return number(total / float64(n))
		},
		"meanBy": func(f *frame, args []value) value { total, n := f.total(args); return number(total / float64(n)) },
	}
}

// eachResult is a function that visits the elements with the results of its iteratee, and returns what end makes of them.
func eachResult(visit func(f *frame, out *[]value, v, key, result value) bool, end func(f *frame, out []value) value) native {
	return func(f *frame, args []value) value {
		var out []value
		of, by := arg(args, 0), f.iteratee(arg(args, 1))
		f.entriesOf(of, func(v, key value) bool {
			f.limitText(len(out) * itemSize)
			return visit(f, &out, v, key, by(v, key, of))
		})
		return end(f, out)
	}
}

// takeResult is for eachResult: it takes every result.
func takeResult(_ *frame, out *[]value, _, _, result value) bool {
	*out = append(*out, result)
	return true
}

// kept is a function that returns the elements for which its iteratee gives want.
func kept(want bool) native {
	return eachResult(func(_ *frame, out *[]value, v, _, result value) bool {
		if result.truth() == want {
			*out = append(*out, v)
		}
		return true
	}, asList)
}

// asList ends eachResult with all results.
func asList(f *frame, out []value) value { return f.newList(out) }

// firstOf ends eachResult with the first result.
func firstOf(_ *frame, out []value) value { return arg(out, 0) }

// extremeOf is a function that returns the element with the greatest or the smallest key.
func extremeOf(better func(order int) bool) native {
	return func(f *frame, args []value) value {
		var found, best value
		by := f.iteratee(arg(args, 1))
		f.entriesOf(arg(args, 0), func(v, key value) bool {
			k := by(v, key, args[0])
			if !k.isNullish() && (best.kind == undefinedKind || better(f.sortOrder(k, best))) {
				found, best = v, k
			}
			return true
		})
		return found
	}
}

// drawn returns n elements in a random order, at most all.
func (f *frame) drawn(of value, n float64) value {
	items := f.elementsOf(of)
	count := int(max(min(n, float64(len(items))), 0))
	for i := range count {
		j := i + int(f.build.random()*float64(len(items)-i))
		items[i], items[j] = items[j], items[i]
	}
	return f.newList(items[:count])
}

// total returns the sum of the keys of elements, and the number of elements.
func (f *frame) total(args []value) (total float64, n int) {
	by := f.iteratee(arg(args, 1))
	f.entriesOf(arg(args, 0), func(v, key value) bool {
		if x := by(v, key, args[0]); x.kind != undefinedKind {
			total += f.number(x)
		}
		n++
		return true
	})
	return total, n
}

// visitEach visits the elements until its function returns false.
func visitEach(f *frame, args []value) value {
	of, by := arg(args, 0), f.iteratee(arg(args, 1))
	f.entriesOf(of, func(v, key value) bool {
		stop := by(v, key, of)
		return stop.kind != boolKind || stop.truth()
	})
	return of
}
