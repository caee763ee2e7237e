package condition

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// Numbers in a game are decimals. This file computes with the decimal text, because in double
// precision 1.9999999999999999 is 2.

// maxDecimal is the greatest length in bytes of a text that is read as a number: games do not need
// exact arithmetic with longer numbers.
const maxDecimal = 64

// Number reads a JSON number, or a text that is a plain decimal number: an optional sign, digits,
// and an optional fraction. It refuses numbers that are too large for double precision.
func Number(v tree.Value) (tree.Number, bool) {
	n, ok := v.AsNumber()
	if text, isText := v.AsText(); isText {
		n, ok = decimal(text)
	}
	if !ok || math.IsInf(n.Float64(), 0) {
		return "", false
	}
	return n, true
}

// decimal converts a plain decimal text to a JSON number, which has neither a plus sign nor leading
// zeros. It is stricter than the standard parsers, which accept infinities, exponents, hexadecimal
// digits and underscores. A text with one of those is more likely an accident than a number.
func decimal(text string) (tree.Number, bool) {
	if len(text) > maxDecimal {
		return "", false
	}
	digits, negative := strings.CutPrefix(text, "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	whole, fraction, dot := strings.Cut(digits, ".")
	if !isDigits(whole) || dot && !isDigits(fraction) {
		return "", false
	}
	n := cmp.Or(strings.TrimLeft(whole, "0"), "0")
	if negative {
		n = "-" + n
	}
	if dot {
		n += "." + fraction
	}
	return tree.Number(n), true
}

// isDigits reports whether s has at least one character and only ASCII digits.
func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// Whole reads a number without a fraction that fits into an int on this machine.
func Whole(v tree.Value) (int, bool) {
	n, ok := v.AsNumber()
	i, whole := n.Int64()
	return int(i), ok && whole && int64(int(i)) == i
}

// Sums are kept to six decimals: unit is the last decimal, and scale is 1/unit.
const scale, unit, half tree.Number = "1000000", "0.000001", "0.5"

// rounded rounds a sum to six decimals, because authors often compute in binary, where 0.1 is not
// exact. Sums of shorter decimals are exact and do not change.
func rounded(n tree.Number) tree.Number {
	scaled := n.Mul(scale)
	if whole := truncated(scaled); whole.Cmp(scaled) == 0 || tooLarge(scaled) {
		return n
	}
	if scaled.Cmp("0") < 0 {
		return truncated(scaled.Sub(half)).Mul(unit)
	}
	return truncated(scaled.Add(half)).Mul(unit)
}

// tooLarge reports whether a number exceeds the range of 64 bits.
func tooLarge(n tree.Number) bool {
	return n.Cmp(integer(math.MaxInt64)) >= 0 || n.Cmp(integer(math.MinInt64)) <= 0
}

// truncated truncates a number toward zero. Numbers beyond the range of 64 bits become the limit of
// that range.
func truncated(n tree.Number) tree.Number {
	if i, ok := n.Int64(); ok {
		return integer(i)
	}
	whole := n.Floor()
	if n.Cmp("0") < 0 {
		whole = n.Ceil()
	}
	least, most := integer(-math.MaxInt64), integer(math.MaxInt64)
	switch {
	case whole.Cmp(least) < 0:
		return least
	case whole.Cmp(most) > 0:
		return most
	}
	return whole
}

// integer returns i as a Number.
func integer(i int64) tree.Number { return tree.Number(strconv.FormatInt(i, 10)) }

// numberOf returns a bound as a Number.
func numberOf(f float64) tree.Number {
	n, _ := tree.Float(f).AsNumber()
	return n
}
