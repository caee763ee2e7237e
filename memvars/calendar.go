package memvars

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/talewright/talewright/internal/utf8text"
)

// The calendar files read dates and times of day in the forms that stories use, and count the days
// between dates.
//
// A [Calendar] is the Gregorian calendar or one with its own month lengths. [Calendar.Read] accepts
// [year]月日 in digits of any width or Chinese numerals, 2024-03-15, 2024/3/15, 2024.3.15, March
// 15th, 1203, 15 Mar, and day counts such as Day 3 or 第三天. [ParseClock] accepts times such as
// 20:15, 8点半 or 晚上8时20分. An unreadable date is not an error: for the caller no time passes.
//
// All functions are pure and safe for concurrent use. Texts of more than 120 bytes are not read as
// dates.

// Calendar is the Gregorian calendar (zero value) or one with fixed month lengths. Its JSON form is
// "gregorian" or the list of lengths.
type Calendar struct {
	Months []int
}

// MarshalJSON writes "gregorian" or the list of month lengths.
func (c Calendar) MarshalJSON() ([]byte, error) {
	if c.Months == nil {
		return []byte(`"gregorian"`), nil
	}
	return json.Marshal(c.Months)
}

// UnmarshalJSON reads "gregorian" or a list of month lengths.
func (c *Calendar) UnmarshalJSON(data []byte) error {
	var name string
	if json.Unmarshal(data, &name) == nil {
		*c = Calendar{}
		if name != "" && name != "gregorian" {
			return fmt.Errorf("calendar: calendar %q: want gregorian or a list of month lengths", name)
		}
		return nil
	}
	return json.Unmarshal(data, &c.Months)
}

// Day is a date that was read, with its year.
type Day struct {
	date
	yearNumber int
	yearKnown  bool // the date or the era has a year
	fromEra    bool // the year was taken from the era, not from the date itself
}

// Read reads a date and takes a missing year from the era.
//
// The day must exist in its month: an invalid date is as unreadable as free text.
func (c Calendar) Read(dateText, era string) (Day, bool) {
	d, ok := parseDate(dateText)
	if !ok {
		return Day{}, false
	}
	out := Day{date: d}
	if d.isDayCount {
		return out, true
	}
	if d.hasYear {
		out.yearNumber, out.yearKnown = d.year.n, true
	} else {
		out.yearNumber, out.yearKnown = lastNumber(era)
		out.fromEra = out.yearKnown
	}
	return out, out.month.n <= c.months() && out.day.n <= c.lastDay(out)
}

// alike reports whether the days between two dates can be counted. A day count and a calendar date
// cannot be compared.
func (d Day) alike(e Day) bool { return d.isDayCount == e.isDayCount }

// months returns the number of months in a year.
func (c Calendar) months() int {
	if c.Months != nil {
		return len(c.Months)
	}
	return 12
}

var gregorian = [12]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// isLeap reports whether a date is in a leap year by the Gregorian rule. The rule is used for the years
// of an era too, because there is no better one. A date without a year is in no leap year.
func (d Day) isLeap() bool {
	y := d.yearNumber
	return d.yearKnown && (y%4 == 0 && y%100 != 0 || y%400 == 0)
}

// monthLength returns the number of days in a month.
func (c Calendar) monthLength(month int, isLeap bool) int {
	switch {
	case c.Months != nil:
		return c.Months[month-1]
	case month == 2 && isLeap:
		return 29
	}
	return gregorian[month-1]
}

// lastDay returns the last allowed day of a month. 29 February is accepted in a date without a
// year, and if only the era has the year.
func (c Calendar) lastDay(d Day) int {
	if c.Months == nil && d.month.n == 2 && (!d.yearKnown || d.fromEra) {
		return 29
	}
	return c.monthLength(d.month.n, d.isLeap())
}

// dayOfYear returns the ordinal of a Day within its year.
func (c Calendar) dayOfYear(d Day, isLeap bool) int {
	n := d.day.n
	for m := 1; m < d.month.n; m++ {
		n += c.monthLength(m, isLeap)
	}
	return n
}

// yearLength returns the number of days in a year.
func (c Calendar) yearLength(isLeap bool) int {
	n := 0
	for m := 1; m <= c.months(); m++ {
		n += c.monthLength(m, isLeap)
	}
	return n
}

// dayNumber returns the ordinal of a Day since the beginning of the calendar.
//
// It is also defined for years before the first; only differences are used.
func (c Calendar) dayNumber(d Day) int {
	if c.Months != nil {
		return d.yearNumber*c.yearLength(false) + c.dayOfYear(d, false)
	}
	y := d.yearNumber - 1
	return y*365 + y/4 - y/100 + y/400 + c.dayOfYear(d, d.isLeap())
}

