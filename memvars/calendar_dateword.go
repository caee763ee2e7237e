package memvars

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// parseWordDate reads dates with the English name of the month:
//
//	March 15 · Mar. 15th, 1203 · 15 March 1203 · the 15th of March
//
// A weekday and similar text may come before and after.
func parseWordDate(text string) (date, bool) {
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && isLetter(text[i]) {
			i++
		}
		if month := monthNamed(text[start:i]); month > 0 {
			d := date{month: numeral{month, text[start:i]}, inEnglish: true}
			if d.readDayAfterMonth(text[:start], text[i:]) || d.readDayBeforeMonth(text[:start], text[i:]) {
				return d, d.day.n >= 1 && d.day.n <= 31
			}
		}
		if i == start {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
		}
	}
	return date{}, false
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

var monthNames = [12]string{"january", "february", "march", "april", "may", "june", "july", "august", "september",
	"october", "november", "december"}

// monthNamed returns the number of a month by its name, its first three letters, or Sept.
func monthNamed(word string) int {
	lower := strings.ToLower(word)
	for i, name := range monthNames {
		if lower == name || lower == name[:3] || lower == "sept" && i == 8 {
			return i + 1
		}
	}
	return 0
}

// readDayAfterMonth reads the day after the month: March 15th, 1203.
func (d *date) readDayAfterMonth(before, after string) bool {
	gap := len(after) - len(strings.TrimLeft(after, ". \t"))
	size := d.readOrdinalDay(after[gap:])
	if size == 0 || gap == 0 {
		return false
	}
	d.around = [4]string{before, after[:gap], "", after[gap+size:]}
	return d.readYear()
}

// readDayBeforeMonth reads the day before the month: the 15th of March 1203.
func (d *date) readDayBeforeMonth(before, after string) bool {
	head := strings.TrimRight(before, " \t")
	if rest, ok := strings.CutSuffix(strings.ToLower(head), " of"); ok {
		head = strings.TrimRight(head[:len(rest)], " \t")
	}
	end := len(head)
	if end == len(before) {
		return false
	}
	start := end
	if end > 2 && isLetter(head[end-1]) {
		start = end - 2 // the ordinal suffix
	}
	for start > 0 && isDigit(head[start-1]) {
		start--
	}
	if size := d.readOrdinalDay(head[start:]); size == 0 || size != end-start || start > 0 && isLetter(head[start-1]) {
		return false
	}
	d.dayFirst = true
	d.around = [4]string{head[:start], before[end:], "", after}
	return d.readYear()
}

// readOrdinalDay reads a day such as 15 or 15th at the start of s and returns its length.
func (d *date) readOrdinalDay(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	day, err := strconv.Atoi(s[:n])
	if err != nil || n > 2 {
		return 0
	}
	d.day = numeral{day, s[:n]}
	d.ordinal = ""
	end := n
	for end < len(s) && isLetter(s[end]) {
		end++
	}
	switch strings.ToLower(s[n:end]) {
	case "":
		return n
	case "st", "nd", "rd", "th":
		d.ordinal = s[n:end]
		return end
	}
	return 0
}

// readYear reads a year of three or more digits after month and day.
func (d *date) readYear() bool {
	rest := d.around[3]
	gap := len(rest) - len(strings.TrimLeft(rest, ",. \t"))
	end := gap
	for end < len(rest) && isDigit(rest[end]) {
		end++
	}
	switch n, err := strconv.Atoi(rest[gap:end]); {
	case end == gap:
	case gap == 0 || err != nil || n > 999_999:
		return false
	case end-gap >= 3 && (end == len(rest) || rest[end] != ':'):
		d.year, d.hasYear = numeral{n, rest[gap:end]}, true
		d.around[2], d.around[3] = rest[:gap], rest[end:]
	}
	return true
}

// wordText writes a date with an English month name.
func (d date) wordText() string {
	month, day := d.month.text, d.day.text+d.ordinal
	if d.dayFirst {
		month, day = day, month
	}
	return d.around[0] + month + d.around[1] + day + d.around[2] + d.year.text + d.around[3]
}

// withWords is with for a date with an English month name.
func (d date) withWords(year, month, day int) date {
	if d.hasYear && year != d.year.n {
		d.year = numeral{year, strconv.Itoa(year)}
	}
	d.day = numeral{day, d.day.like(day, len(d.day.text) == 2 && d.day.text[0] == '0')}
	if d.ordinal != "" {
		ending := utf8text.Ordinal(day)
		if unicode.IsUpper(rune(d.ordinal[0])) {
			ending = strings.ToUpper(ending)
		}
		d.ordinal = ending
	}
	if month != d.month.n {
		d.month = numeral{month, monthLike(month, d.month.text)}
	}
	return d
}

// monthLike writes the name of a month in the length and letter case of like.
func monthLike(n int, like string) string {
	name := monthNames[n-1]
	if len(like) == 3 && !strings.EqualFold(like, "may") || strings.EqualFold(like, "sept") {
		name = name[:3]
	}
	switch {
	case like == strings.ToUpper(like):
		return strings.ToUpper(name)
	case unicode.IsUpper(rune(like[0])):
		return strings.ToUpper(name[:1]) + name[1:]
	}
	return name
}

// parseDayCount reads a day count, which many games use: Day 3, 第三天, 第3日. A second number in the
// text, as in 第2周第3天, makes it unreadable.
func parseDayCount(text string) (date, bool) {
	before, rest, han := strings.Cut(text, "第")
	if !han {
		i := findDayWord(text)
		if i < 0 {
			return date{}, false
		}
		before, rest = text[:i], text[i:]
	}
	start := strings.IndexFunc(rest, numberRune)
	if start < 0 || strings.IndexFunc(before, numberRune) >= 0 {
		return date{}, false
	}
	end := start
	for _, r := range rest[start:] {
		if !numberRune(r) {
			break
		}
		end += utf8.RuneLen(r)
	}
	n, ok := readNumber(rest[start:end])
	after := rest[end:]
	unit := strings.TrimSpace(after)
	switch head := strings.TrimSpace(rest[:start]); {
	case !ok || strings.IndexFunc(after, numberRune) >= 0:
		return date{}, false
	case han && (head != "" || !strings.HasPrefix(unit, "天") && !strings.HasPrefix(unit, "日")):
		return date{}, false
	case !han && (!strings.EqualFold(strings.TrimRight(head, " #.:"), "day") || after != "" && isLetter(after[0])):
		return date{}, false
	}
	cut := len(text) - len(rest)
	return date{isDayCount: true, day: numeral{n, rest[start:end]},
		around: [4]string{text[:cut+start], "", "", after}}, true
}

// findDayWord returns the offset of the word day in a text; it must not be part of a longer word.
func findDayWord(text string) int {
	for i := range len(text) - 2 {
		if strings.EqualFold(text[i:i+3], "day") && (i == 0 || !isLetter(text[i-1])) {
			return i
		}
	}
	return -1
}

// withCount is with for a day count.
func (d date) withCount(n int) date {
	text := d.day.like(n, false)
	if d.day.han() {
		text = hanYear(n, d.day.text)
	} else {
		for len(utf8text.Narrow(text)) < len(utf8text.Narrow(d.day.text)) { // Day 007
			text = d.day.like(0, false) + text
		}
	}
	d.day = numeral{n, text}
	return d
}
