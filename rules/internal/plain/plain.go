// Package plain recognises cheaply what surely reads back from its JSON as it is, as nearly
// everything does: it need not be written to know it.
package plain

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/memvars/tree"
)

// Texts reports whether all texts are UTF-8.
func Texts(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return !utf8.ValidString(s) })
}

// maxDepth is as deep as values are looked at before they are written to be sure.
const maxDepth = 32

// Value reports whether a value surely reads back as it is.
func Value(v tree.Value) bool { return value(v, 0) }

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

// number recognises the everyday spellings of numbers: digits, with a sign and a fraction.
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
