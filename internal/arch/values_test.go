package arch

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listed finds the words in a list of values.
var listed = regexp.MustCompile(`(?m)^\s*- ([\w-]+)(?::|$)`)

// TestListedValues: if the comment of a type lists its values, it lists those of its constants. So
// the constants need no exported names.
func TestListedValues(t *testing.T) {
	t.Parallel()
	lists, values := map[string][]string{}, map[string][]string{}
	for _, f := range sources(t) {
		for _, d := range f.ast.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					doc := gen.Doc.Text() + s.Doc.Text()
					if _, list, ok := strings.Cut(doc, "Its values:\n"); ok {
						for _, m := range listed.FindAllStringSubmatch(list, -1) {
							lists[f.pkg+"."+s.Name.Name] = append(lists[f.pkg+"."+s.Name.Name], m[1])
						}
					}
				case *ast.ValueSpec:
					if typ, ok := s.Type.(*ast.Ident); ok && gen.Tok == token.CONST {
						values[f.pkg+"."+typ.Name] = append(values[f.pkg+"."+typ.Name], texts(s.Values)...)
					}
				}
			}
		}
	}
	if len(lists) < 10 {
		t.Fatalf("only %d types list their values: the comments are no longer read", len(lists))
	}
	for typ, words := range lists {
		for _, w := range words {
			if !slices.Contains(values[typ], w) {
				t.Errorf("%s lists %s, and no constant has this value", typ, w)
			}
		}
		for _, v := range values[typ] {
			if v != "" && !slices.Contains(words, v) {
				t.Errorf("%s does not list %s, the value of a constant", typ, v)
			}
		}
	}
}

// texts returns the literal texts among the expressions.
func texts(list []ast.Expr) (out []string) {
	for _, e := range list {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if s, err := strconv.Unquote(lit.Value); err == nil {
				out = append(out, s)
			}
		}
	}
	return out
}
