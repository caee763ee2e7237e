package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestCodeOfComments: indented code in comments, and code in pages, uses our packages as they are. The
// code may leave its names undeclared, but fields, methods, exported names and types must exist.
func TestCodeOfComments(t *testing.T) {
	t.Parallel()
	all, err := everywhere()
	if err != nil {
		t.Fatal(err)
	}
	c := newCodes(all)
	read := 0
	check := func(h hall, at, block string) {
		problems, is := c.check(h, block)
		if is {
			read++
		}
		for _, p := range problems {
			t.Errorf("%s: %s in\n%s", at, p, block)
		}
	}
	for _, h := range all {
		for _, tree := range h.trees {
			for _, group := range tree.Comments {
				for _, block := range codeBlocks(group) {
					check(h, h.fset.Position(group.Pos()).String(), block)
				}
			}
		}
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range goBlock.FindAllStringSubmatch(string(text), -1) {
			if !strings.HasPrefix(m[1], "package ") { // whole programs have tests
				check(all[0], page, m[1])
			}
		}
	}
	if read < 50 {
		t.Errorf("only %d blocks of code were read", read)
	}
}

// TestCodeIsChecked: what the test above notices.
// It runs alone, because an importer is for one goroutine.
func TestCodeIsChecked(t *testing.T) {
	all, err := everywhere()
	if err != nil {
		t.Fatal(err)
	}
	c := newCodes(all)
	for _, row := range []struct {
		code, want string
		is         bool
	}{
		{"g, problems := campaign.Compile(campaign.Content{})", "", true},
		{"engine, err := campaign.New(campaign.Config{Gone: 1})", "unknown field Gone in struct literal of type campaign.Config", true},
		{"campaign.Gone()", "undefined: campaign.Gone", true},
		{"engine, err := campaign.New(Config{})", "undefined: Config", true},
		{"var state rules.State\nstate.Turn++", "", true}, // a variable with the name of a package
		{"campaign.Create begins a campaign.", "", false},
		{"fmt.Println(gone)", "", false},
	} {
		problems, is := c.check(all[0], row.code)
		if got := strings.Join(problems, "; "); got != row.want || is != row.is {
			t.Errorf("%s: %q, code %v", row.code, got, is)
		}
	}
}

var goBlock = regexp.MustCompile("(?s)```go\\n(.*?)```")

// codeBlocks returns the indented parts of a comment.
func codeBlocks(group *ast.CommentGroup) (out []string) {
	var block strings.Builder
	flush := func() {
		if code := strings.TrimSpace(block.String()); code != "" {
			out = append(out, code)
		}
		block.Reset()
	}
	for _, c := range group.List {
		switch code, indented := strings.CutPrefix(c.Text, "//\t"); {
		case indented:
			block.WriteString(code + "\n")
		case c.Text == "//":
			block.WriteString("\n")
		default:
			flush()
		}
	}
	flush()
	return out
}

// codes checks pieces of code.
type codes struct {
	imports types.Importer
	paths   map[string][]string // of our packages, by their names
}

func newCodes(all []hall) codes {
	c := codes{imports: all[0].imports, paths: map[string][]string{}}
	for _, h := range all {
		c.paths[h.types.Name()] = append(c.paths[h.types.Name()], fullPath(h))
	}
	return c
}

// loose finds the errors that incomplete code has.
var loose = regexp.MustCompile(`^undefined: [a-z]\w*$|^declared and not used|imported and not used|^missing return|is not used$|^too many return values`)

var (
	qualified = regexp.MustCompile(`\b([a-z][a-z0-9]*)\.[A-Z]`) // the names before a dot may be packages
	variable  = regexp.MustCompile(`^use of package (\w+) not in selector`)
)

// check type-checks code in a comment of a package. It reports false if the text is not Go code that
// uses a package of ours.
func (c codes) check(home hall, code string) (problems []string, is bool) {
	var names []string
	for _, m := range qualified.FindAllStringSubmatch(code, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	if !slices.ContainsFunc(names, func(name string) bool { return c.paths[name] != nil }) {
		return nil, false
	}
	for {
		tree, fset := c.parse(home, code, names)
		if tree == nil {
			return nil, false
		}
		problems = nil
		conf := types.Config{Importer: c.imports, Error: func(err error) {
			if text := err.(types.Error).Msg; !loose.MatchString(text) {
				problems = append(problems, text)
			}
		}}
		conf.Check("main", fset, []*ast.File{tree}, nil)
		again := false
		for _, p := range problems {
			if m := variable.FindStringSubmatch(p); m != nil && slices.Contains(names, m[1]) { // a variable, not the package
				names, again = slices.DeleteFunc(names, func(name string) bool { return name == m[1] }), true
			}
		}
		if !again {
			return problems, true
		}
	}
}

// parse reads code as a file, as declarations, as statements or as an expression. It returns nil for
// other texts.
func (c codes) parse(home hall, code string, names []string) (*ast.File, *token.FileSet) {
	head := "package main\n"
	for _, name := range names {
		if at := c.pathOf(home, name); at != "" {
			head += "import " + strconv.Quote(at) + "\n"
		}
	}
	fset := token.NewFileSet()
	for _, text := range []string{code, head + code, head + "func _() {\n" + code + "\n}", head + "var _ = " + code} {
		if tree, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution); err == nil {
			return tree, fset
		}
	}
	return nil, nil
}

// pathOf returns the path of the package that the comments of a package mean by a name: itself, one that it
// imports, the one with the shortest path, or one of the standard library.
func (c codes) pathOf(home hall, name string) string {
	list := c.paths[name]
	if len(list) == 0 {
		if _, err := c.imports.Import(name); err != nil {
			return ""
		}
		return name
	}
	rank := func(p string) int {
		switch {
		case p == fullPath(home):
			return 0
		case slices.ContainsFunc(home.types.Imports(), func(q *types.Package) bool { return q.Path() == p }):
			return 1
		}
		return 2 + len(p)
	}
	return slices.MinFunc(list, func(a, b string) int { return rank(a) - rank(b) })
}

// fullPath returns the import path of a package.
func fullPath(h hall) string {
	if h.pkg == module {
		return module
	}
	return module + "/" + h.pkg
}
