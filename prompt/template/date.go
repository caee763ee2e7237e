package template

import (
	"math"
	"regexp"
	"strings"
	"time"

	"github.com/talewright/talewright/internal/openjson"
)

// maxDate is the largest number of milliseconds of a date.
const maxDate = 8.64e15

// writtenDate finds the parts of a date: 2025-11-28, 2025/11/28 14:05, 2025-11-28T14:05:00.000+08:00.
var writtenDate = regexp.MustCompile(`^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})` +
	`(?:[T\s]\s*(\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,3})\d*)?)?)?\s*(?:Z|([+-]\d\d):?(\d\d))?\s*$`)

// newDate is new Date with arguments: a text, a number, a date, or the parts of a date.
func newDate(f *frame, args []value) value {
	d := &date{ms: math.NaN()}
	switch v := arg(args, 0); {
	case len(args) > 1:
		parts := []float64{1970, 0, 1, 0, 0, 0, 0}
		for i := range min(len(args), len(parts)) {
			parts[i] = f.toNumber(args[i])
		}
		if parts[0] >= 0 && parts[0] < 100 {
			parts[0] += 1900
		}
		d.set(parts)
	case v.kind == textKind:
		f.chargeBytes(64 * len(v.text))
		d.parse(v.text)
	default:
		if n := math.Trunc(f.toNumber(v)); math.Abs(n) <= maxDate {
			d.ms = n
		}
	}
	return value{kind: dateKind, ref: d}
}

// parse sets a date from a text such as 2025-11-28T14:05:00.000+08:00. Any other text leaves the date
// invalid.
func (d *date) parse(s string) {
	m := writtenDate.FindStringSubmatch(s)
	if m == nil {
		return
	}
	var n [9]float64 // year, month, day, hours, minutes, seconds, fraction; hours and minutes of the zone
	for i, digits := range m[1:] {
		n[i], _ = openjson.ParseNumber(strings.TrimPrefix(digits, "+"))
	}
	if n[1] < 1 || n[1] > 12 || n[2] < 1 || n[2] > 31 || n[3] > 24 || n[4] > 59 || n[5] > 59 {
		return
	}
	zoneHours, zoneMinutes := n[7], math.Copysign(n[8], n[7])
	milliseconds := n[6] * math.Pow10(3-len(m[7]))
	d.set([]float64{n[0], n[1] - 1, n[2], n[3] - zoneHours, n[4] - zoneMinutes, n[5], milliseconds})
}

// set sets year, month from 0, day, hours, minutes, seconds and milliseconds. Parts out of range
// carry over.
func (d *date) set(parts []float64) {
	var n [7]int
	d.ms = math.NaN()
	for i := range n {
		if !(math.Abs(parts[i]) < 1e8) {
			return
		}
		n[i] = int(parts[i])
	}
	ms := float64(time.Date(n[0], time.Month(n[1]+1), n[2], n[3], n[4], n[5], 0, time.UTC).UnixMilli()) + float64(n[6])
	if math.Abs(ms) <= maxDate {
		d.ms = ms
	}
}

// dateParts are the parts of a date in the names of its methods, in the order of [date.set].
var dateParts = [...]string{"FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"}

// dateMethods are the methods of dates.
func dateMethods() map[string]method {
	of := func(v value) *date { return v.ref.(*date) }
	parts := func(d *date) []float64 {
		if !finite(d.ms) {
			return []float64{d.ms, d.ms, d.ms, d.ms, d.ms, d.ms, d.ms}
		}
		t := d.time()
		return []float64{float64(t.Year()), float64(t.Month()) - 1, float64(t.Day()),
			float64(t.Hour()), float64(t.Minute()), float64(t.Second()), float64(t.Nanosecond() / 1e6)}
	}
	shown := func(layout string) method {
		return func(_ *frame, v value, _ []value) value {
			if !finite(of(v).ms) {
				return text(of(v).String())
			}
			return text(of(v).time().Format(layout))
		}
	}
	ms := func(_ *frame, v value, _ []value) value { return number(of(v).ms) }
	day := func(_ *frame, v value, _ []value) value {
		if !finite(of(v).ms) {
			return number(of(v).ms)
		}
		return number(float64(of(v).time().Weekday()))
	}
	m := map[string]method{
		"getTime": ms, "valueOf": ms, "getDay": day, "getUTCDay": day,
		"getTimezoneOffset": func(*frame, value, []value) value { return number(0) },
		"setTime": func(f *frame, v value, args []value) value {
			*of(v) = *newDate(f, []value{number(f.toNumber(arg(args, 0)))}).ref.(*date)
			return number(of(v).ms)
		},
		"toISOString": shown("2006-01-02T15:04:05.000Z"), "toJSON": shown("2006-01-02T15:04:05.000Z"),
	}
	for i, name := range dateParts {
		get := func(_ *frame, v value, _ []value) value { return number(parts(of(v))[i]) }
		set := func(f *frame, v value, args []value) value {
			now := parts(of(v))
			for j := range min(len(args), len(now)-i) {
				now[i+j] = f.toNumber(args[j])
			}
			of(v).set(now)
			return number(of(v).ms)
		}
		m["get"+name], m["getUTC"+name], m["set"+name], m["setUTC"+name] = get, get, set, set
	}
	return m
}
