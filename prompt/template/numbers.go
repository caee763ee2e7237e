package template

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// numberMethods are the methods of numbers.
func numberMethods() map[string]method {
	return map[string]method{
		"toFixed": func(f *frame, of value, args []value) value {
			digits := f.wholeArg(args, 0, 0)
			if digits < 0 || digits > 100 {
				f.fail(codeOutOfRange, "", "toFixed needs a number from 0 to 100: correct it")
			}
			f.chargeSteps(20)
			return text(openjson.FixedNumber(of.num, int(digits)))
		},
		"toPrecision": func(f *frame, of value, args []value) value {
			if arg(args, 0).kind == undefinedKind || !finite(of.num) {
				return text(f.toText(of))
			}
			digits := f.wholeArg(args, 0, 0)
			if digits < 1 || digits > 100 {
				f.fail(codeOutOfRange, "", "toPrecision needs a number from 1 to 100: correct it")
			}
			return text(precise(of.num, int(digits)))
		},
		"toExponential": func(f *frame, of value, args []value) value {
			if !finite(of.num) {
				return text(f.toText(of))
			}
			digits := -1.0 // as many as the number needs
			if arg(args, 0).kind != undefinedKind {
				if digits = f.wholeArg(args, 0, 0); digits < 0 || digits > 100 {
					f.fail(codeOutOfRange, "", "toExponential needs a number from 0 to 100: correct it")
				}
			}
			f.chargeSteps(20)
			mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(of.num, 'e', int(digits), 64), "e")
			e, _ := strconv.Atoi(exponent)
			return text(fmt.Sprintf("%se%+d", mantissa, e))
		},
		"toLocaleString": localNumber,
		"toString": func(f *frame, of value, args []value) value {
			radix := f.wholeArg(args, 0, 10)
			if radix < 2 || radix > 36 {
				f.fail(codeOutOfRange, "", "toString needs a base from 2 to 36: correct it")
			}
			if radix == 10 || !finite(of.num) {
				return text(f.toText(of))
			}
			f.chargeSteps(20)
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

// toNumber is Number as a function.
func toNumber(f *frame, args []value) value {
	if len(args) == 0 {
		return number(0)
	}
	return number(f.toNumber(args[0]))
}

// numberFunctions are the members of Number.
func numberFunctions() map[string]native {
	return map[string]native{
		"isInteger":     is(isWhole),
		"isSafeInteger": is(func(v value) bool { return isWhole(v) && math.Abs(v.num) < 1<<53 }),
		"isNaN":         is(isNaN),
		"isFinite":      is(func(v value) bool { return v.kind == numberKind && finite(v.num) }),
		"parseInt":      parseInt, "parseFloat": parseFloat,
	}
}

// parseInt reads the digits at the beginning of a text, in a base from 2 to 36.
func parseInt(f *frame, args []value) value {
	s := trimStart(f.toText(arg(args, 0)))
	negative := strings.HasPrefix(s, "-")
	s = strings.TrimLeft(s[:min(1, len(s))], "+-") + s[min(1, len(s)):]
	radix := int(toInt32(f.toNumber(arg(args, 1))))
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
	f.chargeBytes(len(s))
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

// parseFloat reads the decimal number at the beginning of a text.
func parseFloat(f *frame, args []value) value {
	s := trimStart(f.toText(arg(args, 0)))
	f.chargeBytes(len(s))
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

// mathNames returns Math.
func mathNames() value {
	one := func(apply func(float64) float64) native {
		return func(f *frame, args []value) value {
			if len(args) == 0 {
				return number(math.NaN())
			}
			return number(apply(f.toNumber(args[0])))
		}
	}
	extreme := func(start float64, better func(a, b float64) bool) native {
		return func(f *frame, args []value) value {
			out := start
			for _, a := range args {
				n := f.toNumber(a)
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
	v := members(nil, map[string]native{
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
			return math.Copysign(whole, n) // -0.2 gives -0
		}),
		"floor": one(math.Floor), "ceil": one(math.Ceil), "abs": one(math.Abs), "trunc": one(math.Trunc),
		"sqrt": one(math.Sqrt), "cbrt": one(math.Cbrt), "exp": one(math.Exp), "expm1": one(math.Expm1),
		"log": one(math.Log), "log2": one(math.Log2), "log10": one(log10), "log1p": one(math.Log1p),
		"sin": one(math.Sin), "cos": one(math.Cos), "tan": one(math.Tan),
		"asin": one(math.Asin), "acos": one(math.Acos), "atan": one(math.Atan),
		"sinh": one(math.Sinh), "cosh": one(math.Cosh), "tanh": one(math.Tanh),
		"fround": one(func(n float64) float64 { return float64(float32(n)) }),
		"atan2": func(f *frame, args []value) value {
			return number(math.Atan2(f.toNumber(arg(args, 0)), f.toNumber(arg(args, 1))))
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
			return number(power(f.toNumber(arg(args, 0)), f.toNumber(arg(args, 1))))
		},
		"random": func(f *frame, _ []value) value { return number(f.build.random()) },
	})
	for name, n := range map[string]float64{
		"PI": math.Pi, "E": math.E, "LN2": math.Ln2, "LN10": math.Ln10, "LOG2E": math.Log2E, "LOG10E": math.Log10E,
		"SQRT2": math.Sqrt2, "SQRT1_2": math.Sqrt2 / 2,
	} {
		v.ref.(*function).members[name] = number(n)
	}
	return v
}
