package imports_test

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/macro"
)

// nested returns an object of this depth.
func nested(depth int) string {
	return strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth)
}

// cardFile returns a card with an opening, other greetings and the given members.
func cardFile(opening string, greetings []string, members string) string {
	list, _ := json.Marshal(greetings)
	first, _ := json.Marshal(opening)
	return fmt.Sprintf(`{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Orin", "description": "A keeper.", "personality": "",
		"scenario": "", "mes_example": "", "first_mes": %s, "alternate_greetings": %s%s}}`, first, list, members)
}

const initVar = `{"name": "Mine", "entries": {"0": {"uid": 0, "key": ["x"], "comment": "[InitVar]", "content": "{\"gold\": [3, \"coins\"], \"mood\": \"{{random:calm}}{{calm}} {{char}}\"}"}}}`

// wholeFiles are short files with one odd thing each. A name with a slash is of a folder: the part
// after it is the name of the file.
var wholeFiles = []struct{ name, data string }{
	{"a scenario with an unreadable book", `{"scenarioVersion": 2, "title": "Dusk", "prompt": "It is late.", "lorebook": {"entries": "none"}}`},
	{"a scenario with a book", `{"scenarioVersion": 2, "title": " Dusk ", "description": "d", "author": "A", "tags": ["t", 5], "prompt": "It is ${time}. %{who#1[Ann]:Who?}",
		"context": [{"text": "Memory of ${who}."}, {"text": "Note.", "contextConfig": {"insertionPosition": -3}}],
		"placeholders": [{"key": "time", "defaultValue": "late", "description": "When?"}], "settings": {"a": 1}, "ephemeralContext": [],
		"lorebook": {"lorebookVersion": 5, "entries": [{"text": "Bats.", "keys": ["bat"], "displayName": "b", "enabled": true}]}}`},
	{"a story with an unreadable book", `{"storyContainerVersion": 1, "metadata": {"title": "T"}, "content": {"lorebook": {"entries": "none"}, "story": {"text": "Once."}}}`},
	{"a story in fragments", `{"storyContainerVersion": 1, "metadata": {"title": "T"}, "content": {"document": "x", "story": {"text": "Old.", "fragments": [
		{"data": "Once ", "origin": "prompt"}, {"data": "more.", "origin": "ai"}, {"data": " ", "origin": "user"}, {"data": "> I go.", "origin": "user"},
		{"data": " You ", "origin": "ai"}, {"data": "went.", "origin": "ai"}]}}}`},
	{"a story in a binary form", `{"storyContainerVersion": 1, "metadata": {}, "content": {"document": "x"}}`},
	{"a story without content", `{"storyContainerVersion": 1, "content": 5, "actions": []}`},
	{"a Kobold story", `{"gamestarted": true, "prompt": "Go.", "memory": "M.", "authorsnote": "dark", "anotetemplate": "[<|>]",
		"actions": ["\n> I look.\n", "You see {{[INPUT]}} me {{[OUTPUT]}} here.", "Dust."], "worldinfo": [{"key": "bat", "content": "Bats.", "constant": false}]}`},
	{"a Kobold story with a plain note", `{"gamestarted": true, "prompt": "Go.", "memory": "", "authorsnote": "dark", "anotetemplate": "none", "actions": []}`},
	{"a Kobold story with an unreadable book", `{"gamestarted": true, "prompt": "Go.", "memory": "", "actions": [], "worldinfo": ["no entry"], "entries": 5}`},
	{"an unfinished scenario", `{"scenarioVersion": 2, "title": `},
	{"no scenario", `{"name": "Ann", "description": "\"actions\" and \"gamestarted\""}`},

	{"a card with initial variables", cardFile("Hello, {{user}}.<initvar>{\"day\": 1}</initvar>", []string{"Hi.", "<UpdateVariable>_.set('gold', 3, 9);</UpdateVariable>Ho."},
		`, "character_book": `+initVar)},
	{"a card with a command that fails", cardFile("Hello.<UpdateVariable>_.set('nothing.here', 3);</UpdateVariable><StatusPlaceHolderImpl/>", nil, `, "character_book": `+initVar)},
	{"a card with deep variables", cardFile("Hello.<initvar>"+nested(600)+"</initvar>", nil, "")},
	{"a card with deep variables in a greeting", cardFile("Hello.<initvar>{}</initvar>", []string{"Ho.<initvar>" + nested(600) + "</initvar>"}, "")},
	{"a card with a schema", cardFile("Hello.", nil, `, "extensions": {"tavern_helper": {"scripts": [{"type": "script", "value": {"enabled": true, "name": "z", "content":
		"import { registerMvuSchema } from 'x'; const Schema = z.object({gold: z.number().prefault(5), mood: z.string().transform(v => v.trim()).prefault('calm')}); $(() => { registerMvuSchema(Schema); })"}}]}}`)},
	{"a card with a schema that is not supported", cardFile("Hello.", nil, `, "extensions": {"tavern_helper": {"scripts": [{"type": "script", "value": {"enabled": true, "name": "z", "content":
		"const Schema = z.object({a: z.string().transform(v => v + '<%').prefault('x'), b: z.string().transform(v => async function*(){}).prefault('x'), c: z.string().transform(v => { throw 'no'; }).prefault('x'), d: z.string().transform(v => undefined).prefault('x')}); registerMvuSchema(Schema);"}}]}}`)},
	{"a card whose book cannot be read", cardFile("Hello.", nil, `, "character_book": {"entries": 5}`)},
	{"a third card whose book cannot be read", strings.Replace(cardFile("Hello.", nil, `, "character_book": {"entries": 5}`), "_v2", "_v3", 1)},
	{"a third card with a book without a name", strings.Replace(cardFile("Hello.", nil, `, "character_book": {"entries": [{"keys": ["bat"], "content": "@@depth 2\nBats.", "extensions": {}, "enabled": true, "insertion_order": 1}]}`), "_v2", "_v3", 1)},
	{"no card", `{"spec": "chara_card_v2", "data": 5}`},
	{"a card of RisuAI", cardFile("Hello.", nil, `, "extensions": {"risuai": {"customScripts": [
		{"type": "editinput", "in": "a", "out": "b", "comment": "one", "ableFlag": true, "flag": "gi<order 1>x"}, {"type": "editoutput", "in": "a", "out": "$n"},
		{"type": "editprocess", "in": "a", "out": "{{user}}"}, {"type": "editdisplay", "in": "a", "out": "c"}, {"type": "editdisplay", "in": "", "out": "c"},
		{"type": "editdisplay", "in": "a", "out": "@@emo"}, {"type": "editdisplay", "in": "a", "out": "{{getvar::a}}"}, {"type": "editother", "in": "a", "out": ""}]}}`)},

	{"a card whose greetings store", cardFile("{{setvar::a::1}}Hello.", []string{"{{setvar::b::2}}Ho.", "{{getvar::a}}Hi. {{char}} {{time}}"}, "")},
	{"a scenario", `{"scenarioVersion": 2, "title": "Coast", "description": "A walk.", "author": "Ann", "tags": ["sea", 5, "fog"], "prompt": "You are %{name#1[Mara]:your name}. ${name} walks. ${other} ${who}", "context": [{"text": "A coast with %{weather[fog]}."}, {"text": "Slow, ${weather}.", "contextConfig": {"insertionPosition": -2}}], "placeholders": [{"key": "other", "defaultValue": "Osk", "description": "a friend"}, {"key": "x", "defaultValue": "y"}], "settings": {"a": 1}, "ephemeralContext": [1], "storyContextConfig": {"b": 2}, "contextDefaults": {}, "lorebook": {"lorebookVersion": 5, "entries": [{"text": "A tower.", "displayName": "Tower", "keys": ["tower"], "enabled": true, "id": "1", "contextConfig": {"insertionPosition": -1}}], "settings": {}, "categories": []}}`},
	{"a scenario without texts", `{"scenarioVersion": 1, "context": [{}, {"text": " ", "contextConfig": {"insertionPosition": 20000000.0}}]}`},
	{"a story", `{"storyContainerVersion": 1, "metadata": {"title": " Coast ", "description": "D", "author": "A", "tags": ["t"]}, "content": {"prompt": "P", "context": [{"text": "M"}, {"text": "N", "contextConfig": {"insertionPosition": 3}}], "story": {"fragments": [{"data": "It is ", "origin": "prompt"}, {"data": "dark. ", "origin": "ai"}, {"data": " ", "origin": "user"}, {"data": "\n> Go.\n", "origin": "user"}, {"data": "You go", "origin": "ai"}, {"data": " on. ", "origin": "ai"}, {"data": "Stop", "origin": "user"}, {"data": "You stop.", "origin": "ai"}]}}}`},
	{"a story with one text", `{"storyContainerVersion": 1, "metadata": {}, "content": {"prompt": "P", "story": {"text": "It was so."}, "document": "x"}}`},
	{"a story in a newer form", `{"storyContainerVersion": 1, "metadata": {"title": "T"}, "content": {"document": "x"}}`},
	{"a container without content", `{"storyContainerVersion": 1, "content": 5}`},
	{"a content without a container", `{"content": {"prompt": "P"}, "metadata": {"title": "T"}}`},
	{"a game of KoboldAI", `{"gamestarted": true, "prompt": "You wake.", "memory": "A ship.", "authorsnote": "Grim.", "anotetemplate": "[Note: <|>]", "actions": ["\n> Look.\n", "It is cold.", "> Run.\n> Fast.\nYou run.", "{{[INPUT]}}Stop.{{[OUTPUT]}}You stop.", 5, "", "Before{{[INPUT]}}Sit.{{[OUTPUT]}}"], "worldinfo": [{"key": "ship,hull", "keysecondary": "", "content": "A hull.", "comment": "Ship", "selective": false, "constant": false}]}`},
	{"a small game of KoboldAI", `{"prompt": "You wake.", "memory": "", "actions": [], "authorsnote": "Grim.", "anotetemplate": "none"}`},
	{"a prompt with a memory", `{"prompt": "You wake.", "memory": ""}`},
	{"a third card of RisuAI with a book", `{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Bo", "description": "{{#if {{? 1 > 0}}}}Big.{{/if}} {{getvar::a}}", "personality": "", "scenario": "", "first_mes": "Hi {{user}}, {{random::a::b}}{{setvar::a::1}}", "mes_example": "", "creator_notes": "", "system_prompt": "", "post_history_instructions": "", "alternate_greetings": ["Ho {{user}}", "<% x %>"], "tags": [], "creator": "", "character_version": "", "extensions": {"risuai": {"customScripts": []}}, "character_book": {"entries": [{"keys": ["bat"], "content": "Bats {{getvar::a}}{{#if 1}}x{{/if}}", "extensions": {}, "enabled": true, "insertion_order": 1, "use_regex": false}], "extensions": {}}, "group_only_greetings": []}}`},
	{"the same card without RisuAI", `{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Bo", "description": "{{#if {{? 1 > 0}}}}Big.{{/if}} {{getvar::a}}", "personality": "", "scenario": "", "first_mes": "Hi {{user}}, {{random::a::b}}{{setvar::a::1}}", "mes_example": "", "creator_notes": "", "system_prompt": "", "post_history_instructions": "", "alternate_greetings": ["Ho {{user}}", "<% x %>"], "tags": [], "creator": "", "character_version": "", "extensions": {}, "character_book": {"entries": [{"keys": ["bat"], "content": "Bats {{getvar::a}}{{#if 1}}x{{/if}}", "extensions": {}, "enabled": true, "insertion_order": 1, "use_regex": false}], "extensions": {}}, "group_only_greetings": []}}`},
	{"the same card with a named book", `{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Bo", "description": "{{#if {{? 1 > 0}}}}Big.{{/if}} {{getvar::a}}", "personality": "", "scenario": "", "first_mes": "Hi {{user}}, {{random::a::b}}{{setvar::a::1}}", "mes_example": "", "creator_notes": "", "system_prompt": "", "post_history_instructions": "", "alternate_greetings": ["Ho {{user}}", "<% x %>"], "tags": [], "creator": "", "character_version": "", "extensions": {"risuai": {"customScripts": []}}, "character_book": {"entries": [{"keys": ["bat"], "content": "Bats {{getvar::a}}{{#if 1}}x{{/if}}", "extensions": {}, "enabled": true, "insertion_order": 1, "use_regex": false}], "extensions": {}, "name": "Cave"}, "group_only_greetings": []}}`},
	{"a world", `{"name": "W", "variables": [{"id": "v", "type": "number", "defaultValue": 1}], "modules": [{"id": "m"}, {"id": "m"}, {"id": ""}],
		"entries": [{"id": "g1", "role": "greeting", "content": "Off.", "enabled": false}, {"id": "g2", "role": "greeting", "content": "Welcome, {{user}}."},
		{"id": "e1", "role": "system", "content": "In m.", "bookId": "m"}, {"id": "e2", "role": "system", "content": "Unplaced.", "bookId": "__unplaced__"},
		{"id": "e3", "role": "system", "content": "Elsewhere.", "bookId": "none"}]}`},
	{"a world that cannot be read", `{"name": 5, "rules": []}`},
	{"a configuration that cannot be read", `{"worldBookEntries": 5}`},
	{"a configuration", `{"worldBookEntries": [{"id": "a", "keys": ["bat"], "content": "Bats."}], "characterCard": "A bat."}`},
	{"f/campaign.json", `{"characters": [], "world": {"rules": [{"id": "r", "text": "夜里没有人可以出门。"}]}, "map": {"areas": [{"area_id": "a", "name": "A", "description": "一座古老的塔。"}]}, "greeting": ""}`},
	{"f/campaign.json with initial variables", `{"characters": [], "greeting": "{{user}}<initvar>{\"a\": \"{{user}}\"}</initvar>"}`},
	{"f/card.json", `{"name": `},
	{"f/card.json that is none", `{"spec": "chara_card_v2", "data": 5}`},
	{"f/rules.json", `{"rules": 5, "reactions": 5}`},
	{"f/master.json", `{"instruct": 5}`},
	{"f/master.json that is none", `{`},
	{"f/system.json", `5`},
	{"f/instruct.json", `5`},
	{"f/context.json", `5`},
	{"f/preset.json", `{"extensions": {"regex_scripts": [{"scriptName": "p", "findRegex": "a", "replaceString": "b", "placement": [2]}]}}`},
	{"f/preset.json that is none", `[`},
	{"f/book.json", `{"entries": `},
}

