package openjson_test

import (
	"slices"
	"testing"

	"github.com/talewright/talewright/internal/openjson"
)

// TestSplitPath has the results of lodash.
func TestSplitPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][]string{
		"":              {""},
		"a":             {"a"},
		"a.b[0].c":      {"a", "b", "0", "c"},
		`a["b.c"]['d']`: {"a", "b.c", "d"},
		`a["b\"c\\d"]`:  {"a", `b"c\d`},
		".a":            {"", "a"},
		"a.":            {"a", ""},
		"a..b":          {"a", "", "b"},
		"a[]":           {"a", ""},
		"a[-1.5][x]":    {"a", "-1.5", "x"},
		`a["b`:          {"a", `"b`},
		"行李[0].钱":       {"行李", "0", "钱"},
		"a[1.2.3]":      {"a", "1", "2", "3"},
	} {
		if got := openjson.SplitPath(path); !slices.Equal(got, want) {
			t.Errorf("%q gives %q, want %q", path, got, want)
		}
	}
}
