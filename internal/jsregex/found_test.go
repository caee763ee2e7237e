package jsregex_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/jsregex"
)

// TestRecordedMatches compares all matches and their groups with V8 (Node 20): rows of pattern,
// flags, text, and a list of matches. Each match is a list of spans in UTF-16 units, null for a
// group that did not match.
func TestRecordedMatches(t *testing.T) {
	t.Parallel()
	file := filepath.Join("testdata", "v8_matches.json")
	if other := os.Getenv("TALEWRIGHT_V8"); other != "" {
		file = other
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][4]string
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	matches, groups := 0, 0
	for _, row := range rows {
		pattern, letters, text := row[0], row[1], row[2]
		var want [][]*[2]int
		if err := json.Unmarshal([]byte(row[3]), &want); err != nil {
			t.Fatal(err)
		}
		got := allMatches(t, pattern, letters, text)
		for _, m := range want {
			matches++
			groups += len(m) - 1
		}
		gotJSON, _ := json.Marshal(got)
		wantJSON, _ := json.Marshal(want)
		if string(gotJSON) != string(wantJSON) && (len(got) > 0 || len(want) > 0) {
			t.Errorf("/%s/%s on %q: %s, V8 says %s", pattern, letters, text, gotJSON, wantJSON)
		}
		if found := answer(t, pattern, letters, text); (found == "match") != (len(want) > 0) {
			t.Errorf("/%s/%s on %q: %s, V8 has %d matches", pattern, letters, text, found, len(want))
		}
	}
	if matches < 500 || groups < 300 {
		t.Errorf("%d matches with %d groups are too few", matches, groups)
	}
}

// allMatches lists spans in UTF-16 units.
func allMatches(t *testing.T, pattern, letters, text string) (list [][]*[2]int) {
	t.Helper()
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		t.Fatal(err)
	}
	re, err := jsregex.Compile(pattern, flags)
	if err != nil {
		t.Errorf("/%s/%s: %v", pattern, letters, err)
		return nil
	}
	form := re.Text(text)
	unit := func(at int) int {
		n := utf8.RuneCountInString(form[:at])
		if flags.Unicode {
			for _, r := range form[:at] {
				if r > 0xffff {
					n++
				}
			}
		}
		return n
	}
	for found, err := range re.All(form) {
		if err != nil {
			t.Errorf("/%s/%s on %q: %v", pattern, letters, text, err)
			return nil
		}
		var m []*[2]int
		for _, s := range found {
			if s.From < 0 {
				m = append(m, nil)
				continue
			}
			m = append(m, &[2]int{unit(s.From), unit(s.To)})
		}
		if list = append(list, m); len(list) > 50 {
			break
		}
	}
	return list
}

// TestNoMatchInsideAPair: with flag u a text consists of characters, never of halves.
func TestNoMatchInsideAPair(t *testing.T) {
	t.Parallel()
	re := compile(t, `\B`, "u")
	for found := range re.All("a🐉🐉b") {
		if at := found[0].From; !utf8.RuneStart("a🐉🐉b"[at]) {
			t.Errorf("a match at %d", at)
		}
	}
}

// TestText: without flag u positions count halves of pairs. A joined text is whole only if each
// half has its partner.
func TestText(t *testing.T) {
	t.Parallel()
	re := compile(t, `.`, "")
	text := re.Text("a🐉b")
	var cut []string
	for found, err := range re.All(text) {
		if err != nil {
			t.Fatal(err)
		}
		cut = append(cut, text[found[0].From:found[0].To])
	}
	if len(cut) != 4 {
		t.Fatalf("%d units", len(cut))
	}
	if got, whole := jsregex.FromText(cut[1] + cut[2] + cut[0]); got != "🐉a" || !whole {
		t.Errorf("%q %v", got, whole)
	}
	if got, whole := jsregex.FromText(cut[0] + cut[1]); got != "a\ufffd" || whole {
		t.Errorf("half a pair: %q %v", got, whole)
	}
}

// TestGroups: groups by number, with the names that some have.
func TestGroups(t *testing.T) {
	t.Parallel()
	re := compile(t, `(a)(?<second>b)(?:c)(?=(?<last>d))`, "")
	if diff := cmp.Diff([]string{"", "", "second", "last"}, re.Groups()); diff != "" {
		t.Error(diff)
	}
	found, err := re.Find("xabcd", 1)
	want := jsregex.Found{{1, 4}, {1, 2}, {2, 3}, {4, 5}}
	if diff := cmp.Diff(want, found); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if found, err := re.Find("xabcd", 2); found != nil || err != nil {
		t.Errorf("behind it: %v %v", found, err)
	}
}

// TestAllSharesOneLimit: all matches of a text together take at most as many steps as one.
func TestAllSharesOneLimit(t *testing.T) {
	t.Parallel()
	re := compile(t, `(a|aa)+\1b|a`, "") // tried without success at every a
	text := strings.Repeat("a", 4000)
	count, last := 0, error(nil)
	for _, err := range re.All(text) {
		count, last = count+1, err
	}
	if !errors.Is(last, jsregex.ErrLimit) {
		t.Errorf("%d matches, then %v", count, last)
	}
}