// TestWholeFiles compares everything that is read from short files with testdata/whole.golden.
func TestWholeFiles(t *testing.T) {
	t.Parallel()
	macros, err := macro.NewSet(macro.Macro{Name: "calm", Text: "calm"})
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, f := range wholeFiles {
		for greeting := range 3 {
			if greeting > 0 && !strings.Contains(f.data, "reeting") {
				break
			}
			o := imports.Options{Greeting: greeting, Player: "Mara"}
			var s imports.Start
			var odd talewright.Problems
			if _, file, is := strings.Cut(f.name, "/"); is {
				file, _, _ = strings.Cut(file, " ")
				s, odd = imports.ParseFolder(fstest.MapFS{file: {Data: []byte(f.data)}}, o)
			} else {
				s, odd = imports.Parse([]byte(f.data), o)
			}
			fmt.Fprintf(&got, "%s, greeting %d\n", f.name, greeting)
			write(t, &got, s, odd)
			if greeting == 1 && strings.Contains(f.name, "initial variables") {
				s.Content.Extensions.Macros = macros
				for _, book := range []string{initVar, strings.ReplaceAll(initVar, "gold", "silver"), `{"entries": {}}`, `{"entries": `} {
					odd := s.AddBook("Mine", []byte(book))
					fmt.Fprintf(&got, "with the book %.60s\n", book)
					write(t, &got, s, odd)
				}
			}
		}
	}
	testkit.Golden(t, "testdata/whole.golden", got.String())
}

