package template

import (
	"slices"
	"strings"
)

// listMethods are the methods of lists.
func listMethods() map[string]method {
	return map[string]method{
		"includes": func(f *frame, of value, args []value) value {
			sought := arg(args, 0)
			return boolean(f.index(of, args, func(v value) bool {
				return f.same(v, sought) || v.kind == numberKind && sought.kind == numberKind && v.num != v.num && sought.num != sought.num
			}) >= 0)
		},
		"indexOf": func(f *frame, of value, args []value) value {
			return number(float64(f.index(of, args, func(v value) bool { return f.same(v, arg(args, 0)) })))
		},
		"join": func(f *frame, of value, args []value) value {
			separator := ","
			if v := arg(args, 0); v.kind != undefinedKind {
				separator = f.text(v)
			}
			var b strings.Builder
			f.join(&b, of.ref.(*list), separator, nil)
			return text(mend(b.String()))
		},
		"slice": func(f *frame, of value, args []value) value {
			items := of.ref.(*list).elements(f)
			from, to := f.position(args, 0, 0, len(items)), f.position(args, 1, len(items), len(items))
			return f.newList(items[from:max(from, to)])
		},
		"concat": func(f *frame, of value, args []value) value {
			out := slices.Clone(of.ref.(*list).elements(f))
			for _, a := range args {
				if a.kind == listKind {
					out = append(out, a.ref.(*list).elements(f)...)
				} else {
					out = append(out, a)
				}
				f.limitText(len(out) * itemSize)
			}
			return f.newList(out)
		},
		"at": func(f *frame, of value, args []value) value {
			items := of.ref.(*list).elements(f)
			n := f.whole(args, 0, 0)
			if n < 0 {
				n += float64(len(items))
			}
			if n < 0 || n >= float64(len(items)) {
				return value{}
			}
			return items[int(n)]
		},
		"map": func(f *frame, of value, args []value) value {
			out := make([]value, 0, len(of.ref.(*list).elements(f)))
			f.each(of, args, func(_, result value) bool { out = append(out, result); return true })
			f.keepItems(len(out))
			return listOf(out...)
		},
		"filter": func(f *frame, of value, args []value) value {
			var out []value
			f.each(of, args, func(v, result value) bool {
				if result.truth() {
					out = append(out, v)
				}
				return true
			})
			return f.newList(out)
		},
		"find": func(f *frame, of value, args []value) (found value) {
			f.each(of, args, func(v, result value) bool {
				if result.truth() {
					found = v
				}
				return !result.truth()
			})
			return found
		},
		"findIndex": func(f *frame, of value, args []value) value {
			at, n := -1, 0
			f.each(of, args, func(_, result value) bool {
				if result.truth() {
					at = n
				}
				n++
				return at < 0
			})
			return number(float64(at))
		},
		"some": func(f *frame, of value, args []value) value {
			some := false
			f.each(of, args, func(_, result value) bool { some = result.truth(); return !some })
			return boolean(some)
		},
		"every": func(f *frame, of value, args []value) value {
			every := true
			f.each(of, args, func(_, result value) bool { every = result.truth(); return every })
			return boolean(every)
		},
		"forEach": func(f *frame, of value, args []value) value {
			f.each(of, args, func(_, _ value) bool { return true })
			return value{}
		},
		"reduce": (*frame).reduce,
		"flat": func(f *frame, of value, args []value) value {
			depth := max(min(f.whole(args, 0, 1), maxLevels), 0)
			return f.newList(f.flat(of.ref.(*list).elements(f), int(depth)))
		},
		"reverse": func(f *frame, of value, _ []value) value {
			items := of.ref.(*list).elements(f)
			f.work(len(items) * itemSize)
			slices.Reverse(items)
			return of
		},
		"push": func(f *frame, of value, args []value) value {
			l := of.ref.(*list)
			l.items = append(l.elements(f), args...)
			f.keepItems(len(args))
			return number(float64(len(l.items)))
		},
		"unshift": func(f *frame, of value, args []value) value {
			l := of.ref.(*list)
			f.work(len(l.elements(f)) * 8)
			l.items = slices.Insert(l.items, 0, args...)
			f.keepItems(len(args))
			return number(float64(len(l.items)))
		},
		"pop": func(f *frame, of value, _ []value) (v value) {
			l := of.ref.(*list)
			if items := l.elements(f); len(items) > 0 {
				v, l.items = items[len(items)-1], items[:len(items)-1]
			}
			return v
		},
		"shift": func(f *frame, of value, _ []value) (v value) {
			l := of.ref.(*list)
			if items := l.elements(f); len(items) > 0 {
				v, l.items = items[0], items[1:]
			}
			return v
		},
		"splice": func(f *frame, of value, args []value) value {
			l := of.ref.(*list)
			items := l.elements(f)
			from := f.position(args, 0, 0, len(items))
			count := f.clamped(args, 1, len(items), len(items)-from)
			if len(args) == 0 {
				count = 0
			}
			out := slices.Clone(items[from : from+count])
			f.work(len(items) * 8)
			l.items = slices.Replace(items, from, from+count, args[min(2, len(args)):]...)
			f.keepItems(max(len(args)-2, 0))
			return f.newList(out)
		},
		"sort": (*frame).sort,
		"fill": func(f *frame, of value, args []value) value {
			items := of.ref.(*list).elements(f)
			from, to := f.position(args, 1, 0, len(items)), f.position(args, 2, len(items), len(items))
			for i := from; i < to; i++ {
				f.step()
				items[i] = arg(args, 0)
			}
			return of
		},
	}
}

