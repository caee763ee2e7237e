package jsregex_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/talewright/talewright/internal/jsregex"
)

// TestRecorded compares with answers of V8 (Node 20.20) on generated patterns:
// rows of pattern, flags, text, and "match", "no match" or "error".
func TestRecorded(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("testdata", "v8.json"))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][4]string
	if err := json.Unmarshal(data, &rows); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, row := range rows {
		pattern, letters, text, want := row[0], row[1], row[2], row[3]
		seen[want]++
		if got := answer(t, pattern, letters, text); got != want {
			t.Errorf("/%s/%s on %q: %s, V8 says %s", pattern, letters, text, got, want)
		}
	}
	if seen["match"] < 300 || seen["no match"] < 150 || seen["error"] < 100 {
		t.Errorf("too few rows: %v", seen)
	}
}

// answer returns the result of a pattern on a text, in the form of the recording.
func answer(t *testing.T, pattern, letters, text string) string {
	t.Helper()
	flags, err := jsregex.ParseFlags(letters)
	if err != nil {
		t.Fatal(err)
	}
	re, err := jsregex.Compile(pattern, flags)
	if err != nil {
		return "error"
	}
	switch found, err := re.Match(text); {
	case err != nil:
		return err.Error()
	case found:
		return "match"
	}
	return "no match"
}
