package memvars

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// date is a date that was read. Its numbers are parts of the text, so that a different date can be
// written in the same format.
type date struct {
	text             string
	year, month, day numeral
	hasYear          bool
	isDayCount       bool   // only days are counted: Day 3
	inEnglish        bool   // the month is an English name
	ordinal          string // ending of the day: th
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
	if len(text) > 120 || strings.ContainsAny(text, "闰閏") {
		return date{}, false
	}
	for _, parse := range [...]func(string) (date, bool){parseMonthDay, parseNumericDate, parseWordDate, parseDayCount} {
		if d, ok := parse(text); ok {
			return d, true
		}
	}
	return date{}, false
}

// parseMonthDay reads the form with the character for month. There may be text before the year (an era
// such as 贞观) and after the day (日, 号, a weekday in brackets). The name of an era may contain the
// character for month, so each occurrence is tried.
func parseMonthDay(text string) (date, bool) {
	for i, r := range text {
		if r != '月' {
			continue
		}
		d, from, ok := date{text: text}, 0, true
		if year := strings.LastIndex(text[:i], "年"); year >= 0 {
			before := strings.TrimRightFunc(text[:year], unicode.IsSpace)
			d.year, d.hasYear = numeralIn(text, numberStart(before), len(before))
			from, ok = year+len("年"), d.hasYear
		}
		month, isMonth := numeralIn(text, from, i)
		d.month = month
		rest := strings.TrimLeftFunc(text[i+len("月"):], unicode.IsSpace)
		if ok && isMonth && d.readDay(len(text)-len(rest)) {
			return d, true
		}
	}
	return date{}, false
}

// parseNumericDate reads three numbers with one kind of separator. The year comes first; other
// orders are not guessed.
func parseNumericDate(text string) (date, bool) {
	first := strings.IndexAny(text, "-/.")
	if first < 0 {
		return date{}, false
	}
	second := strings.IndexByte(text[first+1:], text[first])
	if second < 0 {
		return date{}, false
	}
	second += first + 1
	year, ok := numeralIn(text, 0, first)
	month, okMonth := numeralIn(text, first+1, second)
	d := date{text: text, year: year, month: month, hasYear: true}
	return d, ok && okMonth && !year.han() && !month.han() && month.at == first+1 && d.readDay(second+1)
}

// readDay reads the day at an offset and checks the text after it.
func (d *date) readDay(at int) bool {
	after := strings.TrimLeftFunc(d.text[at:], numberRune)
	var ok bool
	d.day, ok = numeralIn(d.text, at, len(d.text)-len(after))
	if rest, hasUnit := cutDayUnit(after); hasUnit {
		after = rest
	}
	next, _ := utf8.DecodeRuneInString(after)
	ends := strings.TrimSpace(after) == "" || unicode.IsSpace(next) || strings.ContainsRune("(（,，", next)
	return ok && ends && d.month.n >= 1 && d.day.n >= 1
}

// cutDayUnit removes the unit of a day from the text after its number.
func cutDayUnit(text string) (after string, ok bool) {
	text = strings.TrimSpace(text)
	if after, ok = strings.CutPrefix(text, "日"); !ok {
		after, ok = strings.CutPrefix(text, "号")
	}
	return after, ok
}

// numeralIn reads a part of a text as a number, ignoring blanks around it.
func numeralIn(text string, from, to int) (numeral, bool) {
	part := strings.TrimLeftFunc(text[from:to], unicode.IsSpace)
	at := to - len(part)
	part = strings.TrimRightFunc(part, unicode.IsSpace)
	n, ok := readNumber(part)
	return numeral{n, part, at}, ok
}

// numberRunes are the characters of numbers in dates, as a class of a pattern.
const numberRunes = "0-9０-９〇○两" + hanDigits + hanUnits + "初元正"

// numberRune reports whether a character can be part of a number in a date, in any script.
func numberRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= '０' && r <= '９' || hanDigit(r) >= 0 ||
		strings.ContainsRune(hanUnits+"初元正", r)
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

// String returns the date as it was written.
func (d date) String() string { return d.text }

// with returns the text of the date with other numbers, in the format of d.
//
// Each number keeps its own format: the script, the width of digits, the padding, the traditional
// names of days and months. The text around the numbers stays, including a weekday: the model
// maintains it.
func (d date) with(year, month, day int) string {
	type change struct {
		at, end int
		text    string
	}
	changes := []change{{d.day.at, d.day.at + len(d.day.text+d.ordinal), d.dayText(day)}}
	if month != d.month.n && !d.isDayCount {
		changes = append(changes, change{d.month.at, d.month.at + len(d.month.text), d.monthText(month)})
	}
	if year != d.year.n && d.hasYear {
		changes = append(changes, change{d.year.at, d.year.at + len(d.year.text), d.yearText(year)})
	}
	slices.SortFunc(changes, func(a, b change) int { return b.at - a.at }) // the last one first: offsets stay valid
	text := d.text
	for _, c := range changes {
		text = text[:c.at] + c.text + text[c.end:]
	}
	return text
}

