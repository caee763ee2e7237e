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
			s := f.textFrom(of.text, f.clampedArg(args, 1, 0, length(of.text)))
			return boolean(strings.Contains(s, f.toText(arg(args, 0))))
		},
		"startsWith": func(f *frame, of value, args []value) value {
			s := f.textFrom(of.text, f.clampedArg(args, 1, 0, length(of.text)))
			return boolean(strings.HasPrefix(s, f.toText(arg(args, 0))))
		},
		"endsWith": func(f *frame, of value, args []value) value {
			n := length(of.text)
			return boolean(strings.HasSuffix(part(of.text, 0, f.clampedArg(args, 1, n, n)), f.toText(arg(args, 0))))
		},
		"indexOf": func(f *frame, of value, args []value) value {
			from := f.clampedArg(args, 1, 0, length(of.text))
			s := f.textFrom(of.text, from)
			at := strings.Index(s, f.toText(arg(args, 0)))
			if at < 0 {
				return number(-1)
			}
			return number(float64(from + unitAt(s, at)))
		},
		"lastIndexOf": func(f *frame, of value, args []value) value {
			n, sought := length(of.text), f.toText(arg(args, 0))
			s := of.text
			if at := arg(args, 1); at.kind != undefinedKind && !math.IsNaN(f.toNumber(at)) {
				s = part(s, 0, min(f.clampedArg(args, 1, n, n)+length(sought), n))
			}
			at := strings.LastIndex(s, sought)
			if at < 0 {
				return number(-1)
			}
			return number(float64(unitAt(s, at)))
		},
		"slice": func(f *frame, of value, args []value) value {
			n := length(of.text)
			return f.textPart(of.text, f.positionArg(args, 0, 0, n), f.positionArg(args, 1, n, n))
		},
		"substring": func(f *frame, of value, args []value) value {
			n := length(of.text)
			from, to := f.clampedArg(args, 0, 0, n), f.clampedArg(args, 1, n, n)
			return f.textPart(of.text, min(from, to), max(from, to))
		},
		"split":       (*frame).splitText,
		"trim":        func(_ *frame, of value, _ []value) value { return text(keyindex.TrimSpace(of.text)) },
		"trimStart":   func(_ *frame, of value, _ []value) value { return text(trimStart(of.text)) },
		"trimEnd":     func(_ *frame, of value, _ []value) value { return text(trimEnd(of.text)) },
		"toUpperCase": func(f *frame, of value, _ []value) value { return f.newText(upper(of.text)) },
		"toLowerCase": func(f *frame, of value, _ []value) value { return f.newText(lower(of.text)) },
		"repeat": func(f *frame, of value, args []value) value {
			n := f.wholeArg(args, 0, 0)
			if n < 0 || math.IsInf(n, 0) {
				f.fail(codeOutOfRange, "", "repeat needs a number from 0: correct it")
			}
			f.checkLargeSize(n * float64(len(of.text)))
			if of.text == "" {
				return text("")
			}
			return f.newText(strings.Repeat(of.text, int(n)))
		},
		"charCodeAt": func(f *frame, of value, args []value) value {
			units := unitsOf(of.text)
			n := f.wholeArg(args, 0, 0)
			if f.chargeBytes(len(of.text)); n < 0 || n >= float64(len(units)) {
				return number(math.NaN())
			}
			return number(float64(units[int(n)]))
		},
		"replace":    func(f *frame, of value, args []value) value { return f.replaceText(of.text, args, false) },
		"replaceAll": func(f *frame, of value, args []value) value { return f.replaceText(of.text, args, true) },
		"match":      (*frame).matchPattern,
		"matchAll":   (*frame).matchAll,
		"search":     (*frame).searchPattern,
		"localeCompare": func(f *frame, of value, args []value) value {
			numeric := arg(args, 2)
			if numeric.kind == objectKind {
				numeric = f.memberOf(numeric, text("numeric"))
			}
			other := f.toText(arg(args, 0))
			f.chargeBytes(16 * min(len(of.text), len(other)))
			return number(float64(collate(of.text, other, numeric.isTrue())))
		},
	}
}

// textPart returns a part of a text.
func (f *frame) textPart(s string, from, to int) value {
	f.chargeBytes(len(s))
	return text(part(s, from, to))
}

// textFrom returns the text from a unit on.
func (f *frame) textFrom(s string, from int) string {
	f.chargeBytes(len(s))
	if from == 0 {
		return s
	}
	return part(s, from, length(s))
}

// splitText divides a text.
func (f *frame) splitText(of value, args []value) value {
	most := len(of.text) + 1
	if v := arg(args, 1); v.kind != undefinedKind {
		most = int(uint32(toInt32(f.toNumber(v))))
	}
	by := arg(args, 0)
	var items []value
	switch {
	case by.kind == undefinedKind:
		items = []value{of}
	case by.kind == patternKind:
		items = f.splitPattern(of.text, by)
	default:
		separator := f.toText(by)
		f.checkSize((strings.Count(of.text, separator) + 1) * itemSize)
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
	f.chargeItems(len(items))
	f.chargeBytes(len(of.text))
	return listOf(items...)
}

// replaceText replaces the first occurrence of a text or a pattern, or all.
func (f *frame) replaceText(s string, args []value, all bool) value {
	by := arg(args, 1)
	if arg(args, 0).kind == patternKind {
		return f.replacePattern(s, arg(args, 0), by)
	}
	sought := f.toText(arg(args, 0))
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
		f.checkSize(b.Len())
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
	f.chargeBytes(len(s))
	return f.newText(b.String())
}

// toText is String as a function.
func toText(f *frame, args []value) value {
	if len(args) == 0 {
		return text("")
	}
	return text(f.toText(args[0]))
}

// textFunctions are the members of String.
func textFunctions() map[string]native {
	return map[string]native{
		"fromCodePoint": func(f *frame, args []value) value {
			var b strings.Builder
			for _, a := range args {
				n := f.toNumber(a)
				if n != math.Trunc(n) || n < 0 || n > unicode.MaxRune {
					f.fail(codeOutOfRange, "", "fromCodePoint needs numbers of characters: correct it")
				}
				writeUnit(&b, rune(n))
			}
			return f.newText(mend(b.String()))
		},
		"fromCharCode": func(f *frame, args []value) value {
			var units []uint16
			for _, a := range args {
				units = append(units, uint16(uint32(toInt32(f.toNumber(a)))))
			}
			return f.newText(textOf(units))
		},
	}
}
