package arch

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// hall is a type-checked package of the root module, without its tests.
type hall struct {
	pkg   string   // its folder
	names []string // of its files
	trees []*ast.File
	fset  *token.FileSet
	types *types.Package
	info  *types.Info
	keys  map[types.Object]string // of parameters, see params

	imports types.Importer // of what this package and the others import
}

// checked type-checks the packages of the root module, once for all tests. Their imports are read
// from the compiler's output, whose files go list names.
var checked = sync.OnceValues(func() ([]hall, error) { return check("./...") })

// everywhere type-checks the packages of all modules, once for all tests.
var everywhere = sync.OnceValues(func() ([]hall, error) { return check("work") })

// check type-checks packages.
func check(packages string) ([]hall, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{join .GoFiles \" \"}}", packages)
	list.Dir = "../.."
	list.Stderr = new(bytes.Buffer)
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %v\n%s", err, list.Stderr)
	}
	compiled := map[string]string{} // the compiler's output for a package
	imports := importer.ForCompiler(token.NewFileSet(), "gc", func(pkg string) (io.ReadCloser, error) { return os.Open(compiled[pkg]) })
	var halls []hall
	for line := range strings.Lines(string(out)) { // a package comes after its imports
		columns := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		compiled[columns[0]] = columns[1]
		if columns[3] == "" || columns[0] != module && !strings.HasPrefix(columns[0], module+"/") {
			continue
		}
		h, err := newHall(strings.TrimPrefix(columns[0], module+"/"), columns[2], strings.Fields(columns[3]), imports)
		if err != nil {
			return nil, err
		}
		halls = append(halls, h)
	}
	return halls, nil
}

func halls(t *testing.T) []hall {
	t.Helper()
	all, err := checked()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// newHall reads and type-checks the files of a package.
func newHall(pkg, dir string, files []string, imports types.Importer) (hall, error) {
	h := hall{pkg: pkg, names: files, fset: token.NewFileSet(), imports: imports,
		info: &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{}}}
	for _, name := range files {
		tree, err := parser.ParseFile(h.fset, filepath.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return h, err
		}
		h.trees = append(h.trees, tree)
	}
	conf := types.Config{Importer: imports}
	var err error
	h.types, err = conf.Check(pkg, h.fset, h.trees, h.info)
	return h, err
}

// use says that one file of a package uses a second one, with the names of the used declarations
// and methods.
type use struct {
	from, to int // positions among the files
	names    []string
}

// uses returns which files of a package use which others. Generated files use nothing.
func (h hall) uses() []use {
	at := map[*token.File]int{}
	for i, tree := range h.trees {
		at[h.fset.File(tree.Pos())] = i
	}
	found := map[[2]int][]string{}
	for id, obj := range h.info.Uses {
		if !h.declares(obj) {
			continue
		}
		from, to := at[h.fset.File(id.Pos())], at[h.fset.File(obj.Pos())]
		if from != to && !ast.IsGenerated(h.trees[from]) {
			found[[2]int{from, to}] = append(found[[2]int{from, to}], obj.Name())
		}
	}
	var out []use
	for pair, names := range found {
		slices.Sort(names)
		out = append(out, use{pair[0], pair[1], slices.Compact(names)})
	}
	slices.SortFunc(out, func(a, b use) int { return (a.from-b.from)*len(h.names) + a.to - b.to })
	return out
}

// declares reports whether an object is a declaration or a method of the package.
func (h hall) declares(obj types.Object) bool {
	if obj.Pkg() != h.types {
		return false
	}
	fn, is := obj.(*types.Func)
	return obj.Parent() == h.types.Scope() || is && fn.Signature().Recv() != nil
}

// write returns a use as a line.
func (h hall) write(u use) string {
	return fmt.Sprintf("%s uses %s of %s", path.Join(h.pkg, h.names[u.from]), strings.Join(u.names, ", "), path.Join(h.pkg, h.names[u.to]))
}
