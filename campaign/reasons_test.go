package campaign_test

import (
	"cmp"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/tool"
	"github.com/talewright/talewright/campaign/turn"
)

// TestRefusalsSpeakTheLanguageOfTheTexts: the reasons are defined with the tools. A refusal is in
// the language of the engine's texts, with the reason for a lock: EX-14.
func TestRefusalsSpeakTheLanguageOfTheTexts(t *testing.T) {
	t.Parallel()
	chinese := game.Chinese()
	m := begin(t, game.Content{Extensions: game.Extensions{Texts: &chinese}}, `{"map": {"areas": [{"id": "gate", "name": "Gate"},
		{"id": "hall", "name": "Hall", "locked": true, "lock_reason": "塌方"}], "paths": [{"id": "p1", "from": "gate", "to": "hall"}]}}`)
	step(t, m, turn.Submit{Text: "我进去。"})
	first := requestText(m.Todo().Generate.Request)
	for _, want := range []string{"拒绝原因：", "not_connected（从这里没有路通向那里）", "［已锁：塌方］"} {
		if !strings.Contains(first, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	step(t, m, turn.Replied{Text: `{"tool_calls": [{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "hall"}},
		{"tool": "fly"}, {"tool": "hp_delta", "args": {"target_character_id": 7, "delta": "x", "wound": 1}}]}`})
	second := requestText(m.Todo().Generate.Request)
	for _, want := range []string{"该区域已锁", `"lock_reason":"塌方"`, "没有这个工具",
		`"cause:required"`, `"delta:type"`, `"wound:unexpected"`, "required 缺少", "unexpected 没有这个参数", "type 类型不对"} {
		if !strings.Contains(second, want) {
			t.Errorf("the feedback lacks %q", want)
		}
	}
}

// TestRefusalsExistInBothLanguages: a code with a text in one language has one in the other.
// Additional details, such as how arguments violate the schema, use words that the text explains.
func TestRefusalsExistInBothLanguages(t *testing.T) {
	t.Parallel()
	chinese := game.Chinese()
	english := game.English()
	inEnglish, problems := game.Compile(game.Content{Extensions: game.Extensions{Texts: &english}})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, code := range codesOf(t) {
		en, zh := inEnglish.Reason(code), chinese.Reasons[code]
		for _, name := range tool.Builtin().Names() { // the tools define the texts of their own codes
			built, _ := tool.Builtin().Get(name)
			en, zh = cmp.Or(en, built.Reasons[code]), cmp.Or(zh, built.Translations["zh"].Reasons[code])
		}
		if (en == "") != (zh == "") {
			t.Errorf("%s: %q in English, %q in Chinese", code, en, zh)
		}
	}
	for _, word := range []string{"required", "unexpected", "type", "enum", "range", "length"} {
		if !strings.Contains(chinese.Reasons[tool.CallInvalidArgs], word) {
			t.Errorf("the Chinese text does not explain %s", word)
		}
	}
}

// codesOf returns the codes of the built-in tools, and the codes in the constants of two source files.
func codesOf(t *testing.T) (codes []state.CallCode) {
	t.Helper()
	for _, name := range tool.Builtin().Names() {
		built, _ := tool.Builtin().Get(name)
		for _, reasons := range []map[state.CallCode]string{built.Reasons, built.Translations["zh"].Reasons} {
			codes = slices.AppendSeq(codes, maps.Keys(reasons))
		}
	}
	for _, file := range []string{"tool/code.go", "game/tooltexts.go"} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`state\.CallCode = "(\w+)"`).FindAllStringSubmatch(string(data), -1) {
			codes = append(codes, state.CallCode(m[1]))
		}
	}
	if len(codes) < 25 {
		t.Fatalf("found only %v", codes)
	}
	return codes
}
