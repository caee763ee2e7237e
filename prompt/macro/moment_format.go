package macro

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/utf8text"
)

// The moment files write times in patterns, and durations in words.

// tokenLayouts are the tokens of a pattern that package time can write, with their layouts.
var tokenLayouts = map[string]string{
	"YY": "06", "MMMM": "January", "MMM": "Jan", "MM": "01", "M": "1", "DD": "02", "D": "2",
	"dddd": "Monday", "ddd": "Mon", "HH": "15", "hh": "03", "h": "3", "mm": "04", "m": "4", "ss": "05", "s": "5",
	"A": "PM", "a": "pm", "ZZ": "-0700", "Z": "-07:00", "zz": "", "z": "", // a zone has no name
	"LT": "3:04 PM", "LTS": "3:04:05 PM", "L": "01/02/2006", "LL": "January 2, 2006",
	"LLL": "January 2, 2006 3:04 PM", "LLLL": "Monday, January 2, 2006 3:04 PM",
	"l": "1/2/2006", "ll": "Jan 2, 2006", "lll": "Jan 2, 2006 3:04 PM", "llll": "Mon, Jan 2, 2006 3:04 PM",
}

// tokenNumbers are the tokens that write a number with at least as many digits as width. Width 0 writes an
// ordinal such as 2nd.
var tokenNumbers = []struct {
	token  string
	width  int
	number func(time.Time) int
}{
	{"YYYYY", 5, time.Time.Year}, {"YYYY", 4, time.Time.Year}, {"Y", 4, time.Time.Year},
	{"yyyy", 4, time.Time.Year}, {"yyy", 3, time.Time.Year}, {"yy", 2, time.Time.Year}, {"y", 1, time.Time.Year},
	{"yo", 0, time.Time.Year}, {"Q", 1, quarter}, {"Qo", 0, quarter}, {"Mo", 0, month},
	{"DDDD", 3, time.Time.YearDay}, {"DDD", 1, time.Time.YearDay}, {"DDDo", 0, time.Time.YearDay},
	{"Do", 0, time.Time.Day}, {"d", 1, weekday}, {"do", 0, weekday}, {"e", 1, weekday}, {"E", 1, isoWeekday},
	{"ww", 2, week}, {"w", 1, week}, {"wo", 0, week}, {"gggg", 4, weekYear}, {"gg", 2, shortWeekYear},
	{"WW", 2, isoWeek}, {"W", 1, isoWeek}, {"Wo", 0, isoWeek}, {"GGGG", 4, isoYear}, {"GG", 2, shortISOYear},
	{"H", 1, time.Time.Hour}, {"kk", 2, hour24}, {"k", 1, hour24},
}

// tokenTexts are all other tokens but the fractions of a second, S to SSSSSSSSS.
var tokenTexts = map[string]func(time.Time) string{
	"YYYYYY": func(t time.Time) string { return fmt.Sprintf("%+07d", t.Year()) },
	"dd":     func(t time.Time) string { return t.Weekday().String()[:2] },
	"N":      era("AD", "BC"), "NN": era("AD", "BC"), "NNN": era("AD", "BC"), "NNNNN": era("AD", "BC"),
	"NNNN":  era("Anno Domini", "Before Christ"),
	"Hmmss": hours(time.Time.Hour, "0405"), "Hmm": hours(time.Time.Hour, "04"),
	"hmmss": hours(hour12, "0405"), "hmm": hours(hour12, "04"),
	"X": func(t time.Time) string { return strconv.FormatInt(t.Unix(), 10) },
	"x": func(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) },
}

// timeToken is a token of a pattern and what it writes.
type timeToken struct {
	name  string
	write func(time.Time) string
}

// timeTokens are all tokens by their first byte, longer tokens before their prefixes.
var timeTokens = func() (tokens [256][]timeToken) {
	add := func(name string, write func(time.Time) string) {
		tokens[name[0]] = append(tokens[name[0]], timeToken{name, write})
	}
	for name, layout := range tokenLayouts {
		add(name, func(t time.Time) string { return t.Format(layout) })
	}
	for _, n := range tokenNumbers {
		add(n.token, func(t time.Time) string {
			if n.width == 0 {
				return strconv.Itoa(n.number(t)) + utf8text.Ordinal(n.number(t))
			}
			return fmt.Sprintf("%0*d", n.width, n.number(t))
		})
	}
	for name, write := range tokenTexts {
		add(name, write)
	}
	for width := range 9 {
		add("SSSSSSSSS"[width:], fraction(9-width))
	}
	for _, list := range tokens {
		slices.SortFunc(list, func(a, b timeToken) int { return len(b.name) - len(a.name) })
	}
	return tokens
}()

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

// hours writes an hour without a leading zero, and the rest without a separator.
func hours(hour func(time.Time) int, rest string) func(time.Time) string {
	return func(t time.Time) string { return strconv.Itoa(hour(t)) + t.Format(rest) }
}

// fraction writes digits of the fraction of a second.
func fraction(width int) func(time.Time) string {
	return func(t time.Time) string {
		return fmt.Sprintf("%09d", t.Nanosecond()/1e6*1e6)[:width] // the clock has milliseconds
	}
}

// era writes a name of the era, after or before the birth of Christ.
func era(after, before string) func(time.Time) string {
	return func(t time.Time) string {
		if t.Year() < 1 {
			return before
		}
		return after
	}
}

func month(t time.Time) int         { return int(t.Month()) }
func quarter(t time.Time) int       { return (month(t) + 2) / 3 }
func weekday(t time.Time) int       { return int(t.Weekday()) }
func isoWeekday(t time.Time) int    { return (weekday(t)+6)%7 + 1 }
func hour12(t time.Time) int        { return (t.Hour()+11)%12 + 1 }
func hour24(t time.Time) int        { return (t.Hour()+23)%24 + 1 }
func isoWeek(t time.Time) int       { _, w := t.ISOWeek(); return w }
func isoYear(t time.Time) int       { y, _ := t.ISOWeek(); return y }
func shortISOYear(t time.Time) int  { return isoYear(t) % 100 }
func shortWeekYear(t time.Time) int { return weekYear(t) % 100 }

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
