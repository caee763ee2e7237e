package imports_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/prompt/script"
)

// scripted is a card that hides its status block from the model, shows it as a page, and corrects a
// word.
const scripted = `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Orin", "description": "A smith.", "first_mes": "Hm.\n<status>calm</status>",
  "extensions": {"regex_scripts": [
    {"scriptName": "hide", "findRegex": "/\\n?<status>[^<]*<\\/status>/g", "replaceString": "", "placement": [2], "promptOnly": true, "minDepth": 1},
    {"scriptName": "page", "findRegex": "/<status>([^<]*)<\\/status>/g", "replaceString": "<b onclick=\"x()\">$1</b>", "placement": [2], "markdownOnly": true},
    {"scriptName": "mend", "findRegex": "anvill", "replaceString": "anvil", "placement": [2]},
    {"scriptName": "off", "findRegex": "a", "replaceString": "b", "placement": [2], "disabled": true}]}}}`

// TestScriptsOfTheCardRun: the regex scripts of a card change stored, prompted and shown texts, and
// this is reported. A host that denies them is asked once, and the game reports that they do not
// run (PR-14, SC-08).
func TestScriptsOfTheCardRun(t *testing.T) {
	t.Parallel()
	for _, denied := range []bool{false, true} {
		asked := 0
		o := imports.Options{ID: "smithy", Player: "Mara"}
		if denied {
			o.Regex = func(l script.List) bool {
				asked++
				return l.Source != script.Character || l.Owner != "Orin" || len(l.Scripts) != 4
			}
		}
		start, odd := imports.Parse([]byte(scripted), o)
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		told := odd.Of("card_regex")
		const want = "card.extensions.regex_scripts (Orin): 3 regex scripts run: 1 change the text that is stored, 1 change the prompt, " +
			"1 change what is shown, 1 are switched off; 1 write HTML, 1 with JavaScript: clean it before you show it"
		if denied && (asked != 1 || len(told) != 0) || !denied && (len(told) != 1 || told[0].String() != want || told[0].Severity != talewright.Warning) {
			t.Errorf("denied %t: asked %d times, told %v", denied, asked, told)
		}
		g, problems := game.Compile(start.Content)
		if got := len(problems.Of("not_allowed")); got != map[bool]int{true: 1}[denied] || len(problems.Of("card_regex")) != 0 {
			t.Errorf("denied %t: %v", denied, problems)
		}
		model := llmtest.NewScripted(llmtest.Text("He lifts the anvill.\n<status>busy</status>"), llmtest.Text("He nods."))
		engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Create(t.Context(), start.Setup); err != nil {
			t.Fatal(err)
		}
		shown := ""
		for _, line := range []string{"I wave.", "I wait."} {
			for p, err := range engine.Stream(t.Context(), "smithy", turn.Submit{Text: line}) {
				if err != nil {
					t.Fatal(err)
				}
				if n, ok := p.(campaign.Narration); ok {
					shown += n.Text
				}
			}
		}
		if _, err := engine.Rebuild(t.Context(), "smithy"); err != nil {
			t.Error(err)
		}
		request := ""
		for _, m := range model.Requests()[1].Messages {
			request += m.Text + "\n"
		}
		has(t, "the second prompt", request, map[string]bool{"<status>": denied, "the anvil.\n": !denied})
		has(t, "what is shown", shown, map[string]bool{"<b onclick": !denied, "<status>busy": denied})
	}
}

