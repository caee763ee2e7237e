package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// houseList limits the size of the whole tree, including nested modules.
var houseList = ratchet{file: "testdata/house.txt", counts: []string{"now"}, most: []int{0}}

// TestHouseStaysSmall: the tree gets no more packages, public packages, exported names or packages
// without their own test. Each of them costs its readers time, so a new one must replace an old
// one.
func TestHouseStaysSmall(t *testing.T) {
	houseList.hold(t, house(t))
}

// house counts the packages of all modules, and the exported names of the public ones: functions,
// types, variables and constants, but no methods or fields. Commands and examples are packages, but
// not public.
func house(t *testing.T) map[string][]int {
	t.Helper()
	const root = "../.."
	type pkg struct {
		code, public, tested bool
		names                int
	}
	pkgs := map[string]*pkg{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		p := pkgs[dir]
		if p == nil {
			p = new(pkg)
			pkgs[dir] = p
		}
		if strings.HasSuffix(path, "_test.go") {
			p.tested = true
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		p.code = true
		p.public = tree.Name.Name != "main" && !strings.Contains(dir+"/", "/internal/") && !strings.Contains(dir+"/", "/examples/")
		p.names += exportedNames(tree)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var all, public, untested, names int
	for _, p := range pkgs {
		if !p.code {
			continue
		}
		all++
		if p.public {
			public++
			names += p.names
		}
		if !p.tested {
			untested++
		}
	}
	return map[string][]int{"packages": {all}, "public": {public}, "untested": {untested}, "names": {names}}
}

// exportedNames counts the exported names that a file declares at its top level.
func exportedNames(file *ast.File) (n int) {
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.IsExported() {
				n++
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					if s.Name.IsExported() {
						n++
					}
				case *ast.ValueSpec:
					for _, name := range s.Names {
						if name.IsExported() {
							n++
						}
					}
				}
			}
		}
	}
	return n
}

// kinds are the packages with one file for each thing of a kind, such as an instruction. A table in
// the package lists all of them.
var kinds = map[string]kind{
	"campaign/turn": {table: "instructions.go", is: func(f *ast.File, name string) bool { return strings.HasPrefix(name, "instruction_") }},
	"rules/effect":  {table: "kinds.go", is: func(f *ast.File, _ string) bool { return hasMethod(f, "EffectType") }},
}

// kind says which files contain one thing of a kind, and which file lists all.
type kind struct {
	table string
	is    func(f *ast.File, name string) bool
}

// holds reports whether a file contains one thing of the kind.
func (k kind) holds(f *ast.File, name string) bool { return k.is != nil && k.is(f, name) }

func hasMethod(f *ast.File, name string) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, is := d.(*ast.FuncDecl)
		return is && fn.Recv != nil && fn.Name.Name == name
	})
}