// index returns the first item that fits, from the position in the second argument on. Without such
// an item it returns -1.
func (f *frame) index(of value, args []value, fits func(value) bool) int {
	items := of.ref.(*list).elements(f)
	f.work(len(items) * 8)
	from := f.position(args, 1, 0, len(items))
	at := slices.IndexFunc(items[from:], fits)
	if at < 0 {
		return at
	}
	return from + at
}

func (f *frame) reduce(of value, args []value) value {
	items, fn := of.ref.(*list).elements(f), f.function(arg(args, 0))
	sum, from := arg(args, 1), 0
	if len(args) < 2 {
		if len(items) == 0 {
			f.fail(codeWrongType, "", "reduce of an empty list needs a first value: add it")
		}
		sum, from = items[0], 1
	}
	for i := from; i < len(items); i++ {
		f.step()
		sum = f.apply(fn, []value{sum, items[i], number(float64(i)), of})
	}
	return sum
}

// each calls the function in the arguments for each item, and visit with the item and the result.
func (f *frame) each(of value, args []value, visit func(v, result value) bool) {
	fn := f.function(arg(args, 0))
	i := 0
	f.iterate(of, func(v value) bool {
		first := len(f.build.args)
		f.build.args = append(f.build.args, v, number(float64(i)), of)
		args := f.build.args[first : first+3 : first+3]
		result := f.apply(fn, args)
		f.done(args)
		i++
		f.limitText(i * itemSize)
		return visit(v, result)
	})
}

func (f *frame) flat(items []value, depth int) (out []value) {
	for _, v := range items {
		f.step()
		if v.kind == listKind && depth > 0 {
			out = append(out, f.flat(v.ref.(*list).elements(f), depth-1)...)
			f.limitText(len(out) * itemSize)
			continue
		}
		out = append(out, v)
	}
	return out
}

// sort sorts a list in place: by a function, or as texts, with undefined last.
func (f *frame) sort(of value, args []value) value {
	items := of.ref.(*list).elements(f)
	order := func(a, b value) int {
		f.step()
		switch {
		case a.kind == undefinedKind && b.kind == undefinedKind:
			return 0
		case a.kind == undefinedKind:
			return 1
		case b.kind == undefinedKind:
			return -1
		}
		if fn := arg(args, 0); fn.kind != undefinedKind {
			switch n := f.number(f.apply(f.function(fn), []value{a, b})); {
			case n < 0:
				return -1
			case n > 0:
				return 1
			}
			return 0
		}
		x, y := f.text(a), f.text(b)
		f.work(min(len(x), len(y)))
		return compareTexts(x, y)
	}
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, order)
	copy(items, sorted)
	return of
}

// toList is Array as a function: the items, or the length of a list.
func toList(f *frame, args []value) value {
	if n := arg(args, 0); len(args) == 1 && n.kind == numberKind {
		if !isWhole(n) || n.num < 0 {
			f.fail(codeOutOfRange, "", "a list needs a length from 0: correct it")
		}
		f.limitNumber(n.num * itemSize)
		args = make([]value, int(n.num))
	}
	return f.newList(args)
}

// listFunctions are the members of Array.
func listFunctions() map[string]native {
	return map[string]native{
		"isArray": isKind(listKind),
		"of":      func(f *frame, args []value) value { return f.newList(args) },
		"from":    arrayFrom,
	}
}

func arrayFrom(f *frame, args []value) value {
	of, fn := arg(args, 0), arg(args, 1)
	var out []value
	add := func(v value) bool {
		if fn.kind != undefinedKind {
			v = f.apply(f.function(fn), []value{v, number(float64(len(out)))})
		}
		f.keepItems(1)
		out = append(out, v)
		return true
	}
	switch {
	case of.kind == objectKind: // {length: n}
		n := f.number(f.memberOf(of, text("length")))
		for i := 0.0; i < n; i++ {
			f.step()
			add(f.memberOf(of, number(i)))
		}
	case of.kind == listKind || of.kind == textKind || of.kind == collectionKind:
		f.iterate(of, add)
	case of.isNullish():
		f.objectArg(args)
	}
	return listOf(out...)
}
