package format_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook/format"
)

// shells put a list of entries into the form of each importer.
var shells = []string{
	`{"kind":"memory","entries":#}`, `{"storyCards":#}`, `{"entries":#}`,
	`{"spec":"lorebook_v3","data":{"entries":#}}`, `{"worldinfo":#}`,
	`{"lorebookVersion":5,"entries":#}`, `{"type":"risu","data":#}`, `{"entries":#}`,
	`{"worldBookEntries":#}`,
}

// TestHostile gives files that try to exhaust a reader to every importer (WB-38, WB-39). Each ends
// in an error, or is read in part with a problem, within fixed memory. All allocations count, also
// freed ones. The test measures, so it does not run in parallel.
func TestHostile(t *testing.T) {
	for _, tc := range []struct {
		reason, entries string
		refused         bool
		code            talewright.Code // a problem that is among the others
	}{
		{reason: "deep", entries: strings.Repeat(`[{"a":`, 10_000), refused: true},
		{reason: "deep, closed", refused: true,
			entries: strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001)},
		{reason: "an open text", entries: `["` + strings.Repeat(`\"`, 1<<20), refused: true},
		{reason: "a hundredth of the entries allowed", entries: "[5" + strings.Repeat(",{}", 500) + "]",
			code: "bad_type"},
		{reason: "more entries than allowed", entries: "[" + strings.Repeat("0,", 1<<17) + "0]",
			code: "too_large"},
		{reason: "more values than allowed", entries: "[" + strings.Repeat("0,", 1<<21) + "0]",
			refused: true},
		{reason: "one entry with many members", code: "duplicate",
			entries: `[{` + strings.Repeat(`"a":1,`, 1<<17) + `"b":2}]`},
	} {
		for i, parse := range importers {
			file := []byte(strings.Replace(shells[i], "#", tc.entries, 1))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, problems := parse(file)
			err := problems.Err()
			runtime.ReadMemStats(&after)
			if (err != nil) != tc.refused {
				t.Errorf("%s, importer %d: error %v", tc.reason, i, err)
			}
			if err == nil && !has(problems, tc.code) {
				t.Errorf("%s, importer %d: no problem %s", tc.reason, i, tc.code)
			}
			if len(problems) > 1001 {
				t.Errorf("%s, importer %d: %d problems", tc.reason, i, len(problems))
			}
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 32 {
				t.Errorf("%s, importer %d: %d MiB allocated", tc.reason, i, used)
			}
		}
	}
}

func has(problems talewright.Problems, code talewright.Code) bool {
	for _, p := range problems {
		if p.Code == code {
			return true
		}
	}
	return false
}

// TestOddTexts: every importer skips a byte order mark. It reports text read as U+FFFD, repeated
// members, and entries that are not objects.
func TestOddTexts(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, prefix, entries string
		want                    talewright.Code
	}{
		{"byte order mark", "\ufeff", `[{}]`, ""},
		{"no UTF-8", "", "[{\"a\xff\":1}]", "bad_text"},
		{"half a pair", "", `[{"x":"\ud800"}]`, "bad_text"},
		{"a member twice", "", `[{"x":1,"x":2}]`, "duplicate"},
		{"an entry that is none", "", `[5,{}]`, "bad_type"},
		{"an entry that is null", "", `[{},null]`, "bad_type"},
		{"an object of entries", "", `{"7":{},"x":{},"7":{}}`, "duplicate"},
	} {
		for i, parse := range importers {
			file := tc.prefix + strings.Replace(shells[i], "#", tc.entries, 1)
			book, problems := parse([]byte(file))
			if problems.Err() != nil || len(book.Entries) == 0 || tc.want != "" && !has(problems, tc.want) {
				t.Errorf("%s, importer %d: %d entries, %v", tc.reason, i, len(book.Entries), problems)
			}
		}
	}
}

// TestTruncated cuts a file of every format at every byte: each part is refused.
func TestTruncated(t *testing.T) {
	t.Parallel()
	for _, s := range samples {
		for n := range s.json {
			if _, problems := format.Parse([]byte(s.json[:n])); problems.Err() == nil {
				t.Errorf("%s was read", s.json[:n])
			}
		}
	}
}
