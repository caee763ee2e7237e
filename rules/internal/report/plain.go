package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// PlainTexts reports whether all texts are UTF-8.
func PlainTexts(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return !utf8.ValidString(s) })
}

// maxDepth is the greatest depth that is checked here. Deeper values are written to check them.
const maxDepth = 32

// PlainValue reports whether a value certainly reads back from its JSON unchanged. Nearly all values
// do, so this cheap check avoids writing them. False means that the value has to be written to know.
func PlainValue(v tree.Value) bool { return value(v, 0) }

// value is [PlainValue] at a nesting depth.
func value(v tree.Value, depth int) bool {
	if s, ok := v.AsText(); ok {
		return utf8.ValidString(s)
	}
	if n, ok := v.AsNumber(); ok {
		return number(string(n))
	}
	if depth == maxDepth {
		return false
	}
	for k, m := range v.Members() {
		if !utf8.ValidString(k) || !value(m, depth+1) {
			return false
		}
	}
	for _, e := range v.Elements() {
		if !value(e, depth+1) {
			return false
		}
	}
	return true
}

// number recognises the usual spellings of numbers: digits, with a sign and a fraction.
func number(s string) bool {
	whole, fraction, dot := strings.Cut(strings.TrimPrefix(s, "-"), ".")
	return digits(whole) && (whole == "0" || whole[0] != '0') && (!dot || digits(fraction))
}

// digits reports whether a text consists of digits.
func digits(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}