func (d date) yearText(n int) string {
	if d.year.han() {
		return hanYear(n, d.year.text)
	}
	return d.year.like(n, 1)
}

func (d date) monthText(n int) string {
	switch {
	case d.inEnglish:
		return monthLike(n, d.month.text)
	case d.month.han():
		return hanMonth(n, d.month.text)
	}
	return d.month.like(n, d.width())
}

func (d date) dayText(n int) string {
	switch {
	case d.inEnglish:
		ending := ""
		if d.ordinal != "" {
			ending = utf8text.Ordinal(n)
			if unicode.IsUpper(rune(d.ordinal[0])) {
				ending = strings.ToUpper(ending)
			}
		}
		width := 1
		if d.day.text[0] == '0' {
			width = len(d.day.text)
		}
		return d.day.like(n, width) + ending
	case d.isDayCount && d.day.han():
		return hanYear(n, d.day.text)
	case d.isDayCount:
		return d.day.like(n, len(utf8text.Narrow(d.day.text))) // Day 007
	case d.day.han():
		_, hasUnit := cutDayUnit(d.text[d.day.at+len(d.day.text):])
		return hanDay(n, d.day.text, !hasUnit || strings.ContainsAny(d.month.text, "正冬腊臘"))
	}
	return d.day.like(n, d.width())
}

// width returns the number of digits to which month and day are padded: two, unless one of them is a
// single digit.
func (d date) width() int {
	return min(len(utf8text.Narrow(d.month.text)), len(utf8text.Narrow(d.day.text)), 2)
}

