package condition

import (
	"slices"
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
