package arch

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestExamplesAreListed: the index of the examples names every program. Each program says how to
// run it and has a test that checks its output: EX-19.
func TestExamplesAreListed(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../examples/README.md")
	if err != nil {
		t.Fatal(err)
	}
	var told, there []string
	for _, m := range regexp.MustCompile(`(?m)^\| \[(\w+)\]\((\w+)\) \|.*\./examples/(\w+)`).FindAllStringSubmatch(string(page), -1) {
		if m[1] != m[2] || m[1] != m[3] {
			t.Errorf("a row of the index names %v", m[1:])
		}
		told = append(told, m[1])
	}
	mains, err := filepath.Glob("../../examples/*/main.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range mains {
		folder := filepath.Dir(file)
		there = append(there, filepath.Base(folder))
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		run := "go run ./examples/" + filepath.Base(folder)
		if head, _, _ := strings.Cut(string(source), "package main"); !strings.Contains(head, run) {
			t.Errorf("%s does not say %q", file, run)
		}
		if !holdsOutput(t, folder) {
			t.Errorf("nothing in %s holds what the program prints", folder)
		}
	}
	slices.Sort(told)
	if !slices.Equal(told, there) || len(there) < 8 {
		t.Errorf("the index lists %v, there are %v", told, there)
	}
}

// holdsOutput reports whether a test of a program compares its output.
func holdsOutput(t *testing.T, folder string) bool {
	t.Helper()
	tests, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(tests, func(name string) bool {
		data, err := os.ReadFile(name)
		return err == nil && (strings.Contains(string(data), "\t// Output:\n\t// ") ||
			strings.Contains(string(data), "func TestScripted("))
	})
}
