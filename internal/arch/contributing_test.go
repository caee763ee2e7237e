package arch

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWhatAnAdditionTouches: each row of the table in CONTRIBUTING.md names an example, by one or
// several names, and all files except tests that mention it.
func TestWhatAnAdditionTouches(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile("(?m)^\\| [^|`]+ \\| `([\\w.`, ]+)` \\| (.*) \\|$")
	rows := row.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 7 {
		t.Fatalf("%d rows in the table of what to add", len(rows))
	}
	files := sources(t)
	for _, m := range rows {
		var listed, found []string
		for _, f := range regexp.MustCompile("`([a-z0-9_/]+\\.go)`").FindAllStringSubmatch(m[2], -1) {
			if !strings.HasSuffix(f[1], "_test.go") {
				listed = append(listed, f[1])
			}
		}
		names := strings.ReplaceAll(regexp.QuoteMeta(m[1]), "`, `", "|")
		word := regexp.MustCompile(`(^|[^A-Za-z])(` + names + `)($|[^A-Za-z])`)
		for _, f := range files {
			if strings.HasPrefix(f.pkg, "examples") {
				continue
			}
			text, err := os.ReadFile("../../" + f.path)
			if err != nil {
				t.Fatal(err)
			}
			if word.Match(text) {
				found = append(found, f.path)
			}
		}
		slices.Sort(listed)
		slices.Sort(found)
		if !slices.Equal(listed, found) {
			t.Errorf("%s is in %v, the table says %v", m[1], found, listed)
		}
	}
}
