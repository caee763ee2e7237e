package arch

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
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

const apiLists = "testdata/api"

// TestAPI: the lists of testdata/api have every exported name of every public package, so a change
// of the API is visible in a review. With -update it rewrites them.
//
// A list has one line for each name, field and method. Constants have their values and fields their
// tags, because stored records and files of authors contain them. Fields are in the order of the
// source, which is the order of JSON members.
func TestAPI(t *testing.T) {
	t.Parallel()
	lists := map[string][]byte{} // by file
	for dir, files := range publicPackages(t) {
		lists[filepath.Join(apiLists, cmp.Or(strings.Trim(dir, "."), "talewright")+".txt")] = (&api{files: files}).list()
	}
	if *update {
		if err := os.RemoveAll(apiLists); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range lists {
		if *update {
			if err := cmp.Or(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, want, 0o600)); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for _, line := range missingLines(got, want) {
			t.Errorf("%s has a line that the code does not have: %s", file, line)
		}
		for _, line := range missingLines(want, got) {
			t.Errorf("%s lacks: %s", file, line)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not current: run go test ./internal/arch -run TestAPI -update, and say in CHANGELOG.md what changed for users", file)
		}
	}
	err := filepath.WalkDir(apiLists, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && lists[file] == nil {
			t.Errorf("%s is the list of no package: run go test ./internal/arch -run TestAPI -update", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// missingLines returns the lines of a text that another does not have.
func missingLines(text, from []byte) (out []string) {
	there := map[string]bool{}
	for line := range bytes.Lines(from) {
		there[string(line)] = true
	}
	for line := range bytes.Lines(text) {
		if !there[string(line)] {
			out = append(out, strings.TrimSpace(string(line)))
		}
	}
	return out
}

// publicPackages parses the public packages of all modules, by folder.
func publicPackages(t *testing.T) map[string][]*ast.File {
	t.Helper()
	const root = "../.."
	out := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if path != root && (name == "testdata" || name == "internal" || name == "examples" || strings.HasPrefix(name, ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil || tree.Name.Name == "main" {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		dir = filepath.ToSlash(dir)
		out[dir] = append(out[dir], tree)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// api collects the exported names of a package.
type api struct {
	files []*ast.File

	values, functions, types []string
	specs                    map[string]*ast.TypeSpec
	methods                  map[string][]method // by type
}

// method is an exported method. Its receiver is "T" or "*T".
type method struct{ receiver, rest string }

// list returns the list of the package: its constants and variables, its functions, and its types
// with their members. Each part is sorted.
func (a *api) list() []byte {
	a.specs, a.methods = map[string]*ast.TypeSpec{}, map[string][]method{}
	for _, file := range a.files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				a.function(d)
			case *ast.GenDecl:
				switch d.Tok {
				case token.CONST:
					a.constants(d)
				case token.VAR:
					a.variables(d)
				case token.TYPE:
					for _, spec := range d.Specs {
						s := spec.(*ast.TypeSpec)
						a.specs[s.Name.Name] = s
					}
				}
			}
		}
	}
	for _, spec := range a.specs {
		if spec.Name.IsExported() {
			a.types = append(a.types, a.typ(spec))
		}
	}
	var out bytes.Buffer
	for _, part := range [][]string{a.values, a.functions, a.types} {
		slices.Sort(part)
		for _, entry := range slices.Compact(part) {
			out.WriteString(entry + "\n")
		}
	}
	return out.Bytes()
}

func (a *api) function(d *ast.FuncDecl) {
	signature := strings.TrimPrefix(source(d.Type), "func")
	switch {
	case !d.Name.IsExported():
	case d.Recv == nil:
		a.functions = append(a.functions, "func "+d.Name.Name+signature)
	default:
		of := receiver(d.Recv.List[0].Type)
		a.methods[of] = append(a.methods[of], method{source(d.Recv.List[0].Type), d.Name.Name + signature})
	}
}

// constants adds the constants of a declaration with their types and values.
func (a *api) constants(d *ast.GenDecl) {
	var typ ast.Expr
	var values []ast.Expr
	for iota, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		if len(s.Values) > 0 {
			typ, values = s.Type, s.Values
		}
		for i, name := range s.Names {
			if name.IsExported() {
				a.values = append(a.values, strings.Join(strings.Fields(fmt.Sprintf("const %s %s = %s", name.Name, source(typ), valueOf(values[i], iota))), " "))
			}
		}
	}
}

// valueOf returns the source of a constant. The number of the constant replaces iota.
func valueOf(value ast.Expr, number int) string {
	text := source(value)
	if ident, is := value.(*ast.Ident); is && ident.Name == "iota" {
		return strconv.Itoa(number)
	}
	return strings.ReplaceAll(text, "iota", strconv.Itoa(number))
}

// variables adds the variables of a declaration. Their values are not part of the API.
func (a *api) variables(d *ast.GenDecl) {
	for _, spec := range d.Specs {
		s := spec.(*ast.ValueSpec)
		for i, name := range s.Names {
			if !name.IsExported() {
				continue
			}
			typ := source(s.Type)
			if s.Type == nil {
				typ = typeOf(s.Values[i])
			}
			a.values = append(a.values, "var "+name.Name+" "+typ)
		}
	}
}

// typeOf returns the type of a value as far as its syntax shows it.
func typeOf(value ast.Expr) string {
	switch v := value.(type) {
	case *ast.CallExpr:
		if fn := source(v.Fun); fn == "errors.New" || fn == "fmt.Errorf" {
			return "error"
		} else {
			return "= " + fn + "(…)"
		}
	case *ast.CompositeLit:
		return source(v.Type)
	case *ast.FuncLit:
		return source(v.Type)
	}
	return "= " + source(value)
}

// typ returns the lines of a type: its declaration, its fields, and its methods.
func (a *api) typ(spec *ast.TypeSpec) string {
	head := "type " + spec.Name.Name
	if spec.TypeParams != nil {
		params := source(&ast.FuncType{TypeParams: spec.TypeParams, Params: &ast.FieldList{}})
		head += strings.TrimSuffix(strings.TrimPrefix(params, "func"), "()")
	}
	if spec.Assign.IsValid() {
		head += " ="
	}
	lines := []string{head + " " + source(spec.Type)}
	switch typ := spec.Type.(type) {
	case *ast.StructType:
		lines = append([]string{head + " struct"}, a.fields(typ.Fields, false)...)
	case *ast.InterfaceType:
		lines = append([]string{head + " interface"}, a.fields(typ.Methods, true)...)
	}
	methods := a.methodsOf(spec, "")
	slices.Sort(methods)
	return strings.Join(append(lines, slices.Compact(methods)...), "\n")
}

// methodsOf returns the lines of the methods of a type. It includes those of embedded types that are
// not exported: nobody sees them elsewhere. The receiver is that of each method if it is "".
func (a *api) methodsOf(spec *ast.TypeSpec, as string) (lines []string) {
	for _, m := range a.methods[spec.Name.Name] {
		lines = append(lines, fmt.Sprintf("func (%s) %s", cmp.Or(as, m.receiver), m.rest))
	}
	typ, is := spec.Type.(*ast.StructType)
	if !is {
		return lines
	}
	for _, field := range typ.Fields.List {
		if inner := a.specs[receiver(field.Type)]; len(field.Names) == 0 && inner != nil && !inner.Name.IsExported() {
			lines = append(lines, a.methodsOf(inner, cmp.Or(as, spec.Name.Name))...)
		}
	}
	return lines
}

// fields returns the exported fields of a struct, or the methods of an interface. The fields of
// embedded structs that are not exported are included.
func (a *api) fields(list *ast.FieldList, methods bool) (lines []string) {
	hidden := false
	for _, field := range list.List {
		typ, tag := source(field.Type), ""
		if field.Tag != nil {
			tag = " " + field.Tag.Value
		}
		if len(field.Names) == 0 {
			base := typ[strings.LastIndexAny(typ, "*.")+1:]
			hidden = hidden || !ast.IsExported(base)
			if ast.IsExported(base) {
				lines = append(lines, "\t"+typ+tag)
			} else if spec := a.specs[base]; spec != nil {
				if inner, is := spec.Type.(*ast.StructType); is {
					lines = append(lines, a.fields(inner.Fields, false)...)
				}
			}
		}
		for _, name := range field.Names {
			switch {
			case !name.IsExported():
				hidden = true
			case methods:
				lines = append(lines, "\t"+name.Name+strings.TrimPrefix(typ, "func"))
			default:
				lines = append(lines, "\t"+name.Name+" "+typ+tag)
			}
		}
	}
	if hidden && methods {
		lines = append(lines, "\tand unexported methods")
	}
	return lines
}

// source returns the source of a node on one line, or on several if it has members of its own.
func source(node any) string {
	if expr, is := node.(ast.Expr); node == nil || is && expr == nil {
		return ""
	}
	var out bytes.Buffer
	if err := format.Node(&out, token.NewFileSet(), node); err != nil {
		return err.Error()
	}
	return strings.ReplaceAll(out.String(), "\n", "\n\t")
}
