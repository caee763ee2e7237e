package campaign

import (
	"go/ast"
	"strconv"
	"testing"
)

// TestCallCodesHaveTexts: a model is told why in words, in every language of the engine.
func TestCallCodesHaveTexts(t *testing.T) {
	t.Parallel()
	english, chinese := map[CallCode]string{}, Chinese().Reasons
	for code, text := range reasonTexts {
		english[code] = text
	}
	for _, tool := range BuiltinTools().byName {
		for code, text := range tool.Reasons {
			english[code] = text
		}
	}
	n := 0
	ast.Inspect(sources(t)["callcode.go"], func(node ast.Node) bool {
		if lit, ok := node.(*ast.BasicLit); ok {
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Error(err)
			}
			if code := CallCode(text); english[code] == "" || chinese[code] == "" {
				t.Errorf("%s: english %q, chinese %q", code, english[code], chinese[code])
			}
			n++
		}
		return true
	})
	if n < 30 {
		t.Errorf("callcode.go has %d codes", n)
	}
}
