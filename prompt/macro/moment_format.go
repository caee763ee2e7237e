package macro

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/utf8text"
)

// The moment files write times in patterns, and durations in words.

// timeTokens are the tokens of [FormatTime] by their first byte, longer tokens before their prefixes.
var timeTokens = [256][]timeToken{
	'Y': {{"YYYYYY", signedYear}, {"YYYYY", digitsOf(5, time.Time.Year)}, {"YYYY", digitsOf(4, time.Time.Year)}, {"YY", layout("06")}, {"Y", digitsOf(4, time.Time.Year)}},
	'y': {{"yyyy", digitsOf(4, time.Time.Year)}, {"yyy", digitsOf(3, time.Time.Year)}, {"yy", digitsOf(2, time.Time.Year)}, {"yo", ordinalOf(time.Time.Year)}, {"y", digitsOf(1, time.Time.Year)}},
	'Q': {{"Qo", ordinalOf(quarter)}, {"Q", digitsOf(1, quarter)}},
	'M': {{"MMMM", layout("January")}, {"MMM", layout("Jan")}, {"MM", layout("01")}, {"Mo", ordinalOf(month)}, {"M", layout("1")}},
	'D': {{"DDDD", digitsOf(3, time.Time.YearDay)}, {"DDDo", ordinalOf(time.Time.YearDay)}, {"DDD", digitsOf(1, time.Time.YearDay)}, {"DD", layout("02")}, {"Do", ordinalOf(time.Time.Day)}, {"D", layout("2")}},
	'd': {{"dddd", layout("Monday")}, {"ddd", layout("Mon")}, {"dd", shortWeekday}, {"do", ordinalOf(weekday)}, {"d", digitsOf(1, weekday)}},
	'e': {{"e", digitsOf(1, weekday)}},
	'E': {{"E", digitsOf(1, isoWeekday)}},
	'w': {{"ww", digitsOf(2, week)}, {"wo", ordinalOf(week)}, {"w", digitsOf(1, week)}},
	'W': {{"WW", digitsOf(2, isoWeek)}, {"Wo", ordinalOf(isoWeek)}, {"W", digitsOf(1, isoWeek)}},
	'g': {{"gggg", digitsOf(4, weekYear)}, {"gg", digitsOf(2, shortWeekYear)}},
	'G': {{"GGGG", digitsOf(4, isoYear)}, {"GG", digitsOf(2, shortISOYear)}},
	'N': {{"NNNNN", era("AD", "BC")}, {"NNNN", era("Anno Domini", "Before Christ")}, {"NNN", era("AD", "BC")}, {"NN", era("AD", "BC")}, {"N", era("AD", "BC")}},
	'H': {{"Hmmss", hours(time.Time.Hour, "0405")}, {"Hmm", hours(time.Time.Hour, "04")}, {"HH", layout("15")}, {"H", digitsOf(1, time.Time.Hour)}},
	'h': {{"hmmss", hours(hour12, "0405")}, {"hmm", hours(hour12, "04")}, {"hh", layout("03")}, {"h", layout("3")}},
	'k': {{"kk", digitsOf(2, hour24)}, {"k", digitsOf(1, hour24)}},
	'm': {{"mm", layout("04")}, {"m", layout("4")}},
	's': {{"ss", layout("05")}, {"s", layout("5")}},
	'S': {{"SSSSSSSSS", fraction(9)}, {"SSSSSSSS", fraction(8)}, {"SSSSSSS", fraction(7)}, {"SSSSSS", fraction(6)}, {"SSSSS", fraction(5)}, {"SSSS", fraction(4)}, {"SSS", fraction(3)}, {"SS", fraction(2)}, {"S", fraction(1)}},
	'A': {{"A", layout("PM")}},
	'a': {{"a", layout("pm")}},
	'Z': {{"ZZ", layout("-0700")}, {"Z", layout("-07:00")}},
	'z': {{"zz", nothingOf}, {"z", nothingOf}},
	'X': {{"X", func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) }}},
	'x': {{"x", func(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }}},
	'L': {{"LTS", layout("3:04:05 PM")}, {"LT", layout("3:04 PM")}, {"LLLL", layout("Monday, January 2, 2006 3:04 PM")}, {"LLL", layout("January 2, 2006 3:04 PM")}, {"LL", layout("January 2, 2006")}, {"L", layout("01/02/2006")}},
	'l': {{"llll", layout("Mon, Jan 2, 2006 3:04 PM")}, {"lll", layout("Jan 2, 2006 3:04 PM")}, {"ll", layout("Jan 2, 2006")}, {"l", layout("1/2/2006")}},
}

type timeToken struct {
	name  string
	write func(time.Time) string
}

