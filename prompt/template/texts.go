package template

import (
	"math"
	"strings"
	"unicode"

	"github.com/talewright/talewright/internal/keyindex"
)

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

// toText is String as a function.
func toText(f *frame, args []value) value {
	if len(args) == 0 {
		return text("")
	}
	return text(f.text(args[0]))
}

// textFunctions are the members of String.
func textFunctions() map[string]native {
	return map[string]native{
		"fromCodePoint": func(f *frame, args []value) value {
			var b strings.Builder
			for _, a := range args {
				n := f.number(a)
				if n != math.Trunc(n) || n < 0 || n > unicode.MaxRune {
					f.fail(codeOutOfRange, "", "fromCodePoint needs numbers of characters: correct it")
				}
				writeUnit(&b, rune(n))
			}
			return f.made(mend(b.String()))
		},
		"fromCharCode": func(f *frame, args []value) value {
			var units []uint16
			for _, a := range args {
				units = append(units, uint16(uint32(toInt32(f.number(a)))))
			}
			return f.made(textOf(units))
		},
	}
}
