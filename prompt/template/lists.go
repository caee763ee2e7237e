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
			return boolean(f.indexOfItem(of, args, func(v value) bool {
				return f.strictlyEqual(v, sought) || isNaN(v) && isNaN(sought)
			}) >= 0)
		},
		"indexOf": func(f *frame, of value, args []value) value {
			return number(float64(f.indexOfItem(of, args, func(v value) bool { return f.strictlyEqual(v, arg(args, 0)) })))
		},
		"join": func(f *frame, of value, args []value) value {
			separator := ","
			if v := arg(args, 0); v.kind != undefinedKind {
				separator = f.toText(v)
			}
			var b strings.Builder
			f.join(&b, of.ref.(*list), separator, nil)
			return text(mend(b.String()))
		},
		"slice": func(f *frame, of value, args []value) value {
			items := of.ref.(*list).elements(f)
			from, to := f.positionArg(args, 0, 0, len(items)), f.positionArg(args, 1, len(items), len(items))
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
				f.checkSize(len(out) * itemSize)
			}
			return f.newList(out)
		},
		"map": func(f *frame, of value, args []value) value { return f.mapped(of, f.callback(arg(args, 0))) },
		"filter": func(f *frame, of value, args []value) value {
			return f.filtered(of, f.callback(arg(args, 0)), true)
		},
		"find": func(f *frame, of value, args []value) value {
			key := f.firstKey(of, f.callback(arg(args, 0)), true)
			if key.kind == undefinedKind {
				return value{}
			}
			return f.memberOf(of, key)
		},
		"findIndex": func(f *frame, of value, args []value) value {
			key := f.firstKey(of, f.callback(arg(args, 0)), true)
			if key.kind == undefinedKind {
				return number(-1)
			}
			return key
		},
		"some": func(f *frame, of value, args []value) value {
			return boolean(f.firstKey(of, f.callback(arg(args, 0)), true).kind != undefinedKind)
		},
		"every": func(f *frame, of value, args []value) value {
			return boolean(f.firstKey(of, f.callback(arg(args, 0)), false).kind == undefinedKind)
		},
		"forEach": func(f *frame, of value, args []value) value {
			f.each(of, f.callback(arg(args, 0)), func(_, _, _ value) bool { return true })
			return value{}
		},
		"reduce": (*frame).reduce,
		"flat": func(f *frame, of value, args []value) value {
			depth := max(min(f.wholeArg(args, 0, 1), maxLevels), 0)
			return f.newList(f.flat(of.ref.(*list).elements(f), int(depth)))
		},
		"reverse": func(f *frame, of value, _ []value) value {
			items := of.ref.(*list).elements(f)
			f.chargeBytes(len(items) * itemSize)
			slices.Reverse(items)
			return of
		},
		"push": func(f *frame, of value, args []value) value {
			return f.insertItems(of, len(of.ref.(*list).elements(f)), args)
		},
		"unshift": func(f *frame, of value, args []value) value {
			f.chargeBytes(len(of.ref.(*list).elements(f)) * 8)
			return f.insertItems(of, 0, args)
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
		"splice": (*frame).splice,
		"sort":   (*frame).sortList,
		"fill": func(f *frame, of value, args []value) value {
			items := of.ref.(*list).elements(f)
			from, to := f.positionArg(args, 1, 0, len(items)), f.positionArg(args, 2, len(items), len(items))
			for i := from; i < to; i++ {
				f.step()
				items[i] = arg(args, 0)
			}
			return of
		},
	}
}

// indexOfItem returns the first item that fits, from the position in the second argument on. Without such
// an item it returns -1.
func (f *frame) indexOfItem(of value, args []value, fits func(value) bool) int {
	items := of.ref.(*list).elements(f)
	f.chargeBytes(len(items) * 8)
	from := f.positionArg(args, 1, 0, len(items))
	at := slices.IndexFunc(items[from:], fits)
	if at < 0 {
		return at
	}
	return from + at
}

// insertItems inserts items into a list and returns its new length.
func (f *frame) insertItems(of value, at int, items []value) value {
	l := of.ref.(*list)
	l.items = slices.Insert(l.items, at, items...)
	f.chargeItems(len(items))
	return number(float64(len(l.items)))
}

// splice is the method of lists: it replaces items by the other arguments and returns the old ones.
func (f *frame) splice(of value, args []value) value {
	l := of.ref.(*list)
	items := l.elements(f)
	from := f.positionArg(args, 0, 0, len(items))
	count := f.clampedArg(args, 1, len(items), len(items)-from)
	if len(args) == 0 {
		count = 0
	}
	out := slices.Clone(items[from : from+count])
	f.chargeBytes(len(items) * 8)
	l.items = slices.Replace(items, from, from+count, args[min(2, len(args)):]...)
	f.chargeItems(max(len(args)-2, 0))
	return f.newList(out)
}

