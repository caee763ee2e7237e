package settingkey_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"testing"

	"github.com/talewright/talewright/campaign/setting"
)

// TestKeys: each built-in setting has exactly one constant, and no other constant exists.
func TestKeys(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "settingkey.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var keys, want []string
	ast.Inspect(file, func(n ast.Node) bool {
		if text, is := n.(*ast.BasicLit); is {
			key, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Error(err)
			}
			keys = append(keys, key)
		}
		return true
	})
	for _, d := range setting.Builtin().Definitions() {
		want = append(want, d.Key)
	}
	slices.Sort(keys)
	slices.Sort(want)
	if !slices.Equal(keys, want) {
		t.Errorf("the constants are %q, the settings are %q", keys, want)
	}
}
