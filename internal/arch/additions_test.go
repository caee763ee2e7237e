package arch

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// addition is the work of a contributor who adds one thing of a kind by the table in
// CONTRIBUTING.md. testdata/additions has one for each kind.
type addition struct {
	name    string
	created map[string]string // complete new files
	changed map[string]string // existing files, after the change
}

// TestAdditions: an addition of each kind, written as files and lines, fits into the code. It needs
// only files that CONTRIBUTING.md names for its kind. With ADDITIONS=1 all additions are compiled
// with the code and their tests are run. Nothing in the tree changes.
func TestAdditions(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{} // with all additions
	for _, row := range additionRows {
		a := readAddition(t, row.name, files)
		a.check(t, regexp.MustCompile(`(?m)^\| `+row.kind+` \|.*$`).FindString(string(page)))
		maps.Copy(files, a.created)
		maps.Copy(files, a.changed)
	}
	if os.Getenv("ADDITIONS") != "" {
		runAdditions(t, files)
	}
}

// additionRows maps each addition to the beginning of its row in the table of CONTRIBUTING.md.
var additionRows = []struct{ name, kind string }{
	{"effect", "an effect of rules"}, {"tool", "a tool that models may call"}, {"macro", "a macro"},
	{"instruction", "an instruction for a machine"}, {"event", "a hook event of the engine"},
	{"format", "a lorebook format"}, {"detector", "a detector of contradictions"},
}

// maxFiles is the maximum number of files, without tests, that an addition may need.
const maxFiles = 3

// check compares the files of an addition with its row of the table.
func (a addition) check(t *testing.T, row string) {
	t.Helper()
	files := len(a.changed)
	for file := range a.created {
		if !strings.HasSuffix(file, "_test.go") {
			files++
		}
	}
	if files > maxFiles {
		t.Errorf("%s: it needs %d files, not at most %d", a.name, files, maxFiles)
	}
	for file := range a.changed {
		if !strings.Contains(row, "`"+file+"`") && !strings.Contains(row, "("+file+"#") {
			t.Errorf("%s: it changes %s, which the row of CONTRIBUTING.md does not name: %s", a.name, file, row)
		}
	}
	for file, text := range a.created {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		if !namesLike(row, file) {
			t.Errorf("%s: it makes %s, and the row of CONTRIBUTING.md names no file like it: %s", a.name, file, row)
		}
		if k, listed := kinds[path.Dir(file)]; listed && !k.holds(parsed(t, text), path.Base(file)) {
			t.Errorf("%s: %s counts against what its package may have, as if it were no %s", a.name, file, a.name)
		}
	}
}

// parsed reads a Go file.
func parsed(t *testing.T, text string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// namesLike reports whether a row names a file in the same folder whose name has the same pattern.
func namesLike(row, file string) bool {
	for _, m := range regexp.MustCompile("`([a-z0-9_/]+\\.go)`").FindAllStringSubmatch(row, -1) {
		dir, base := path.Split(file)
		likeDir, likeBase := path.Split(m[1])
		prefix, _, _ := strings.Cut(likeBase, "_")
		switch {
		case dir == likeDir && strings.HasPrefix(base, strings.TrimSuffix(prefix, ".go")), // tool_wait.go, tool_check.go
			dir == likeDir && (dir == "rules/effect/" || dir == "worldbook/format/"): // named after the effect or the format
			return true
		}
	}
	return false
}

// readAddition reads the sections of a file: "== path", then a complete new file, or changes of an
// existing file. A change is a part of lines that the file has exactly once, after "- ", and its
// replacement after "+ ". If other additions have changed a file, it continues with their result.
func readAddition(t *testing.T, name string, files map[string]string) addition {
	t.Helper()
	data, err := os.ReadFile("testdata/additions/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	a := addition{name: name, created: map[string]string{}, changed: map[string]string{}}
	for _, section := range strings.Split(string(data), "\n== ")[1:] {
		file, text, _ := strings.Cut(section, "\n")
		changed, is := files[file]
		if !is {
			present, err := os.ReadFile("../../" + file)
			if err != nil {
				a.created[file] = text
				continue
			}
			changed = string(present)
		}
		for _, change := range regexp.MustCompile(`(?m)^- .*\n(?:\+ .*\n?)+`).FindAllString(text, -1) {
			changed = a.change(t, file, changed, change)
		}
		a.changed[file] = changed
	}
	return a
}

// change replaces the line after "- " by the lines after "+ ".
func (a addition) change(t *testing.T, file, text, change string) string {
	t.Helper()
	passage, put, _ := strings.Cut(strings.TrimSuffix(change[2:], "\n"), "\n+ ")
	put = strings.ReplaceAll(put, "\n+ ", "\n")
	if n := strings.Count(text, passage); n != 1 {
		t.Errorf("%s: %s has %q %d times, not once: choose another passage", a.name, file, passage, n)
	}
	return strings.Replace(text, passage, put, 1)
}

// runAdditions compiles the additions with the code, and runs their tests.
func runAdditions(t *testing.T, files map[string]string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	want := map[string]bool{} // the tests
	var packages []string
	for file, text := range files {
		beside := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(beside, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[filepath.Join(root, filepath.FromSlash(file))] = beside
		if m := regexp.MustCompile(`func (TestAddition\w+)\(`).FindStringSubmatch(text); m != nil {
			want[m[1]] = true
			packages = append(packages, "./"+path.Dir(file))
		}
	}
	if len(want) != len(additionRows) {
		t.Fatalf("%d additions have %d tests", len(additionRows), len(want))
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		t.Fatal(err)
	}
	slices.Sort(packages)
	cmd := exec.Command("go", append([]string{"test", "-vet=off", "-overlay", overlay, "-run", "^TestAddition", "-v"}, slices.Compact(packages)...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for name := range want {
		if !strings.Contains(string(out), "--- PASS: "+name+" ") {
			t.Errorf("%s did not pass\n%s", name, out)
		}
	}
}
