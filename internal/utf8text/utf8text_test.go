package utf8text_test

import (
	"testing"

	"github.com/talewright/talewright/internal/utf8text"
)

func TestMend(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, in, want string }{
		{"nothing to mend", "aé魔🐉\ufffd", "aé魔🐉\ufffd"},
		{"empty", "", ""},
		{"a mark for each byte", "a\x90\xa7b", "a??b"},
		{"a character that is cut", "魔\xe9\xad", "魔??"},
		{"half of a surrogate pair", "\xed\xa0\x80", "???"},
		{"too long a form", "\xc0\xaf", "??"},
	} {
		if got := utf8text.Mend(tc.in); got != tc.want || len(got) != len(tc.in) {
			t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
		}
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ reason, in, want string }{
		{"nothing to show", "aé魔🐉\n\tb\\r", "aé魔🐉\n\tb\\r"},
		{"other ends of lines", "a\r\nb\rc\u2028d\u2029e\u0085f", `a\r` + "\n" + `b\rc\u2028d\u2029e\u0085f`},
		{"what a terminal would obey", "\x1b[2K\b\x7f\x00", `\x1b[2K\b\x7f\x00`},
		{"the other direction", "a\u202eb\u2066c", `a\u202eb\u2066c`},
		{"what letters and signs need", "\u200fש\u200e 👩\u200d🚀", "\u200fש\u200e 👩\u200d🚀"},
	} {
		if got := utf8text.Visible(tc.in); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
		}
	}
}

func TestOrdinal(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "th", 1: "st", 2: "nd", 3: "rd", 4: "th", 10: "th", 11: "th", 12: "th", 13: "th", 21: "st", 22: "nd",
		30: "th", 101: "st", 111: "th", 113: "th", 123: "rd", 2111: "th"} {
		if got := utf8text.Ordinal(n); got != want {
			t.Errorf("%d%s, want %s", n, got, want)
		}
	}
}

func TestUnicodeEscape(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		r      rune
		length int
	}{
		`\u0041b`: {'A', 6}, `\u9f99`: {'龙', 6}, `\ud83d\ude00!`: {'😀', 12},
		`\ud83d`: {'\uFFFD', 6}, `\ud83d\u0041`: {'\uFFFD', 6}, `\ude00\ud83d`: {'\uFFFD', 6},
		`\u004`: {}, `\u00g1`: {}, `\U00000041`: {}, `u0041`: {}, "": {},
	} {
		if r, length := utf8text.UnicodeEscape(text); length != want.length || length > 0 && string(r) != string(want.r) {
			t.Errorf("%s: %q of %d bytes", text, r, length)
		}
	}
}
