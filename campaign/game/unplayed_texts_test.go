package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
)

// TestMacrosOfRules: RU-13, HK-02. Compile reports an unknown macro in a directive, a context or a text
// of a hook, as it does for lore.
func TestMacrosOfRules(t *testing.T) {
	t.Parallel()
	spoken := []reactions.Reaction{{ID: "x", When: rules.Pattern{EventType: "go"}, Then: reactions.Effects(actions(`{"type": "inject-directive", "directiveId": "d", "content": "{{usr}}"}`))}}
	if found := game.Unplayed(game.Content{Rules: game.Rules{Reactions: spoken}}); len(found) != 1 || found[0].Path != "reactions[0].then[0].content" {
		t.Errorf("a directive of a reaction: %v", found)
	}
	got := crosschecked(t, `[{"id": "r", "trigger": {"type": "every-turn"}, "actions": [
		{"type": "inject-directive", "directiveId": "d", "content": "{{var::hp}} {{hp}} {{user}}"},
		{"type": "send-context", "message": "{{getvar::hp}}"},
		{"type": "modify-variable", "variableId": "@prompt.directive.e", "value": {"content": "{{usr}}"}},
		{"type": "notify-player", "message": "You have {{var::hp}}."},
		{"type": "modify-variable", "variableId": "@ui.notification", "value": "You had {{var::hp}}."},
		{"type": "modify-variable", "variableId": "@ai.context", "value": "{{cahr}}"}]}]`,
		`[{"id": "h", "name": "h", "event": "prompt.before_render", "actions": [
			{"type": "prompt_inject", "content": "{{chr}}"}, {"type": "send-context", "message": "{{char}} {{moood}}"}]}]`)
	want := []string{
		`rules[0].actions[3].message: {{var::hp}} stays in the text, because a notice has no macros: take it out`,
		`rules[0].actions[4].value: {{var::hp}} stays in the text, because a notice has no macros: take it out`,
		`rules[0].actions[0].content: {{hp}} is not a macro and stays in the text: write {{var::hp}} for the variable`,
		`rules[0].actions[2].value: {{usr}} is not a macro and stays in the text: correct it, take it out, or define it in Extensions.Macros`,
		`rules[0].actions[5].value: {{cahr}} is not a macro and stays in the text: correct it, take it out, or define it in Extensions.Macros`,
		`hooks[0].actions[0].content: {{chr}} is not a macro and stays in the text: correct it, take it out, or define it in Extensions.Macros`,
		`hooks[0].actions[1].message: {{moood}} is not a macro and stays in the text: correct it, take it out, or define it in Extensions.Macros`,
		`rules[0].actions[1].message: {{getvar::hp}} is empty: it reads what macros store, and "hp" is a declared variable: write {{var::hp}}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
