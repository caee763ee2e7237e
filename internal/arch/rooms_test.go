package arch

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"
)

// A room is read as a whole: it has at most so many files and exported names, or a line in
// rooms.txt.
var roomsList = ratchet{file: "testdata/rooms.txt", counts: []string{"files", "names"}, most: []int{20, 40}}

// kinds are the packages that have a file for each thing of a kind, such as an instruction: the
// file is none of those that a reader of the package has to know, nor is the name of the thing,
// nor the use of it by the table of all. So one more of them is not too many.
var kinds = map[string]kind{
	"campaign/conflict": {table: "builtin.go", is: func(f *ast.File, name string) bool { return strings.HasPrefix(name, "detector_") }},
	"campaign/turn":     {table: "instructions.go", is: func(f *ast.File, name string) bool { return strings.HasPrefix(name, "instruction_") }},
	"rules/effect":      {table: "kinds.go", is: func(f *ast.File, _ string) bool { return hasMethod(f, "EffectType") }},
}

// kind says which files hold one thing of a kind, and which lists all.
type kind struct {
	table string
	is    func(f *ast.File, name string) bool
}

// holds reports whether a file holds one thing of the kind.
func (k kind) holds(f *ast.File, name string) bool { return k.is != nil && k.is(f, name) }

func hasMethod(f *ast.File, name string) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, is := d.(*ast.FuncDecl)
		return is && fn.Recv != nil && fn.Name.Name == name
	})
}

// reasons say why packages of testdata/rooms.txt have more than others.
var reasons = map[string]string{
	"campaign/state": "the nouns of a campaign, which records, snapshots and hosts speak of",
	"rules/effect":   "what effects are made of has names of its own: operations, positions, targets, random operands",
}

// TestRoomsStaySmall: no package has more files or names than a room may have. Those that
// had more when this was written are listed with what they have, and have a reason.
func TestRoomsStaySmall(t *testing.T) {
	roomsList.hold(t, sizes(t))
	for pkg := range roomsList.read(t) {
		if reasons[pkg] == "" {
			t.Errorf("%s has more than a room may have, and no reason for it", pkg)
		}
	}
}

// sizes counts the files of each package and its names as go doc lists them: types, functions,
// and declarations of constants and variables. Things of a kind and their files are left out.
func sizes(t *testing.T) map[string][]int {
	t.Helper()
	rooms := map[string][]int{}
	for _, f := range sources(t) {
		s := rooms[f.pkg]
		if s == nil {
			s = make([]int, 2)
			rooms[f.pkg] = s
		}
		ofKind := kinds[f.pkg].holds(f.ast, path.Base(f.path))
		if !ofKind {
			s[0]++
		}
		if !strings.Contains("/"+f.pkg+"/", "/internal/") {
			n := 0
			for _, d := range f.ast.Decls {
				n += namesIn(d)
			}
			if ofKind && n > 0 {
				n-- // the thing itself
			}
			s[1] += n
		}
	}
	return rooms
}

func namesIn(d ast.Decl) (n int) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.IsExported() {
			return 1
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					n++
				}
			case *ast.ValueSpec:
				if slices.ContainsFunc(s.Names, (*ast.Ident).IsExported) {
					n++
				}
			}
		}
		if d.Tok != token.TYPE {
			return min(n, 1) // a group has one place in the documentation
		}
	}
	return n
}
