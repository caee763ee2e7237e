package campaign_test

import (
	"cmp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/question"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/memvars/tree"
)

const (
	chineseBook = `{"entries": {"0": {"uid": 0, "key": [], "constant": true, "comment": "fog", "content": "雾从海上来。"}}}`
	chineseCard = `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "苏晴", "description": "药师，话很少。",
		"first_mes": "进来吧，{{user}}。", "mes_example": "<START>\n{{user}}：早。\n{{char}}：好。", "creator_notes": "Written for the English workshop, do not repost.",
		"character_book": {"entries": [
			{"keys": [], "enabled": false, "insertion_order": 1, "extensions": {}, "comment": "[InitVar] 1", "content": "{\"铜钱\": 10}"},
			{"keys": [], "constant": true, "enabled": true, "insertion_order": 2, "extensions": {}, "content": "她有钱。"}]}}}`
	chineseConfig = `{"characterCard": "苏晴是药师。", "worldBookEntries": [{"uid": "1", "keywords": ["雾"], "content": "雾从海上来。"}]}`
	chineseWorld  = `{"name": "雾港", "variables": [{"id": "gold", "name": "金币", "type": "number", "defaultValue": 3}],
		"entries": [{"id": "g", "role": "greeting", "content": "雾起。"}, {"id": "e", "role": "system", "content": "雾从海上来。", "alwaysSend": true}]}`
	chineseStory = `{"gamestarted": true, "prompt": "雾起。", "memory": "海边的一座城。", "authorsnote": "", "actions": ["> 我等。", "雾更浓了。"], "worldinfo": []}`
)

// chineseImports are the ways in which a story in Chinese is imported.
func chineseImports(o imports.Options) map[string]func() (imports.Start, talewright.Problems) {
	return map[string]func() (imports.Start, talewright.Problems){
		"card": func() (imports.Start, talewright.Problems) { return imports.Parse([]byte(chineseCard), o) },
		"chat": func() (imports.Start, talewright.Problems) {
			o := o
			o.Chat = true
			return imports.Parse([]byte(chineseCard), o)
		},
		"story":  func() (imports.Start, talewright.Problems) { return imports.Parse([]byte(chineseStory), o) },
		"config": func() (imports.Start, talewright.Problems) { return imports.Parse([]byte(chineseConfig), o) },
		"world":  func() (imports.Start, talewright.Problems) { return imports.Parse([]byte(chineseWorld), o) },
		"book": func() (imports.Start, talewright.Problems) {
			start := imports.Begin(o)
			problems := start.AddBook("雾", []byte(chineseBook))
			return start, problems
		},
		"folder": func() (imports.Start, talewright.Problems) {
			return imports.ParseFolder(fstest.MapFS{"book.json": {Data: []byte(chineseBook)},
				"campaign.json": {Data: []byte(`{"campaign_id": "harbour", "world": {"background": "海边的一座城。"},
					"characters": [{"character_id": "player", "name": "小林", "hp": {"current": 10, "max": 10}}]}`)}}, o)
		},
	}
}

// names are the words in the stories that are not Chinese.
var names = strings.NewReplacer("player", "", "nowhere", "", "Story", "")

