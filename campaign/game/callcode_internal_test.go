package game

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
)

// TestCallCodesHaveTexts: every refusal code has a text for the model in every language of the
// engine.
func TestCallCodesHaveTexts(t *testing.T) {
	t.Parallel()
	english, chinese := map[state.CallCode]string{}, Chinese().Reasons
	maps.Copy(english, reasonTexts)
	builtin := tool.Builtin()
	for _, name := range builtin.Names() {
		t, _ := builtin.Get(name)
		maps.Copy(english, t.Reasons)
		maps.Copy(chinese, t.Translations["zh"].Reasons)
	}
	for code, text := range english {
		if text == "" || chinese[code] == "" {
			t.Errorf("%q: english %q, chinese %q", code, text, chinese[code])
		}
		if digits.FindString(text) != digits.FindString(chinese[code]) {
			t.Errorf("%q: different numbers: english %q, chinese %q", code, text, chinese[code])
		}
	}
	n := 0
	for _, name := range []string{"code.go", "tool_move.go", "tool_hp.go", "tool_check.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), "../tool/"+name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range codesIn(t, file) {
			if english[code] == "" || chinese[code] == "" {
				t.Errorf("%s: %q: english %q, chinese %q", name, code, english[code], chinese[code])
			}
			n++
		}
	}
	if n < 30 {
		t.Errorf("there are %d codes", n)
	}
}

// digits finds the limit that a text names.
var digits = regexp.MustCompile(`\d+`)

// codesIn lists the constants of a file whose type is state.CallCode.
func codesIn(t *testing.T, file *ast.File) (codes []state.CallCode) {
	t.Helper()
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.SelectorExpr); !ok || typ.Sel.Name != "CallCode" {
			return false
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		codes = append(codes, state.CallCode(text))
		return false
	})
	return codes
}

// TestOwnReasonTexts: the texts of a game replace the texts of the built-in tools, and fill what other
// tools leave out.
func TestOwnReasonTexts(t *testing.T) {
	t.Parallel()
	texts := English()
	texts.Reasons = map[state.CallCode]string{"broken": "of the game"}
	g, problems := Compile(Content{Extensions: Extensions{Texts: &texts}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	own := map[state.CallCode]string{"broken": "of the tool"}
	for _, w := range []struct {
		tool tool.Tool
		want string
	}{{tool.Tool{Name: "move", Reasons: own}, "of the game"}, {tool.Tool{Name: "hp_delta", Reasons: own}, "of the game"}, {tool.Tool{Name: "check", Reasons: own}, "of the game"}, {tool.Tool{Name: "ring", Reasons: own}, "of the tool"}, {tool.Tool{Name: "ring"}, "of the game"}} {
		if got := g.ReasonText(w.tool, "broken"); got != w.want {
			t.Errorf("%s: %q", w.tool.Name, got)
		}
	}
}

// TestRefusalsHaveSentences: each code of a refused and of a failed instruction has a sentence for
// players, and no sentence has lost its code.
func TestRefusalsHaveSentences(t *testing.T) {
	t.Parallel()
	codes := map[string]bool{state.UnknownCharacter: true}
	for name, typ := range map[string]string{"../state/refusal.go": "RefusalCode", "../turn/failure.go": "FailureCode", "../../llm/error.go": "ErrorCode"} {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(typ+`\s*= "(\w+)"`).FindAllSubmatch(source, -1)
		if len(found) < 6 {
			t.Fatalf("%s has %d codes", name, len(found))
		}
		for _, m := range found {
			codes[string(m[1])] = true
		}
	}
	for language, texts := range map[string]Texts{"english": English(), "chinese": Chinese()} {
		for code := range codes {
			if texts.Refusals[code] == "" {
				t.Errorf("%s: %q has no sentence", language, code)
			}
		}
		for code := range texts.Refusals {
			if !codes[code] {
				t.Errorf("%s: there is no code %q", language, code)
			}
		}
	}
	if got := (&Texts{}).Refusal("room_full"); got != "room_full" {
		t.Errorf("a code of a host is %q", got)
	}
}
