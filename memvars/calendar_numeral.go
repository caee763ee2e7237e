package memvars

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// numeral is a number as written in a date. Other numbers can be written in its format.
type numeral struct {
	n    int
	text string
}

// hanDigits are the Chinese digits; 两 is read but never written.
const hanDigits = "零一二三四五六七八九"

// hanDigit returns the value of a Chinese digit, -1 for anything else.
func hanDigit(r rune) int {
	switch r {
	case '〇', '○':
		return 0
	case '两':
		return 2
	}
	if i := strings.IndexRune(hanDigits, r); i >= 0 {
		return i / len("零")
	}
	return -1
}

// readNumber reads a whole text as a number: digits of half or full width, or Chinese numerals up
// to the thousands, also digit by digit (二〇二四).
func readNumber(s string) (int, bool) {
	s = utf8text.Narrow(s)
	if s == "" || len(s) > 24 {
		return 0, false
	}
	if s[0] < utf8.RuneSelf {
		n, err := strconv.ParseUint(s, 10, 31)
		return int(n), err == nil && n <= 999_999
	}
	switch s {
	case "元", "正":
		return 1, true
	case "冬":
		return 11, true
	case "腊", "臘":
		return 12, true
	}
	if rest, ok := strings.CutPrefix(s, "初"); ok {
		n, ok := readHan(rest)
		return n, ok && n >= 1 && n <= 10
	}
	return readHan(s)
}

// readHan reads Chinese numerals: with units (二百零三, 十五, 廿八), or digit by digit
// (二〇二四). Mixtures are refused.
func readHan(s string) (int, bool) {
	if s == "" {
		return 0, false
	}
	total, digit, units := 0, -1, false
	places := 0
	for _, r := range s {
		unit := 0
		switch r {
		case '十':
			unit = 10
		case '百':
			unit = 100
		case '千':
			unit = 1000
		case '廿':
			total, units, digit = total+20, true, -1
			continue
		case '卅':
			total, units, digit = total+30, true, -1
			continue
		default:
			d := hanDigit(r)
			if d < 0 {
				return 0, false
			}
			if digit > 0 && !units || digit == 0 && !units && places > 0 {
				total = total*10 + digit
			}
			if units && digit > 0 {
				return 0, false
			}
			digit = d
			places++
			continue
		}
		if digit < 0 {
			digit = 1
		}
		total, units, digit = total+digit*unit, true, -1
	}
	if digit >= 0 {
		if units {
			return total + digit, true
		}
		return total*10 + digit, total*10+digit <= 999_999
	}
	return total, units
}

// writeHan writes 1 to 99 999 in Chinese numerals.
func writeHan(n int) string {
	digit := func(d int) string { return hanDigits[d*3 : d*3+3] }
	if n < 10 {
		return digit(n)
	}
	if n < 20 {
		if n == 10 {
			return "十"
		}
		return "十" + digit(n-10)
	}
	var b strings.Builder
	zero := false
	for _, u := range []struct {
		size int
		name string
	}{{10_000, "万"}, {1000, "千"}, {100, "百"}, {10, "十"}, {1, ""}} {
		d := n / u.size % 10
		switch {
		case d > 0:
			if zero {
				b.WriteString("零")
				zero = false
			}
			b.WriteString(digit(d) + u.name)
		case b.Len() > 0 && n%u.size > 0:
			zero = true
		}
	}
	return b.String()
}

// han reports whether the number is written in Chinese numerals.
func (m numeral) han() bool {
	r, _ := utf8.DecodeRuneInString(utf8text.Narrow(m.text))
	return r >= utf8.RuneSelf
}

// like writes n in digits of the same width as m, padded to two digits if pad is true.
func (m numeral) like(n int, pad bool) string {
	s := strconv.Itoa(n)
	if pad && len(s) < 2 {
		s = "0" + s
	}
	if utf8text.Narrow(m.text) == m.text {
		return s
	}
	return strings.Map(func(r rune) rune { return r - '0' + '０' }, s)
}
