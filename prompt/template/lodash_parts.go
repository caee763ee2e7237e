package template

import (
	"math"
	"slices"
)

// lodashParts are the functions of lodash that make lists of lists and numbers.
func lodashParts() map[string]native {
	return map[string]native{
		"uniq": func(f *frame, args []value) value {
			return f.distinct(f.elementsOf(arg(args, 0)), f.iteratee(value{}), map[value]int{})
		},
		"uniqBy": func(f *frame, args []value) value {
			return f.distinct(f.elementsOf(arg(args, 0)), f.iteratee(arg(args, 1)), map[value]int{})
		},
		"union": func(f *frame, args []value) value {
			return f.distinct(f.flat(args, 1), f.iteratee(value{}), map[value]int{})
		},
		"difference": func(f *frame, args []value) value {
			without := keysIn(f.flat(args[min(1, len(args)):], 1))
			return f.newList(slices.DeleteFunc(f.elementsOf(arg(args, 0)), func(v value) bool { return without[keyOf(v)] > 0 }))
		},
		"without": func(f *frame, args []value) value {
			without := keysIn(args[min(1, len(args)):])
			return f.newList(slices.DeleteFunc(f.elementsOf(arg(args, 0)), func(v value) bool { return without[keyOf(v)] > 0 }))
		},
		"intersection": func(f *frame, args []value) value {
			items := f.elementsOf(arg(args, 0))
			for _, other := range args[min(1, len(args)):] {
				in := keysIn(f.elementsOf(other))
				items = slices.DeleteFunc(items, func(v value) bool { return in[keyOf(v)] == 0 })
			}
			return f.distinct(items, f.iteratee(value{}), map[value]int{})
		},
		"flatten":     func(f *frame, args []value) value { return f.newList(f.flat(f.elementsOf(arg(args, 0)), 1)) },
		"flattenDeep": func(f *frame, args []value) value { return f.newList(f.flat(f.elementsOf(arg(args, 0)), maxLevels)) },
		"compact": func(f *frame, args []value) value {
			return f.newList(slices.DeleteFunc(f.elementsOf(arg(args, 0)), func(v value) bool { return !v.truth() }))
		},
		"concat": func(f *frame, args []value) value { return f.newList(f.flat(args, 1)) },
		"chunk": func(f *frame, args []value) value {
			items, size := f.elementsOf(arg(args, 0)), int(max(min(f.whole(args, 1, 1), 1<<20), 0))
			var out []value
			for size > 0 && len(items) > 0 {
				out = append(out, f.newList(items[:min(size, len(items))]))
				items = items[min(size, len(items)):]
			}
			return f.newList(out)
		},
		"zip": func(f *frame, args []value) value {
			var out []value
			for i, going := 0, true; going; i++ {
				row := make([]value, len(args))
				going = false
				for j, of := range args {
					if of.kind == listKind && i < f.size(of) {
						row[j], going = f.memberOf(of, number(float64(i))), true
					}
				}
				if going {
					out = append(out, f.newList(row))
				}
			}
			return f.newList(out)
		},
		"zipObject": func(f *frame, args []value) value {
			values := f.elementsOf(arg(args, 1))
			i := -1
			return f.chosen(arg(args, 0), func(v, _ value) (string, value, bool) { i++; return f.text(v), arg(values, i), true })
		},
		"take":      sublist(func(n, _ int) (int, int) { return 0, n }),
		"takeRight": sublist(func(n, size int) (int, int) { return size - n, size }),
		"drop":      sublist(func(n, size int) (int, int) { return n, size }),
		"dropRight": sublist(func(n, size int) (int, int) { return 0, size - n }),
		"initial":   sublist(func(_, size int) (int, int) { return 0, max(size-1, 0) }),
		"tail":      sublist(func(_, size int) (int, int) { return min(1, size), size }),
		"head":      element(func(int) int { return 0 }), "first": element(func(int) int { return 0 }),
		"last": element(func(size int) int { return size - 1 }),
		"nth": func(f *frame, args []value) value {
			items := f.elementsOf(arg(args, 0))
			if n := f.whole(args, 1, 0); n < 0 {
				if n += float64(len(items)); n >= 0 {
					return items[int(n)]
				}
			} else if n < float64(len(items)) {
				return items[int(n)]
			}
			return value{}
		},
		"slice": byMethod("slice"), "indexOf": byMethod("indexOf"), "reverse": byMethod("reverse"), "join": byMethod("join"),
		"range": func(f *frame, args []value) value {
			from, to := 0.0, f.whole(args, 0, 0)
			if len(args) > 1 {
				from, to = to, f.whole(args, 1, 0)
			}
			step := 1.0
			if to < from {
				step = -1
			}
			if len(args) > 2 {
				step = f.number(args[2])
			}
			count := math.Ceil((to - from) / step)
			if math.IsNaN(count) || step == 0 || count < 0 {
				return listOf()
			}
			f.limitNumber(count * itemSize)
			items := make([]value, int(count))
			for i := range items {
				items[i] = number(from + float64(i)*step)
			}
			f.keepItems(len(items))
			return listOf(items...)
		},
		"times": func(f *frame, args []value) value {
			n, by := max(f.whole(args, 0, 0), 0), f.iteratee(arg(args, 1))
			f.limitNumber(n * itemSize)
			items := make([]value, int(n))
			for i := range items {
				f.step()
				items[i] = by(number(float64(i)), value{}, value{})
			}
			return f.newList(items)
		},
	}
}

// sublist is a function that returns a part of a list. bounds gets the number of the second argument, at most the size.
func sublist(bounds func(n, size int) (from, to int)) native {
	return func(f *frame, args []value) value {
		items := f.elementsOf(arg(args, 0))
		n := int(max(min(f.whole(args, 1, 1), float64(len(items))), 0))
		from, to := bounds(n, len(items))
		return f.newList(items[from:to])
	}
}

// element is a function that returns one element of a list.
func element(place func(size int) int) native {
	return func(f *frame, args []value) value {
		items := f.elementsOf(arg(args, 0))
		if i := place(len(items)); i >= 0 && i < len(items) {
			return items[i]
		}
		return value{}
	}
}
