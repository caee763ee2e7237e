package wording

import "unicode"

// IsChinese reports whether a text has more Han characters than other letters. Japanese text has
// more kana, so it is not Chinese. A text with equal numbers, such as an empty one, is not Chinese.
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
