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

// kinds are the beginnings of files of which there is one for each thing of a kind.
var kinds = []string{"detector_", "effect_", "instruction_"}

// reasons say why packages of testdata/rooms.txt have more than others.
var reasons = map[string]string{
	"campaign":       "the door: a file for each verb of the engine",
	"campaign/state": "the nouns of a campaign, which records, snapshots and hosts speak of",
	"campaign/turn":  "an instruction, a question and an answer have a name each",
	"rules/effect":   "an effect has a file and a name",
	"worldbook":      "the words of entries as authors write them, and of what a scan answers",
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

// sizes counts the files of each package, without those of one kind, and its names as go doc
// lists them: types, functions, and declarations of constants and variables.
func sizes(t *testing.T) map[string][]int {
	t.Helper()
	rooms := map[string][]int{}
	for _, f := range sources(t) {
		s := rooms[f.pkg]
		if s == nil {
			s = make([]int, 2)
			rooms[f.pkg] = s
		}
		base := path.Base(f.path)
		if !slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(base, kind) }) {
			s[0]++
		}
		if !strings.Contains("/"+f.pkg+"/", "/internal/") {
			for _, d := range f.ast.Decls {
				s[1] += namesIn(d)
			}
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