// hanYear writes a year in the format of an existing one: with units (二百零三) or digit by digit
// (二〇二四), with the same sign for zero.
func hanYear(n int, like string) string {
	if strings.ContainsAny(like, hanUnits+"元") || n < 10 {
		return writeHan(n)
	}
	var b strings.Builder
	zero := "零"
	if strings.ContainsAny(like, "〇○") {
		zero = "〇"
	}
	for _, c := range strconv.Itoa(n) {
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

// The forms of an English date around the name of its month. A year has three or more digits.
var (
	letterRun      = regexp.MustCompile(`[A-Za-z]+`)
	dayAfterMonth  = regexp.MustCompile(`^[. \t]+` + englishDay)
	dayBeforeMonth = regexp.MustCompile(englishDay + `(?:[ \t]* [Oo][Ff])?[ \t]+$`)
	yearAfterDay   = regexp.MustCompile(`^([,. \t]*)([0-9]+)`)
)

const englishDay = `([0-9]{1,2})([Ss][Tt]|[Nn][Dd]|[Rr][Dd]|[Tt][Hh]|)`

// parseWordDate reads dates with the English name of the month:
//
//	March 15 · Mar. 15th, 1203 · 15 March 1203 · the 15th of March
//
// A weekday and similar text may come before and after.
func parseWordDate(text string) (date, bool) {
	for _, word := range letterRun.FindAllStringIndex(text, -1) {
		name := text[word[0]:word[1]]
		d := date{text: text, month: numeral{monthNamed(name), name, word[0]}, inEnglish: true}
		if d.month.n == 0 {
			continue
		}
		if m := dayAfterMonth.FindStringSubmatchIndex(text[word[1]:]); m != nil && d.readOrdinalDay(word[1], m) && d.readYear(word[1]+m[1]) {
			return d, d.day.n >= 1 && d.day.n <= 31
		}
		if m := dayBeforeMonth.FindStringSubmatchIndex(text[:word[0]]); m != nil && d.readOrdinalDay(0, m) && d.readYear(word[1]) {
			return d, d.day.n >= 1 && d.day.n <= 31
		}
	}
	return date{}, false
}

// readOrdinalDay reads a day such as 15 or 15th that a pattern found in the text from an offset on. It
// must not be a part of a longer word or number.
func (d *date) readOrdinalDay(offset int, m []int) bool {
	from, to := offset+m[2], offset+m[5]
	n, _ := strconv.Atoi(d.text[from : offset+m[3]])
	d.day, d.ordinal = numeral{n, d.text[from : offset+m[3]], from}, d.text[offset+m[4]:to]
	isPart := func(i int) bool { return i >= 0 && i < len(d.text) && (isLetter(d.text[i]) || isDigit(d.text[i])) }
	return !isPart(from-1) && !isPart(to)
}

// readYear reads a year of three or more digits after month and day.
func (d *date) readYear(at int) bool {
	m := yearAfterDay.FindStringSubmatchIndex(d.text[at:])
	if m == nil {
		return true
	}
	from, to := at+m[4], at+m[5]
	n, err := strconv.Atoi(d.text[from:to])
	if from == at || err != nil || n > maxYear {
		return false
	}
	if to-from >= 3 && !strings.HasPrefix(d.text[to:], ":") {
		d.year, d.hasYear = numeral{n, d.text[from:to], from}, true
	}
	return true
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

// The forms of a day count. There is one number in the text.
var (
	hanCount     = regexp.MustCompile(`^[^第` + numberRunes + `]*第` + space + `([` + numberRunes + `]+)` + space + `[天日][^` + numberRunes + `]*$`)
	dayWord      = regexp.MustCompile(`(?:^|[^A-Za-z])([Dd][Aa][Yy])`)
	englishCount = regexp.MustCompile(`^...[ #.:]*` + space + `([` + numberRunes + `]+)(?:[^A-Za-z` + numberRunes + `][^` + numberRunes + `]*)?$`)
)

const space = `[\pZ\t-\r\x{85}]*`

// parseDayCount reads a day count, which many games use: Day 3, 第三天, 第3日. A second number in the
// text, as in 第2周第3天, makes it unreadable.
func parseDayCount(text string) (date, bool) {
	from, form := 0, hanCount
	if !strings.Contains(text, "第") {
		word := dayWord.FindStringSubmatchIndex(text)
		if word == nil || strings.ContainsFunc(text[:word[2]], numberRune) {
			return date{}, false
		}
		from, form = word[2], englishCount
	}
	m := form.FindStringSubmatchIndex(text[from:])
	if m == nil {
		return date{}, false
	}
	day, ok := numeralIn(text, from+m[2], from+m[3])
	return date{text: text, day: day, isDayCount: true}, ok
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

// numeral is a number as written in a date. Other numbers can be written in its format.
type numeral struct {
	n    int
	text string
	at   int // the offset in the date
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

// readNumber reads a whole text as a number: digits of half or full width, or Chinese numerals with
// units up to 万, also digit by digit (二〇二四).
func readNumber(s string) (int, bool) {
	s = utf8text.Narrow(s)
	if s == "" || len(s) > len("九万九千九百九十九") {
		return 0, false
	}
	if s[0] < utf8.RuneSelf {
		n, err := strconv.ParseUint(s, 10, 31)
		return int(n), err == nil && n <= maxYear
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

// The greatest numbers of dates: any, and in Chinese numerals with units.
const (
	maxYear = 999_999
	maxHan  = 99_999
)

// hanUnits are the characters of a Chinese numeral that is not written digit by digit.
const hanUnits = "十百千万萬廿卅"

// readHan reads Chinese numerals: with units (二百零三, 十五, 廿八), or digit by digit
// (二〇二四). Mixtures are refused.
func readHan(s string) (int, bool) {
	if strings.ContainsAny(s, hanUnits) {
		return readHanUnits(s)
	}
	n := 0
	for _, r := range s {
		d := hanDigit(r)
		if n = n*10 + d; d < 0 || n > maxYear {
			return 0, false
		}
	}
	return n, s != ""
}

// readHanUnits reads Chinese numerals with units. Units must become smaller. A last digit without
// 零 before it counts the next smaller unit: 两百五 is 250, 两百零五 is 205.
func readHanUnits(s string) (int, bool) {
	total, section := 0, hanSection{last: noUnit}
	for _, r := range s {
		ok := false
		switch r {
		case '十':
			ok = section.unit(10)
		case '百':
			ok = section.unit(100)
		case '千':
			ok = section.unit(1000)
		case '廿':
			ok = section.digit(2) && section.unit(10)
		case '卅':
			ok = section.digit(3) && section.unit(10)
		case '万', '萬':
			n, whole := section.end()
			ok = whole && n > 0 && total == 0
			total, section = n*10_000, hanSection{last: 10_000}
		default:
			ok = section.digit(hanDigit(r))
		}
		if !ok {
			return 0, false
		}
	}
	n, whole := section.end()
	total += n
	return total, whole && total <= maxHan
}

// noUnit is greater than all units.
const noUnit = 100_000

// hanSection is a part of a Chinese numeral, up to 万.
type hanSection struct {
	n, ones int
	last    int  // the last unit
	zero    bool // 零 stands after it
}

// digit adds a digit, which belongs to the unit after it.
func (s *hanSection) digit(d int) bool {
	if d == 0 {
		skips := s.ones == 0 && !s.zero && s.last > 10 && s.last != noUnit
		s.zero = true
		return skips
	}
	if d < 0 || s.ones > 0 {
		return false
	}
	s.ones = d
	return true
}

// unit adds a unit. Without a digit it counts once: 十五, 一百十五.
func (s *hanSection) unit(u int) bool {
	if u >= s.last || s.zero && (u*10 >= s.last || s.ones == 0) || s.ones == 0 && u > 10 && s.last != noUnit {
		return false
	}
	s.n += max(s.ones, 1) * u
	s.ones, s.last, s.zero = 0, u, false
	return true
}

// end returns the number. It reports false for a number that ends in 零.
func (s *hanSection) end() (n int, whole bool) {
	if !s.zero && s.last != noUnit {
		s.ones *= s.last / 10
	}
	return s.n + s.ones, !s.zero || s.ones > 0
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

// like writes n in digits of the same width as m, at least so many.
func (m numeral) like(n, digits int) string {
	s := strconv.Itoa(n)
	s = strings.Repeat("0", max(digits-len(s), 0)) + s
	if utf8text.Narrow(m.text) == m.text {
		return s
	}
	return strings.Map(func(r rune) rune { return r - '0' + '０' }, s)
}
