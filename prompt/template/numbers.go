package template

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/openjson"
)

// numberMethods are the methods of numbers.
func numberMethods() map[string]method {
	return map[string]method{
		"toFixed": func(f *frame, of value, args []value) value {
			digits := f.rangedArg(args, 0, 0, 100, "toFixed needs a number from 0 to 100: correct it")
			f.chargeSteps(20)
			return text(openjson.FixedNumber(of.num, digits))
		},
		"toPrecision": func(f *frame, of value, args []value) value {
			if arg(args, 0).kind == undefinedKind || !finite(of.num) {
				return text(f.toText(of))
			}
			digits := f.rangedArg(args, 0, 1, 100, "toPrecision needs a number from 1 to 100: correct it")
			return text(precise(of.num, digits))
		},
		"toExponential": func(f *frame, of value, args []value) value {
			if !finite(of.num) {
				return text(f.toText(of))
			}
			digits := -1 // as many as the number needs
			if arg(args, 0).kind != undefinedKind {
				digits = f.rangedArg(args, 0, 0, 100, "toExponential needs a number from 0 to 100: correct it")
			}
			f.chargeSteps(20)
			mantissa, exponent := exponentForm(of.num, digits)
			return text(fmt.Sprintf("%se%+d", mantissa, exponent))
		},
		"toString": func(f *frame, of value, args []value) value {
			base := f.rangedArg(args, 10, 2, 36, "toString needs a base from 2 to 36: correct it")
			if base == 10 || !finite(of.num) {
				return text(f.toText(of))
			}
			f.chargeSteps(20)
			return text(inBase(of.num, base))
		},
	}
}

// rangedArg returns the first argument as a whole number, the fallback if it is missing. It fails with a
// text for numbers outside of the range.
func (f *frame) rangedArg(args []value, fallback, least, most float64, refusal string) int {
	n := f.wholeArg(args, 0, fallback)
	if n < least || n > most {
		f.fail(codeOutOfRange, "", refusal)
	}
	return int(n)
}

// exponentForm divides a number into a mantissa with a number of decimals and a power of ten. With -1
// decimals the mantissa has as many as the number needs.
func exponentForm(n float64, decimals int) (mantissa string, exponent int) {
	mantissa, power, _ := strings.Cut(strconv.FormatFloat(n, 'e', decimals, 64), "e")
	exponent, _ = strconv.Atoi(power)
	return mantissa, exponent
}

// precise writes a number with a number of significant digits.
func precise(n float64, digits int) string {
	if n == 0 {
		return openjson.FixedNumber(0, digits-1)
	}
	mantissa, exponent := exponentForm(n, digits-1)
	if exponent < -6 || exponent >= digits {
		return fmt.Sprintf("%se%+d", mantissa, exponent)
	}
	return strconv.FormatFloat(n, 'f', max(digits-1-exponent, 0), 64)
}

// inBase writes a number in a base.
func inBase(n float64, base int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	whole := math.Floor(n)
	digits, carries := fractionInBase(n, base)
	if carries {
		whole++
	}
	if digits != "" {
		digits = "." + digits
	}
	return sign + wholeInBase(whole, base) + digits
}

// wholeInBase writes a whole number that is not negative in a base. A float64 has 53 bits: the digits
// beyond them are zeros, as in JavaScript.
func wholeInBase(n float64, base int) string {
	zeros := 0
	for n >= 1<<53 {
		n /= float64(base)
		zeros++
	}
	return strconv.FormatInt(int64(n), base) + strings.Repeat("0", zeros)
}

// fractionInBase returns the digits of the fraction of a number in a base. There are as many as are needed
// to distinguish the number from the next larger one. It reports whether rounding carries into the whole
// part; then there are no digits.
func fractionInBase(n float64, base int) (digits string, carries bool) {
	// fraction is the rest that is not written yet. half is half of the distance to the next number. With
	// each digit both grow to the scale of that digit.
	fraction := n - math.Floor(n)
	half := max(0.5*(math.Nextafter(n, math.Inf(1))-n), math.SmallestNonzeroFloat64)
	var written []byte
	for fraction >= half {
		fraction *= float64(base)
		half *= float64(base)
		digit := int64(fraction)
		written = strconv.AppendInt(written, digit, base)
		fraction -= float64(digit)
		roundsUp := fraction > 0.5 || fraction == 0.5 && digit%2 == 1
		if roundsUp && fraction+half > 1 {
			return increased(written, base)
		}
	}
	return string(written), false
}

// increased adds 1 to the last of some digits in a base and leaves out zeros at the end. It reports whether
// all digits carry over.
func increased(digits []byte, base int) (out string, carries bool) {
	for last := len(digits) - 1; last >= 0; last-- {
		digit, _ := strconv.ParseInt(string(digits[last]), base, 8)
		if digit+1 < int64(base) {
			return string(strconv.AppendInt(digits[:last], digit+1, base)), false
		}
	}
	return "", true
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
	radix = cmp.Or(radix, 10)
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

// leadingNumber finds the decimal number at the beginning of a text.
var leadingNumber = regexp.MustCompile(`^[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)`)

// parseFloat reads the decimal number at the beginning of a text.
func parseFloat(f *frame, args []value) value {
	s := trimStart(f.toText(arg(args, 0)))
	f.chargeBytes(len(s))
	found := leadingNumber.FindString(s)
	if found == "" {
		return number(math.NaN())
	}
	n, _ := strconv.ParseFloat(found, 64) // out of range it is infinite
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
