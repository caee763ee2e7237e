package condition

import (
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

// maxDecimal bounds the length of texts that are read as numbers: exact
// arithmetic with longer ones is no game's business.
const maxDecimal = 64

// Number reads a JSON number, or a text that is a plain decimal number: a sign
// at most, digits, and a fraction at most. Numbers too large for double precision
// are no numbers.
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

// decimal spells a plain decimal text as a JSON number, which has neither a plus
// sign nor leading zeros. It is stricter than the parsers at hand, which know
// infinities, exponents, hexadecimal digits and underscores: a text with one of those
// is more likely an accident than a number.
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
	n := strings.TrimLeft(whole, "0")
	if n == "" {
		n = "0"
	}
	if negative {
		n = "-" + n
	}
	if dot {
		n += "." + fraction
	}
	return tree.Number(n), true
}

// isDigits reports whether s is one ASCII digit or more.
func isDigits(s string) bool {
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}

// Whole reads a number without a fraction that fits into an int on this machine.
func Whole(v tree.Value) (int, bool) {
	n, ok := v.AsNumber()
	i, whole := n.Int64()
	return int(i), ok && whole && int64(int(i)) == i
}

// The numbers of a game are decimals. Everything below computes with their spelling: in
// double precision 1.9999999999999999 is 2.

// scale and unit are one unit over the last of the six decimals that sums are kept to.
const scale, unit, half tree.Number = "1000000", "0.000001", "0.5"

// rounded keeps a sum to six decimals, because 0.1 is none in many an author's
// arithmetic. Sums of shorter decimals are exact and pass unchanged.
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

// truncated cuts a number toward zero; what exceeds the range of 64 bits is
// bounded by it.
func truncated(n tree.Number) tree.Number {
	if i, ok := n.Int64(); ok {
		return integer(i)
	}
	if n.Cmp("0") < 0 {
		return wholePart(n, -1)
	}
	return wholePart(n, 1)
}

// wholePart returns the whole number between zero and n that is nearest to n, found by
// halving: comparing is exact, whatever the number of digits.
func wholePart(n tree.Number, sign int64) tree.Number {
	low, high := int64(0), int64(math.MaxInt64) // without the sign
	for low < high {
		middle := high - (high-low)/2
		if integer(sign*middle).Cmp(n)*int(sign) <= 0 {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return integer(sign * low)
}

// integer spells an Integer.
func integer(i int64) tree.Number { return tree.Number(strconv.FormatInt(i, 10)) }

// spelled spells a bound.
func spelled(f float64) tree.Number {
	n, _ := tree.Float(f).AsNumber()
	return n
}
