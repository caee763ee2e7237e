package openjson

import (
	"math"
	"strconv"
	"strings"

	"github.com/talewright/talewright/internal/keyindex"
)

// The programs for which our users' content was made are written in JavaScript. This file reads and
// writes numbers as they do.

// ParseNumber reads a text as JavaScript's Number does: decimal with an exponent, 0x, 0o and 0b,
// Infinity, with white space around it. It returns false if Number would return NaN. It also
// returns false for a blank text, which Number reads as 0, because callers treat it differently. A
// text of more than 400 bytes is not a number: no meaningful number is longer.
func ParseNumber(s string) (float64, bool) {
	s = keyindex.TrimSpace(s)
	if s == "" || len(s) > 400 {
		return 0, false
	}
	if len(s) > 2 && s[0] == '0' {
		if base := numberBase(s[1]); base != 0 {
			return parseInteger(s[2:], base)
		}
	}
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 {
		return 0, false
	}
	if body == "Infinity" {
		if s[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	}
	if !isDecimal(body) {
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil || math.IsInf(n, 0)
}

// numberBase returns the base of the prefixes 0x, 0o and 0b, 0 for any other letter.
func numberBase(c byte) int {
	switch c | 0x20 {
	case 'x':
		return 16
	case 'o':
		return 8
	case 'b':
		return 2
	}
	return 0
}

// parseInteger reads digits in a base; a sign after the prefix is not allowed.
func parseInteger(digits string, base int) (float64, bool) {
	n, err := strconv.ParseUint(digits, base, 64)
	return float64(n), err == nil && digits[0] != '+' && digits[0] != '-'
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// isDecimal checks digits[.digits][e[±]digits] with at least one digit before the exponent. This is
// stricter than strconv.
func isDecimal(s string) bool {
	i, digits := 0, 0
	for ; i < len(s) && digit(s[i]); i++ {
		digits++
	}
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && digit(s[i]); i++ {
			digits++
		}
	}
	if digits == 0 {
		return false
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		exponent := i
		for i < len(s) && digit(s[i]) {
			i++
		}
		if i == exponent {
			return false
		}
	}
	return i == len(s)
}

// FormatNumber returns the text of a number: 7, 1.5, 1e+21, Infinity, NaN.
func FormatNumber(n float64) string {
	switch {
	case math.IsNaN(n):
		return "NaN"
	case math.IsInf(n, 1):
		return "Infinity"
	case math.IsInf(n, -1):
		return "-Infinity"
	case n == 0:
		return "0"
	}
	if a := math.Abs(n); a < 1e-6 || a >= 1e21 {
		s := strconv.FormatFloat(n, 'e', -1, 64)
		mantissa, exponent, _ := strings.Cut(s, "e")
		sign := exponent[:1]
		return mantissa + "e" + sign + strings.TrimLeft(exponent[1:], "0")
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// FixedNumber writes a number with a fixed number of digits. A tie is rounded away from zero.
func FixedNumber(n float64, digits int) string {
	if math.IsNaN(n) || math.IsInf(n, 0) || math.Abs(n) >= 1e21 {
		return FormatNumber(n)
	}
	a := math.Abs(n)
	s := strconv.FormatFloat(a, 'f', digits, 64)
	// FormatFloat rounds a tie to the even digit. A tie has all its digits after a few more.
	exact := strconv.FormatFloat(a, 'f', digits+1, 64)
	if long := strconv.FormatFloat(a, 'f', 1100, 64); exact[len(exact)-1] == '5' && strings.Trim(long[len(exact):], "0") == "" {
		s = strconv.FormatFloat(math.Nextafter(a, math.Inf(1)), 'f', digits, 64)
	}
	if n < 0 {
		s = "-" + s
	}
	return s
}