// reduce is the method of lists: it combines all elements by a function.
func (f *frame) reduce(of value, args []value) value {
	items, fn := of.ref.(*list).elements(f), f.mustBeFunction(arg(args, 0))
	sum, from := arg(args, 1), 0
	if len(args) < 2 {
		if len(items) == 0 {
			f.fail(codeWrongType, "", "reduce of an empty list needs a first value: add it")
		}
		sum, from = items[0], 1
	}
	for i := from; i < len(items); i++ {
		f.step()
		sum = f.callFunction(fn, []value{sum, items[i], number(float64(i)), of})
	}
	return sum
}

// An iteratee is called with an element or member, its key, and the value that contains it.
type iteratee = func(v, key, of value) value

// callback returns an argument, which must be a function, as an iteratee.
func (f *frame) callback(fn value) iteratee {
	f.mustBeFunction(fn)
	return func(v, key, of value) value {
		first := len(f.build.args)
		f.build.args = append(f.build.args, v, key, of)
		args := f.build.args[first : first+3 : first+3]
		result := f.callFunction(fn, args)
		f.releaseArguments(args)
		return result
	}
}

// entriesOf visits the elements of a list, the members of an object or the characters of a text, each
// with its key, until visit returns false.
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

// each visits the entries of a value with the results of an iteratee, until visit returns false.
func (f *frame) each(of value, by iteratee, visit func(v, key, result value) bool) {
	entries := 0
	f.entriesOf(of, func(v, key value) bool {
		entries++
		f.checkSize(entries * itemSize)
		return visit(v, key, by(v, key, of))
	})
}

// mapped returns the results of an iteratee as a list.
func (f *frame) mapped(of value, by iteratee) value {
	results := make([]value, 0, f.size(of))
	f.each(of, by, func(_, _, result value) bool { results = append(results, result); return true })
	f.chargeItems(len(results))
	return listOf(results...)
}

// filtered returns the elements for which an iteratee is true or, if wanted is false, not true.
func (f *frame) filtered(of value, by iteratee, wanted bool) value {
	var items []value
	f.each(of, by, func(v, _, result value) bool {
		if result.isTrue() == wanted {
			items = append(items, v)
		}
		return true
	})
	f.chargeItems(len(items))
	return listOf(items...)
}

// firstKey returns the key of the first entry for which an iteratee is true or, if wanted is false, not
// true. It returns undefined if there is none.
func (f *frame) firstKey(of value, by iteratee, wanted bool) (found value) {
	f.each(of, by, func(_, key, result value) bool {
		if result.isTrue() != wanted {
			return true
		}
		found = key
		return false
	})
	return found
}

// flat returns the elements, with those of inner lists up to a depth in the place of the lists.
func (f *frame) flat(items []value, depth int) (out []value) {
	for _, v := range items {
		f.step()
		if v.kind == listKind && depth > 0 {
			out = append(out, f.flat(v.ref.(*list).elements(f), depth-1)...)
			f.checkSize(len(out) * itemSize)
			continue
		}
		out = append(out, v)
	}
	return out
}

// sortList sorts a list in place: by a function, or as texts, with undefined last.
func (f *frame) sortList(of value, args []value) value {
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
			switch n := f.toNumber(f.callFunction(f.mustBeFunction(fn), []value{a, b})); {
			case n < 0:
				return -1
			case n > 0:
				return 1
			}
			return 0
		}
		x, y := f.toText(a), f.toText(b)
		f.chargeBytes(min(len(x), len(y)))
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
		f.checkLargeSize(n.num * itemSize)
		args = make([]value, int(n.num))
	}
	return f.newList(args)
}

// listFunctions are the members of Array.
func listFunctions() map[string]native {
	return map[string]native{
		"isArray": isKind(listKind),
		"from":    arrayFrom,
	}
}

// arrayFrom is Array.from.
func arrayFrom(f *frame, args []value) value {
	of, fn := arg(args, 0), arg(args, 1)
	var out []value
	add := func(v value) bool {
		if fn.kind != undefinedKind {
			v = f.callFunction(f.mustBeFunction(fn), []value{v, number(float64(len(out)))})
		}
		f.chargeItems(1)
		out = append(out, v)
		return true
	}
	switch {
	case of.kind == objectKind: // {length: n}
		n := f.toNumber(f.memberOf(of, text("length")))
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

// size is _.size: the number of elements, members or units.
func (f *frame) size(v value) int {
	switch v.kind {
	case textKind:
		return length(v.text)
	case listKind:
		return len(v.ref.(*list).elements(f))
	case objectKind:
		o := v.ref.(*object)
		o.load(f)
		return len(o.keys)
	case collectionKind:
		return len(v.ref.(*collection).index)
	}
	return 0
}

// keysOf returns the keys of an object, a list or a text.
func (f *frame) keysOf(v value) (keys []value) {
	n := 0
	switch v.kind {
	case objectKind:
		o := v.ref.(*object)
		for _, i := range o.order(f) {
			keys = append(keys, text(o.keys[i]))
		}
	case listKind:
		n = len(v.ref.(*list).elements(f))
	case textKind:
		n = length(v.text)
	}
	for i := range n {
		f.step()
		keys = append(keys, text(numberText(float64(i))))
	}
	f.chargeItems(len(keys))
	return keys
}
