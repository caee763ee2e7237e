package macro

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// timeTokens are the tokens of [FormatTime], longer ones before their
// beginnings.
var timeTokens = [...]struct {
	token  string
	layout string // of package time, if there is one
}{
	{"YYYY", "2006"}, {"YY", "06"},
	{"MMMM", "January"}, {"MMM", "Jan"}, {"MM", "01"}, {"M", "1"},
	{"Do", ""}, {"DD", "02"}, {"D", "2"},
	{"dddd", "Monday"}, {"ddd", "Mon"}, {"d", ""},
	{"HH", "15"}, {"H", ""}, {"hh", "03"}, {"h", "3"},
	{"mm", "04"}, {"m", "4"}, {"ss", "05"}, {"s", "5"}, {"SSS", ""},
	{"A", "PM"}, {"a", "pm"}, {"ZZ", "-0700"}, {"Z", "-07:00"}, {"X", ""}, {"x", ""},
	{"LTS", "3:04:05 PM"}, {"LT", "3:04 PM"},
	{"LLLL", "Monday, January 2, 2006 3:04 PM"}, {"LLL", "January 2, 2006 3:04 PM"},
	{"LL", "January 2, 2006"}, {"L", "01/02/2006"},
}

// FormatTime writes a time after a pattern. Its tokens are YYYY YY, MMMM MMM MM
// M, DD D Do, dddd ddd d, HH H hh h, mm m, ss s SSS, A a, Z ZZ, X (seconds) x
// (milliseconds), LT LTS L LL LLL LLLL; [text] is literal. Names are English.
func FormatTime(t time.Time, pattern string) string {
	var b strings.Builder
	for pattern != "" {
		if pattern[0] == '[' {
			if end := strings.IndexByte(pattern, ']'); end > 0 {
				b.WriteString(pattern[1:end])
				pattern = pattern[end+1:]
				continue
			}
		}
		n := writeToken(&b, t, pattern)
		if n == 0 {
			b.WriteByte(pattern[0])
			n = 1
		}
		pattern = pattern[n:]
	}
	return b.String()
}

// writeToken writes the token at the begin of pattern and returns its length.
func writeToken(b *strings.Builder, t time.Time, pattern string) int {
	for _, k := range timeTokens {
		if !strings.HasPrefix(pattern, k.token) {
			continue
		}
		if k.layout != "" {
			b.WriteString(t.Format(k.layout))
		} else {
			b.WriteString(computedToken(t, k.token))
		}
		return len(k.token)
	}
	return 0
}

// computedToken writes the tokens that package time has no layout for.
func computedToken(t time.Time, token string) string {
	switch token {
	case "Do":
		return strconv.Itoa(t.Day()) + ordinal(t.Day())
	case "d":
		return strconv.Itoa(int(t.Weekday()))
	case "H":
		return strconv.Itoa(t.Hour())
	case "SSS":
		return fmt.Sprintf("%03d", t.Nanosecond()/1e6)
	case "X":
		return strconv.FormatInt(t.Unix(), 10)
	default: // x
		return strconv.FormatInt(t.UnixMilli(), 10)
	}
}

// ordinal is the English ending of a day of the month.
func ordinal(n int) string {
	if n%100 >= 11 && n%100 <= 13 {
		return "th"
	}
	switch n % 10 {
	case 1:
		return "st"
	case 2:
		return "nd"
	case 3:
		return "rd"
	}
	return "th"
}

// humanize writes a duration in words: up to 44 s "a few seconds", then the
// largest unit that rounds to at least 1, where a unit gives way to the next one
// at 45 minutes, 22 hours, 26 days and 11 months.
func humanize(d time.Duration) string {
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
