package arch

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"
)

// objects.txt lists the types with more fields or methods than one may have.
var objectsList = ratchet{file: "testdata/objects.txt", counts: []string{"fields", "methods"}, most: []int{20, 25}}

// TestRunObjectsStaySmall: a type has few methods, and a struct that changes itself has few
// fields, or as many as testdata/objects.txt says. Data may have many fields: a struct none of
// whose methods sets a field of it, except UnmarshalJSON.
func TestRunObjectsStaySmall(t *testing.T) {
	t.Parallel()
	objectsList.hold(t, objects(t))
}

// objects counts the fields and methods of each type, the fields of data as none.
func objects(t *testing.T) map[string][]int {
	t.Helper()
	out := map[string][]int{}
	for _, h := range halls(t) {
		changing := h.changing()
		for _, name := range h.types.Scope().Names() {
			declared, is := h.types.Scope().Lookup(name).(*types.TypeName)
			if !is || declared.IsAlias() {
				continue
			}
			named, is := declared.Type().(*types.Named)
			if !is {
				continue
			}
			fields := 0
			if s, is := named.Underlying().(*types.Struct); is && changing[named] {
				fields = s.NumFields()
			}
			out[h.pkg+"."+name] = []int{fields, named.NumMethods()}
		}
	}
	return out
}

// changing are the types of a package with a method that sets a field of its receiver.
func (h hall) changing() map[types.Type]bool {
	out := map[types.Type]bool{}
	for _, tree := range h.trees {
		for _, d := range tree.Decls {
			fn, is := d.(*ast.FuncDecl)
			if !is || fn.Recv == nil || len(fn.Recv.List[0].Names) == 0 || strings.HasPrefix(fn.Name.Name, "Unmarshal") {
				continue
			}
			self := h.info.Defs[fn.Recv.List[0].Names[0]]
			if p, is := self.Type().(*types.Pointer); is && h.sets(fn.Body, self) {
				out[p.Elem().(*types.Named).Origin()] = true
			}
		}
	}
	return out
}

// sets reports whether code sets a field of a value, or what the field holds.
func (h hall) sets(code *ast.BlockStmt, self types.Object) (found bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				found = found || h.root(x) == self
			}
		case *ast.IncDecStmt:
			found = found || h.root(n.X) == self
		}
		return !found
	})
	return found
}

// root returns the variable at the beginning of x.y[i].z, nil where there is none.
func (h hall) root(x ast.Expr) types.Object {
	for {
		switch e := x.(type) {
		case *ast.SelectorExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.StarExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		case *ast.Ident:
			return h.info.Uses[e]
		default:
			return nil
		}
	}
}
