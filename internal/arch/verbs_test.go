package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// TestVerbsHaveExamples: an Example calls each exported function of a public package, in any module
// (EX-03).
func TestVerbsHaveExamples(t *testing.T) {
	t.Parallel()
	type verb struct{ dir, name string }
	var verbs []verb
	called := map[verb]bool{}
	const root = "../.."
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "internal" || d.Name() == "examples"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, ".go"):
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil || tree.Name.Name == "main" {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		dir = filepath.ToSlash(dir)
		for _, decl := range tree.Decls {
			fn, is := decl.(*ast.FuncDecl)
			switch {
			case !is || fn.Recv != nil:
			case !strings.HasSuffix(file, "_test.go"):
				if fn.Name.IsExported() {
					verbs = append(verbs, verb{dir, fn.Name.Name})
				}
			case strings.HasPrefix(fn.Name.Name, "Example"):
				imports := importedAs(tree)
				ast.Inspect(fn.Body, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.SelectorExpr:
						if pkg, is := n.X.(*ast.Ident); is {
							called[verb{imports[pkg.Name], n.Sel.Name}] = true
						}
					case *ast.Ident: // from a package with a dot import
						called[verb{imports["."], n.Name}] = true
					}
					return true
				})
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(verbs) < 100 {
		t.Fatalf("found only %d functions: the walk is broken", len(verbs))
	}
	for _, v := range verbs {
		if !called[v] {
			t.Errorf("%s: no Example calls %s: write the one that a user would look for, or do not export the function", v.dir, v.name)
		}
	}
}

// importedAs maps the names of a file's imports to their folders.
func importedAs(tree *ast.File) map[string]string {
	out := map[string]string{}
	for _, imported := range (file{ast: tree}).imports() {
		if dir, ours := strings.CutPrefix(imported, module+"/"); ours {
			out[path.Base(dir)] = dir
		} else if imported == module {
			out["talewright"] = "."
		}
	}
	for _, spec := range tree.Imports {
		if spec.Name != nil {
			dir := strings.TrimPrefix(strings.Trim(spec.Path.Value, `"`), module+"/")
			out[spec.Name.Name] = dir
		}
	}
	return out
}
