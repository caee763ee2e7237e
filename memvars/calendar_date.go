package memvars

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// date is a date that was read, with its format.
type date struct {
	year       numeral
	hasYear    bool
	month, day numeral
	isDayCount bool   // only days are counted: Day 3
	inEnglish  bool   // the month is an English name
	dayFirst   bool   // the month is after the day
	ordinal    string // ending of the day: th
	// The text around the numbers: before, after the year, after the month, after the day.
	around [4]string
}

// parseDate reads [year]M月D[日|号] in digits or Chinese numerals, Y-M-D with the separator - / or .,
// English dates, and day counts. Leap months and free text are unreadable.
//
// The numbers may be digits of half or full width or Chinese numerals. 正 and 元 mean 1, 冬 11, 腊 12.
// Days may be 初N, 廿N, 卅. After the date only a weekday or similar text is allowed, separated by a
// blank or a bracket.
//
// Leap months would need tables of a lunar calendar. A guess that is wrong by a month is worse than
// no date: without a date no time passes until a readable date comes.
func parseDate(text string) (date, bool) {
	if len(text) > 120 || strings.Contains(text, "闰") || strings.Contains(text, "閏") {
		return date{}, false
	}
	if d, ok := parseMonthDay(text); ok {
		return d, true
	}
	if d, ok := parseNumericDate(text); ok {
		return d, true
	}
	if d, ok := parseWordDate(text); ok {
		return d, true
	}
	return parseDayCount(text)
}

// parseMonthDay reads the form with the character for month. The text before the year (an era such
// as 贞观) and after the day (日, 号, a weekday in brackets) is kept. So the next day can be
// written in the same format. The name of an era may contain the character for month, so each
// occurrence is tried.
func parseMonthDay(text string) (date, bool) {
	for from := 0; ; {
		i := strings.Index(text[from:], "月")
		if i < 0 {
			return date{}, false
		}
		from += i
		if d, ok := parseAroundMonth(text[:from], text[from+len("月"):]); ok {
			return d, true
		}
		from += len("月")
	}
}

// parseAroundMonth reads the text before and after the character for month.
func parseAroundMonth(before, rest string) (date, bool) {
	var d date
	var ok bool
	if head, tail, ok := cutLast(before, "年"); ok {
		start := numberStart(strings.TrimRightFunc(head, unicode.IsSpace))
		year := strings.TrimSpace(head[start:])
		n, ok := readNumber(year)
		if !ok {
			return date{}, false
		}
		d.year, d.hasYear = numeral{n, year}, true
		d.around[0] = head[:start]
		trimmed := strings.TrimLeftFunc(tail, unicode.IsSpace)
		d.around[1] = head[start+len(year):] + "年" + tail[:len(tail)-len(trimmed)]
		before = trimmed
	} else {
		trimmed := strings.TrimLeftFunc(before, unicode.IsSpace)
		d.around[0] = before[:len(before)-len(trimmed)]
		before = trimmed
	}
	if d.month, ok = readPart(before); !ok {
		return date{}, false
	}
	d.around[2] = before[len(d.month.text):] + "月"
	trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
	d.around[2] += rest[:len(rest)-len(trimmed)]
	return d.readDayAndRest(trimmed)
}

// readDayAndRest reads the day and the text after it.
func (d date) readDayAndRest(rest string) (date, bool) {
	end := len(rest)
	for i, r := range rest {
		if !numberRune(r) {
			end = i
			break
		}
	}
	var ok bool
	if d.day, ok = readPart(rest[:end]); !ok {
		return date{}, false
	}
	d.around[3] = rest[end:]
	suffix := strings.TrimRightFunc(d.around[3], unicode.IsSpace)
	for _, unit := range []string{"日", "号"} {
		if named, ok := strings.CutPrefix(strings.TrimSpace(suffix), unit); ok {
			suffix = named
			break
		}
	}
	if suffix != "" {
		r, _ := utf8.DecodeRuneInString(suffix)
		if !unicode.IsSpace(r) && r != '(' && r != '（' && r != ',' && r != '，' {
			return date{}, false
		}
	}
	return d, d.month.n >= 1 && d.day.n >= 1
}

// parseNumericDate reads three numbers with one kind of separator. The year comes first; other
// orders are not guessed.
func parseNumericDate(text string) (date, bool) {
	var d date
	trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
	d.around[0] = text[:len(text)-len(trimmed)]
	i := strings.IndexAny(trimmed, "-/.")
	if i <= 0 {
		return date{}, false
	}
	sep := trimmed[i : i+1]
	parts := strings.SplitN(trimmed, sep, 3)
	if len(parts) != 3 {
		return date{}, false
	}
	var ok, okMonth bool
	d.year, ok = readPart(parts[0])
	d.month, okMonth = readPart(parts[1])
	if !ok || !okMonth || d.year.han() || d.month.han() {
		return date{}, false
	}
	d.hasYear = true
	d.around[1] = parts[0][len(d.year.text):] + sep
	d.around[2] = parts[1][len(d.month.text):] + sep
	return d.readDayAndRest(parts[2])
}

