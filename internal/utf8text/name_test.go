package utf8text_test

import (
	"testing"

	"github.com/talewright/talewright/internal/utf8text"
)

func TestLikenesses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"Ann", "ANN", true}, {"Ann", "А\u200bnn", true}, {"Ann", "Ａｎｎ", true}, {"Ann", "An\U000e006en", true},
		{"Ann", "\u202eAnn", true}, {"Ann", "𝐀𝐧𝐧", true}, {"Ann", "Ánn", true}, {"Ann", "A\u0301nn", true}, {"Ann", " Ann\u00a0", true},
		{"Alice", "A1ice", true}, {"Ian", "lan", true}, {"Olga", "0lga", true}, {"Οlga", "Olga", true}, {"Marn", "Mam", true},
		{"O'Neil", "O’Neil", true}, {"二丫", "ニ丫", true}, {"林远", "林 远", false}, {"Ian", "Lan", false}, {"Ann", "Anna", false},
		{"Ann", "Anne", false}, {"苏晴", "苏情", false}, {"Иван", "Ivan", false}, {"Old Mill", "Old Hill", false},
	} {
		a, b := utf8text.Likenesses(tc.a), utf8text.Likenesses(tc.b)
		if got := a[0] == b[0] || a[1] == b[1]; got != tc.want {
			t.Errorf("%q and %q: %v, want %v (%q, %q)", tc.a, tc.b, got, tc.want, a, b)
		}
	}
}

func TestIsLineAndIsName(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		text       string
		line, name bool
	}{
		{"Ann", true, true}, {"林远", true, true}, {"Éowyn of the Mark", true, true}, {"O’Neil", true, true}, {"", true, true}, {"साक्षी", true, true},
		{"می\u200cنا", true, false}, {"👩\u200d🚀 ❤\ufe0f", true, false}, {"An\u200bn", false, false}, {"\u202eAnn", false, false},
		{"An\U000e006en", false, false}, {"a\u2028b", false, false}, {"a\u2029b", false, false}, {"a\nb", false, false},
		{"a\u00adb", false, false}, {"\u3164", false, false}, {"An\ufe0fn", false, false}, {"\u200dAnn", false, false}, {" \u200dAnn", false, false},
		{"Ann\ue000", false, false}, {"⼀", true, false}, {"\ufeffAnn", false, false}, {"a\u2800b", false, false},
	} {
		if line, name := utf8text.IsLine(tc.text), utf8text.IsName(tc.text); line != tc.line || name != tc.name {
			t.Errorf("%q: line %v, name %v, want %v, %v", tc.text, line, name, tc.line, tc.name)
		}
	}
}
