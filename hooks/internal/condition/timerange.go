package condition

import (
	"strconv"
	"strings"

	"github.com/talewright/talewright/memvars/tree"
)

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
