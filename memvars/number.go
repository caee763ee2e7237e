package memvars

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Number is a JSON number with its spelling: a number that nobody computes with
// is written back exactly as it was read.
type Number string

// maxExponent bounds the exponents with which arithmetic stays exact. Beyond
// it a few bytes of text could ask for gigabytes of digits.
const maxExponent = 400

// Float64 returns the nearest double; a number beyond its range is an infinity.
func (n Number) Float64() float64 {
	f, _ := strconv.ParseFloat(string(n), 64)
	return f
}

// Int64 returns the number as an integer, and whether it is one that fits.
// 5.0 and 5e0 are integers.
func (n Number) Int64() (int64, bool) {
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return i, true
	}
	r, ok := n.rat()
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// Cmp compares by exact value: -1, 0 or +1.
func (n Number) Cmp(m Number) int {
	a, aok := smallInt(n)
	b, bok := smallInt(m)
	if aok && bok {
		return compareInts(a, b)
	}
	x, xok := n.rat()
	y, yok := m.rat()
	if xok && yok {
		return x.Cmp(y)
	}
	f, g := n.Float64(), m.Float64()
	switch {
	case f < g:
		return -1
	case f > g:
		return 1
	}
	return strings.Compare(string(n), string(m))
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

// combine computes exactly, unless an exponent is so large that the digits would
// fill the memory; then it computes in double precision.
func (n Number) combine(
	m Number,
	exact func(z, x, y *big.Rat) *big.Rat,
	approx func(x, y float64) float64,
) Number {
	x, xok := n.rat()
	y, yok := m.rat()
	if !xok || !yok {
		return formatFloat(approx(n.Float64(), m.Float64()))
	}
	return formatRat(exact(new(big.Rat), x, y))
}

// rat returns the exact value, unless its exponent is out of bounds.
//
// A number with a large exponent is short to write and enormous to compute with.
func (n Number) rat() (*big.Rat, bool) {
	if i := strings.IndexAny(string(n), "eE"); i >= 0 {
		exp, err := strconv.Atoi(strings.TrimPrefix(string(n)[i+1:], "+"))
		if err != nil || exp > maxExponent || exp < -maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(string(n))
}

// formatRat writes a sum, difference or product of decimals, which always ends.
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

// formatFloat spells a float as JavaScript does in the ordinary range. What JSON
// cannot hold becomes the nearest number that it can: an infinity the largest
// double, NaN zero.
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

// compareInts is the order of machine integers.
func compareInts(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
