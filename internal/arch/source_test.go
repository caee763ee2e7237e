package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/talewright/talewright"

// file is one Go file that is not a test.
type file struct {
	path string // from the root of the repository, with slashes
	pkg  string // its folder
	ast  *ast.File
	fset *token.FileSet
}

func (f file) imports() []string {
	var out []string
	for _, spec := range f.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil {
			out = append(out, p)
		}
	}
	return out
}

// sources parses every Go file of the root module that is not a test. Nested modules are omitted:
// they are folders with their own go.mod.
func sources(t *testing.T) []file {
	t.Helper()
	const root = "../.."
	var out []file
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipFolder(root, path, d.Name())
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		out = append(out, file{rel, filepath.ToSlash(filepath.Dir(rel)), tree, fset})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 20 {
		t.Fatalf("found only %d files: the walk is broken", len(out))
	}
	return out
}

func skipFolder(root, path, name string) error {
	if path == root {
		return nil
	}
	if name == "testdata" || strings.HasPrefix(name, ".") {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

// room returns the top-level package that a folder belongs to.
func room(folder string) string { top, _, _ := strings.Cut(folder, "/"); return top }

// edge reports whether a file may have outside access: the adapters, the stores, the engine's outer
// layer and test helpers.
func edge(f file) bool {
	switch f.pkg {
	case "internal/testkit", "internal/arch", "internal/wire", "internal/wire/wiretest", "llm/llmtest",
		"campaign/storetest", "campaign/campaigntest", "campaign/internal/filltest":
		return true
	}
	return slices.Contains(edgeFiles, f.path)
}
