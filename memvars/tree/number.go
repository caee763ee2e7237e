package tree

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/utf8text"
)

// Number is a JSON number with its spelling: unless it is used in arithmetic, it is written exactly
// as it was read.
type Number string

// maxExponent limits the exponents for exact arithmetic. Without a limit a few bytes of text could
// require gigabytes of digits.
const maxExponent = 400

// MaxDigits is the maximum length of a number for exact arithmetic. A command with a longer number
// is refused. A longer number that is already in a document is kept and compared exactly, but
// arithmetic uses double precision.
const MaxDigits = 1000

// Float64 returns the nearest double. For a number beyond its range it returns an infinity.
func (n Number) Float64() float64 {
	f, _ := strconv.ParseFloat(string(n), 64)
	return f
}

// Int64 returns the number as an integer and reports whether it is an integer that fits. 5.0 and
// 5e0 are integers.
func (n Number) Int64() (int64, bool) {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return i, true
	}
	d, ok := n.decimal()
	switch {
	case !ok || d.top > 19 || int64(len(d.digits)) > d.top && d.digits != "":
		return 0, false
	case d.digits == "":
		return 0, true
	}
	text := d.digits + strings.Repeat("0", int(d.top)-len(d.digits))
	if d.negative {
		text = "-" + text
	}
	i, err := strconv.ParseInt(text, 10, 64)
	return i, err == nil
}

// Cmp compares by exact value: -1, 0 or +1. The cost is linear in the lengths, for all digits and
// exponents.
func (n Number) Cmp(m Number) int {
	a, aok := smallInt(n)
	b, bok := smallInt(m)
	if aok && bok {
		return cmp.Compare(a, b)
	}
	x, xok := n.decimal()
	y, yok := m.decimal()
	if !xok || !yok { // not created by a reader of this package
		return strings.Compare(string(n), string(m))
	}
	return x.compare(y)
}

// decimal is a number as 0.digits × 10^top; zero has no digits.
type decimal struct {
	negative bool
	digits   string // neither beginning nor ending with a zero
	top      int64
}

// maxTop limits exponents, so that nothing overflows; larger exponents count as maxTop.
const maxTop = 1 << 60

// decimal reads the number without computing anything.
func (n Number) decimal() (d decimal, ok bool) {
	if !n.Valid() {
		return decimal{}, false
	}
	s, negative := strings.CutPrefix(string(n), "-")
	var exponent int64
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		exponent, _ = strconv.ParseInt(s[i+1:], 10, 64) // the nearest value if it does not fit
		exponent = max(min(exponent, maxTop), -maxTop)
		s = s[:i]
	}
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole, "0")
	top := int64(len(digits))
	if digits += fraction; top == 0 {
		digits = strings.TrimLeft(fraction, "0")
		top = int64(len(digits) - len(fraction))
	}
	if digits = strings.TrimRight(digits, "0"); digits == "" {
		return decimal{}, true
	}
	return decimal{negative, digits, top + exponent}, true
}

// compare compares two numbers by value: -1, 0 or +1.
func (d decimal) compare(e decimal) int {
	sign := func(d decimal) int {
		switch {
		case d.digits == "":
			return 0
		case d.negative:
			return -1
		}
		return 1
	}
	if c := cmp.Compare(sign(d), sign(e)); c != 0 || d.digits == "" {
		return c
	}
	c := cmp.Or(cmp.Compare(d.top, e.top), strings.Compare(d.digits, e.digits))
	return c * sign(d)
}

// Add returns n + m, exact in decimal.
func (n Number) Add(m Number) Number {
	a, aok := smallInt(n)
	b, bok := smallInt(m)
	if aok && bok {
		return Number(strconv.FormatInt(a+b, 10))
	}
	return n.combine(m, (*big.Rat).Add, func(x, y float64) float64 { return x + y })
}

// Sub returns n - m, exact in decimal.
func (n Number) Sub(m Number) Number {
	a, aok := smallInt(n)
	b, bok := smallInt(m)
	if aok && bok {
		return Number(strconv.FormatInt(a-b, 10))
	}
	return n.combine(m, (*big.Rat).Sub, func(x, y float64) float64 { return x - y })
}

// Mul returns n × m, exact in decimal.
func (n Number) Mul(m Number) Number {
	return n.combine(m, (*big.Rat).Mul, func(x, y float64) float64 { return x * y })
}

