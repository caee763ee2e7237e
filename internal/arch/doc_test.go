package arch

import (
	"go/ast"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackagesHaveDocFiles requires a doc.go with a package comment in every public package.
func TestPackagesHaveDocFiles(t *testing.T) {
	documented := map[string]bool{}
	packages := map[string]bool{}
	for _, f := range sources(t) {
		if strings.Contains("/"+f.pkg+"/", "/internal/") {
			continue
		}
		packages[f.pkg] = true
		if strings.HasSuffix(f.path, "doc.go") && f.ast.Doc != nil {
			documented[f.pkg] = true
		}
	}
	for pkg := range packages {
		if !documented[pkg] {
			t.Errorf("%s has no doc.go with a package comment", pkg)
		}
	}
}

// TestExportedIsDocumented requires a comment on every exported declaration. A comment on a group
// of constants or variables covers its members.
func TestExportedIsDocumented(t *testing.T) {
	for _, f := range sources(t) {
		if strings.Contains("/"+f.pkg+"/", "/internal/") {
			continue
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil {
					t.Errorf("%s: %s has no comment", f.fset.Position(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				checkGroup(t, f, d)
			}
		}
	}
}

func checkGroup(t *testing.T, f file, d *ast.GenDecl) {
	t.Helper()
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
				t.Errorf("%s: type %s has no comment", f.fset.Position(s.Pos()), s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					t.Errorf("%s: %s has no comment", f.fset.Position(s.Pos()), name.Name)
				}
			}
		}
	}
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// TestExamplesExist requires an example file in every public package of the root module whose
// functions a user calls: EX-03.
func TestExamplesExist(t *testing.T) {
	for _, pkg := range []string{
		"memvars", "worldbook", "llm", "rules", "reactions", "hooks", "prompt", "campaign",
	} {
		files, err := filepath.Glob(filepath.Join("../..", pkg, "example*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(data), "// Output:")
		}
		if !found {
			t.Errorf("%s has no example with an output", pkg)
		}
	}
}
