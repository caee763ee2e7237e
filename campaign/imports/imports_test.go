package imports_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

// told plays a line in a started game and returns the request to the model.
func told(t *testing.T, m *turn.Machine, line string) string {
	t.Helper()
	var asked strings.Builder
	step := func(in turn.Input) {
		if err := m.Step(in); err != nil {
			t.Fatal(err)
		}
	}
	step(turn.Submit{Text: line})
	for m.Phase() != turn.Idle {
		switch todo := m.Todo(); {
		case todo.Generate != nil:
			for _, msg := range todo.Generate.Request.Messages {
				asked.WriteString(msg.Message.Text + "\n")
			}
			step(turn.Replied{Text: "Time passes."})
		case todo.Hooks != nil:
			step(turn.HooksRan{Result: todo.Hooks.Run(t.Context())})
		case todo.Commit != nil:
			step(turn.Committed{})
		default:
			t.Fatalf("no answer to %+v", todo)
		}
	}
	return asked.String()
}

// played begins the game of a file, which must have no mistake.
func played(t *testing.T, start imports.Start) *turn.Machine {
	t.Helper()
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if p.Severity != talewright.Warning {
			t.Errorf("compile: %s", p)
		}
	}
	c, err := turn.Begin(g, start.Setup)
	if err != nil {
		t.Fatal(err)
	}
	return turn.NewMachine(g, c)
}

// has returns which of some texts are in a prompt.
func has(t *testing.T, when, prompt string, want map[string]bool) {
	t.Helper()
	for text, there := range want {
		if strings.Contains(prompt, text) != there {
			t.Errorf("%s: %q in the prompt: %v\n%s", when, text, !there, prompt)
		}
	}
}

const world = `{
  "name": "The Inn",
  "variables": [
    {"id": "night", "name": "Night", "type": "boolean", "defaultValue": false},
    {"id": "rain", "name": "Rain", "type": "boolean", "defaultValue": false},
    {"id": "beers", "name": "Beers", "type": "number", "defaultValue": 0}],
  "worldbooks": [
    {"id": "cellar", "name": "Cellar", "activation": {"mode": "keywords", "keywords": ["stairs"],
      "leaveKeywords": ["daylight"]}},
    {"id": "stormy", "name": "Storm", "activation": {"mode": "greeting", "greetingId": "g2"}}],
  "entries": [
    {"id": "g1", "role": "greeting", "content": "The inn is warm, {{user}}."},
    {"id": "g2", "role": "greeting", "content": "Thunder shakes the inn."},
    {"id": "e1", "name": "Luna", "content": "Luna is the innkeeper.", "alwaysSend": true},
    {"id": "e2", "content": "Wolves howl.", "conditionLogic": "any", "conditions": [
      {"variableId": "night", "operator": "eq", "value": true},
      {"variableId": "rain", "operator": "eq", "value": true}]},
    {"id": "e3", "content": "The ale is old.", "keywords": ["ale"], "conditions": [
      {"variableId": "night", "operator": "eq", "value": true}]},
    {"id": "e4", "content": "It smells of wine.", "alwaysSend": true, "worldbookId": "cellar"},
    {"id": "e5", "content": "The roof leaks.", "alwaysSend": true, "worldbookId": "stormy"},
    {"id": "e6", "content": "A draft.", "alwaysSend": true, "worldbookId": "unplaced"},
    {"id": "e7", "content": "A lost page.", "alwaysSend": true, "worldbookId": "deleted"}],
  "rules": [
    {"id": "dusk", "trigger": {"type": "keyword", "keywords": ["sunset"]}, "conditions": [],
      "actions": [{"type": "modify-variable", "variableId": "night", "operation": "set", "value": true}]},
    {"id": "tap", "worldbookId": "cellar", "trigger": {"type": "every-turn"}, "conditions": [],
      "actions": [{"type": "modify-variable", "variableId": "beers", "operation": "add", "value": 1}]}],
  "reactions": [
    {"id": "wet", "when": {"eventType": "message:user", "match": {"content": {"contains": "clouds"}}},
      "then": []}]
}`

