package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/internal/testkit"
)

// TestGuides does what the guides say, in empty folders.
func TestGuides(t *testing.T) {
	t.Parallel()
	testkit.WithoutRace(t) // processes that are built with it, one after the other
	for _, page := range []string{"../GUIDE.md", "../GUIDE.zh.md"} {
		t.Run(filepath.Base(page), func(t *testing.T) { followGuide(t, page) })
	}
}

// followGuide does what a guide says. A block below a line that ends with the name of a file is the
// file. In a block of the kind console, a line after $ is a command, and the other lines are what it
// prints; … stands for any text.
func followGuide(t *testing.T, page string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir, commands := t.TempDir(), 0
	blocks := regexp.MustCompile("(?s)(?:(?:`([^`\n]+)`:)?\n)?\n```(\\w*)\n(.*?)\n```\n")
	for _, block := range blocks.FindAllStringSubmatch(string(text), -1) {
		name, kind, body := block[1], block[2], block[3]
		switch {
		case kind == "console":
			for step := range strings.SplitSeq("\n"+body, "\n$ ") {
				command, want, _ := strings.Cut(step, "\n")
				if command == "" {
					continue
				}
				commands++
				shell := exec.CommandContext(t.Context(), "sh", "-c", command)
				shell.Dir = dir
				out, _ := shell.CombinedOutput() // vet has the exit code 1
				got := strings.TrimSuffix(string(out), "\n")
				if pattern := strings.ReplaceAll(regexp.QuoteMeta(want), "…", "(?s:.*)"); !regexp.MustCompile("^" + pattern + "$").MatchString(got) {
					t.Errorf("$ %s\n%s", command, cmp.Diff(want, got))
				}
			}
		case name != "":
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(body+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		default:
			t.Errorf("a block is neither a file nor commands:\n%s", body)
		}
	}
	if commands == 0 {
		t.Error("the guide has no commands")
	}
}