// TestAnswersTravelWithTheCampaign: a person is asked once about the scripts of a file. The answer is
// stored in the campaign, also in an export, and a changed script is asked about again (SC-08).
func TestAnswersTravelWithTheCampaign(t *testing.T) {
	t.Parallel()
	const key = "imports.regex_scripts"
	store, asked, answer := &campaign.MemoryStore{}, 0, false
	open := func(file string, stored setting.Snapshot) (*campaign.Engine, imports.Start) {
		t.Helper()
		start, odd := imports.Parse([]byte(file), imports.Options{ID: "smithy", Settings: stored, Regex: func(script.List) bool { asked++; return answer }})
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		g, problems := game.Compile(start.Content)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted()})
		if err != nil {
			t.Fatal(err)
		}
		return engine, start
	}
	settings := func() setting.Snapshot { // without content
		t.Helper()
		saved, err := store.Load(t.Context(), "smithy")
		if err != nil {
			t.Fatal(err)
		}
		c, err := campaign.Restore(saved)
		if err != nil {
			t.Fatal(err)
		}
		return c.Settings
	}
	check := func(what string, start imports.Start, wantAsked int, denied bool) {
		t.Helper()
		if lists := start.Content.Prompt.Scripts; asked != wantAsked || len(lists) != 1 || lists[0].Denied != denied {
			t.Errorf("%s: asked %d times, want %d; %+v", what, asked, wantAsked, lists)
		}
	}

	engine, start := open(scripted, nil)
	check("a new campaign", start, 1, true)
	if _, err := engine.Create(t.Context(), start.Setup); err != nil {
		t.Fatal(err)
	}
	answer = true
	_, start = open(scripted, settings())
	check("the same file", start, 1, true)
	start, _ = imports.Parse([]byte(scripted), imports.Options{Settings: settings()})
	check("a host that does not ask", start, 1, true)

	changed := strings.Replace(scripted, "anvill", "anvil+", 1)
	engine, start = open(changed, settings())
	check("a changed script", start, 2, false)
	if out, err := engine.Do(t.Context(), "smithy", turn.PatchSettings{Patch: setting.Snapshot{key: start.Setup.Settings[key]}}); err != nil || out.Err() != nil {
		t.Fatal(err, out.Err())
	}
	answer = false
	_, start = open(changed, settings())
	check("the changed file again", start, 2, false)
	_, start = open(scripted, settings())
	check("the first file again", start, 2, true)

	stored := start.Setup.Settings
	var exported bytes.Buffer
	if err := engine.Export(t.Context(), "smithy", &exported); err != nil {
		t.Fatal(err)
	}
	start, _ = imports.Parse([]byte(changed), imports.Options{})
	g, _ := game.Compile(start.Content)
	plain, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(llmtest.Text("Hm."))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.Import(t.Context(), bytes.NewReader(exported.Bytes())); err != nil {
		t.Error("a host that never asks:", err)
	}
	if out, err := plain.Turn(t.Context(), "smithy", turn.Submit{Text: "I wave."}); err != nil || out.Err() != nil {
		t.Error("a host that never asks:", err, out.Err())
	}
	if _, err := engine.Rebuild(t.Context(), "smithy"); err != nil {
		t.Error(err)
	}
	store = &campaign.MemoryStore{}
	engine, _ = open(changed, stored)
	if _, err := engine.Import(t.Context(), &exported); err != nil {
		t.Fatal(err)
	}
	_, start = open(changed, settings())
	check("an imported campaign", start, 2, false)
	_, start = open(changed, setting.Snapshot{key: tree.Text("yes")})
	check("a value that is no object", start, 3, true)

	files := fstest.MapFS{"card.json": {Data: []byte(scripted)}, "campaign.json": {Data: []byte(`{"settings": {"conflict.mode": "off"}}`)}}
	start, _ = imports.ParseFolder(files, imports.Options{Settings: settings(), Regex: func(script.List) bool { asked++; return true }})
	check("a folder with settings", start, 3, true)
	if s := start.Setup.Settings; len(s) != 2 || s[key].Len() != 2 {
		t.Errorf("the settings are %v", s)
	}
}

// TestScriptsOfAFolder: a preset in a folder brings its regex scripts too. An invalid list of
// scripts affects nothing else (SC-08).
func TestScriptsOfAFolder(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		extensions string
		lists      int
		code       talewright.Code
	}{
		{`{"regex_scripts": [{"scriptName": "a", "findRegex": "b", "placement": [1]}]}`, 1, "card_regex"},
		{`{"regex_scripts": 5}`, 0, "bad_file"},
		{`{"regex_scripts": null}`, 0, ""},
		{`5`, 0, ""},
	} {
		start, odd := imports.ParseFolder(fstest.MapFS{"preset.json": {Data: []byte(`{"prompts": [], "extensions": ` + tc.extensions + `}`)}}, imports.Options{})
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		if len(start.Content.Prompt.Scripts) != tc.lists || (tc.code == "") != (len(odd) == 0) || len(odd.Of(tc.code)) != len(odd) {
			t.Errorf("%s: %d lists, %v", tc.extensions, len(start.Content.Prompt.Scripts), odd)
		}
		if len(start.Content.Prompt.Scripts) > 0 && start.Content.Prompt.Scripts[0].Source != script.Preset {
			t.Errorf("%s: from %s", tc.extensions, start.Content.Prompt.Scripts[0].Source)
		}
	}
}

// TestOddPresetOfAFolder: a preset with a member of a wrong type is read, and the problem is
// reported once.
func TestOddPresetOfAFolder(t *testing.T) {
	t.Parallel()
	start, odd := imports.ParseFolder(fstest.MapFS{
		"preset.json":  {Data: []byte(`{"prompts": [{"identifier": "main", "content": "Be kind.", "marker": "x"}, {"identifier": "chatHistory", "marker": "true"}], "prompt_order": [{"order": [{"identifier": "chatHistory", "enabled": 1}]}]}`)},
		"context.json": {Data: []byte(`{"story_string": 5}`)},
	}, imports.Options{})
	if len(odd) > 0 {
		t.Fatal(odd)
	}
	start.Content.Prompt.Context = nil
	g, problems := game.Compile(start.Content)
	if got := problems.Of("bad_type"); g == nil || len(got) != 3 || got[0].Path != "preset.prompts[0].marker" {
		t.Errorf("%v", problems)
	}
}
