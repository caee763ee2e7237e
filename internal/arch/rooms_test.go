package arch

import (
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// A room is read as a whole: it has at most so many files and exported names, or a line in
// testdata/rooms.txt.
const (
	mostFiles = 20
	mostNames = 40
)

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

// size is how much there is of a package.
type size struct{ files, names int }

// TestRoomsStaySmall: no package has more files or names than a room may have. Those that
// had more when this was written are listed with what they have, and have a reason; the list
// can only become shorter and its figures smaller.
func TestRoomsStaySmall(t *testing.T) {
	listed := map[string]size{}
	data, err := os.ReadFile("testdata/rooms.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var pkg string
		var s size
		if _, err := fmt.Sscanf(line, "%s %d files %d names", &pkg, &s.files, &s.names); err != nil {
			t.Fatalf("testdata/rooms.txt: %q: %v", line, err)
		}
		listed[pkg] = s
	}
	rooms := sizes(t)
	for _, pkg := range slices.Sorted(maps.Keys(rooms)) {
		got, old := rooms[pkg], listed[pkg]
		if got.files > max(mostFiles, old.files) || got.names > max(mostNames, old.names) {
			t.Errorf("%s has %d files and %d exported names: divide it, or hide what nobody needs", pkg, got.files, got.names)
		}
		small := got.files <= mostFiles && got.names <= mostNames
		if _, is := listed[pkg]; is && (small || got != old) {
			t.Errorf("%s has %d files and %d names now: write so in testdata/rooms.txt, or take the line out", pkg, got.files, got.names)
		}
		if _, is := listed[pkg]; is && reasons[pkg] == "" {
			t.Errorf("%s has more than a room may have, and no reason for it", pkg)
		}
		delete(listed, pkg)
	}
	for pkg := range listed {
		t.Errorf("testdata/rooms.txt lists %s, which is no package", pkg)
	}
}

// sizes counts the files of each package, without those of one kind, and its names as go doc
// lists them: types, functions, and declarations of constants and variables.
func sizes(t *testing.T) map[string]size {
	rooms := map[string]size{}
	for _, f := range sources(t) {
		s := rooms[f.pkg]
		base := path.Base(f.path)
		if !slices.ContainsFunc(kinds, func(kind string) bool { return strings.HasPrefix(base, kind) }) {
			s.files++
		}
		if !strings.Contains("/"+f.pkg+"/", "/internal/") {
			for _, d := range f.ast.Decls {
				s.names += namesIn(d)
			}
		}
		rooms[f.pkg] = s
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
