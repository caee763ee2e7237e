package arch

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadmeMap: the map of the README names exactly the packages that can be imported. The version
// of Go is the version in go.mod. The page is short, and shows each picture.
func TestReadmeMap(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	if n := strings.Count(readme, "\n"); n > 150 {
		t.Errorf("the README has %d lines, more than 150: move what only some readers need to a page of its own", n)
	}
	pictures, err := filepath.Glob("../../examples/pictures/*")
	if err != nil || len(pictures) == 0 {
		t.Error("there are no pictures", err)
	}
	for _, file := range pictures {
		if name := filepath.Base(file); !strings.Contains(readme, "](examples/pictures/"+name+")") {
			t.Errorf("the README does not show %s: show it, or delete it", name)
		}
	}
	_, table, _ := strings.Cut(readme, "## The map")
	table, _, _ = strings.Cut(table, "## ")
	table = strings.Join(slices.DeleteFunc(strings.SplitAfter(table, "\n"), func(line string) bool {
		return !strings.HasPrefix(line, "|")
	}), "")
	var told []string
	for _, m := range regexp.MustCompile("`([a-z]+(?:/[a-z]+)*)`").FindAllStringSubmatch(table, -1) {
		told = append(told, m[1])
	}
	var there []string
	for _, f := range sources(t) {
		pkg := path.Clean(f.pkg)
		if pkg != "." && !slices.Contains(strings.Split(pkg, "/"), "internal") && !strings.HasPrefix(pkg, "examples") &&
			!slices.Contains(there, pkg) {
			there = append(there, pkg)
		}
	}
	for _, nested := range []string{"campaign/authoring", "campaign/authoring/talewright", "campaign/otel", "campaign/sqlstore", "campaign/sqlstore/postgres", "campaign/sqlstore/sqlite", "campaign/temporal", "llm/anthropic", "llm/eino", "llm/gemini", "llm/mcp", "llm/openai", "memvars/mvu/yaml", "prompt/tavern/js", "prompt/tiktoken", "worldbook/segment"} {
		if !slices.Contains(there, nested) {
			there = append(there, nested)
		}
	}
	for _, pkg := range there {
		if !slices.Contains(told, pkg) {
			t.Errorf("the map lacks %s", pkg)
		}
	}
	for _, pkg := range told {
		if !slices.Contains(there, pkg) {
			t.Errorf("the map names %s, which is no package", pkg)
		}
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))
	if version == nil || !strings.Contains(readme, "Go "+version[1]+" or newer") {
		t.Errorf("the README does not name the version of Go: %v", version)
	}
}
