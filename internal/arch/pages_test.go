package arch

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	linkTo   = regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	testName = regexp.MustCompile("`((?:Test|Fuzz|Example|Benchmark)[A-Z]\\w+)`")
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example|Benchmark)\w+)\(`)
	fileName = regexp.MustCompile("`((?:[a-z0-9_]+/)+[a-zA-Z0-9_.-]+\\.(?:go|md|txt|json))`")
)

// TestPagesNameWhatIsThere: a page links only to files that exist, and names only files of the
// repository that exist. A guide may name a file that it tells the reader to write.
func TestPagesNameWhatIsThere(t *testing.T) {
	t.Parallel()
	for _, page := range pages(t) {
		data, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range linkTo.FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join("../..", path.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
		for _, m := range fileName.FindAllStringSubmatch(string(data), -1) {
			_, fromRoot := os.Stat(filepath.Join("../..", m[1]))
			_, fromPage := os.Stat(filepath.Join("../..", path.Dir(page), m[1]))
			toWrite := strings.Contains(string(data), "rite `"+m[1]+"`:\n") || strings.Contains(string(data), "写入 `"+m[1]+"`:\n")
			if fromRoot != nil && fromPage != nil && !toWrite {
				t.Errorf("%s names %s, which is not there", page, m[1])
			}
		}
	}
}

// TestPagesNameTestsThatAreThere: every test that a page names exists.
func TestPagesNameTestsThatAreThere(t *testing.T) {
	t.Parallel()
	there := map[string]bool{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		data, err := os.ReadFile(name)
		for _, m := range testFunc.FindAllStringSubmatch(string(data), -1) {
			there[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, page := range pages(t) {
		data, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testName.FindAllStringSubmatch(string(data), -1) {
			if named++; !there[m[1]] {
				t.Errorf("%s names %s, and there is no such test", page, m[1])
			}
		}
	}
	if named < 100 {
		t.Errorf("pages name only %d tests: the walk is broken", named)
	}
}

// TestArchitecturePage: the page names every package of a campaign and every top-level package.
func TestArchitecturePage(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../campaign/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for room := range mayImport {
		if room != "." {
			want[room] = true
		}
	}
	for _, floor := range floors {
		if !strings.Contains(floor, "/internal/") {
			want[floor] = true
		}
	}
	for name := range want {
		if !strings.Contains(string(data), "`"+name+"`") {
			t.Errorf("campaign/ARCHITECTURE.md does not name %s", name)
		}
	}
}

// pages returns the Markdown pages, as paths from the root with slashes.
func pages(t *testing.T) (out []string) {
	t.Helper()
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != "../.."):
			return filepath.SkipDir
		case strings.HasSuffix(name, ".md"):
			rel, err := filepath.Rel("../..", name)
			out = append(out, filepath.ToSlash(rel))
			return err
		}
		return nil
	})
	if err != nil || len(out) < 10 {
		t.Fatalf("%d pages, %v", len(out), err)
	}
	return out
}
