package campaign_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
)

// TestRefusalsSpeakTheLanguageOfTheTexts: reasons stand with the tools, and a refusal
// is told in the language of the engine's texts, with why something is locked: EX-14.
func TestRefusalsSpeakTheLanguageOfTheTexts(t *testing.T) {
	t.Parallel()
	chinese := game.Chinese()
	m := begin(t, game.Content{Texts: &chinese}, `{"map": {"areas": [{"id": "gate", "name": "Gate"},
		{"id": "hall", "name": "Hall", "locked": true, "lock_reason": "塌方"}], "paths": [{"id": "p1", "from": "gate", "to": "hall"}]}}`)
	step(t, m, turn.Submit{Text: "我进去。"})
	first := requestText(m.Todo().Generate.Request)
	for _, want := range []string{"拒绝原因: ", "not_connected (从这里没有路通向那里)", "[已锁: 塌方]"} {
		if !strings.Contains(first, want) {
			t.Errorf("the prompt lacks %q", want)
		}
	}
	step(t, m, turn.Replied{Text: `{"tool_calls": [{"tool": "move", "args": {"actor_id": "ren", "to_area_id": "hall"}},
		{"tool": "fly"}]}`})
	second := requestText(m.Todo().Generate.Request)
	for _, want := range []string{"该区域已锁", `"lock_reason":"塌方"`, "没有这个工具"} {
		if !strings.Contains(second, want) {
			t.Errorf("the feedback lacks %q", want)
		}
	}
}
