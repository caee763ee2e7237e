package template

import (
	"fmt"
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/keyindex"
	"github.com/talewright/talewright/internal/openjson"
	"github.com/talewright/talewright/memvars/tree"
)

// numberMethods are the methods of numbers.
func numberMethods() map[string]method {
	return map[string]method{
		"toFixed": func(f *frame, of value, args []value) value {
			digits := f.whole(args, 0, 0)
			if digits < 0 || digits > 100 {
				f.fail(codeOutOfRange, "", "toFixed needs a number from 0 to 100: correct it")
			}
			f.steps(20)
			return text(openjson.FixedNumber(of.num, int(digits)))
		},
		"toPrecision": func(f *frame, of value, args []value) value {
			if arg(args, 0).kind == undefinedKind || !finite(of.num) {
				return text(f.text(of))
			}
			digits := f.whole(args, 0, 0)
			if digits < 1 || digits > 100 {
				f.fail(codeOutOfRange, "", "toPrecision needs a number from 1 to 100: correct it")
			}
			return text(precise(of.num, int(digits)))
		},
		"toExponential": func(f *frame, of value, args []value) value {
			if !finite(of.num) {
				return text(f.text(of))
			}
			digits := -1.0 // as many as the number needs
			if arg(args, 0).kind != undefinedKind {
				if digits = f.whole(args, 0, 0); digits < 0 || digits > 100 {
					f.fail(codeOutOfRange, "", "toExponential needs a number from 0 to 100: correct it")
				}
			}
			f.steps(20)
			mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(of.num, 'e', int(digits), 64), "e")
			e, _ := strconv.Atoi(exponent)
			return text(fmt.Sprintf("%se%+d", mantissa, e))
		},
		"toLocaleString": localNumber,
		"toString": func(f *frame, of value, args []value) value {
			radix := f.whole(args, 0, 10)
			if radix < 2 || radix > 36 {
				f.fail(codeOutOfRange, "", "toString needs a base from 2 to 36: correct it")
			}
			if radix == 10 || !finite(of.num) {
				return text(f.text(of))
			}
			f.steps(20)
			return text(inBase(of.num, int(radix)))
		},
	}
}

// precise writes a number with a number of significant digits.
func precise(n float64, digits int) string {
	if n == 0 {
		return openjson.FixedNumber(0, digits-1)
	}
	s := strconv.FormatFloat(n, 'e', digits-1, 64)
	mantissa, exponent, _ := strings.Cut(s, "e")
	e, _ := strconv.Atoi(exponent)
	if e < -6 || e >= digits {
		sign := "+"
		if e < 0 {
			sign, e = "-", -e
		}
		return mantissa + "e" + sign + strconv.Itoa(e)
	}
	return strconv.FormatFloat(n, 'f', max(digits-1-e, 0), 64)
}

// inBase writes a number in a base, with as many digits as needed to distinguish it from its
// neighbours.
func inBase(n float64, radix int) string {
	const digits = "0123456789abcdefghijklmnopqrstuvwxyz"
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	r := float64(radix)
	whole := math.Floor(n)
	fraction := n - whole
	delta := max(0.5*(math.Nextafter(n, math.Inf(1))-n), math.SmallestNonzeroFloat64)
	var after []int
	if fraction >= delta {
		for {
			fraction *= r
			delta *= r
			digit := int(fraction)
			after = append(after, digit)
			fraction -= float64(digit)
			if (fraction > 0.5 || fraction == 0.5 && digit&1 == 1) && fraction+delta > 1 {
				for len(after) > 0 && after[len(after)-1]+1 == radix {
					after = after[:len(after)-1]
				}
				if len(after) == 0 {
					whole++
				} else {
					after[len(after)-1]++
				}
				break
			}
			if fraction < delta {
				break
			}
		}
	}
	var before []byte
	for math.Ilogb(whole) > 52 {
		whole /= r
		before = append(before, '0')
	}
	for {
		digit := math.Mod(whole, r)
		before = append(before, digits[int(digit)])
		if whole = (whole - digit) / r; whole < 1 {
			break
		}
	}
	var b strings.Builder
	b.WriteString(sign)
	for i := len(before) - 1; i >= 0; i-- {
		b.WriteByte(before[i])
	}
	for i, d := range after {
		if i == 0 {
			b.WriteByte('.')
		}
		b.WriteByte(digits[d])
	}
	return b.String()
}

