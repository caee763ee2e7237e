package imports

import (
	"strings"
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// dateFormat is the date format for writing; new versions of SillyTavern write it too.
const dateFormat = "2006-01-02T15:04:05.000Z"

// layouts are the date formats that versions of SillyTavern have written.
var layouts = []string{
	time.RFC3339Nano,
	"2006-1-2@15h4m5s",
	"2006-1-2 @15h 4m 5s",
	"January 2, 2006 3:04pm",
	"January 2, 2006 3:04PM",
}

// readDate reads a date in one of the formats, or milliseconds since 1970. It returns the zero time
// for anything else. Dates without a zone are read as UTC.
func readDate(v tree.Value) time.Time {
	if ms, ok := v.AsFloat(); ok && ms > 0 && ms < 1e14 {
		return time.UnixMilli(int64(ms)).UTC()
	}
	text, _ := v.AsText()
	text = strings.TrimSpace(text)
	if ms := strings.Index(text, "s "); strings.HasSuffix(text, "ms") {
		text = text[:ms+1] // 2026-1-2 @3h 4m 5s 678ms
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
