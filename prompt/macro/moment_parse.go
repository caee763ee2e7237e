package macro

import (
	"strings"
	"time"

	"github.com/talewright/talewright/internal/keyindex"
)

// maxTime is the length of the longest text that is read as a time, in bytes.
const maxTime = 64

// The forms of a day, of a time of day and of a zone that [parseTime] reads.
var (
	days = [...]string{
		"2006-1-2", "20060102", "2006-01", "2006", "2006-1-2T15", "2006/1/2", "2006.1.2",
		"1/2/2006", "1-2-2006", "1/2/06", "January 2, 2006", "January 2 2006", "2 January 2006",
		"January 2006", "Jan 2, 2006", "Jan 2 2006", "2 Jan 2006", "Jan 2006",
	}
	clocks = [...]string{"15:04", "15:04:05", "3:04 PM", "3:04:05 PM"}
	zones  = [...]string{"", "Z07:00", " Z07:00", "Z0700", " Z0700"}
)

// parseTime reads a time in common forms. The day is in ISO 8601, with slashes or with an English month
// name. A time of day with or without a zone may follow. It reads everything that [FormatTime] writes
// for YYYY-MM-DD, L, LL, LLL and LLLL. A time without a zone is in the given zone.
func parseTime(text string, zone *time.Location) (time.Time, bool) {
	if text = keyindex.TrimSpace(text); len(text) > maxTime {
		return time.Time{}, false
	}
	day, clock := text, ""
	if i := strings.IndexByte(text, ':'); i > 0 {
		for i > 0 && '0' <= text[i-1] && text[i-1] <= '9' {
			i--
		}
		day, clock = strings.TrimRight(text[:i], "T "), zoneLetters.Replace(strings.ToUpper(text[i:]))
	}
	if name, rest, found := strings.Cut(day, " "); found && isWeekday(strings.TrimSuffix(name, ",")) {
		day = rest
	}
	for _, d := range days {
		t, err := time.ParseInLocation(d, day, zone)
		switch {
		case err != nil:
		case clock == "":
			return t, true
		default:
			return parseClock(d, day, clock, zone)
		}
	}
	return time.Time{}, false
}

// zoneLetters replaces the names of the zone of Greenwich by its letter or its offset.
var zoneLetters = strings.NewReplacer("GMT+", "+", "GMT-", "-", "UTC+", "+", "UTC-", "-", "GMT", "Z", "UTC", "Z")

// parseClock reads a day in a known form with a time of day.
func parseClock(form, day, clock string, zone *time.Location) (time.Time, bool) {
	for _, c := range clocks {
		for _, z := range zones {
			if t, err := time.ParseInLocation(form+" "+c+z, day+" "+clock, zone); err == nil {
				return t, true
			}
		}
	}
	return time.Time{}, false
}

// isWeekday reports whether a word is an English name of a weekday, full or short.
func isWeekday(word string) bool {
	for d := range time.Weekday(7) {
		if name := d.String(); strings.EqualFold(word, name) || strings.EqualFold(word, name[:3]) {
			return true
		}
	}
	return false
}
