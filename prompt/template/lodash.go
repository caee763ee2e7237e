package template

import (
	"slices"
	"strconv"
	"strings"
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
func rounded(apply func(float64) float64) native {
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
func wrapper(explicit bool) native {
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