// TestWorldPlays: an imported world is played unchanged: lore with conditions, joined by any,
// modules with their books and rules, greetings.
func TestWorldPlays(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(world), imports.Options{ID: "inn", Player: "Mara"})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	if start.Setup.Greeting != "The inn is warm, Mara." || start.Setup.ID != "inn" {
		t.Errorf("setup %+v", start.Setup)
	}
	m := played(t, start)
	has(t, "the first turn", told(t, m, "One ale, please. I watch the sunset."), map[string]bool{
		"Luna is the innkeeper.": true, "A lost page.": true, "The inn is warm, Mara.": true,
		"Wolves howl.": false, "The ale is old.": false, "It smells of wine.": false,
		"The roof leaks.": false, "A draft.": false, "Thunder": false,
	})
	has(t, "at night", told(t, m, "Is this ale? I go down the stairs."), map[string]bool{
		"Wolves howl.": true, "The ale is old.": true, "It smells of wine.": true,
	})
	if got := m.Campaign().State.Variables.Root().Get("beers").String(); got != "1" {
		t.Errorf("the cellar's rule counted %s", got)
	}
	has(t, "the module is closed", told(t, m, "Back to daylight."), map[string]bool{"It smells of wine.": false})
}

// TestWorldGreeting: the chosen opening is the greeting, and opens its modules.
func TestWorldGreeting(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(world), imports.Options{Greeting: 1})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	has(t, "a storm", told(t, played(t, start), "I wait."), map[string]bool{
		"The roof leaks.": true, "Thunder shakes the inn.": true, "The inn is warm": false,
	})
	other := played(t, start) // a player turns to the greeting before it, which closes the module
	for _, in := range []turn.Input{turn.PreviousAnswer{}, turn.Committed{}} {
		if err := other.Step(in); err != nil {
			t.Fatal(err)
		}
	}
	has(t, "no storm", told(t, other, "I wait."), map[string]bool{
		"The roof leaks.": false, "Thunder": false, "The inn is warm, Player.": true,
	})
	if s := other.Campaign().State; s.GreetingID != "g1" {
		t.Errorf("the greeting is %q", s.GreetingID)
	}
}

const config = `{"name": "魔法世界", "roleplayConfig": {
  "characterCard": "你是一位年轻的魔法师。", "scanDepth": 1,
  "worldBookEntries": [
    {"uid": "1", "keywords": ["学院"], "content": "学院在山上。"},
    {"uid": "2", "constant": true, "content": "月光很亮。", "conditions":
      {"conditions": [{"variableId": "night", "operator": "eq", "value": true}], "conditionLogic": "any"}}]}}`

// TestRoleplayConfigPlays: the config's card, book, settings and conditions are used.
func TestRoleplayConfigPlays(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(config), imports.Options{})
	if len(odd) > 0 {
		t.Fatal(odd)
	}
	m := played(t, start)
	has(t, "the word is said", told(t, m, "我去学院。"), map[string]bool{
		"你是一位年轻的魔法师。": true, "学院在山上。": true, "月光很亮。": false})
	has(t, "one message is searched", told(t, m, "我等一下。"), map[string]bool{"学院在山上。": false})
	night, err := tree.ParseDocument([]byte(`{"night": true}`))
	if err != nil {
		t.Fatal(err)
	}
	start.Setup.Variables = night
	has(t, "at night", told(t, played(t, start), "我等一下。"), map[string]bool{"月光很亮。": true})
}

const orin = `{"spec": "chara_card_v3", "spec_version": "3.0", "data": {
  "name": "Orin", "description": "Orin keeps the lighthouse.", "first_mes": "Come in, {{user}}.",
  "alternate_greetings": ["It rains on {{char}}."],
  "character_book": {"entries": [
    {"keys": ["lamp"], "content": "The lamp is broken.", "enabled": true, "insertion_order": 1},
    {"keys": [], "constant": true, "content": "@@is_greeting 1\nThe path is muddy.", "enabled": true,
      "insertion_order": 2}]}}}`

// TestCardPlays: character, lorebook and greeting of a card are used, without further code.
func TestCardPlays(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		greeting int
		want     map[string]bool
	}{
		{0, map[string]bool{"Orin keeps the lighthouse.": true, "The lamp is broken.": true,
			"Come in, Mara.": true, "The path is muddy.": false}},
		{1, map[string]bool{"It rains on Orin.": true, "The path is muddy.": true, "@@": false}},
		{7, map[string]bool{"Come in, Mara.": true}},
		{-1, map[string]bool{"Come in, Mara.": true}},
	} {
		start, odd := imports.Parse([]byte(orin), imports.Options{Player: "Mara", Greeting: row.greeting})
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		has(t, "greeting", told(t, played(t, start), "I look at the lamp."), row.want)
	}
}

