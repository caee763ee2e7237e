package template

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// entriesOf visits the elements of a list, the members of an object or the characters of a text, each
// with its key.
func (f *frame) entriesOf(of value, visit func(v, key value) bool) {
	switch of.kind {
	case listKind, textKind:
		i := 0
		f.iterate(of, func(v value) bool {
			i++
			return visit(v, number(float64(i-1)))
		})
	case objectKind:
		o := of.ref.(*object)
		for _, i := range o.order(f) {
			f.step()
			if !visit(o.vals[i], text(o.keys[i])) {
				return
			}
		}
	}
}

// iteratee returns the function that lodash makes of an argument: a function, the path of a member, an
// object whose members must be equal, a pair of a path and a value, or nothing for the value itself.
func (f *frame) iteratee(by value) func(v, key, of value) value {
	switch by.kind {
	case undefinedKind, nullKind:
		return func(v, _, _ value) value { return v }
	case functionKind:
		return func(v, key, of value) value { return f.apply(by, []value{v, key, of}) }
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

func (f *frame) pathValue(v, path value) value {
	found, _ := f.lookupPath(v, f.pathOf(v, path))
	return found
}

// equal compares two values with all their members.
func (f *frame) equal(a, b value, level int) bool {
	if f.step(); level > maxLevels {
		f.limit("nesting", "the values are nested too deeply: compare a part of them")
	}
	if f.same(a, b) || a.kind == numberKind && b.kind == numberKind && a.num != a.num && b.num != b.num {
		return true
	}
	if a.kind != b.kind || a.kind != listKind && a.kind != objectKind || f.size(a) != f.size(b) {
		return false
	}
	all := true
	f.entriesOf(a, func(v, key value) bool {
		all = f.has(key, b).truth() && f.equal(v, f.memberOf(b, key), level+1)
		return all
	})
	return all
}

// elementsOf returns the values of a list, an object or a text.
func (f *frame) elementsOf(of value) (out []value) {
	f.entriesOf(of, func(v, _ value) bool {
		f.keepItems(1)
		out = append(out, v)
		return true
	})
	return out
}

// copyOf copies a value with all its members.
func (f *frame) copyOf(v value, deep bool, level int) value {
	if f.step(); level > maxLevels {
		f.limit("nesting", "the value is nested too deeply: copy a part of it")
	}
	inner := func(v value) value {
		if deep {
			return f.copyOf(v, true, level+1)
		}
		return v
	}
	switch v.kind {
	case listKind:
		out := f.elementsOf(v)
		for i := range out {
			out[i] = inner(out[i])
		}
		return listOf(out...)
	case objectKind:
		o := &object{isError: v.ref.(*object).isError}
		f.entriesOf(v, func(v, key value) bool {
			f.keepItems(1)
			o.put(key.text, inner(v))
			return true
		})
		return objectOf(o)
	}
	return v
}

// chosen makes an object of the members of an object for which keep returns a key.
func (f *frame) chosen(of value, keep func(v, key value) (string, value, bool)) value {
	o := &object{}
	f.entriesOf(of, func(v, key value) bool {
		if name, v, ok := keep(v, key); ok {
			if isInner(name) {
				f.refuse(name)
			}
			f.keepItems(1)
			o.put(name, v)
		}
		return true
	})
	return objectOf(o)
}

// distinct leaves out values whose key was there before or is in without.
func (f *frame) distinct(items []value, by func(v, key, of value) value, seen map[value]int) value {
	var out []value
	for _, v := range items {
		f.step()
		key := keyOf(by(v, value{}, value{}))
		if _, known := seen[key]; !known {
			seen[key] = 1
			out = append(out, v)
		}
	}
	return f.newList(out)
}

// keysIn returns the values of a list as a set.
func keysIn(items []value) map[value]int {
	set := map[value]int{}
	for _, v := range items {
		set[keyOf(v)]++
	}
	return set
}

// sortOrder compares two values for sorting, with undefined last.
func (f *frame) sortOrder(a, b value) int {
	f.step()
	switch {
	case a.kind == undefinedKind || b.kind == undefinedKind:
		return int(b.kind) - int(a.kind)
	case f.same(a, b):
		return 0
	}
	order, _ := f.compare(a, b)
	return order
}

// sortBy sorts by the keys that functions give, each ascending or descending.
func (f *frame) sortBy(of value, by []value, descending []bool) value {
	type row struct{ v, key value }
	items := f.elementsOf(of)
	if len(by) == 0 {
		by = []value{{}}
	}
	for i := len(by) - 1; i >= 0; i-- { // a stable sort by the last key first
		key := f.iteratee(by[i])
		rows := make([]row, len(items))
		for j, v := range items {
			rows[j] = row{v, key(v, number(float64(j)), of)}
		}
		slices.SortStableFunc(rows, func(a, b row) int {
			n := f.sortOrder(a.key, b.key)
			if i < len(descending) && descending[i] {
				return -n
			}
			return n
		})
		for j := range rows {
			items[j] = rows[j].v
		}
	}
	return f.newList(items)
}

// rounded is _.round, _.floor and _.ceil: a number with some decimals.
func rounded(apply func(float64) float64) func(f *frame, args []value) value {
	return func(f *frame, args []value) value {
		n, digits := f.number(arg(args, 0)), int(max(min(f.whole(args, 1, 0), 292), -292))
		if digits == 0 || !finite(n) || n == 0 {
			return number(apply(n))
		}
		shift := func(n float64, by int) float64 { // as a decimal text, as lodash does
			mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(n, 'e', -1, 64), "e")
			e, _ := strconv.Atoi(exponent)
			out, _ := strconv.ParseFloat(mantissa+"e"+strconv.Itoa(e+by), 64)
			return out
		}
		return number(shift(apply(shift(n, digits)), -digits))
	}
}

// grouped collects values under the text of their keys.
func (f *frame) grouped(args []value, add func(old value, v value) value) value {
	o, key := &object{}, f.iteratee(arg(args, 1))
	f.entriesOf(arg(args, 0), func(v, k value) bool {
		name := f.text(key(v, k, args[0]))
		if isInner(name) {
			f.refuse(name)
		}
		f.keepItems(2)
		old, _ := o.get(f, name)
		o.put(name, add(old, v))
		return true
	})
	return objectOf(o)
}

// wrapper is _(v) or _.chain(v).
func wrapper(explicit bool) func(f *frame, args []value) value {
	return func(_ *frame, args []value) value {
		v := arg(args, 0)
		if w, ok := v.ref.(*wrapped); ok {
			v = w.v
		}
		return value{kind: wrappedKind, ref: &wrapped{v, explicit}}
	}
}

// endsChain are the functions that end a chain that _(v) has begun: they give one value.
var endsChain = namesOf("get has clamp isEmpty size sum random sample clone cloneDeep find findLast findKey findIndex some every forEach each forOwn forIn " +
	"reduce includes head first last nth indexOf join min max minBy maxBy sumBy mean meanBy round floor ceil inRange toNumber toInteger toString " +
	"isArray isString isNumber isBoolean isObject isPlainObject isNil isUndefined isNull isFunction isNaN isInteger isFinite isEqual defaultTo identity " +
	"isMatch isRegExp isDate isMap isSet isError add subtract multiply divide gt gte lt lte eq escape unescape escapeRegExp truncate pad parseInt " +
	"camelCase kebabCase snakeCase lowerCase upperCase startCase result invoke unset findLastKey findLastIndex lastIndexOf reduceRight hasIn " +
	"upperFirst lowerFirst capitalize trim trimStart trimEnd padStart padEnd startsWith endsWith repeat replace toUpper toLower")

// chained returns the method of a chain that calls a function of lodash with the value.
func (l *library) chained(name string) method {
	if name == "value" || name == "valueOf" || name == "toJSON" {
		return func(_ *frame, of value, _ []value) value { return of.ref.(*wrapped).v }
	}
	call, ok := l.names["_"].ref.(*function).members[name].ref.(*function)
	if list := l.lists[name]; !ok && list != nil { // a method of lists
		return func(f *frame, of value, args []value) value {
			w := of.ref.(*wrapped)
			if out := list(f, w.v, args); name != "push" && name != "unshift" {
				w = &wrapped{out, w.explicit}
			}
			return value{kind: wrappedKind, ref: w}
		}
	}
	if !ok {
		return nil
	}
	return func(f *frame, of value, args []value) value {
		w := of.ref.(*wrapped)
		out := call.call(f, append([]value{w.v}, args...))
		if !w.explicit && endsChain[name] {
			return out
		}
		return value{kind: wrappedKind, ref: &wrapped{out, w.explicit}}
	}
}

// namesOf returns the words of a list as a set.
func namesOf(list string) map[string]bool {
	out := map[string]bool{}
	for _, name := range strings.Fields(list) {
		out[name] = true
	}
	return out
}

// lodashMore are the functions of lodash that work on values of all kinds.
func lodashMore() map[string]func(f *frame, args []value) value {
	type functions = map[string]func(f *frame, args []value) value
	is := func(test func(v value) bool) func(f *frame, args []value) value {
		return func(_ *frame, args []value) value { return boolean(test(arg(args, 0))) }
	}
	// method calls a method of texts or lists, whose first argument is the value.
	method := func(name string) func(f *frame, args []value) value {
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
	// part takes a part of a list.
	part := func(bounds func(n, size int) (from, to int)) func(f *frame, args []value) value {
		return func(f *frame, args []value) value {
			items := f.elementsOf(arg(args, 0))
			n := int(max(min(f.whole(args, 1, 1), float64(len(items))), 0))
			from, to := bounds(n, len(items))
			return f.newList(items[from:to])
		}
	}
	at := func(place func(size int) int) func(f *frame, args []value) value {
		return func(f *frame, args []value) value {
			items := f.elementsOf(arg(args, 0))
			if i := place(len(items)); i >= 0 && i < len(items) {
				return items[i]
			}
			return value{}
		}
	}
	// loop visits the elements with the result of the iteratee, and returns what end makes of it.
	loop := func(visit func(f *frame, out *[]value, v, key, result value) bool, end func(f *frame, out []value) value) func(f *frame, args []value) value {
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
	asList := func(f *frame, out []value) value { return f.newList(out) }
	first := func(_ *frame, out []value) value { return arg(out, 0) }
	// best returns the element with the greatest or the smallest key.
	best := func(better func(order int) bool) func(f *frame, args []value) value {
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
	sum := func(f *frame, args []value) (total float64, n int) {
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
	find := loop(func(_ *frame, out *[]value, v, _, result value) bool {
		if result.truth() {
			*out = append(*out, v)
		}
		return !result.truth()
	}, first)
	findKey := loop(func(_ *frame, out *[]value, _, key, result value) bool {
		if result.truth() {
			*out = append(*out, key)
		}
		return !result.truth()
	}, first)
	forEach := func(f *frame, args []value) value {
		of, by := arg(args, 0), f.iteratee(arg(args, 1))
		f.entriesOf(of, func(v, key value) bool {
			stop := by(v, key, of)
			return stop.kind != boolKind || stop.truth()
		})
		return of
	}
	pairs := func(f *frame, args []value) value {
		var out []value
		f.entriesOf(arg(args, 0), func(v, key value) bool {
			f.keepItems(3)
			out = append(out, listOf(text(f.text(key)), v))
			return true
		})
		return listOf(out...)
	}
	assign := func(keep func(old value) bool) func(f *frame, args []value) value {
		return func(f *frame, args []value) value {
			to := arg(args, 0)
			if to.kind != objectKind {
				return to
			}
			o := to.ref.(*object)
			for _, from := range args[1:] {
				f.entriesOf(from, func(v, key value) bool {
					if old, _ := o.get(f, f.text(key)); keep(old) {
						f.setMember(to, key, v)
					}
					return true
				})
			}
			return to
		}
	}
	changed := func(change func(r rune) rune) func(f *frame, args []value) value {
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
	joined := func(f *frame, args []value) []value { return f.flat(args, 1) }
	out := functions{
		"chain": wrapper(true),
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
		"keys":    func(f *frame, args []value) value { return listOf(f.keysOf(arg(args, 0))...) },
		"values":  func(f *frame, args []value) value { return listOf(f.elementsOf(arg(args, 0))...) },
		"entries": pairs, "toPairs": pairs,
		"fromPairs": func(f *frame, args []value) value {
			return f.chosen(arg(args, 0), func(v, _ value) (string, value, bool) {
				return f.text(f.memberOf(v, number(0))), f.memberOf(v, number(1)), true
			})
		},
		"map": loop(func(_ *frame, out *[]value, _, _, result value) bool { *out = append(*out, result); return true }, asList),
		"flatMap": loop(func(_ *frame, out *[]value, _, _, result value) bool { *out = append(*out, result); return true },
			func(f *frame, out []value) value { return f.newList(f.flat(out, 1)) }),
		"filter": loop(func(_ *frame, out *[]value, v, _, result value) bool {
			if result.truth() {
				*out = append(*out, v)
			}
			return true
		}, asList),
		"reject": loop(func(_ *frame, out *[]value, v, _, result value) bool {
			if !result.truth() {
				*out = append(*out, v)
			}
			return true
		}, asList),
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
		"forEach": forEach, "each": forEach, "forOwn": forEach, "forIn": forEach,
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
			by, orders := arg(args, 1), arg(args, 2)
			var keys []value
			if by.kind == listKind {
				keys = by.ref.(*list).elements(f)
			} else {
				keys = []value{by}
			}
			var descending []bool
			for _, o := range f.flat([]value{orders}, 1) {
				descending = append(descending, f.text(o) == "desc")
			}
			return f.sortBy(arg(args, 0), keys, descending)
		},
		"uniq": func(f *frame, args []value) value {
			return f.distinct(f.elementsOf(arg(args, 0)), f.iteratee(value{}), map[value]int{})
		},
		"uniqBy": func(f *frame, args []value) value {
			return f.distinct(f.elementsOf(arg(args, 0)), f.iteratee(arg(args, 1)), map[value]int{})
		},
		"union": func(f *frame, args []value) value {
			return f.distinct(joined(f, args), f.iteratee(value{}), map[value]int{})
		},
		"difference": func(f *frame, args []value) value {
			without := keysIn(joined(f, args[min(1, len(args)):]))
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
		"concat": func(f *frame, args []value) value { return f.newList(joined(f, args)) },
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
		"take":      part(func(n, _ int) (int, int) { return 0, n }),
		"takeRight": part(func(n, size int) (int, int) { return size - n, size }),
		"drop":      part(func(n, size int) (int, int) { return n, size }),
		"dropRight": part(func(n, size int) (int, int) { return 0, size - n }),
		"initial":   part(func(_, size int) (int, int) { return 0, max(size-1, 0) }),
		"tail":      part(func(_, size int) (int, int) { return min(1, size), size }),
		"head":      at(func(int) int { return 0 }), "first": at(func(int) int { return 0 }),
		"last": at(func(size int) int { return size - 1 }),
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
		"slice": method("slice"), "indexOf": method("indexOf"), "reverse": method("reverse"), "join": method("join"),
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
		"shuffle": func(f *frame, args []value) value {
			items := f.elementsOf(arg(args, 0))
			for i := range items {
				j := i + int(f.build.random()*float64(len(items)-i))
				items[i], items[j] = items[j], items[i]
			}
			return f.newList(items)
		},
		"sampleSize": func(f *frame, args []value) value {
			items, n := f.elementsOf(arg(args, 0)), int(max(min(f.whole(args, 1, 1), 1<<20), 0))
			for i := range min(n, len(items)) {
				j := i + int(f.build.random()*float64(len(items)-i))
				items[i], items[j] = items[j], items[i]
			}
			return f.newList(items[:min(n, len(items))])
		},
		"min": best(func(order int) bool { return order < 0 }), "max": best(func(order int) bool { return order > 0 }),
		"minBy": best(func(order int) bool { return order < 0 }), "maxBy": best(func(order int) bool { return order > 0 }),
		"sumBy": func(f *frame, args []value) value { total, _ := sum(f, args); return number(total) },
		"mean": func(f *frame, args []value) value {
			total, n := sum(f, args[:min(1, len(args))])
			return number(total / float64(n))
		},
		"meanBy": func(f *frame, args []value) value { total, n := sum(f, args); return number(total / float64(n)) },
		"round":  rounded(func(n float64) float64 { return math.Floor(n + 0.5) }), "floor": rounded(math.Floor), "ceil": rounded(math.Ceil),
		"inRange": func(f *frame, args []value) value {
			n, from, to := f.number(arg(args, 0)), 0.0, f.number(arg(args, 1))
			if len(args) > 2 {
				from, to = to, f.number(args[2])
			}
			return boolean(n >= min(from, to) && n < max(from, to))
		},
		"toNumber":  func(f *frame, args []value) value { return number(f.number(arg(args, 0))) },
		"toInteger": func(f *frame, args []value) value { return number(f.whole(args, 0, 0)) },
		"toString": func(f *frame, args []value) value {
			if v := arg(args, 0); !v.isNullish() {
				return text(f.text(v))
			}
			return text("")
		},
		"toArray": func(f *frame, args []value) value { return listOf(f.elementsOf(arg(args, 0))...) },
		"castArray": func(f *frame, args []value) value {
			if v := arg(args, 0); v.kind == listKind {
				return v
			}
			return f.newList(args[:min(1, len(args))])
		},
		"isArray": is(func(v value) bool { return v.kind == listKind }), "isString": is(func(v value) bool { return v.kind == textKind }),
		"isNumber": is(func(v value) bool { return v.kind == numberKind }), "isBoolean": is(func(v value) bool { return v.kind == boolKind }),
		"isObject": is(func(v value) bool { return v.kind >= listKind }), "isPlainObject": is(func(v value) bool { return v.kind == objectKind }),
		"isNil": is(value.isNullish), "isUndefined": is(func(v value) bool { return v.kind == undefinedKind }),
		"isNull": is(func(v value) bool { return v.kind == nullKind }), "isFunction": is(func(v value) bool { return v.kind == functionKind }),
		"isNaN": is(func(v value) bool { return v.kind == numberKind && v.num != v.num }), "isInteger": is(isWhole),
		"isRegExp": is(func(v value) bool { return v.kind == patternKind }), "isDate": is(func(v value) bool { return v.kind == dateKind }),
		"isMap":   is(func(v value) bool { c, ok := v.ref.(*collection); return ok && c.isMap }),
		"isSet":   is(func(v value) bool { c, ok := v.ref.(*collection); return ok && !c.isMap }),
		"isError": is(func(v value) bool { o, ok := v.ref.(*object); return ok && o.isError }),
		"iteratee": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 0))
			return builtin(func(_ *frame, args []value) value { return by(arg(args, 0), arg(args, 1), arg(args, 2)) })
		},
		"toPath":   func(f *frame, args []value) value { return listOf(textsOf(f.pathOf(value{}, arg(args, 0)))...) },
		"isFinite": is(func(v value) bool { return v.kind == numberKind && finite(v.num) }),
		"isEqual":  func(f *frame, args []value) value { return boolean(f.equal(arg(args, 0), arg(args, 1), 0)) },
		"pickBy": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 1))
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(key), v, by(v, key, args[0]).truth() })
		},
		"omitBy": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 1))
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(key), v, !by(v, key, args[0]).truth() })
		},
		"mapValues": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 1))
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(key), by(v, key, args[0]), true })
		},
		"mapKeys": func(f *frame, args []value) value {
			by := f.iteratee(arg(args, 1))
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(by(v, key, args[0])), v, true })
		},
		"invert": func(f *frame, args []value) value {
			return f.chosen(arg(args, 0), func(v, key value) (string, value, bool) { return f.text(v), text(f.text(key)), true })
		},
		"assign":    assign(func(value) bool { return true }),
		"defaults":  assign(func(old value) bool { return old.kind == undefinedKind }),
		"cloneDeep": func(f *frame, args []value) value { return f.copyOf(arg(args, 0), true, 0) },
		"clone":     func(f *frame, args []value) value { return f.copyOf(arg(args, 0), false, 0) },
		"set": func(f *frame, args []value) value {
			of := arg(args, 0)
			path := f.pathOf(of, arg(args, 1))
			if of.kind < listKind || len(path) == 0 {
				return of
			}
			to := of
			for i, name := range path[:len(path)-1] {
				next := f.memberOf(to, text(name))
				if next.kind != listKind && next.kind != objectKind {
					next = objectOf(&object{})
					if _, err := strconv.Atoi(path[i+1]); err == nil {
						next = listOf()
					}
					f.setMember(to, text(name), next)
				}
				to = next
			}
			f.setMember(to, text(path[len(path)-1]), arg(args, 2))
			return of
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
		"noop":       func(*frame, []value) value { return value{} },
		"upperFirst": changed(unicode.ToUpper), "lowerFirst": changed(unicode.ToLower),
		"capitalize": func(f *frame, args []value) value {
			return changed(unicode.ToUpper)(f, []value{text(lower(f.text(arg(args, 0))))})
		},
	}
	for name, of := range map[string]string{"padStart": "padStart", "padEnd": "padEnd",
		"startsWith": "startsWith", "endsWith": "endsWith", "split": "split", "replace": "replace",
		"toUpper": "toUpperCase", "toLower": "toLowerCase"} {
		out[name] = method(of)
	}
	return out
}