// TestAChineseImportIsChinese: the engine's own texts in the prompts of an imported story are in
// the language of the story. These are headings, refused calls and commands, contradictions, the
// request for a summary, and the name of a player whom the host has not named.
func TestAChineseImportIsChinese(t *testing.T) {
	t.Parallel()
	for name, begin := range chineseImports(imports.Options{ID: "harbour"}) {
		start, odd := begin()
		if err := odd.Err(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		model := scripted(
			`{"text": "你走了。", "tool_calls": [{"tool": "fly"}, {"tool": "move", "args": {"actor_id": "player", "to_area_id": "nowhere"}}, 7]}`,
			`你失去3点生命值。`,
			`风停了。<UpdateVariable>_.set('铜钱', '很多');</UpdateVariable>set_attribute('无', 3);`,
			`雨落。`, `雨停。`)
		cfg := campaign.Config{Game: compile(t, start.Content), Store: &campaign.MemoryStore{}, Model: model}
		seen := observed(&cfg)
		e, err := campaign.New(cfg)
		if err != nil {
			t.Fatal(err)
		}
		s := start.Setup
		s.World.Rules = []state.WorldRule{{ID: "r", Text: "死者不可复生。"}}
		s.Summary = state.Summary{Text: "他们到了城门。", Pins: []string{"钟不能敲。"}}
		if s.Settings == nil {
			s.Settings = setting.Snapshot{}
		}
		s.Settings["retry.max_retries"] = tree.Int(5)
		s.Settings["context.full_context_enabled"], s.Settings["context.compress_enabled"] = tree.Bool(false), tree.Bool(true)
		if name != "card" && name != "chat" { // these have their own variables
			s.Variables, _ = tree.ParseDocument([]byte(`{"assa_data": {"config": {"flags": {"clean_small_flag": true}}, "summary": {"small": {"1": "甲"}, "big": {}}}}`))
		}
		if _, err := e.Create(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for range 3 {
			if o, err := e.Turn(t.Context(), s.ID, turn.Submit{Text: "我等。"}); err != nil || o.Err() != nil {
				t.Fatalf("%s: %v %v", name, err, o.Err())
			}
		}
		told, all := map[string]bool{}, ""
		for _, r := range *seen {
			for _, m := range r.Messages {
				told[string(m.Kind)], told[m.Block] = true, true
				all += m.Message.Text
				text := m.Message.Text
				if m.Block == "variables" {
					text, _, _ = strings.Cut(text, "\n") // the variables are from the story
				}
				onlyChinese(t, name+": "+string(m.Kind)+" "+m.Block, names.Replace(text))
			}
			for _, tool := range r.Tools {
				onlyChinese(t, name+": "+tool.Name, tool.Description+string(tool.Parameters))
			}
		}
		wants := []string{"summary", string(question.KindToolFeedback)}
		if name != "world" { // a world of Yumina has only directives
			wants = append(wants, "command_feedback")
		}
		if name != "chat" {
			wants = append(wants, "gm_persona", "authority", "world_rules", "status", "pins", string(question.KindConflictDebug))
		}
		for _, want := range wants {
			if !told[want] {
				t.Errorf("%s: nothing is told of %s", name, want)
			}
		}
		if name != "card" && name != "chat" && name != "world" && !strings.Contains(all, "短期记忆已满") {
			t.Errorf("%s: no prompt asks for the summary", name)
		}
	}
}

// TestHostsChooseTheTexts: texts that a host has chosen are not replaced by the language of an
// import.
func TestHostsChooseTheTexts(t *testing.T) {
	t.Parallel()
	for name, begin := range chineseImports(imports.Options{ID: "harbour", Texts: new(game.English())}) {
		start, odd := begin()
		if odd.Err() != nil || start.Content.Extensions.Texts == nil || start.Content.Extensions.Texts.Hints != "en" {
			t.Errorf("%s: %v", name, odd)
		}
	}
	const englishBook = `{"entries": {"0": {"uid": 0, "key": ["fog"], "content": "Fog."}, "1": {"uid": 1, "key": ["sea"], "content": "Salt."}}}`
	start := imports.Begin(imports.Options{})
	add := func(book, want string) {
		t.Helper()
		if err := start.AddBook("b", []byte(book)).Err(); err != nil {
			t.Fatal(err)
		}
		if got := cmp.Or(compile(t, start.Content).Texts().Hints, "en"); got != want {
			t.Errorf("hints in %q, want %q", got, want)
		}
	}
	add(chineseBook, "zh")
	start.Content.Extensions.Texts.Persona = "说书人。"
	add(chineseBook, "zh")
	if start.Content.Extensions.Texts.Persona != "说书人。" {
		t.Error("a text of the host is gone")
	}
	add(englishBook, "en") // two entries of each
	add(chineseBook, "zh")
	start.Content.Extensions.Texts = new(game.Chinese())
	add(englishBook, "zh")
}

// TestTheLanguageOfAnImport: it is the language of the story, not of texts for creators, programs
// and models.
func TestTheLanguageOfAnImport(t *testing.T) {
	t.Parallel()
	page := strings.Repeat(`<style>.box { color: red; border: 1px solid black }</style>`, 200)
	for _, c := range []struct {
		name, data string
		chinese    bool
	}{
		{"English", `"description": "A keeper of lamps.", "first_mes": "Come in."`, false},
		{"a Chinese name", `"name": "苏晴", "description": "A keeper of lamps.", "first_mes": "Come in."`, false},
		{"a greeting with a page", `"description": "药师。", "scenario": "雨夜。", "first_mes": "` + page + `进来吧。"`, true},
		{"notes and prompts in English", `"first_mes": "进来吧。", "creator_notes": "Do not repost.", "system_prompt": "Write well.", "post_history_instructions": "Be brief."`, true},
		{"macros, tags and templates", `"first_mes": "<StatusPlaceHolderImpl/>{{setvar::mood::calm}}进来吧。",
			"scenario": "<%_ if (getvar('stat_data.gold') > 3) { _%>她有钱。<%_ } _%>"`, true},
		{"code with the signs < and >", `"first_mes": "进来吧。", "scenario": "<%_ for (const [name, d] of list.filter(d => d.hp < 5)) { _%>她受伤了。<%_ } _%>",
			"personality": "<% const rank = hp >= 50 ? 'high' : hp < 3 && mood > 4 ? 'low' : 'none'; %>"`, true},
		{"Japanese", `"description": "彼女は薬師である。", "first_mes": "どうぞ、お入りください。"`, false},
		{"nothing", `"name": "苏晴", "description": "…"`, false},
	} {
		start, odd := imports.Parse([]byte(`{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Orin", `+c.data+`}}`), imports.Options{})
		if err := odd.Err(); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := start.Content.Extensions.Texts != nil; got != c.chinese {
			t.Errorf("%s: Chinese is %v", c.name, got)
		}
	}
}
