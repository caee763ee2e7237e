package testkit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/wording"
)

// Complete fails for each sentence of the package in the current folder that is missing in the
// table, and for translations with different verbs. A sentence is the first text among the
// arguments of a call of one of the functions, or any text argument with a verb or a blank.
func Complete(t *testing.T, table wording.Table, functions ...string) {
	t.Helper()
	files := token.NewFileSet()
	found := 0
	for _, name := range sources(t) {
		file, err := parser.ParseFile(files, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !slices.Contains(functions, called(call)) {
				return true
			}
			for _, arg := range call.Args {
				lit, ok := arg.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				english, _ := strconv.Unquote(lit.Value)
				if !strings.Contains(english, " ") || strings.Trim(english, "%v") == "" {
					continue
				}
				found++
				if table[english] == "" {
					t.Errorf("%s: %q is not translated", files.Position(lit.Pos()), english)
				}
			}
			return true
		})
	}
	if found == 0 {
		t.Errorf("no sentences of %s", functions)
	}
	for english, there := range table {
		if a, b := verbs(english), verbs(there); !slices.Equal(a, b) {
			t.Errorf("%q has the verbs %s, and %q has %s", english, a, there, b)
		}
	}
}

func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

func sources(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			names = append(names, e.Name())
		}
	}
	return names
}

var verb = regexp.MustCompile(`%[a-zA-Z]`)

func verbs(format string) []string { return verb.FindAllString(format, -1) }
