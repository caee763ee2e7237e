package imports_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt/card"
)

// risuCard is a card that RisuAI wrote, with conditional texts, defaults, regex scripts and triggers.
const risuCard = `{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Orin",
  "description": "{{#when::{{getvar::trust}}::>=::5}}Orin is a friend.{{:else}}Orin is wary.{{/when}} {{getvar::mood}} {{image::face}}",
  "first_mes": "{{setvar::trust::{{? 2+{{getvar::start}}}}}}Come in, {{user}}.", "alternate_greetings": [], "group_only_greetings": [],
  "character_book": {"entries": [
    {"keys": ["lamp"], "content": "{{#if {{greater::{{getvar::trust}}::4}}}}\n  The lamp is lit.\n{{/if}}{{setvar::trust::0}}", "enabled": true, "insertion_order": 1, "use_regex": false, "extensions": {}}], "extensions": {}},
  "extensions": {"risuai": {"defaultVariables": "mood=calm\nstart=4", "triggerscript": [{"type": "start"}], "customScripts": [
    {"comment": "fix", "in": "anvill", "out": "anvil", "type": "editoutput", "flag": "g<order 1>", "ableFlag": true},
    {"comment": "hide", "in": "<s>.*?</s>", "out": "", "type": "editprocess"},
    {"comment": "picture", "in": "x", "out": "@@emo x", "type": "editoutput"},
    {"comment": "odd", "in": "x", "out": "y", "type": "editlua"}]}}}}`

// TestRisuCardPlays: conditional texts of a RisuAI card work in the prompt. Variables that its
// greeting stores are kept. Lines of the player and replies are never expanded (SC-11).
func TestRisuCardPlays(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(risuCard), imports.Options{ID: "smithy", Player: "Mara", Chat: true})
	if odd.Err() != nil {
		t.Fatal(odd)
	}
	g, problems := game.Compile(start.Content)
	if problems.Err() != nil {
		t.Fatal(problems)
	}
	var lines []string
	for _, p := range append(odd, problems...) {
		lines = append(lines, p.String())
	}
	told := strings.Join(lines, "\n")
	for _, want := range []string{"2 regex scripts run: 1 change the text that is stored, 1 change the prompt",
		"customScripts[2]", "customScripts[3]", "the triggers of RisuAI (1) are not run", "{{image}} of RisuAI prints nothing", "{{setvar}} of RisuAI prints nothing"} {
		if !strings.Contains(told, want) {
			t.Errorf("not told: %s\n%s", want, told)
		}
	}
	model := llmtest.NewScripted(llmtest.Text("Hm: {{getvar::mood}} and the anvill.<s>x</s>"), llmtest.Text("He nods."))
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Create(t.Context(), start.Setup); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"I light the lamp. {{getvar::mood}}", "I wait by the lamp."} {
		if out, err := engine.Turn(t.Context(), "smithy", turn.Submit{ActorID: "player", Text: line}); err != nil || out.Err() != nil {
			t.Fatal(err, out.Err())
		}
	}
	if _, err := engine.Rebuild(t.Context(), "smithy"); err != nil {
		t.Error(err)
	}
	for i, r := range model.Requests() {
		text := requestText(r)
		for _, want := range []string{"Orin is a friend. calm", "The lamp is lit.", "Come in, Mara.", "I light the lamp. {{getvar::mood}}"} {
			if !strings.Contains(text, want) {
				t.Errorf("request %d lacks %q:\n%s", i, want, text)
			}
		}
		for _, not := range []string{"{{#", "wary", "{{setvar", "{{image", "<s>", "anvill"} {
			if strings.Contains(text, not) {
				t.Errorf("request %d has %q:\n%s", i, not, text)
			}
		}
		if i == 1 && !strings.Contains(text, "{{getvar::mood}} and the anvil.") {
			t.Errorf("the reply was expanded:\n%s", text)
		}
	}
}

func requestText(r llm.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Text + "\n")
	}
	return b.String()
}

// TestRisuOrigin: the files whose texts are in the language of RisuAI (SC-11).
func TestRisuOrigin(t *testing.T) {
	t.Parallel()
	plain := card.Card{Spec: card.V3, Name: "Orin", FirstMes: "Hm."}
	encoded, err := card.Encode(plain, card.V3, card.EncodeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	archive := func(files ...card.AssetFile) []byte {
		data, err := card.WriteCHARX(nil, plain, files)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, tc := range []struct {
		name string
		data []byte
		o    imports.Options
		want bool
	}{
		{"a card of another program", encoded, imports.Options{}, false},
		{"the option", encoded, imports.Options{CBS: true}, true},
		{"the extension", []byte(risuCard), imports.Options{}, true},
		{"a card of SillyTavern with the extension", []byte(`{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Orin", "extensions": {"risuai": {}},
			"character_book": {"entries": [{"keys": [], "constant": true, "content": "\u003c%= 1 %>"}]}}}`), imports.Options{}, false},
		{"scripts of TavernHelper", []byte(`{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Orin", "extensions": {"risuai": {}, "tavern_helper": {}}}}`), imports.Options{}, false},
		{"scripts of TavernHelper in the old form", []byte(`{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "Orin", "extensions": {"risuai": {}, "TavernHelper_scripts": []}}}`), imports.Options{}, false},
		{"a book and the option", []byte(`{"entries": {"0": {"uid": 0, "key": ["a"], "content": "x"}}}`), imports.Options{CBS: true}, true},
		{"an archive with a module", archive(card.AssetFile{Path: "module.risum", Data: []byte("x")}), imports.Options{}, true},
		{"an archive without one", archive(), imports.Options{}, false},
	} {
		start, odd := imports.Parse(tc.data, tc.o)
		if odd.Err() != nil {
			t.Fatal(tc.name, odd)
		}
		if got := len(start.Content.Prompt.CBS) > 0; got != tc.want {
			t.Errorf("%s: %v, want %t", tc.name, start.Content.Prompt.CBS, tc.want)
		}
	}
	start := imports.Begin(imports.Options{})
	if odd := start.AddBook("lore", []byte(`{"type": "risu", "ver": 1, "data": [{"key": "a", "insertorder": 1, "content": "@@depth 2\n@@role user\nlore of {{user}}"}]}`)); odd.Err() != nil {
		t.Fatal(odd)
	}
	if got := start.Content.Prompt.CBS; len(got) != 1 || got[0] != "lore" {
		t.Errorf("a book of RisuAI: %v", got)
	}
	if _, problems := game.Compile(start.Content); len(problems) > 0 {
		t.Errorf("its decorators: %v", problems)
	}
	has(t, "its entry", told(t, played(t, start), "Here is a."), map[string]bool{"lore of Player": true})
}