// TestForeignFilesRefused: a file that is not of a known kind is refused.
func TestForeignFilesRefused(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"", "[]", "null", "{", `"text"`, `{"name": "The Inn", "greeting": "Hello"}`} {
		start, odd := imports.Parse([]byte(data), imports.Options{})
		if odd.Err() == nil || start.Setup.ID != "" {
			t.Errorf("%q: %v", data, odd)
		}
	}
}

// TestMendedFilesPlay: files with small mistakes are recognised and play, and a warning says what was
// TestOtherFilesAreNamed: the problem of a file of SillyTavern that begins no story says what the file
// is and what reads it, in both languages.
func TestOtherFilesAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, want, chinese string }{
		{`{"version": 2, "name": "Rain", "disableSend": false, "qrList": [{"id": 1, "label": "Rain", "message": "/echo rain"}]}`,
			"this is a set of quick replies, which begins no story: no campaign runs it; the host can", "一组快速回复"},
		{`{"name": "Old", "quickReplyEnabled": true, "quickReplySlots": []}`, "a set of quick replies", "一组快速回复"},
		{`{"temperature": 1, "prompts": [{"identifier": "main", "content": "Play."}], "prompt_order": []}`, "a preset for chat completion, which begins no story: read it with tavern.ParsePreset", "聊天补全预设"},
		{`{"temperature": 1, "openai_max_context": 4095}`, "a preset for chat completion", "聊天补全预设"},
		{`{"name": "ChatML", "input_sequence": "<|im_start|>user", "output_sequence": "<|im_start|>assistant"}`, "an instruct preset, which begins no story: read it with tavern.ParseInstruct", "指令预设"},
		{`{"scriptName": "a", "findRegex": "/a/g", "replaceString": "b", "placement": [2]}`, "a regex script, which begins no story: read it with script.Parse", "正则脚本"},
		{`[{"scriptName": "a", "findRegex": "/a/g", "replaceString": "b", "placement": [2]}]`, "a regex script", "正则脚本"},
		{`{"type": "script", "enabled": true, "name": "s", "id": "1", "content": "1", "info": "", "button": {"enabled": true, "buttons": []}, "data": {}}`,
			"a script of TavernHelper, which begins no story: no campaign runs it; import the card", "酒馆助手的脚本"},
		{`{"id": "1", "name": "s", "content": "1", "buttons": [], "data": {}}`, "a script of TavernHelper", "酒馆助手的脚本"},
		{`{"id": "1", "name": "s", "content": "1", "info": "", "data": {}}`, "a script of TavernHelper", "酒馆助手的脚本"},
		{"\ufeff" + `{"user_name": "Mara", "character_name": "Orin", "chat_metadata": {}}` + "\r\n" + `{"name": "Orin", "is_user": false, "mes": "Hello."}` + "\r\n",
			"a chat, which begins no story: read it with imports.ParseChat", "聊天记录"},
		{`{"user_name": "Mara", "character_name": "Orin"}`, "a chat", "聊天记录"},
		{"{\"name\": \"Orin\", \"is_user\": false, \"mes\": \"Hello.\"}\n{\"name\": \"Mara\", \"is_user\": true, \"mes\": \"Hi.\"}", "a chat", "聊天记录"},
	} {
		start, found := imports.Parse([]byte(c.file), imports.Options{})
		if len(found) != 1 || found.Err() == nil || found[0].Code != "not_a_card" || !strings.Contains(found[0].Text, c.want) || start.Content.People.Card != nil {
			t.Errorf("%s: %v, want %s", c.file, found, c.want)
			continue
		}
		text := found.Translated("zh")[0].Text
		if !strings.HasPrefix(text, "这是"+c.chinese+"，不能用来开始故事：") || strings.Contains(text, " it ") {
			t.Errorf("%s: %s", c.file, text)
		}
	}
}