// Between returns the days from a to b. The years may be unknown, or both may come from one era.
// Then a date b that is before a is in the next year if that gives at most window days. Otherwise
// the result is negative.
//
// Reason for this rule: most cards show a date without a year. From 28 December to 4 January is a
// week, not a jump back of almost a year. If the new year does not explain a jump back, the result
// is negative; all present callers ignore it. For two day counts the result is their difference;
// see [Day.alike].
func (c Calendar) Between(a, b Day, window int) int {
	if a.isDayCount {
		return b.day.n - a.day.n
	}
	sameEra := a.fromEra && b.fromEra && a.yearNumber == b.yearNumber
	if a.yearKnown && b.yearKnown && !sameEra {
		return c.dayNumber(b) - c.dayNumber(a)
	}
	isLeap := sameEra && a.isLeap()
	n := c.dayOfYear(b, isLeap) - c.dayOfYear(a, isLeap)
	if n < 0 {
		if wrapped := n + c.yearLength(isLeap); wrapped <= window {
			return wrapped
		}
	}
	return n
}

// Next returns the day after d, in the same format.
func (c Calendar) Next(d Day) string {
	y, m, n := d.date.year.n, d.month.n, d.day.n+1
	if d.isDayCount {
		return d.with(0, 0, n)
	}
	if n > c.monthLength(m, d.isLeap()) {
		m, n = m+1, 1
	}
	if m > c.months() {
		y, m = y+1, 1
	}
	return d.with(y, m, n)
}

// ParseClock reads a time of day and returns minutes: hh:mm[:ss], 8点, 8点半, 8时20分, optionally with
// 上午, 下午, 晚上, 凌晨 and similar words before it.
//
// Hours may be Chinese numerals. Seconds are read and dropped. The old double hours (午时) are not
// accepted, because each is two hours long.
func ParseClock(text string) (minutes int, ok bool) {
	s := strings.TrimSpace(utf8text.Narrow(text))
	if len(s) > 80 {
		return 0, false
	}
	period := ""
	for _, p := range periods {
		if rest, ok := strings.CutPrefix(s, p.name); ok {
			period, s = p.half, strings.TrimSpace(rest)
			break
		}
	}
	digits, rest := cutNumber(s)
	hour, ok := readNumber(digits)
	if !ok || hour > 24 {
		return 0, false
	}
	minute, ok := clockMinutes(rest)
	if !ok {
		return 0, false
	}
	return halfDay(hour, period)*60 + minute, true
}

// cutNumber returns the number at the beginning of a text and the text after it.
func cutNumber(s string) (number, rest string) {
	rest = strings.TrimLeftFunc(s, numberRune)
	return s[:len(s)-len(rest)], rest
}

// periods are the words for parts of the day. A longer word comes before its prefix.
var periods = []struct{ name, half string }{
	{"凌晨", "am"}, {"清晨", "am"}, {"早晨", "am"}, {"早上", "am"}, {"上午", "am"},
	{"中午", "noon"}, {"正午", "noon"}, {"下午", "pm"}, {"午后", "pm"}, {"傍晚", "pm"},
	{"晚上", "eve"}, {"夜晚", "eve"}, {"入夜", "eve"}, {"夜里", "night"}, {"深夜", "night"},
	{"午夜", "night"}, {"半夜", "night"}, {"晚", "eve"}, {"早", "am"},
}

// halfDay converts an hour and the part of the day into an hour of the day. The words for evening
// and night extend over midnight: 晚上11点 is before midnight, 晚上12点 is midnight, 深夜2点 is after it. If
// 晚上12点 were noon, the clock would run back twice in a night.
func halfDay(hour int, period string) int {
	switch period {
	case "am":
		return hour % 12
	case "noon":
		if hour < 10 {
			return hour + 12
		}
	case "pm":
		if hour < 12 {
			return hour + 12
		}
	case "eve", "night":
		if hour == 12 {
			return 0
		}
		if hour >= 6 && hour < 12 || hour == 5 && period == "eve" {
			return hour + 12
		}
	}
	return hour
}

// clockMinutes reads the text after the hour.
func clockMinutes(s string) (int, bool) {
	sep, size := utf8.DecodeRuneInString(s)
	rest := strings.TrimSpace(s[size:])
	switch sep {
	case ':', '：':
	case '点', '點', '时', '時':
		switch rest {
		case "", "整", "钟":
			return 0, true
		case "半":
			return 30, true
		case "一刻":
			return 15, true
		case "三刻":
			return 45, true
		}
	default:
		return 0, false
	}
	digits, tail := cutNumber(rest)
	n, ok := readNumber(digits)
	if !ok || n > 59 {
		return 0, false
	}
	for _, colon := range [...]string{":", "："} {
		if seconds, ok := strings.CutPrefix(tail, colon); ok {
			if end := strings.IndexFunc(seconds, unicode.IsSpace); end >= 0 {
				seconds = seconds[:end]
			}
			sec, ok := readNumber(seconds)
			return n, ok && sec < 60
		}
	}
	tail = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(tail, "分"), "钟"))
	return n, tail == "" || strings.HasPrefix(tail, "(") || strings.HasPrefix(tail, "（")
}
