package jsregex_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/jsregex"
)

// TestHostilePatterns compiles and runs patterns that an untrusted book could contain: deep, long,
// and with very many ways to match. None may hang. Patterns that neither engine can bound end with
// [jsregex.ErrLimit].
func TestHostilePatterns(t *testing.T) {
	t.Parallel()
	nest := func(open, end string, n int, inside string) string {
		return strings.Repeat(open, n) + inside + strings.Repeat(end, n)
	}
	text := "\x01" + strings.Repeat("ab", 60) + strings.Repeat("a", 60) + "!"
	for _, pattern := range []string{
		`(?:(?:a{1000}){1000}){1000}`, `a{2147483647}`, `(?:ab){100000}`, `(?:a|b){0,2147483647}c`,
		nest("(", ")*", 80, "a"), nest("(?:", "|b)", 80, "a"), nest("(?=", ")", 80, "a"),
		nest("(?:a|", "){2}", 12, "b"), nest("(?:x", "y)?", 80, "z"), nest("(?<!", ")", 80, "a"),
		nest("(?:a?", "){0,30}", 8, "b"), nest("(?:", ")+", 80, "a"),
		strings.Repeat("(a|b)?", 300), strings.Repeat("[a-z]+", 100), strings.Repeat("a*", 300) + "b",
		strings.Repeat("(?=[^]*a)", 100), strings.Repeat("a|", 1000) + "b",
		strings.Repeat("(?:a|aa)", 60) + "$", strings.Repeat("(?:a|[a-c]b?)", 60) + "[?]",
		"[" + strings.Repeat("a-z", 500) + "]", strings.Repeat(`\p{L}`, 50), `(?:.*a){20}$`,
		"[" + strings.Repeat(`\u{10000}-\u{10ffff}`, 100) + "]",
	} {
		for _, letters := range []string{"", "i", "u", "y"} {
			flags, err := jsregex.ParseFlags(letters)
			if err != nil {
				t.Fatal(err)
			}
			re, err := jsregex.CompileMarked(pattern, flags)
			if err != nil {
				continue // a refusal is also acceptable
			}
			if _, err := re.Match(text); err != nil && !errors.Is(err, jsregex.ErrLimit) {
				t.Errorf("/%.40s/%s: %v", pattern, letters, err)
			}
		}
	}
}
