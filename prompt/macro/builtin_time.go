package macro

import (
	"cmp"
	"strconv"
	"time"
)

// maxPattern is the size of the longest time pattern, in bytes. A pattern may be the result of an
// earlier pattern, and each expansion makes the text longer.
const maxPattern = 1024

// times adds macros for the clock of the environment. There is no other clock: a replay must give
// the same bytes.
func (t table) times() {
	format := func(name, pattern string) {
		t.add(name, 0, 0, func(c *Call) string { return c.formatNow(pattern, nil) }).printsTime = true
	}
	format("date", "LL")
	format("weekday", "dddd")
	format("isotime", "HH:mm")
	format("isodate", "YYYY-MM-DD")
	t.add("time", 0, 1, func(c *Call) string {
		var zone *time.Location
		if len(c.Args) > 0 {
			zone = offsetZone(c.Args[0])
		}
		return c.formatNow("LT", zone)
	}).printsTime = true
	t.add("datetimeformat", 1, 1, func(c *Call) string {
		if len(c.Args[0]) > maxPattern {
			return c.Stay(codeRefused, "the pattern is longer than "+strconv.Itoa(maxPattern)+" bytes")
		}
		return c.formatNow(cmp.Or(c.Args[0], "YYYY-MM-DDTHH:mm:ssZ"), nil)
	})
	t.add("timediff", 2, 2, func(c *Call) string {
		env := c.Env()
		zone := env.Zone
		if zone == nil {
			zone = env.Clock.Location()
		}
		a, okA := parse(c.Args[0], zone)
		b, okB := parse(c.Args[1], zone)
		if !okA || !okB {
			c.eval.report(c.node, codeBadValue, "not a time: write it as 2006-01-02 15:04:05")
			return "Invalid date"
		}
		if d := a.Sub(b); d > 0 {
			return "in " + inWords(d)
		}
		return inWords(b.Sub(a)) + " ago"
	})
	t.add("idleduration|idle_duration|idle", 0, 0, func(c *Call) string {
		env := c.Env()
		if env.Clock.IsZero() {
			return c.Stay(codeRefused, "the environment has no clock")
		}
		return c.eval.run.field("idleduration", func() string { return idle(env) })
	})
}

// formatNow writes the current time, in zone if it is not nil, else in the zone of the environment.
// Without a clock the macro stays as written: a model would believe an invented time.
func (c *Call) formatNow(pattern string, zone *time.Location) string {
	env := c.Env()
	if env.Clock.IsZero() {
		return c.Stay(codeRefused, "the environment has no clock")
	}
	now := env.Clock
	if zone == nil {
		zone = env.Zone
	}
	if zone != nil {
		now = now.In(zone)
	}
	if env.FormatTime != nil {
		return env.FormatTime(now, pattern)
	}
	return FormatTime(now, pattern)
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
func FormatTime(t time.Time, pattern string) string { return format(t, pattern) }

// offsetZone reads UTC±n, in capitals: a number below 16 is hours, a larger one minutes. Other
// texts give nil. No zone differs by more than 14 hours from Greenwich, so larger numbers can only
// be minutes, as in UTC+330.
func offsetZone(text string) *time.Location {
	if len(text) < 5 || text[:3] != "UTC" || text[3] != '+' && text[3] != '-' {
		return nil
	}
	number, rest := digits(text[4:])
	if number == "" || rest != "" || len(number) > 4 {
		return nil
	}
	seconds := atoi(number) * 60
	if seconds < 16*60 {
		seconds *= 60
	}
	if text[3] == '-' {
		seconds = -seconds
	}
	return time.FixedZone(text, seconds)
}

// idle returns how long ago the player wrote the newest message that is followed by a visible
// message.
func idle(env *Env) string {
	followed := false
	for i := env.Chat.Len() - 1; i >= 0; i-- {
		m := env.Chat.Message(i)
		switch {
		case m.Hidden:
		case followed && m.Role == "user":
			if m.Time.IsZero() {
				return "just now"
			}
			return inWords(env.Clock.Sub(m.Time).Abs())
		default:
			followed = true
		}
	}
	return "just now"
}
