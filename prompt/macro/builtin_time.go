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
		zone := cmp.Or(env.Zone, env.Clock.Location())
		a, okA := parseTime(c.Args[0], zone)
		b, okB := parseTime(c.Args[1], zone)
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
	if zone = cmp.Or(zone, env.Zone); zone != nil {
		now = now.In(zone)
	}
	if env.FormatTime != nil {
		return env.FormatTime(now, pattern)
	}
	return FormatTime(now, pattern)
}

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
