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

// figures returns the page of figures.
func figures(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("FIGURES.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

var (
	figureBlock = regexp.MustCompile("(?s)\n```console\n\\$ ([^\n]*)\n(.*?)```\n")
	figurePath  = regexp.MustCompile(`(?:^| )(\.[\w-]*(?:/[\w.-]+)+)`)
	figureRun   = regexp.MustCompile(`-run '([^']+)'`)
)

// TestFiguresCanBeRun: each command of the page names programs and packages that exist, its packages have
// the tests that it runs, and its output is there.
func TestFiguresCanBeRun(t *testing.T) {
	t.Parallel()
	blocks := figureBlock.FindAllStringSubmatch(figures(t), -1)
	if want := strings.Count(figures(t), "\n```console\n"); len(blocks) != want || want < 10 {
		t.Errorf("%d of %d commands can be read", len(blocks), want)
	}
	for _, b := range blocks {
		command, output := b[1], b[2]
		if strings.TrimSpace(output) == "" {
			t.Errorf("%s: no output; run .ci/figures", command)
		}
		root := "../.."
		if rest, ok := strings.CutPrefix(command, "cd "); ok {
			folder, _, _ := strings.Cut(rest, " ")
			root = filepath.Join(root, folder)
		}
		run := figureRun.FindStringSubmatch(command)
		for _, path := range figurePath.FindAllStringSubmatch(command, -1) {
			place := filepath.Join(root, path[1])
			if _, err := os.Stat(place); err != nil {
				t.Errorf("%s: %v", command, err)
			}
			if run != nil && !hasTest(t, place, regexp.MustCompile(run[1])) {
				t.Errorf("%s: no test in %s is called %s", command, path[1], run[1])
			}
		}
	}
}

// hasTest reports whether the tests of a folder have a name that matches.
func hasTest(t *testing.T, folder string, name *regexp.Regexp) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testFunc.FindAllStringSubmatch(string(data), -1) {
			if name.MatchString(m[1]) {
				return true
			}
		}
	}
	return false
}

// TestSpeedNamesItsBenchmarks: code that exists for speed names a benchmark that exists.
func TestSpeedNamesItsBenchmarks(t *testing.T) {
	t.Parallel()
	_, page, _ := strings.Cut(figures(t), "\n## What is there for speed\n")
	rows := map[string]bool{} // package and benchmark
	exist, named := benchmarks(t)
	found := speedRow.FindAllStringSubmatch(page, -1)
	if want := strings.Count(page, "\n| ") - 1; len(found) != want {
		t.Errorf("%d rows of %d can be read", len(found), want)
	}
	for _, row := range found {
		where, dir, name := row[1], row[2], row[3]
		rows[where+" "+name] = true
		if _, err := os.Stat(filepath.Join("../..", where)); err != nil {
			t.Error(err)
		}
		if !exist[dir+" "+name] {
			t.Errorf("FIGURES.md: package %s has no %s", dir, name)
		}
	}
	for place := range named {
		if !rows[place] {
			t.Errorf("FIGURES.md has no row for %s, which a comment names", place)
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