// mended (SC-12).
func TestMendedFilesPlay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, file, problem string }{
		{"a list of one card", "[" + orin + "]", "card: in_list"},
		{"a card with a last comma", strings.TrimSuffix(strings.TrimSpace(orin), "}") + ",}", "card: mended_json"},
		{"a card with a comment", "{ // Orin\n" + strings.TrimPrefix(strings.TrimSpace(orin), "{"), "card: mended_json"},
		{"a book in data", `{"data": {"name": "Hills", "entries": {"0": {"uid": 0, "key": [], "constant": true, "content": "The lamp is broken.", "position": 0}}}}`, "books.Hills.data: wrapped"},
		{"a book in world_info, with a last comma", `{"world_info": {"name": "Hills", "entries": {"0": {"uid": 0, "key": [], "constant": true, "content": "The lamp is broken.", "position": 0},}}}`,
			"books.Hills: mended_json books.Hills.world_info: wrapped"},
	} {
		start, problems := imports.Parse([]byte(c.file), imports.Options{})
		var got []string
		for _, p := range problems {
			if got = append(got, p.Path+": "+string(p.Code)); p.Severity != talewright.Warning {
				t.Errorf("%s: %v is no warning", c.reason, p)
			}
		}
		if strings.Join(got, " ") != c.problem {
			t.Errorf("%s: %v, want %s", c.reason, problems, c.problem)
		} else if text := told(t, played(t, start), "I look at the lamp."); !strings.Contains(text, "The lamp is broken.") {
			t.Errorf("%s: %s", c.reason, text)
		}
	}
}

// TestYAMLCardsPlay: a card in YAML is the same as in JSON. A mistake in it is reported as one of YAML.
func TestYAMLCardsPlay(t *testing.T) {
	t.Parallel()
	const inYAML = "\ufeff# my card\r\nspec: chara_card_v2\r\nspec_version: \"2.0\"\r\ndata:\r\n  name: Sabel\r\n  description: |-\r\n    Keeps the inn.\r\n    She is old.\r\n" +
		"  first_mes: 'Welcome, {{user}}.'\r\n  character_book:\r\n    entries:\r\n      - keys: [cellar]\r\n        content: An iron door.\r\n        enabled: true\r\n        insertion_order: 1\r\n        extensions: {}\r\n"
	const inJSON = `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Sabel", "description": "Keeps the inn.\nShe is old.", "first_mes": "Welcome, {{user}}.",
		"character_book": {"entries": [{"keys": ["cellar"], "content": "An iron door.", "enabled": true, "insertion_order": 1, "extensions": {}}]}}}`
	o := imports.Options{ID: "inn", Player: "Ann", Chat: true}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(inJSON)); err != nil {
		t.Fatal(err)
	}
	got, problems := imports.Parse([]byte(inYAML), o)
	want, more := imports.Parse(compact.Bytes(), o)
	if diff := cmp.Diff(want.Setup, got.Setup); diff != "" || got.Setup.Greeting != "Welcome, Ann." {
		t.Error(diff)
	}
	if diff := cmp.Diff(want.Content.People.Card, got.Content.People.Card); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(more, problems); diff != "" {
		t.Error(diff)
	}
	has(t, "a card in YAML", told(t, played(t, got), "What is in the cellar?"), map[string]bool{"She is old.": true, "An iron door.": true})
	_, problems = imports.Parse([]byte("spec: chara_card_v2\ndata: {name: Sabel\n"), o)
	if err := problems.Err(); err == nil || !strings.Contains(err.Error(), "YAML with a mistake") {
		t.Errorf("a broken card: %v", problems)
	}
}

// TestYAMLBooksPlay: a book in YAML of a chat bot is played (WB-49).
func TestYAMLBooksPlay(t *testing.T) {
	t.Parallel()
	start := imports.Begin(imports.Options{ID: "inn"})
	if odd := start.AddBook("lore", []byte("# my first book\n- name: 灯塔\n  keywords: [lighthouse, \"^storm\"]\n  content: |\n    The lamp is old.\n- name: rules\n  template: resident\n  content: Speak softly.\n")); len(odd) > 0 {
		t.Fatal(odd)
	}
	if odd := start.AddBook("more", []byte("world_lores:\n  - keywords: [gull]\n    content: Gulls cry.\n  - keywords: [crab]\n    content: Crabs walk.\n")); len(odd) > 0 {
		t.Fatal(odd)
	}
	has(t, "books in YAML", told(t, played(t, start), "I see a gull over the lighthouse."), map[string]bool{
		"The lamp is old.": true, "Speak softly.": true, "Gulls cry.": true, "Crabs walk.": false})
}
