package wording

import "unicode"

// IsChinese reports whether a text has more Han characters than other letters. Japanese has more kana, and
// is not Chinese. An even text, such as an empty one, is not Chinese.
func IsChinese(text string) bool {
	balance := 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			balance++
		case unicode.IsLetter(r):
			balance--
		}
	}
	return balance > 0
}