// combine computes exactly. If there are too many digits, or an exponent requires too many, it
// computes in double precision instead.
func (n Number) combine(
	m Number,
	exact func(z, x, y *big.Rat) *big.Rat,
	approx func(x, y float64) float64,
) Number {
	x, xok := n.rat()
	y, yok := m.rat()
	if xok && yok {
		if out := formatRat(exact(new(big.Rat), x, y)); len(out) <= MaxDigits {
			return out
		}
	}
	return formatFloat(approx(n.Float64(), m.Float64()))
}

// rat returns the exact value, unless the length or the exponent exceeds its limit.
//
// Reading a number takes time proportional to the square of its digits, and a number with a large
// exponent is short to write and very expensive in arithmetic.
func (n Number) rat() (*big.Rat, bool) {
	if len(n) > MaxDigits {
		return nil, false
	}
	if i := strings.IndexAny(string(n), "eE"); i >= 0 {
		exp, err := strconv.Atoi(strings.TrimPrefix(string(n)[i+1:], "+"))
		if err != nil || exp > maxExponent || exp < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(string(n))
}

// formatRat writes a sum, difference or product of decimals, which is always a finite decimal.
func formatRat(r *big.Rat) Number {
	if r.IsInt() {
		return Number(r.Num().String())
	}
	digits, exact := r.FloatPrec()
	if !exact {
		f, _ := r.Float64()
		return formatFloat(f)
	}
	return Number(r.FloatString(digits))
}

// formatFloat spells a float as JavaScript does in the ordinary range. JSON has no infinities and
// no NaN: an infinity becomes the largest double, NaN becomes zero.
func formatFloat(f float64) Number {
	f = max(min(f, math.MaxFloat64), -math.MaxFloat64)
	if f == 0 || math.IsNaN(f) {
		return "0"
	}
	if abs := max(f, -f); abs >= 1e21 || abs < 1e-6 {
		return Number(strconv.FormatFloat(f, 'e', -1, 64))
	}
	return Number(strconv.FormatFloat(f, 'f', -1, 64))
}

// smallInt reads integers of up to 18 digits, whose sums cannot overflow.
func smallInt(n Number) (int64, bool) {
	if len(n) == 0 || len(n) > 18 {
		return 0, false
	}
	i, err := strconv.ParseInt(string(n), 10, 64)
	return i, err == nil
}

// Valid reports whether the spelling is a number in the grammar of JSON.
func (n Number) Valid() bool {
	s := string(n)
	i := 0
	digits := func() bool {
		start := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > start
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i < len(s) && s[i] == '0' {
		i++
	} else if !digits() {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s) && i > 0
}

// Quo returns n ÷ m in double precision, because a quotient may have no end. The result ok is false
// if there is no quotient, for example if m is zero.
func (n Number) Quo(m Number) (q Number, ok bool) {
	f := n.Float64() / m.Float64()
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return "", false
	}
	return formatFloat(f), true
}

// Floor rounds down to an integer.
func (n Number) Floor() Number { return n.toInt(math.Floor, new(big.Rat)) }

// Ceil rounds up to an integer.
func (n Number) Ceil() Number {
	zero := Number("0")
	return zero.Sub(zero.Sub(n).Floor())
}

// Round rounds to the nearest integer, a half upwards: -2.5 becomes -2.
func (n Number) Round() Number {
	return n.toInt(func(f float64) float64 { return math.Floor(f + 0.5) }, big.NewRat(1, 2))
}

// toInt adds a number and rounds down. Where exact arithmetic is too expensive it uses double
// precision.
func (n Number) toInt(approx func(float64) float64, add *big.Rat) Number {
	if _, ok := smallInt(n); ok {
		return n
	}
	r, ok := n.rat()
	if !ok {
		return formatFloat(approx(n.Float64()))
	}
	r.Add(r, add)
	q, _ := new(big.Int).DivMod(r.Num(), r.Denom(), new(big.Int))
	return Number(q.String())
}

// ParseNumber reads a JSON number. It also accepts full-width digits and signs, and a missing digit
// on one side of the point.
//
// The spelling is kept if JSON allows it. 007, +5 and 0x10 are not numbers: the first is a code,
// and the second means an increase.
func ParseNumber(word string) (Number, bool) {
	s := utf8text.Narrow(word)
	neg := strings.HasPrefix(s, "-")
	body := strings.TrimPrefix(s, "-")
	if strings.HasPrefix(body, ".") && len(body) > 1 {
		body = "0" + body
	}
	if rest, ok := strings.CutSuffix(body, "."); ok && rest != "" {
		body = rest
	}
	if neg {
		body = "-" + body
	}
	if !Number(body).Valid() {
		return "", false
	}
	return Number(body), true
}
