package game_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/worldbook"
)

// crosschecked returns the problems of a game with one book, one variable, rules and hooks.
func crosschecked(t *testing.T, ruleList, hookList string) []string {
	t.Helper()
	var book worldbook.Book
	if err := json.Unmarshal([]byte(`{"name": "town", "entries": {"3": {"uid": 3, "comment": "酒馆", "key": ["inn"],
		"content": "The inn.", "position": 0, "order": 1}}}`), &book); err != nil {
		t.Fatal(err)
	}
	rs, mistakes := rules.Parse([]byte(ruleList))
	if err := mistakes.Err(); err != nil {
		t.Fatal(err)
	}
	hs, mistakes := hooks.Parse([]byte(hookList))
	if err := mistakes.Err(); err != nil {
		t.Fatal(err)
	}
	_, problems := game.Compile(game.Content{
		Lore: game.Lore{Books: []worldbook.Attachment{{Book: book}}},
		Rules: game.Rules{Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber}},
			Rules: rs, Hooks: hs},
	})
	out := []string{}
	for _, p := range problems {
		out = append(out, p.Path+": "+p.Text)
	}
	return out
}

// TestHooksNameWhatExists: HK-24, RU-32. Compile reports an action of a hook that names a rule or a
// variable that does not exist.
func TestHooksNameWhatExists(t *testing.T) {
	t.Parallel()
	got := crosschecked(t, `[]`, `[{"id": "h", "name": "h", "event": "model.before_call", "actions": [
		{"type": "log", "message": "first"},
		{"type": "toggle-rule", "ruleId": "dor", "enabled": true},
		{"type": "modify-variable", "variableId": "hpp", "operation": "add", "value": 1},
		{"type": "modify-variable", "variableId": "hp", "operation": "toggle"},
		{"type": "toggle-entry", "entryId": "town.3", "enabled": false}]}]`)
	want := []string{
		`hooks[0].actions[1]: toggles "dor", but no rule or reaction has that id; write the id of one`,
		`hooks[0].actions[2]: writes the variable "hpp", which is not declared; did you mean "hp"?`,
		`hooks[0].actions[3].operation: toggle does not work on hp, which is number; nothing is written; write set, add, subtract or multiply`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestEntriesNameWhatExists: RU-17, RU-34, RE-06. A switch of an entry that no book has is reported.
func TestEntriesNameWhatExists(t *testing.T) {
	t.Parallel()
	got := crosschecked(t, `[
		{"id": "good", "trigger": {"type": "every-turn"}, "actions": [
			{"type": "toggle-entry", "entryId": "3", "enabled": true},
			{"type": "add-entry", "entryId": "new", "bookId": "town", "content": "x", "keywords": ["x"]},
			{"type": "force-entry", "entryId": "town.new"},
			{"type": "toggle-entry", "entryId": "added-1", "enabled": true}]},
		{"id": "title", "trigger": {"type": "every-turn"}, "actions": [{"type": "toggle-entry", "entryId": "酒馆", "enabled": true}]},
		{"id": "none", "trigger": {"type": "every-turn"}, "actions": [{"type": "modify-variable", "variableId": "@prompt.entry.4", "value": true}]}]`,
		`[{"id": "h", "name": "h", "event": "model.before_call", "actions": [{"type": "toggle-entry", "entryId": "5", "enabled": true}]}]`)
	const unknown = ", but no book has it; write a uid, or book.uid, unless the host or a tool adds the entry"
	want := []string{
		`rules[1]: switches the entry "酒馆", but no book has it; "酒馆" is the title of "town.3": write that`,
		`rules[2]: switches the entry "4"` + unknown,
		`hooks[0].actions: switches the entry "5"` + unknown,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestHooksUseRules: a rule that only a hook switches on, triggers or prepares is not reported as dead.
func TestHooksUseRules(t *testing.T) {
	t.Parallel()
	const ruleList = `[
		{"id": "off", "enabled": false, "trigger": {"type": "every-turn"}, "actions": [{"type": "notify-player", "message": "on"}]},
		{"id": "hand", "trigger": {"type": "manual"}, "actions": [{"type": "remove-directive", "directiveId": "fog"}]}]`
	if got := crosschecked(t, ruleList, `[]`); len(got) != 3 {
		t.Errorf("without a hook: %d problems, want 3:\n%s", len(got), strings.Join(got, "\n"))
	}
	got := crosschecked(t, ruleList, `[{"id": "h", "name": "h", "event": "model.before_call", "actions": [
		{"type": "toggle-rule", "ruleId": "off", "enabled": true}, {"type": "trigger-rule", "ruleId": "hand"},
		{"type": "inject-directive", "directiveId": "fog", "content": "Fog."}]}]`)
	if len(got) > 0 {
		t.Errorf("with a hook:\n%s", strings.Join(got, "\n"))
	}
}
