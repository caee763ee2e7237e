package game

import (
	"maps"
	"os"
	"regexp"
	"testing"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
)

// TestCallCodesHaveTexts: every refusal code has a text for the model in every language of the
// engine.
func TestCallCodesHaveTexts(t *testing.T) {
	t.Parallel()
	english, chinese := English().Reasons, Chinese().Reasons
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
	source, err := os.ReadFile("../tool/code.go")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`CallCode = "(\w+)"`).FindAllSubmatch(source, -1)
	for _, m := range found {
		if code := state.CallCode(m[1]); english[code] == "" || chinese[code] == "" {
			t.Errorf("%q: english %q, chinese %q", code, english[code], chinese[code])
		}
	}
	if len(found) < 14 || len(english) < 30 {
		t.Errorf("there are %d codes of the engine, %d in all", len(found), len(english))
	}
}

// digits finds the limit that a text names.
var digits = regexp.MustCompile(`\d+`)

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