// readPart reads the number at the end of a part of a date, ignoring blanks after it.
func readPart(s string) (numeral, bool) {
	s = strings.TrimRightFunc(s, unicode.IsSpace)
	n, ok := readNumber(s)
	return numeral{n, s}, ok
}

// cutLast is strings.Cut at the last occurrence.
func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// numberRune reports whether a character can be part of a number in a date, in any script.
func numberRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= '０' && r <= '９' || hanDigit(r) >= 0 ||
		strings.ContainsRune("十百千廿卅初元正", r)
}

// numberStart returns the start of the number at the end of s.
//
// The name of an era may end in a character that is also a number (公元2024, 开元十五). Such characters
// before a number belong to the name.
func numberStart(s string) int {
	start := len(s)
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(s[:start])
		if !numberRune(r) {
			break
		}
		start -= size
	}
	for start < len(s) {
		if _, ok := readNumber(s[start:]); ok {
			break
		}
		r, size := utf8.DecodeRuneInString(s[start:])
		if !strings.ContainsRune("元正初", r) || start+size == len(s) {
			break
		}
		start += size
	}
	return start
}

// maxEra limits, in bytes, the part of an era that is searched for its year.
const maxEra = 120

// lastNumber returns the last number in a text, which is the year of an era. The characters 元 and
// 正 are numbers only if 年 follows: 新纪元 is not a year. Only the end of a long text is searched.
func lastNumber(text string) (int, bool) {
	if len(text) > maxEra {
		text = text[len(text)-maxEra:]
		for len(text) > 0 && !utf8.RuneStart(text[0]) {
			text = text[1:]
		}
	}
	for end := len(text); end > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:end])
		if !numberRune(r) {
			end -= size
			continue
		}
		start := numberStart(text[:end])
		n, ok := readNumber(text[start:end])
		name := text[start:end] == "元" || text[start:end] == "正"
		if ok && (!name || strings.HasPrefix(text[end:], "年")) {
			return n, true
		}
		end = start
	}
	return 0, false
}

// String writes the date in its own format.
func (d date) String() string {
	if d.inEnglish {
		return d.wordText()
	}
	return d.around[0] + d.year.text + d.around[1] + d.month.text + d.around[2] +
		d.day.text + d.around[3]
}

// with returns the date with other numbers, in the format of d.
//
// Each number keeps its own format: the script, the width of digits, the padding, the traditional
// names of days and months. The text around the numbers stays, including a weekday: the model
// maintains it.
func (d date) with(year, month, day int) date {
	switch {
	case d.inEnglish:
		return d.withWords(year, month, day)
	case d.isDayCount:
		return d.withCount(day)
	}
	pad := d.padded()
	if d.hasYear && year != d.year.n {
		text := d.year.like(year, false)
		if d.year.han() {
			text = hanYear(year, d.year.text)
		}
		d.year = numeral{year, text}
	}
	bare := !strings.HasPrefix(strings.TrimSpace(d.around[3]), "日") &&
		!strings.HasPrefix(strings.TrimSpace(d.around[3]), "号")
	if d.day.han() {
		d.day = numeral{day, hanDay(day, d.day.text, bare || strings.ContainsAny(d.month.text, "正冬腊臘"))}
	} else {
		d.day = numeral{day, d.day.like(day, pad)}
	}
	if month != d.month.n {
		text := d.month.like(month, pad)
		if d.month.han() {
			text = hanMonth(month, d.month.text)
		}
		d.month = numeral{month, text}
	}
	return d
}

// padded reports whether the numbers are padded to two digits. They are not if one of them is a
// single digit.
func (d date) padded() bool {
	return len(utf8text.Narrow(d.month.text)) > 1 && len(utf8text.Narrow(d.day.text)) > 1
}

// hanYear writes a year in the format of an existing one: with units (二百零三) or digit by digit
// (二〇二四), with the same sign for zero.
func hanYear(n int, like string) string {
	if strings.ContainsAny(like, "十百千元廿卅") || n < 10 {
		return writeHan(n)
	}
	var b strings.Builder
	zero := "零"
	if strings.ContainsAny(like, "〇○") {
		zero = "〇"
	}
	for _, c := range (numeral{text: "0"}).like(n, false) {
		if c == '0' {
			b.WriteString(zero)
			continue
		}
		b.WriteString(writeHan(int(c - '0')))
	}
	return b.String()
}

// hanMonth writes a month. The names 正, 冬 and 腊 are used only if the old text had such a name.
func hanMonth(n int, like string) string {
	if strings.ContainsAny(like, "正元冬腊臘") {
		switch n {
		case 1:
			return "正"
		case 11:
			return "冬"
		case 12:
			return "腊"
		}
	}
	return writeHan(n)
}

// hanDay writes a day. The traditional format uses 初 up to ten and 廿 after twenty. It is used if
// the old day has it, if the month has its own name, or if there is no 日 after the day.
func hanDay(n int, like string, named bool) string {
	traditional := named || strings.ContainsAny(like, "初廿卅")
	switch {
	case traditional && n <= 10:
		return "初" + writeHan(n)
	case traditional && n > 20 && n < 30 && !strings.Contains(like, "二十"):
		return "廿" + writeHan(n-20)
	case strings.ContainsAny(like, "卅") && n == 31:
		return "卅一"
	}
	return writeHan(n)
}
