package arch

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var featureID = regexp.MustCompile(`\b(?:WB|RU|RE|HK|MV|PR|CA|ST|LL|EX|SC)-[0-9]{2}\b`)

// TestFeaturePages: the first table of each FEATURES.md lists exactly the features that tests name.
// The second table lists exactly the features that no test names.
func TestFeaturePages(t *testing.T) {
	t.Parallel()
	tested := testedFeatures(t)
	listed := map[string]bool{}
	for _, page := range featurePages(t) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		built, missing, _ := strings.Cut(string(data), "\n## ")
		for _, id := range rowIDs(built) {
			if listed[id] = true; len(tested[id]) == 0 {
				t.Errorf("%s: no test names %s: write one, or move the row to the second table", page, id)
			}
		}
		for _, id := range rowIDs(missing) {
			if listed[id] = true; len(tested[id]) > 0 {
				t.Errorf("%s: %s names %s: move the row to the first table", page, tested[id], id)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(tested)) {
		if !listed[id] {
			t.Errorf("%s names %s, which no FEATURES.md explains", tested[id], id)
		}
	}
}

func featurePages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../*/FEATURES.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	return pages
}

func rowIDs(text string) (ids []string) {
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, "| "); ok {
			ids = append(ids, featureID.FindAllString(strings.SplitN(rest, "|", 2)[0], 1)...)
		}
	}
	return ids
}

// testedFeatures maps the ids of features to a test file, or to a transcript that a test runs,
// which names them.
func testedFeatures(t *testing.T) map[string]string {
	t.Helper()
	tested := map[string]string{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." && name != "../..":
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, "_test.go") &&
			(!strings.HasSuffix(name, ".txt") || !strings.Contains(name, "testdata")):
			return nil
		}
		data, err := os.ReadFile(name)
		for _, id := range featureID.FindAllString(string(data), -1) {
			tested[id] = name
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tested
}
