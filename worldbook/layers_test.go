package worldbook_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers are the files of the package from the lowest to the highest, as doc.go describes them.
var layers = []string{
	"doc", "reuse", "reason", "decorator_lines", "insertion", "decorator", "profile", "group", "options", "expression", "entry", "book", "budget",
	"settings", "input", "result", "compile_options", "compile_entry", "compile_keys", "compile_links", "compile", "overlay",
	"state", "timed", "roster", "gate", "texts", "explain", "link", "loop", "scan", "vet",
}

// TestFilesUseWhatStandsBelow: no file uses a function, a method, a type or a constant of a file
// above it.
func TestFilesUseWhatStandsBelow(t *testing.T) {
	t.Parallel()
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range layers {
		f, err := parser.ParseFile(fset, name+".go", nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	all, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	all = slices.DeleteFunc(all, func(name string) bool { return strings.HasSuffix(name, "_test.go") })
	if len(all) != len(layers) {
		t.Errorf("the package has the files %v, the layers are %v", all, layers)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: noImports{}, Error: func(error) {}}
	pkg, _ := conf.Check("worldbook", fset, files, info) // what it imports does not matter
	layer := func(pos token.Pos) int {
		return slices.Index(layers, strings.TrimSuffix(fset.Position(pos).Filename, ".go"))
	}
	uses := 0
	for id, object := range info.Uses {
		f, isFunc := object.(*types.Func)
		if object.Pkg() != pkg || object.Parent() != pkg.Scope() && (!isFunc || f.Signature().Recv() == nil) {
			continue
		}
		uses++
		if layer(id.Pos()) < layer(object.Pos()) {
			t.Errorf("%s uses %s of %s, which stands above it", fset.Position(id.Pos()), id.Name, fset.Position(object.Pos()).Filename)
		}
	}
	if uses < 1000 {
		t.Errorf("only %d uses were found", uses)
	}
}

// noImports imports nothing.
type noImports struct{}

func (noImports) Import(string) (*types.Package, error) { return nil, errors.New("not needed") }
