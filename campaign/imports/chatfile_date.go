package imports

import (
	"strings"
	"time"

	"github.com/talewright/talewright/memvars/tree"
)

// written is the form of dates that are written here; new versions of the program write it too.
const written = "2006-01-02T15:04:05.000Z"

// layouts are the forms of dates that versions of the program have written.
var layouts = []string{
	time.RFC3339Nano,
	"2006-1-2@15h4m5s",
	"2006-1-2 @15h 4m 5s",
	"January 2, 2006 3:04pm",
	"January 2, 2006 3:04PM",
}

// readDate reads a date in one of the forms, or milliseconds since 1970; the zero time for any
// other. Dates without a zone are taken as UTC.
func readDate(v tree.Value) time.Time {
	if ms, ok := v.AsFloat(); ok && ms > 0 && ms < 1e14 {
		return time.UnixMilli(int64(ms)).UTC()
	}
	text, _ := v.AsText()
	text = strings.TrimSpace(text)
	if ms := strings.Index(text, "s "); strings.HasSuffix(text, "ms") && ms > 0 {
		text = text[:ms+1] // 2026-1-2 @3h 4m 5s 678ms
	}
	for _, layout := range layouts {
		if t, err := time.Parse(layout, text); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}
