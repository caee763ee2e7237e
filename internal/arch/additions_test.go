package arch

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// addition is what a newcomer writes to add one thing of a kind, after the table in
// CONTRIBUTING.md alone: testdata/additions has one for each kind.
type addition struct {
	name    string
	created map[string]string // files that are not there, whole
	changed map[string]string // files that are, after the change
}

// TestAdditions: one thing of each kind, written down as the files and lines that it takes,
// fits into the code as it is, and takes no file that CONTRIBUTING.md does not name for its
// kind. With ADDITIONS=1 each is compiled into the code beside it and its test is run.
// Nothing in the tree is touched.
func TestAdditions(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	// The beginning of a row of the table, by the name of the addition.
	rows := map[string]string{
		"effect": "an effect of rules", "tool": "a tool that models may call", "macro": "a macro",
		"instruction": "an instruction for a machine", "event": "a hook event of the engine", "format": "a lorebook format",
	}
	for name, kind := range rows {
		a := readAddition(t, name)
		row := regexp.MustCompile(`(?m)^\| ` + kind + ` \|.*$`).FindString(string(page))
		for file := range a.changed {
			if !strings.Contains(row, "`"+file+"`") {
				t.Errorf("%s: it changes %s, which the row of CONTRIBUTING.md does not name: %s", name, file, row)
			}
		}
		for file := range a.created {
			if !strings.HasSuffix(file, "_test.go") && !namesLike(row, file) {
				t.Errorf("%s: it makes %s, and the row of CONTRIBUTING.md names no file like it: %s", name, file, row)
			}
		}
		if os.Getenv("ADDITIONS") != "" {
			a.run(t)
		}
	}
}

// namesLike reports whether a row names a file whose name is made like this one: in the same
// folder, or in one beside it.
func namesLike(row, file string) bool {
	for _, m := range regexp.MustCompile("`([a-z0-9_/]+\\.go)`").FindAllStringSubmatch(row, -1) {
		dir, base := path.Split(file)
		likeDir, likeBase := path.Split(m[1])
		prefix, _, _ := strings.Cut(likeBase, "_")
		switch {
		case dir == likeDir && strings.HasPrefix(base, strings.TrimSuffix(prefix, ".go")), // tool_wait.go, tool_check.go
			dir == likeDir && dir == "rules/effect/",                                     // named for the effect
			path.Dir(path.Clean(dir)) == path.Dir(path.Clean(likeDir)) && dir != likeDir: // a package of its own
			return true
		}
	}
	return false
}

// readAddition reads the sections of a file: "== path", then a whole file, or, of one that is
// there, passages that it has once behind "- " and what stands in their place behind "+ ".
func readAddition(t *testing.T, name string) addition {
	t.Helper()
	data, err := os.ReadFile("testdata/additions/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	a := addition{name: name, created: map[string]string{}, changed: map[string]string{}}
	for _, section := range strings.Split(string(data), "\n== ")[1:] {
		file, text, _ := strings.Cut(section, "\n")
		present, err := os.ReadFile("../../" + file)
		if err != nil {
			a.created[file] = text
			continue
		}
		changed := string(present)
		for _, change := range regexp.MustCompile(`(?m)^- .*\n(?:\+ .*\n?)+`).FindAllString(text, -1) {
			var old, put []string
			for line := range strings.Lines(change) {
				line = strings.TrimSuffix(line, "\n")
				if line[0] == '-' {
					old = append(old, line[2:])
				} else {
					put = append(put, line[2:])
				}
			}
			passage := strings.Join(old, "\n")
			if n := strings.Count(changed, passage); n != 1 {
				t.Errorf("%s: %s has %q %d times, not once: choose another passage", name, file, passage, n)
			}
			changed = strings.Replace(changed, passage, strings.Join(put, "\n"), 1)
		}
		a.changed[file] = changed
	}
	return a
}

// run compiles an addition into the code, and runs its test.
func (a addition) run(t *testing.T) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	replace := map[string]string{}
	var tests []string
	for _, files := range []map[string]string{a.created, a.changed} {
		for file, text := range files {
			beside := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
			if err := os.WriteFile(beside, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			replace[filepath.Join(root, filepath.FromSlash(file))] = beside
			if strings.HasSuffix(file, "_test.go") {
				tests = append(tests, "./"+path.Dir(file))
			}
		}
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, data, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", append([]string{"test", "-vet=off", "-overlay", overlay, "-run", "^TestAddition$", "-v"}, tests...)...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil || !slices.Contains(strings.Fields(string(out)), "TestAddition") || len(tests) != 1 {
		t.Errorf("%s: %v\n%s", a.name, err, out)
	}
}
