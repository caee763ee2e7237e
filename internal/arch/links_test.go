package arch

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var docLink = regexp.MustCompile(`\[\*?((?:[a-z][a-zA-Z0-9]*\.)?[A-Z][a-zA-Z0-9]*(?:\.[A-Z][a-zA-Z0-9]*)?)\]`)

// TestDocLinksLead: every name in brackets in a comment, such as [Name], [Type.Method] or
// [pkg.Name], exists. Names in packages of the standard library or of other modules are not
// checked.
func TestDocLinksLead(t *testing.T) {
	t.Parallel()
	names := map[string]map[string]bool{} // by the folder of a package
	folders := map[string][]string{}      // by the name of a package
	files := sources(t)
	for _, f := range files {
		if names[f.pkg] == nil {
			names[f.pkg] = map[string]bool{}
			folders[f.ast.Name.Name] = append(folders[f.ast.Name.Name], f.pkg)
		}
		for _, d := range f.ast.Decls {
			for _, name := range declared(d) {
				names[f.pkg][name] = true
			}
		}
	}
	for _, f := range files {
		for _, group := range f.ast.Comments {
			for _, m := range docLink.FindAllStringSubmatch(text(group), -1) {
				pkg, rest, qualified := strings.Cut(m[1], ".")
				where := []string{f.pkg}
				if qualified && strings.ToLower(pkg[:1]) == pkg[:1] {
					where = folders[pkg]
				} else {
					rest = m[1]
				}
				if strings.ToUpper(m[1]) == m[1] {
					continue // not a name, such as [DONE]
				}
				if len(where) > 0 && !slices.ContainsFunc(where, func(in string) bool { return names[in][rest] }) {
					t.Errorf("%s: %s leads nowhere", f.fset.Position(group.Pos()), m[0])
				}
			}
		}
	}
}

// text returns a comment without its indented lines, which are code.
func text(group *ast.CommentGroup) string {
	var out strings.Builder
	for _, c := range group.List {
		if !strings.HasPrefix(c.Text, "//\t") && !strings.HasPrefix(c.Text, "//go:") {
			out.WriteString(strings.TrimPrefix(c.Text, "//"))
		}
	}
	return out.String()
}

// declared lists the possible targets of links: declarations, methods and fields.
func declared(d ast.Decl) (out []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
		return []string{receiver(d.Recv.List[0].Type) + "." + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					out = append(out, name.Name)
				}
			case *ast.TypeSpec:
				out = append(out, s.Name.Name)
				for _, member := range members(s.Type) {
					out = append(out, s.Name.Name+"."+member)
				}
			}
		}
	}
	return out
}

// members returns the fields of a struct and the methods of an interface.
func members(typ ast.Expr) (out []string) {
	var list *ast.FieldList
	switch typ := typ.(type) {
	case *ast.StructType:
		list = typ.Fields
	case *ast.InterfaceType:
		list = typ.Methods
	default:
		return nil
	}
	for _, field := range list.List {
		for _, name := range field.Names {
			out = append(out, name.Name)
		}
	}
	return out
}

// receiver returns the name of a receiver's type.
func receiver(typ ast.Expr) string {
	switch typ := typ.(type) {
	case *ast.StarExpr:
		return receiver(typ.X)
	case *ast.IndexExpr:
		return receiver(typ.X)
	case *ast.Ident:
		return typ.Name
	}
	return ""
}
