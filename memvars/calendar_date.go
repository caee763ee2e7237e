package memvars

import (
	"strconv"
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
	if strings.ContainsAny(like, hanUnits+"元") || n < 10 {
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
	case gap == 0 || err != nil || n > maxYear:
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
