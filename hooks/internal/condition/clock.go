package condition

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// timeSpan returns the time span that passed, and reports whether the event has one.
func (s *Scene) timeSpan() (from, to time.Time, ok bool) {
	from, to = s.moment("from"), s.moment("to")
	return from, to, !from.IsZero() && to.After(from)
}

// moment reads a time of the payload; it returns the zero time if there is no valid time.
func (s *Scene) moment(key string) time.Time {
	text, _ := s.Event.Payload.Get(key).AsText()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

// clockReaches compiles clock_reaches, one time of day or a list of them. It is true for the clock
// event that passes one of them. So a schedule needs no memory of its own. If the clock passes a
// time more than once in one event, the hook still runs once.
func (c *compiler) clockReaches(want tree.Value, at Place) term {
	texts, ok := c.texts(want, at)
	var minutes []int
	for _, text := range texts {
		minute, valid := minuteOfDay(tree.Text(text))
		if !valid {
			c.report(at, "must be a time of day like \"08:30\", or a list of them, not %s", Brief(tree.Text(text)))
			ok = false
		}
		minutes = append(minutes, minute)
	}
	if !ok {
		return term{test: never}
	}
	return term{actual: spanEnd, test: func(s *Scene) bool {
		from, to, known := s.timeSpan()
		return known && slices.ContainsFunc(minutes, func(minute int) bool {
			last := time.Date(to.Year(), to.Month(), to.Day(), 0, minute, 0, 0, to.Location())
			if last.After(to) {
				last = last.AddDate(0, 0, -1)
			}
			return last.After(from)
		})
	}}
}

// maxIdle is the longest idle time, in minutes: about ten years.
const maxIdle = 10 * 366 * 24 * 60

// idleReaches compiles idle_reaches, a number of minutes. It is true for the clock event that
// reaches this many minutes after the last activity.
func (c *compiler) idleReaches(want tree.Value, at Place) term {
	n, ok := Number(want)
	if !ok || n.Cmp("0") <= 0 || n.Cmp(integer(maxIdle)) > 0 {
		c.report(at, "must be a number of minutes above 0, at most %d, not %s", maxIdle, Brief(want))
		return term{test: never}
	}
	wait := time.Duration(n.Float64() * float64(time.Minute))
	return term{actual: spanEnd, test: func(s *Scene) bool {
		from, to, known := s.timeSpan()
		active := s.moment("active")
		if !known || active.IsZero() {
			return false
		}
		due := active.Add(wait)
		return due.After(from) && !due.After(to)
	}}
}

// spanEnd returns the value that the trace shows for a clock event.
func spanEnd(s *Scene) tree.Value { return s.Event.Payload.Get("to") }

// timeRange compiles ["HH:MM","HH:MM"]: minutes of the day, both ends included. If the start is
// after the end, the range includes midnight. Equal ends mean that one minute.
func (c *compiler) timeRange(want tree.Value, at Place) term {
	from, fromOK := minuteOfDay(want.At(0))
	to, toOK := minuteOfDay(want.At(1))
	if !want.IsArray() || want.Len() != 2 || !fromOK || !toOK {
		c.report(at, "must be two times of day like [\"22:00\", \"06:00\"], not %s", Cut(want.String(), 80))
		return term{test: never}
	}
	return term{
		test: func(s *Scene) bool {
			if s.Now.IsZero() {
				return false // a host without a clock: the time is unknown
			}
			// The host chose the zone of Now, and so the local time of the player. In a different
			// zone the same moment has a different minute.
			now := s.Now.Hour()*60 + s.Now.Minute()
			if from <= to {
				return from <= now && now <= to
			}
			return now >= from || now <= to
		},
		actual: func(s *Scene) tree.Value {
			if s.Now.IsZero() {
				return tree.Value{}
			}
			return tree.Text(s.Now.Format("15:04"))
		},
	}
}

// minuteOfDay reads h:mm, each with one or two digits, up to 24:00, which authors write for the end
// of the day.
func minuteOfDay(v tree.Value) (int, bool) {
	text, _ := v.AsText()
	h, m, ok := strings.Cut(text, ":")
	hours, hoursOK := twoDigits(h)
	minutes, minutesOK := twoDigits(m)
	total := hours*60 + minutes
	return total, ok && hoursOK && minutesOK && minutes <= 59 && total <= 24*60
}

// twoDigits reads one or two digits.
func twoDigits(s string) (int, bool) {
	if len(s) > 2 || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}