// members makes a name with members.
func members(call func(f *frame, args []value) value, m map[string]func(f *frame, args []value) value) value {
	fn := &function{call: call, members: map[string]value{}}
	for name, call := range m {
		fn.members[name] = builtin(call)
	}
	return value{kind: functionKind, ref: fn}
}

// reservedEscape finds the escapes that decodeURI keeps.
var reservedEscape = regexp.MustCompile(`(?i)%(3B|2C|2F|3F|3A|40|26|3D|2B|24|23)`)

// escapeURI escapes all characters but letters, digits and some signs.
func escapeURI(keep string) func(f *frame, args []value) value {
	keep += "-_.!~*'()"
	return func(f *frame, args []value) value {
		var b strings.Builder
		for _, c := range []byte(clean(f.text(arg(args, 0)))) {
			if isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || strings.IndexByte(keep, c) >= 0 {
				b.WriteByte(c)
			} else {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		f.work(16 * b.Len())
		return f.made(b.String())
	}
}

func unescapeURI(unescape func(string) (string, error)) func(f *frame, args []value) value {
	return func(f *frame, args []value) value {
		s := f.text(arg(args, 0))
		f.work(16 * len(s))
		out, err := unescape(s)
		if err != nil || !utf8.ValidString(out) {
			f.throw(f.newError("URIError", text("URI malformed")), f.at)
		}
		return f.made(out)
	}
}

// languageNames are the names of the language.
func languageNames() map[string]value {
	type functions = map[string]func(f *frame, args []value) value
	names := map[string]value{
		"undefined": {}, "NaN": number(math.NaN()), "Infinity": number(math.Inf(1)),
		"parseInt": builtin(parseInt), "parseFloat": builtin(parseFloat),
		"isNaN":              builtin(func(f *frame, args []value) value { return boolean(math.IsNaN(f.number(arg(args, 0)))) }),
		"isFinite":           builtin(func(f *frame, args []value) value { return boolean(finite(f.number(arg(args, 0)))) }),
		"encodeURIComponent": builtin(escapeURI("")), "encodeURI": builtin(escapeURI(";,/?:@&=+$#")),
		"decodeURIComponent": builtin(unescapeURI(url.PathUnescape)),
		"decodeURI": builtin(unescapeURI(func(s string) (string, error) { // escapes of signs with a meaning stay
			return url.PathUnescape(reservedEscape.ReplaceAllString(s, "%25$1"))
		})),
		"print": builtin(func(f *frame, args []value) value {
			for _, v := range args {
				f.printValue(v)
			}
			return value{}
		}),
		"Number": members(func(f *frame, args []value) value {
			if len(args) == 0 {
				return number(0)
			}
			return number(f.number(args[0]))
		}, functions{
			"isInteger": func(_ *frame, args []value) value { return boolean(isWhole(arg(args, 0))) },
			"isSafeInteger": func(_ *frame, args []value) value {
				v := arg(args, 0)
				return boolean(isWhole(v) && math.Abs(v.num) < 1<<53)
			},
			"isNaN": func(_ *frame, args []value) value {
				v := arg(args, 0)
				return boolean(v.kind == numberKind && math.IsNaN(v.num))
			},
			"isFinite": func(_ *frame, args []value) value {
				v := arg(args, 0)
				return boolean(v.kind == numberKind && finite(v.num))
			},
			"parseInt": parseInt, "parseFloat": parseFloat,
		}),
		"String": members(func(f *frame, args []value) value {
			if len(args) == 0 {
				return text("")
			}
			return text(f.text(args[0]))
		}, functions{
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
		}),
		"Boolean": builtin(func(_ *frame, args []value) value { return boolean(arg(args, 0).truth()) }),
		"Array": members(func(f *frame, args []value) value {
			if n := arg(args, 0); len(args) == 1 && n.kind == numberKind {
				if !isWhole(n) || n.num < 0 {
					f.fail(codeOutOfRange, "", "a list needs a length from 0: correct it")
				}
				f.limitNumber(n.num * itemSize)
				args = make([]value, int(n.num))
			}
			return f.newList(args)
		}, functions{
			"isArray": func(_ *frame, args []value) value { return boolean(arg(args, 0).kind == listKind) },
			"of":      func(f *frame, args []value) value { return f.newList(args) },
			"from":    arrayFrom,
		}),
		"Object": members(nil, functions{
			"keys": func(f *frame, args []value) value { return listOf(f.keysOf(f.objectArg(args))...) },
			"values": func(f *frame, args []value) value {
				of := f.objectArg(args)
				var out []value
				for _, key := range f.keysOf(of) {
					out = append(out, f.memberOf(of, key))
				}
				return f.newList(out)
			},
			"entries": func(f *frame, args []value) value {
				of := f.objectArg(args)
				var out []value
				for _, key := range f.keysOf(of) {
					f.keepItems(2)
					out = append(out, listOf(key, f.memberOf(of, key)))
				}
				return f.newList(out)
			},
			"hasOwn": func(f *frame, args []value) value { return f.has(arg(args, 1), f.objectArg(args)) },
			"freeze": func(_ *frame, args []value) value { return arg(args, 0) },
			"fromEntries": func(f *frame, args []value) value {
				o := &object{}
				f.iterate(arg(args, 0), func(pair value) bool {
					f.keepItems(1)
					key := f.text(f.memberOf(pair, number(0)))
					if isInner(key) {
						f.refuse(key)
					}
					o.put(key, f.memberOf(pair, number(1)))
					return true
				})
				return objectOf(o)
			},
			"assign": func(f *frame, args []value) value {
				to := arg(args, 0)
				if to.kind != objectKind {
					return to
				}
				o := to.ref.(*object)
				o.load(f)
				for _, from := range args[1:] {
					f.spreadInto(o, from)
				}
				return to
			},
		}),
		"JSON": members(nil, functions{
			"stringify": func(f *frame, args []value) value {
				var b strings.Builder
				w := jsonWriter{frame: f, b: &b, indent: f.indent(arg(args, 2))}
				w.replacer(arg(args, 1))
				if !w.write(w.replaced("", arg(args, 0)), "", 0) {
					return value{}
				}
				return f.made(b.String())
			},
			"parse": func(f *frame, args []value) value {
				s := f.text(arg(args, 0))
				f.keep(len(s))
				v, err := tree.ParseLoose(clean(s)) // of equal names the last counts
				if err != nil {
					f.fail(codeSyntax, "", "the text is not JSON: "+err.Error())
				}
				if revive := arg(args, 1); revive.kind == functionKind {
					return f.revived(revive, "", fromTree(v))
				}
				return fromTree(v)
			},
		}),
		"Math": mathNames(),
		"_":    lodash(),
	}
	for name, n := range map[string]float64{"MAX_SAFE_INTEGER": 1<<53 - 1, "MIN_SAFE_INTEGER": -(1<<53 - 1), "EPSILON": 0x1p-52,
		"MAX_VALUE": math.MaxFloat64, "MIN_VALUE": math.SmallestNonzeroFloat64,
		"POSITIVE_INFINITY": math.Inf(1), "NEGATIVE_INFINITY": math.Inf(-1), "NaN": math.NaN()} {
		names["Number"].ref.(*function).members[name] = number(n)
	}
	return names
}

func isWhole(v value) bool {
	return v.kind == numberKind && finite(v.num) && v.num == math.Trunc(v.num)
}

// objectArg returns the first argument, which must not be undefined or null.
func (f *frame) objectArg(args []value) value {
	v := arg(args, 0)
	if v.isNullish() {
		f.fail(codeWrongType, "", "cannot take the members of "+f.text(v)+": test the value first")
	}
	return v
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

func parseInt(f *frame, args []value) value {
	s := trimStart(f.text(arg(args, 0)))
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimLeft(s[:min(1, len(s))], "+-") + s[min(1, len(s)):]
	radix := int(toInt32(f.number(arg(args, 1))))
	if (radix == 0 || radix == 16) && len(s) > 1 && s[0] == '0' && s[1]|0x20 == 'x' {
		s, radix = s[2:], 16
	}
	if radix == 0 {
		radix = 10
	}
	n, digits := 0.0, 0
	if radix >= 2 && radix <= 36 {
		for digits < len(s) {
			d, err := strconv.ParseUint(s[digits:digits+1], 36, 8)
			if err != nil || int(d) >= radix {
				break
			}
			n = n*float64(radix) + float64(d)
			digits++
		}
	}
	f.work(len(s))
	switch {
	case digits == 0:
		return number(math.NaN())
	case radix == 10 && digits > 15:
		n, _ = strconv.ParseFloat(s[:digits], 64)
	}
	if negative {
		n = -n
	}
	return number(n)
}

func parseFloat(f *frame, args []value) value {
	s := trimStart(f.text(arg(args, 0)))
	f.work(len(s))
	end := 0
	sign := strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+")
	if sign {
		end = 1
	}
	if strings.HasPrefix(s[end:], "Infinity") {
		n, _ := openjson.ParseNumber(s[:end+8])
		return number(n)
	}
	digits := func() (n int) {
		for end < len(s) && isDigit(s[end]) {
			end++
			n++
		}
		return n
	}
	count := digits()
	if end < len(s) && s[end] == '.' {
		end++
		count += digits()
	}
	if count == 0 {
		return number(math.NaN())
	}
	if mark := end; end < len(s) && s[end]|0x20 == 'e' {
		end++
		if end < len(s) && (s[end] == '+' || s[end] == '-') {
			end++
		}
		if digits() == 0 {
			end = mark
		}
	}
	n, _ := strconv.ParseFloat(s[:end], 64)
	return number(n)
}

// log10 is exact for powers of ten, as in JavaScript.
func log10(x float64) float64 {
	if n := math.Round(math.Log10(x)); math.Pow(10, n) == x {
		return n
	}
	return math.Log10(x)
}

func mathNames() value {
	one := func(apply func(float64) float64) func(f *frame, args []value) value {
		return func(f *frame, args []value) value {
			if len(args) == 0 {
				return number(math.NaN())
			}
			return number(apply(f.number(args[0])))
		}
	}
	extreme := func(start float64, better func(a, b float64) bool) func(f *frame, args []value) value {
		return func(f *frame, args []value) value {
			out := start
			for _, a := range args {
				n := f.number(a)
				if math.IsNaN(n) || better(n, out) {
					out = n
				}
				if math.IsNaN(out) {
					return number(out)
				}
			}
			return number(out)
		}
	}
	v := members(nil, map[string]func(f *frame, args []value) value{
		"max": extreme(math.Inf(-1), func(a, b float64) bool { return a > b }),
		"min": extreme(math.Inf(1), func(a, b float64) bool { return a < b }),
		"round": one(func(n float64) float64 {
			if !finite(n) || math.Abs(n) >= 1<<52 {
				return n
			}
			whole := math.Floor(n)
			if n-whole >= 0.5 {
				whole++
			}
			return whole
		}),
		"floor": one(math.Floor), "ceil": one(math.Ceil), "abs": one(math.Abs), "trunc": one(math.Trunc),
		"sqrt": one(math.Sqrt), "cbrt": one(math.Cbrt), "exp": one(math.Exp), "log": one(math.Log), "log2": one(math.Log2), "log10": one(log10),
		"sin": one(math.Sin), "cos": one(math.Cos), "tan": one(math.Tan), "atan": one(math.Atan), "asin": one(math.Asin), "acos": one(math.Acos),
		"sinh": one(math.Sinh), "cosh": one(math.Cosh), "tanh": one(math.Tanh), "log1p": one(math.Log1p), "expm1": one(math.Expm1),
		"fround": one(func(n float64) float64 { return float64(float32(n)) }),
		"atan2": func(f *frame, args []value) value {
			return number(math.Atan2(f.number(arg(args, 0)), f.number(arg(args, 1))))
		},
		"sign": one(func(n float64) float64 {
			switch {
			case n > 0:
				return 1
			case n < 0:
				return -1
			}
			return n
		}),
		"pow": func(f *frame, args []value) value {
			return number(power(f.number(arg(args, 0)), f.number(arg(args, 1))))
		},
		"random": func(f *frame, _ []value) value { return number(f.build.random()) },
	})
	for name, n := range map[string]float64{"PI": math.Pi, "E": math.E, "LN2": math.Ln2, "LN10": math.Ln10, "LOG2E": math.Log2E,
		"LOG10E": math.Log10E, "SQRT2": math.Sqrt2, "SQRT1_2": math.Sqrt2 / 2} {
		v.ref.(*function).members[name] = number(n)
	}
	return v
}

// lodash has the functions of lodash that are played.
func lodash() value {
	return members(nil, map[string]func(f *frame, args []value) value{
		"get": func(f *frame, args []value) value {
			v, ok := f.lookupPath(arg(args, 0), f.pathOf(arg(args, 0), arg(args, 1)))
			if !ok || v.kind == undefinedKind {
				return arg(args, 2)
			}
			return v
		},
		"has": func(f *frame, args []value) value {
			_, ok := f.lookupPath(arg(args, 0), f.pathOf(arg(args, 0), arg(args, 1)))
			return boolean(ok)
		},
		"clamp": func(f *frame, args []value) value {
			n := f.number(arg(args, 0))
			if len(args) < 3 {
				return number(min(n, f.number(arg(args, 1))))
			}
			return number(min(max(n, f.number(args[1])), f.number(args[2])))
		},
		"isEmpty": func(f *frame, args []value) value { return boolean(f.size(arg(args, 0)) == 0) },
		"size":    func(f *frame, args []value) value { return number(float64(f.size(arg(args, 0)))) },
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
		"random": func(f *frame, args []value) value {
			low, high := 0.0, 1.0
			floating := false
			if n := len(args); n > 0 && args[n-1].kind == boolKind {
				floating = args[n-1].num != 0
				args = args[:n-1]
			}
			switch len(args) {
			case 0:
			case 1:
				high = f.number(args[0])
			default:
				low, high = f.number(args[0]), f.number(args[1])
			}
			if low > high {
				low, high = high, low
			}
			if r := f.build.random(); floating || low != math.Trunc(low) || high != math.Trunc(high) {
				return number(min(low+r*(high-low), high))
			} else {
				return number(low + math.Floor(r*(high-low+1)))
			}
		},
		"sample": func(f *frame, args []value) value {
			of := arg(args, 0)
			keys := f.keysOf(of)
			if len(keys) == 0 {
				return value{}
			}
			return f.memberOf(of, keys[int(f.build.random()*float64(len(keys)))])
		},
	})
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

// indent returns what JSON.stringify writes for one level.
func (f *frame) indent(v value) string {
	switch v.kind {
	case numberKind:
		return strings.Repeat(" ", int(max(min(v.num, 10), 0)))
	case textKind:
		return part(v.text, 0, min(10, length(v.text)))
	}
	return ""
}

// revived applies the function of JSON.parse to a value and its parts.
func (f *frame) revived(by value, key string, v value) value {
	f.step()
	switch v.kind {
	case listKind:
		items := v.ref.(*list).elements(f)
		for i, e := range items {
			items[i] = f.revived(by, strconv.Itoa(i), e)
		}
	case objectKind:
		o, kept := v.ref.(*object), &object{}
		for _, i := range o.order(f) {
			if member := f.revived(by, o.keys[i], o.vals[i]); member.kind != undefinedKind {
				kept.put(o.keys[i], member)
			}
		}
		v = objectOf(kept)
	}
	return f.apply(by, []value{text(key), v})
}

// jsonWriter writes JSON as JSON.stringify does.
type jsonWriter struct {
	*frame
	b       *strings.Builder
	indent  string
	names   []string // the members of objects, nil for all
	replace value    // a function that replaces every value, or undefined
}

// replacer reads the second argument of JSON.stringify.
func (w *jsonWriter) replacer(v value) {
	switch v.kind {
	case functionKind:
		w.replace = v
	case listKind:
		w.names = []string{}
		for _, e := range v.ref.(*list).elements(w.frame) {
			if name := w.text(e); (e.kind == textKind || e.kind == numberKind) && !slices.Contains(w.names, name) {
				w.steps(len(w.names))
				w.names = append(w.names, name)
			}
		}
	}
}

// replaced returns what is written for a value in a list or an object.
func (w *jsonWriter) replaced(key string, v value) value {
	if w.replace.kind == functionKind {
		return w.apply(w.replace, []value{text(key), v})
	}
	return v
}

// write writes a value. It reports false for undefined and functions.
func (w *jsonWriter) write(v value, line string, level int) bool {
	f, b, indent := w.frame, w.b, w.indent
	f.step()
	if level > maxLevels {
		f.fail(codeWrongType, "", "the value is nested too deeply or contains itself: write a part of it")
	}
	f.limitText(b.Len())
	inner := line + indent
	open := func(sign string) { b.WriteString(sign) }
	next := func(first bool) {
		if !first {
			b.WriteByte(',')
		}
		if indent != "" {
			b.WriteString("\n" + inner)
		}
	}
	end := func(sign string, empty bool) {
		if indent != "" && !empty {
			b.WriteString("\n" + line)
		}
		b.WriteString(sign)
	}
	switch v.kind {
	case undefinedKind, functionKind:
		return false
	case textKind:
		quoteJSON(b, v.text)
	case numberKind:
		if !finite(v.num) {
			b.WriteString("null")
			break
		}
		b.WriteString(openjson.FormatNumber(v.num))
	case listKind:
		open("[")
		items := v.ref.(*list).elements(f)
		for i, e := range items {
			next(i == 0)
			if !w.write(w.replaced(strconv.Itoa(i), e), inner, level+1) {
				b.WriteString("null")
			}
		}
		end("]", len(items) == 0)
	case objectKind:
		open("{")
		o := v.ref.(*object)
		first := true
		member := func(key string, v value) {
			if v = w.replaced(key, v); v.kind == undefinedKind || v.kind == functionKind {
				return
			}
			next(first)
			first = false
			quoteJSON(b, key)
			b.WriteByte(':')
			if indent != "" {
				b.WriteByte(' ')
			}
			w.write(v, inner, level+1)
		}
		for _, key := range w.names {
			if v, ok := o.get(f, key); ok {
				member(key, v)
			}
		}
		if w.names == nil {
			for _, i := range o.order(f) {
				member(o.keys[i], o.vals[i])
			}
		}
		end("}", first)
	case patternKind, collectionKind:
		b.WriteString("{}")
	case dateKind:
		quoteJSON(b, f.text(v))
	case wrappedKind:
		return w.write(v.ref.(*wrapped).v, line, level+1)
	default:
		b.WriteString(f.text(v))
	}
	return true
}

// quoteJSON writes a text as JSON.stringify does.
func quoteJSON(b *strings.Builder, s string) {
	b.WriteByte('"')
	for len(s) > 0 {
		r, size := char(s)
		s = s[size:]
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\b':
			b.WriteString(`\b`)
		case r == '\f':
			b.WriteString(`\f`)
		case r < 0x20 || r >= 0xD800 && r <= 0xDFFF:
			b.WriteString(`\u` + strconv.FormatInt(0x10000|int64(r), 16)[1:])
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
}

// blank reports whether a text has only white space.
func blank(s string) bool { return keyindex.TrimSpace(s) == "" }
