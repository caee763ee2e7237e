package imports_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/llm/llmtest"
)

// TestVariablesOfAWorld: RU-31. {{hp}} in a text of a world is the value of its variable; a built-in
// macro of that name has precedence.
func TestVariablesOfAWorld(t *testing.T) {
	t.Parallel()
	const world = `{"name": "W", "variables": [
			{"id": "hp", "name": "生命", "type": "number", "defaultValue": 5},
			{"id": "char", "name": "c", "type": "string", "defaultValue": "a variable"},
			{"id": "sky", "name": "s", "type": "string", "defaultValue": "grey"}],
		"entries": [
			{"id": "off", "role": "greeting", "enabled": false, "content": "Never."},
			{"id": "g", "role": "greeting", "enabled": true, "content": "{{char}} says: {{hp}} left, {{mp}}, {{sky}}."},
			{"id": "e", "role": "lore", "alwaysSend": true, "content": "lore {{hp}} {{Hp}}"}],
		"rules": [{"id": "r", "trigger": {"type": "keyword", "keywords": ["hit"]}, "actions": [
			{"type": "modify-variable", "variableId": "hp", "operation": "subtract", "value": 2},
			{"type": "inject-directive", "directiveId": "d", "content": "directive {{hp}}"},
			{"type": "send-context", "message": "context {{hp}}"}]}],
		"reactions": [{"id": "q", "enabled": true, "when": {"eventType": "state:changed"}, "then": [
			{"type": "set", "path": "@prompt.directive.x", "value": {"content": "object {{hp}}"}},
			{"type": "set", "path": "@prompt.directive.y", "value": "text {{hp}}"}, {"type": "set", "path": "@ai.context", "value": "now {{hp}}"}]}]}`
	start, problems := imports.Parse([]byte(world), imports.Options{Player: "Mara"})
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	if len(problems) != 2 || !strings.Contains(problems[0].Text, "{{Hp}} is not a macro") || problems[1].Path != "openings[0].text" {
		t.Errorf("problems %v", problems)
	}
	model := llmtest.NewScripted(llmtest.Text("It hurts."), llmtest.Text("Rain."))
	e, err := campaign.New(campaign.Config{Game: g, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	c, err := e.Create(t.Context(), start.Setup)
	if err != nil {
		t.Fatal(err)
	}
	if want := "GM says: 5 left, {{mp}}, grey."; c.State.Greeting != want {
		t.Errorf("greeting %q, want %q", c.State.Greeting, want)
	}
	for _, line := range []string{"They hit me.", "I wait."} {
		if o, err := e.Turn(t.Context(), c.ID, campaign.Submit{Text: line}); err != nil || o.Err() != nil {
			t.Fatal(err, o.Err())
		}
	}
	prompts := model.Requests()
	for i, want := range [][]string{{"lore 5 {{Hp}}"}, {"lore 3 {{Hp}}", "directive 3", "context 3", "object 3", "text 3", "now 3"}} {
		var text strings.Builder
		for _, m := range prompts[i].Messages {
			text.WriteString(m.Text + "\n")
		}
		for _, w := range want {
			if !strings.Contains(text.String(), w) {
				t.Errorf("prompt %d lacks %q:\n%s", i, w, text.String())
			}
		}
	}
}
