// Package utf8text mends texts that are not UTF-8.
package utf8text

import "unicode/utf8"

// Mend returns the text with a question mark for each byte that belongs to no
// character. Unlike strings.ToValidUTF8 it leaves every other byte at its offset,
// so that places in the result are places in the text.
func Mend(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	out := []byte(text)
	for i := 0; i < len(out); {
		r, size := utf8.DecodeRune(out[i:])
		if r == utf8.RuneError && size == 1 {
			out[i] = '?'
		}
		i += size
	}
	return string(out)
}