// FormatTime writes a time in a pattern of tokens, with English names. The cost is linear in the
// pattern. The tokens:
//
//	YYYY YY Y        year; yyyy yy y likewise, N NNNN the era
//	Q Qo             quarter
//	MMMM MMM MM M Mo month
//	DD D Do          day of the month; DDDD DDD DDDo of the year
//	dddd ddd dd d do day of the week, d and e from 0 for Sunday, E from 1 for Monday
//	ww w wo, gggg gg week of the year that begins on Sunday, and its year
//	WW W Wo, GGGG GG week of the year of ISO 8601, and its year
//	HH H, kk k, hh h hour from 0, from 1 to 24, from 1 to 12; A a for AM, am
//	mm m, ss s, S…   minute, second, up to nine digits of its fraction
//	Hmm hmm Hmmss …  hour, minute and second without a separator
//	Z ZZ             zone as +08:00, +0800; X x seconds, milliseconds since 1970
//	LT LTS L LL LLL LLLL l ll lll llll   times and dates as people write them
//	[text] \T        a text, a token as a text
func FormatTime(t time.Time, pattern string) string {
	var b strings.Builder
	for pattern != "" {
		if text, n := bracketed(pattern); n > 0 {
			b.WriteString(text)
			pattern = pattern[n:]
			continue
		}
		if pattern[0] == '\\' {
			pattern = pattern[1:]
			if k := tokenAt(pattern); k != nil {
				b.WriteString(k.name)
				pattern = pattern[len(k.name):]
			} else {
				pattern = strings.TrimPrefix(pattern, `\`)
			}
			continue
		}
		if k := tokenAt(pattern); k != nil {
			b.WriteString(k.write(t))
			pattern = pattern[len(k.name):]
			continue
		}
		b.WriteByte(pattern[0])
		pattern = pattern[1:]
	}
	return b.String()
}

// bracketed reads [text], up to the last bracket before the next opening one.
func bracketed(pattern string) (text string, length int) {
	if pattern[0] != '[' {
		return "", 0
	}
	piece := pattern[1:]
	if i := strings.IndexByte(piece, '['); i >= 0 {
		piece = piece[:i]
	}
	end := strings.LastIndexByte(piece, ']')
	if end < 0 {
		return "", 0
	}
	return piece[:end], end + 2
}

// tokenAt returns the token at the beginning of a pattern, or nil if not found.
func tokenAt(pattern string) *timeToken {
	if pattern == "" {
		return nil
	}
	tokens := timeTokens[pattern[0]]
	for i := range tokens {
		if strings.HasPrefix(pattern, tokens[i].name) {
			return &tokens[i]
		}
	}
	return nil
}

// layout returns a function that writes a time in a layout of package time.
func layout(l string) func(time.Time) string {
	return func(t time.Time) string { return t.Format(l) }
}

func digitsOf(width int, number func(time.Time) int) func(time.Time) string {
	return func(t time.Time) string { return fmt.Sprintf("%0*d", width, number(t)) }
}

func ordinalOf(number func(time.Time) int) func(time.Time) string {
	return func(t time.Time) string {
		n := number(t)
		return strconv.Itoa(n) + utf8text.Ordinal(n)
	}
}

// hours writes an hour without a leading zero, and the rest without a separator.
func hours(hour func(time.Time) int, rest string) func(time.Time) string {
	return func(t time.Time) string { return strconv.Itoa(hour(t)) + t.Format(rest) }
}

func fraction(width int) func(time.Time) string {
	return func(t time.Time) string {
		return fmt.Sprintf("%09d", t.Nanosecond()/1e6*1e6)[:width] // the clock has milliseconds
	}
}

func era(after, before string) func(time.Time) string {
	return func(t time.Time) string {
		if t.Year() < 1 {
			return before
		}
		return after
	}
}

func signedYear(t time.Time) string   { return fmt.Sprintf("%+07d", t.Year()) }
func shortWeekday(t time.Time) string { return t.Weekday().String()[:2] }
func nothingOf(time.Time) string      { return "" } // a zone has no name
func month(t time.Time) int           { return int(t.Month()) }
func quarter(t time.Time) int         { return (month(t) + 2) / 3 }
func weekday(t time.Time) int         { return int(t.Weekday()) }
func isoWeekday(t time.Time) int      { return (weekday(t)+6)%7 + 1 }
func hour12(t time.Time) int          { return (t.Hour()+11)%12 + 1 }
func hour24(t time.Time) int          { return (t.Hour()+23)%24 + 1 }
func isoWeek(t time.Time) int         { _, w := t.ISOWeek(); return w }
func isoYear(t time.Time) int         { y, _ := t.ISOWeek(); return y }
func shortISOYear(t time.Time) int    { return isoYear(t) % 100 }
func shortWeekYear(t time.Time) int   { return weekYear(t) % 100 }

// week returns the week of the year, with weeks that begin on Sunday. Week 1 contains January 1.
// The Saturday of a week decides its year.
func week(t time.Time) int {
	return (t.AddDate(0, 0, 6-weekday(t)).YearDay() + 6) / 7
}

func weekYear(t time.Time) int { return t.AddDate(0, 0, 6-weekday(t)).Year() }

// inWords writes a duration in words: up to 44 s "a few seconds", then the largest unit that rounds
// to at least 1. The next larger unit begins at 45 minutes, 22 hours, 26 days and 11 months.
func inWords(d time.Duration) string {
	const monthsPerDay = 4800.0 / 146097 // of the Gregorian cycle of 400 years
	seconds := d.Seconds()
	round := func(x float64) int { return int(math.Floor(x + 0.5)) }
	if round(seconds) <= 44 {
		return "a few seconds"
	}
	days := seconds / 86400
	for _, unit := range [...]struct {
		n     int
		limit int
		one   string
		many  string
	}{
		{round(seconds / 60), 45, "a minute", "minutes"},
		{round(seconds / 3600), 22, "an hour", "hours"},
		{round(days), 26, "a day", "days"},
		{round(days * monthsPerDay), 11, "a month", "months"},
	} {
		if unit.n <= 1 {
			return unit.one
		}
		if unit.n < unit.limit {
			return strconv.Itoa(unit.n) + " " + unit.many
		}
	}
	years := round(days * monthsPerDay / 12)
	if years <= 1 {
		return "a year"
	}
	return strconv.Itoa(years) + " years"
}
