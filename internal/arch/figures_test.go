package arch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	speedRow       = regexp.MustCompile("(?m)^\\| [^|]+ \\| `([^`]+)` \\| `([^`]+)` (Benchmark[A-Z]\\w*) \\|$")
	benchmarkWord  = regexp.MustCompile(`\bBenchmark[A-Z]\w*`)
	benchmarkFuncs = regexp.MustCompile(`(?m)^func (Benchmark[A-Z]\w*)\(`)
)

// TestSpeedNamesItsBenchmarks: code that exists for speed names a benchmark that exists.
func TestSpeedNamesItsBenchmarks(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("SPEED.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{} // package and benchmark
	exist, named := benchmarks(t)
	found := speedRow.FindAllStringSubmatch(string(page), -1)
	if want := strings.Count(string(page), "\n| ") - 1; len(found) != want {
		t.Errorf("%d rows of %d can be read", len(found), want)
	}
	for _, row := range found {
		where, dir, name := row[1], row[2], row[3]
		rows[where+" "+name] = true
		if _, err := os.Stat(filepath.Join("../..", where)); err != nil {
			t.Error(err)
		}
		if !exist[dir+" "+name] {
			t.Errorf("SPEED.md: package %s has no %s", dir, name)
		}
	}
	for place := range named {
		if !rows[place] {
			t.Errorf("SPEED.md has no row for %s, which a comment names", place)
		}
	}
}

// benchmarks returns the benchmarks of the tree, and the benchmarks that comments name, by folder.
func benchmarks(t *testing.T) (exist, named map[string]bool) {
	t.Helper()
	exist, named = map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != "../..":
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go"):
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		dir := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../../")
		if strings.HasSuffix(name, "_test.go") {
			for _, m := range benchmarkFuncs.FindAllStringSubmatch(string(data), -1) {
				exist[dir+" "+m[1]] = true
			}
			return nil
		}
		for _, word := range benchmarkWord.FindAllString(string(data), -1) {
			named[dir+" "+word] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return exist, named
}