// write writes a start and its problems.
func write(t *testing.T, out *strings.Builder, s imports.Start, odd talewright.Problems) {
	t.Helper()
	for _, p := range odd {
		fmt.Fprintf(out, "\t%s: %s %s (%s): %.200s\n", p.Severity, p.Path, p.ID, p.Code, p.Text)
	}
	setup := s.Setup
	c := s.Content
	const player = `[{"character_id":"player","name":"Mara","hp":{"current":10,"max":10},"status":{"alive_state":"alive"}}]` // of most files
	if list, err := json.Marshal(setup.Characters); err != nil {
		t.Fatal(err)
	} else if string(list) == player {
		setup.Characters = nil
	}
	for _, part := range []struct {
		name  string
		value any
	}{
		{"setup", setup}, {"card", c.People.Card}, {"greetings", c.People.GreetingVariables}, {"books", c.Lore.Books},
		{"decorators", c.Lore.Settings.Decorators}, {"scripts", c.Prompt.Scripts}, {"language", c.Prompt.CBS}, {"presets", []any{c.Prompt.Preset, c.Prompt.System, c.Prompt.Instruct, c.Prompt.Context}},
		{"rules", c.Rules.Rules}, {"variables", c.Rules.Variables}, {"modules", c.Rules.Modules}, {"dialects", len(c.Rules.Dialects)}, {"shown", c.Rules.Render.Part}, {"own texts", c.Extensions.Texts != nil},
	} {
		data, err := json.Marshal(part.value)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(data); text != "null" && text != "0" && text != "false" && text != `""` && text != "[null,null,null,null]" {
			fmt.Fprintf(out, "\t%s: %.280s (%d, %08x)\n", part.name, text, len(text), crc32.ChecksumIEEE(data))
		}
	}
}
