package tokenize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/campaign/conflict/internal/lexicon"
)

// Normal returns the characters of s, normalised one to one, and the byte position of each. Invalid
// UTF-8 bytes count as one character each, so positions never cut a valid character.
func Normal(s string) ([]rune, BytePlaces) { return NormalIn(nil, s) }

// NormalIn is Normal with an empty buffer for the characters, which may be nil.
func NormalIn(runes []rune, s string) ([]rune, BytePlaces) {
	n := utf8.RuneCountInString(s)
	return appendNormal(slices.Grow(runes, n), s), placesOf(s, n)
}

// appendNormal appends the normalised characters of s.
func appendNormal(runes []rune, s string) []rune {
	start := len(runes)
	for _, r := range s {
		runes = append(runes, normal(r))
	}
	straightenApostrophes(runes[start:])
	return runes
}

// normal maps full-width digits, letters and ／：＋－％＝ to ASCII, other spaces and the marks of
// Markdown emphasis to the plain space, and capitals to lower case.
func normal(r rune) rune {
	switch {
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		switch r {
		case '\r', '\t', '*', '`':
			return ' ' // the marks of emphasis only decorate
		}
		return r
	case '０' <= r && r <= '９', 'ａ' <= r && r <= 'ｚ':
		return r - '０' + '0'
	case 'Ａ' <= r && r <= 'Ｚ':
		return r - 'Ａ' + 'a'
	}
	switch r {
	case '／', '：', '＋', '－', '％', '＝':
		return r - '０' + '0'
	case '−':
		return '-'
	case '\u3000', '\u00a0':
		return ' '
	case MaskRune:
		return utf8.RuneError
	}
	return unicode.ToLower(r)
}

// straightenApostrophes replaces ’ between letters by ', so a contraction does not close a
// quotation.
func straightenApostrophes(runes []rune) {
	for i := 1; i+1 < len(runes); i++ {
		if runes[i] == '’' && lexicon.IsLetter(runes[i-1]) && lexicon.IsLetter(runes[i+1]) {
			runes[i] = '\''
		}
	}
}

// asciiOf returns one byte for each character: itself if it is ASCII, else 0x80.
func asciiOf(runes []rune) string {
	var b strings.Builder
	b.Grow(len(runes))
	for _, c := range runes {
		if c >= utf8.RuneSelf {
			c = 0x80
		}
		b.WriteByte(byte(c))
	}
	return b.String()
}

// IsBreak reports whether r ends a clause or a sentence. A full stop counts at any position.
func IsBreak(r rune) bool {
	switch r {
	case '，', ',', '、', ':', '—', '.', '|', '｜', MaskRune:
		return true
	}
	return IsStop(r)
}

// IsStop reports whether r always ends a sentence.
func IsStop(r rune) bool {
	switch r {
	case '。', '！', '？', '!', '?', '；', ';', '…', '\n':
		return true
	}
	return false
}

// MaskRune replaces every character of quoted speech.
const MaskRune = '\uFFFC'
