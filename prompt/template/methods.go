package template

import (
	"math"
	"slices"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
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

// textMethods are the methods of texts.
func textMethods() map[string]method {
	return map[string]method{
		"includes": func(f *frame, of value, args []value) value {
			s := f.fromUnit(of.text, f.clamped(args, 1, 0, length(of.text)))
			return boolean(strings.Contains(s, f.text(arg(args, 0))))
		},
		"startsWith": func(f *frame, of value, args []value) value {
			s := f.fromUnit(of.text, f.clamped(args, 1, 0, length(of.text)))
			return boolean(strings.HasPrefix(s, f.text(arg(args, 0))))
		},
		"endsWith": func(f *frame, of value, args []value) value {
			n := length(of.text)
			return boolean(strings.HasSuffix(part(of.text, 0, f.clamped(args, 1, n, n)), f.text(arg(args, 0))))
		},
		"indexOf": func(f *frame, of value, args []value) value {
			from := f.clamped(args, 1, 0, length(of.text))
			s := f.fromUnit(of.text, from)
			at := strings.Index(s, f.text(arg(args, 0)))
			if at < 0 {
				return number(-1)
			}
			return number(float64(from + unitAt(s, at)))
		},
		"lastIndexOf": func(f *frame, of value, args []value) value {
			n, sought := length(of.text), f.text(arg(args, 0))
			s := of.text
			if at := arg(args, 1); at.kind != undefinedKind && !math.IsNaN(f.number(at)) {
				s = part(s, 0, min(f.clamped(args, 1, n, n)+length(sought), n))
			}
			at := strings.LastIndex(s, sought)
			if at < 0 {
				return number(-1)
			}
			return number(float64(unitAt(s, at)))
		},
		"slice": func(f *frame, of value, args []value) value {
			n := length(of.text)
			return f.cut(of.text, f.position(args, 0, 0, n), f.position(args, 1, n, n))
		},
		"substring": func(f *frame, of value, args []value) value {
			n := length(of.text)
			from, to := f.clamped(args, 0, 0, n), f.clamped(args, 1, n, n)
			return f.cut(of.text, min(from, to), max(from, to))
		},
		"substr": func(f *frame, of value, args []value) value {
			n := length(of.text)
			from := f.position(args, 0, 0, n)
			return f.cut(of.text, from, from+f.clamped(args, 1, n, n-from))
		},
		"split":       (*frame).split,
		"trim":        func(_ *frame, of value, _ []value) value { return text(keyindex.TrimSpace(of.text)) },
		"trimStart":   func(_ *frame, of value, _ []value) value { return text(trimStart(of.text)) },
		"trimEnd":     func(_ *frame, of value, _ []value) value { return text(trimEnd(of.text)) },
		"toUpperCase": func(f *frame, of value, _ []value) value { return f.made(upper(of.text)) },
		"toLowerCase": func(f *frame, of value, _ []value) value { return f.made(lower(of.text)) },
		"repeat": func(f *frame, of value, args []value) value {
			n := f.whole(args, 0, 0)
			if n < 0 || math.IsInf(n, 0) {
				f.fail(codeOutOfRange, "", "repeat needs a number from 0: correct it")
			}
			f.limitNumber(n * float64(len(of.text)))
			if of.text == "" {
				return text("")
			}
			return f.made(strings.Repeat(of.text, int(n)))
		},
		"padStart": func(f *frame, of value, args []value) value { return f.made(f.padding(of.text, args) + of.text) },
		"padEnd":   func(f *frame, of value, args []value) value { return f.made(of.text + f.padding(of.text, args)) },
		"charAt": func(f *frame, of value, args []value) value {
			n := f.whole(args, 0, 0)
			if n < 0 || n >= float64(length(of.text)) {
				return text("")
			}
			return f.cut(of.text, int(n), int(n)+1)
		},
		"charCodeAt": func(f *frame, of value, args []value) value {
			units := unitsOf(of.text)
			n := f.whole(args, 0, 0)
			if f.work(len(of.text)); n < 0 || n >= float64(len(units)) {
				return number(math.NaN())
			}
			return number(float64(units[int(n)]))
		},
		"codePointAt": func(f *frame, of value, args []value) value {
			n := f.whole(args, 0, 0)
			if f.work(len(of.text)); n < 0 || n >= float64(length(of.text)) {
				return value{}
			}
			r, _ := char(part(of.text, int(n), length(of.text)))
			return number(float64(r))
		},
		"at": func(f *frame, of value, args []value) value {
			n, size := f.whole(args, 0, 0), length(of.text)
			if n < 0 {
				n += float64(size)
			}
			if n < 0 || n >= float64(size) {
				return value{}
			}
			return f.cut(of.text, int(n), int(n)+1)
		},
		"concat": func(f *frame, of value, args []value) value {
			for _, a := range args {
				of = f.plus(of, text(f.text(a)))
			}
			return of
		},
		"replace":    func(f *frame, of value, args []value) value { return f.replace(of.text, args, false) },
		"replaceAll": func(f *frame, of value, args []value) value { return f.replace(of.text, args, true) },
		"match":      (*frame).matchPattern,
		"matchAll":   (*frame).matchAll,
		"search":     (*frame).searchPattern,
		"localeCompare": func(f *frame, of value, args []value) value {
			numeric := arg(args, 2)
			if numeric.kind == objectKind {
				numeric = f.memberOf(numeric, text("numeric"))
			}
			other := f.text(arg(args, 0))
			f.work(16 * min(len(of.text), len(other)))
			return number(float64(collate(of.text, other, numeric.truth())))
		},
		"normalize": func(f *frame, of value, args []value) value {
			if !strings.HasPrefix(f.text(arg(args, 0)), "NFK") { // texts are composed already
				return of
			}
			return f.made(strings.Map(func(r rune) rune {
				switch {
				case r == '　':
					return ' '
				case r >= '！' && r <= '～':
					return r - '！' + '!'
				}
				return r
			}, of.text))
		},
	}
}

// made counts a new text.
func (f *frame) made(s string) value {
	f.keep(len(s))
	f.limitText(len(s))
	return text(mend(s))
}

// cut returns a part of a text.
func (f *frame) cut(s string, from, to int) value {
	f.work(len(s))
	return text(part(s, from, to))
}

// fromUnit returns the text from a unit on.
func (f *frame) fromUnit(s string, from int) string {
	f.work(len(s))
	if from == 0 {
		return s
	}
	return part(s, from, length(s))
}

// padding returns what fills a text up to a length.
func (f *frame) padding(s string, args []value) string {
	fill := " "
	if v := arg(args, 1); v.kind != undefinedKind {
		fill = f.text(v)
	}
	missing := f.whole(args, 0, 0) - float64(length(s))
	if missing <= 0 || fill == "" {
		return ""
	}
	f.limitNumber(missing)
	n := int(missing)
	return part(strings.Repeat(fill, n/length(fill)+1), 0, n)
}

// split divides a text.
func (f *frame) split(of value, args []value) value {
	most := len(of.text) + 1
	if v := arg(args, 1); v.kind != undefinedKind {
		most = int(uint32(toInt32(f.number(v))))
	}
	by := arg(args, 0)
	var items []value
	switch {
	case by.kind == undefinedKind:
		items = []value{of}
	case by.kind == patternKind:
		items = f.splitPattern(of.text, by)
	default:
		separator := f.text(by)
		f.limitText((strings.Count(of.text, separator) + 1) * itemSize)
		if separator == "" {
			for _, u := range unitsOf(of.text) {
				items = append(items, text(textOf([]uint16{u})))
			}
			break
		}
		for s := range strings.SplitSeq(of.text, separator) {
			items = append(items, text(s))
		}
	}
	items = items[:min(len(items), most)]
	f.keepItems(len(items))
	f.work(len(of.text))
	return listOf(items...)
}

// replace replaces the first occurrence of a text or a pattern, or all.
func (f *frame) replace(s string, args []value, all bool) value {
	by := arg(args, 1)
	if arg(args, 0).kind == patternKind {
		return f.replacePattern(s, arg(args, 0), by)
	}
	sought := f.text(arg(args, 0))
	var b strings.Builder
	rest := s
	for {
		at := strings.Index(rest, sought)
		if at < 0 {
			break
		}
		f.step()
		before := len(s) - len(rest) + at
		b.WriteString(rest[:at])
		b.WriteString(f.replacement(by, s, []value{text(sought)}, value{}, before))
		f.limitText(b.Len())
		rest = rest[at+len(sought):]
		if !all {
			break
		}
		if sought == "" { // between all characters
			if rest == "" {
				break
			}
			_, size := char(rest)
			b.WriteString(rest[:size])
			rest = rest[size:]
			if rest == "" {
				b.WriteString(f.replacement(by, s, []value{text(sought)}, value{}, len(s)))
				break
			}
		}
	}
	b.WriteString(rest)
	f.work(len(s))
	return f.made(b.String())
}

// replacement returns the text for a match: the result of a function, or a text in which $& and the
// like act.
func (f *frame) replacement(by value, s string, groups []value, named value, at int) string {
	if by.kind == functionKind {
		f.work(at)
		args := append(slices.Clone(groups), number(float64(unitAt(s, at))), text(s))
		if named.kind == objectKind {
			args = append(args, named)
		}
		return f.text(f.apply(by, args))
	}
	t := f.text(by)
	if !strings.Contains(t, "$") {
		return t
	}
	var b strings.Builder
	lastEnd := strings.LastIndexByte(t, '>')
	for i := 0; i < len(t); i++ {
		next := byte(0)
		if t[i] == '$' && i+1 < len(t) {
			next = t[i+1]
		}
		switch {
		case next == '$':
			b.WriteByte('$')
		case next == '&':
			b.WriteString(groups[0].text)
		case next == '`':
			b.WriteString(s[:at])
		case next == '\'':
			b.WriteString(s[at+len(groups[0].text):])
		case next == '<' && named.kind == objectKind && i < lastEnd:
			end := strings.IndexByte(t[i:], '>')
			v, _ := named.ref.(*object).get(f, t[i+2:i+end])
			b.WriteString(v.text)
			i += end - 1
		case isDigit(next):
			n, size := int(next-'0'), 1
			if i+2 < len(t) && isDigit(t[i+2]) && n*10+int(t[i+2]-'0') < len(groups) {
				n, size = n*10+int(t[i+2]-'0'), 2
			}
			if n == 0 || n >= len(groups) {
				b.WriteByte('$')
				continue
			}
			b.WriteString(groups[n].text)
			i += size - 1
		default:
			b.WriteByte(t[i])
			continue
		}
		f.limitText(b.Len())
		i++
	}
	f.work(b.Len())
	return b.String()
}

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
		"lastIndexOf": func(f *frame, of value, args []value) value {
			items := of.ref.(*list).elements(f)
			f.work(len(items) * 8)
			n := float64(len(items))
			from := f.whole(args, 1, n-1)
			if from < 0 {
				from += n
			}
			for i := int(min(from, n-1)); i >= 0; i-- {
				if f.same(items[i], arg(args, 0)) {
					return number(float64(i))
				}
			}
			return number(-1)
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
		"flatMap": func(f *frame, of value, args []value) value {
			var out []value
			f.each(of, args, func(_, result value) bool { out = append(out, result); return true })
			return f.newList(f.flat(out, 1))
		},
		"reduce":      reduce(false),
		"reduceRight": reduce(true),
		"flat": func(f *frame, of value, args []value) value {
			depth := max(min(f.whole(args, 0, 1), maxLevels), 0)
			return f.newList(f.flat(of.ref.(*list).elements(f), int(depth)))
		},
		"findLast":      func(f *frame, of value, args []value) value { v, _ := f.findLast(of, args); return v },
		"findLastIndex": func(f *frame, of value, args []value) value { _, i := f.findLast(of, args); return number(float64(i)) },
		"toSorted": func(f *frame, of value, args []value) value {
			return f.sort(f.newList(of.ref.(*list).elements(f)), args)
		},
		"toReversed": func(f *frame, of value, _ []value) value {
			out := f.newList(of.ref.(*list).elements(f))
			slices.Reverse(out.ref.(*list).items)
			return out
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
		"keys": func(f *frame, of value, _ []value) value {
			items := make([]value, len(of.ref.(*list).elements(f)))
			for i := range items {
				items[i] = number(float64(i))
			}
			return f.newList(items)
		},
		"values": func(f *frame, of value, _ []value) value { return f.newList(of.ref.(*list).elements(f)) },
		"entries": func(f *frame, of value, _ []value) value {
			items := of.ref.(*list).elements(f)
			out := make([]value, len(items))
			for i, v := range items {
				out[i] = listOf(number(float64(i)), v)
			}
			f.keepItems(2 * len(items))
			return f.newList(out)
		},
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

// findLast returns the last element for which a function is true, and its place, or -1.
func (f *frame) findLast(of value, args []value) (value, int) {
	fn := f.function(arg(args, 0))
	for i := len(of.ref.(*list).elements(f)) - 1; i >= 0; i-- {
		f.step()
		v := f.memberOf(of, number(float64(i)))
		if f.apply(fn, []value{v, number(float64(i)), of}).truth() {
			return v, i
		}
	}
	return value{}, -1
}

// newList returns a list with a copy of the items.
func (f *frame) newList(items []value) value {
	f.keepItems(len(items))
	return listOf(slices.Clone(items)...)
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

// function returns an argument that must be a function.
func (f *frame) function(v value) value {
	if v.kind != functionKind {
		f.fail(codeWrongType, "", "expected a function: write one as x => …")
	}
	return v
}

// reduce is the method of lists, from the end if right is set.
func reduce(right bool) method {
	return func(f *frame, of value, args []value) value {
		items, fn := of.ref.(*list).elements(f), f.function(arg(args, 0))
		at := func(i int) int {
			if right {
				return len(items) - 1 - i
			}
			return i
		}
		sum, from := arg(args, 1), 0
		if len(args) < 2 {
			if len(items) == 0 {
				f.fail(codeWrongType, "", "reduce of an empty list needs a first value: add it")
			}
			sum, from = items[at(0)], 1
		}
		for i := from; i < len(items); i++ {
			f.step()
			sum = f.apply(fn, []value{sum, items[at(i)], number(float64(at(i))), of})
		}
		return sum
	}
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
