package format_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// TestRequestBody reads a config in the body of a request, with comments, as the document shows it.
func TestRequestBody(t *testing.T) {
	t.Parallel()
	const body = `// PUT /api/v1/prompts/:id
{
  "name": "魔法世界RPG", /* a name
  of two lines */
  "roleplayConfig": {
    "characterCard": "你是…", // https://example.org is no comment in a "text"
    "worldBookEntries": [
      { "name": "a", "keywords": ["/a|b/", "//x"], "content": "/* kept */" }   // the last
    ],
    "scanDepth": 2,
    "own": 1
  }
}`
	config, problems := format.ParseRoleplay("", []byte(body))
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	e := config.Book.Entries[0]
	if config.Book.Name != "魔法世界RPG" || config.CharacterCard != "你是…" || config.Settings.Depth != 2 ||
		!slices.Equal(e.Keys, []string{"/a|b/", "//x"}) || e.Content != "/* kept */" {
		t.Errorf("config %+v", config)
	}
	if string(config.Extra["own"]) != "1" || string(config.Request["name"]) == "" || config.Request["roleplayConfig"] != nil {
		t.Errorf("extra %s, request %s", config.Extra, config.Request)
	}
	if named, _ := format.ParseRoleplay("own", []byte(body)); named.Book.Name != "own" {
		t.Errorf("the book is called %q", named.Book.Name)
	}
	for _, bad := range []string{`{"roleplayConfig":[]}`, `{"worldBookEntries":[]} /* open`, `{"worldBookEntries":[]} /`,
		`{"worldBookEntries":[/]}`} {
		if _, problems := format.ParseRoleplay("b", []byte(bad)); problems.Err() == nil {
			t.Errorf("%s: %v", bad, problems.Err())
		}
	}
}

// TestCaseIsLeftToSettings: only a value that is written has precedence over the settings.
func TestCaseIsLeftToSettings(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, entry    string
		found, foundBoth bool // with the document's settings, with both switched on
	}{
		{"missing", ``, true, false},
		{"null", `,"caseSensitive":null,"matchWholeWords":null`, true, false},
		{"false", `,"caseSensitive":false,"matchWholeWords":false`, true, true},
		{"another type", `,"caseSensitive":"yes","matchWholeWords":0`, true, false},
		{"true", `,"caseSensitive":true`, false, false},
	} {
		config, problems := format.ParseRoleplay("b", []byte(`{"worldBookEntries":[{"uid":"a","keywords":["wood"]`+tc.entry+`}]}`))
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		found := func() bool {
			c, _ := config.Compile()
			r, _ := c.Scan(worldbook.Input{Messages: []worldbook.Message{{Text: "Woods"}}, ContextSize: 8192}, worldbook.State{})
			return len(r.Activated) == 1
		}
		usual := found()
		config.Settings.CaseSensitive, config.Settings.MatchWholeWords = true, true
		if both := found(); usual != tc.found || both != tc.foundBoth {
			t.Errorf("%s: %v and %v, want %v and %v", tc.reason, usual, both, tc.found, tc.foundBoth)
		}
	}
}

// TestEntriesWithoutUID: such entries have their own ids, and so their own timers.
func TestEntriesWithoutUID(t *testing.T) {
	t.Parallel()
	config, problems := format.ParseRoleplay("b", []byte(`{"worldBookEntries":[
		{"keywords":["甲"],"sticky":3,"content":"one"}, {"uid":"2","keywords":["乙"]}, {"keywords":["丙"],"cooldown":3},
		5, {"uid":null}, {"uid":7}, {"uid":"2"}, {"uid":true}, {"uid":-1.50}]}`))
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range config.Book.Entries {
		ids = append(ids, e.UID)
	}
	if got := strings.Join(ids, " "); got != "0 2 #2 4 7 2 #7 -1.50" {
		t.Errorf("ids %s", got)
	}
	var duplicates []string
	for _, p := range problems {
		if p.Code == "duplicate" {
			duplicates = append(duplicates, p.Path)
		}
	}
	if !slices.Equal(duplicates, []string{"worldBookEntries[6].uid"}) {
		t.Errorf("problems %v", problems)
	}

	c, _ := config.Compile()
	scan := func(state worldbook.State, texts ...string) (active string, next worldbook.State) {
		var chat []worldbook.Message
		for _, text := range texts {
			chat = append(chat, worldbook.Message{Text: text})
		}
		r, next := c.Scan(worldbook.Input{Messages: chat, ContextSize: 8192}, state)
		for _, a := range r.Activated {
			active += a.ID.UID + " "
		}
		return active, next
	}
	first, state := scan(worldbook.State{}, "甲丙")
	if first != "0 #2 " && first != "#2 0 " {
		t.Errorf("first %q", first)
	}
	if second, _ := scan(state, "甲丙", "x", "丙"); second != "0 " {
		t.Errorf("sticky and cooldown are shared: %q", second)
	}
}

// TestWholeWordsOfEveryScript: word edges work with the letters of every script with blanks between
// words, also for keys of several words. Chinese keys use the endings of nouns.
func TestWholeWordsOfEveryScript(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, text string
		found     bool
	}{
		{"café", "two cafés", false}, {"café", "the café.", true}, {"cafe", "the café", false},
		{"dark wood", "in the dark woods", false}, {"dark wood", "a dark wood, far away", true}, {"dark wood", "Dark Wood", true},
		{"лес", "в лесу", false}, {"лес", "тёмный лес.", true}, {"hp", "hp值", true}, {"c++", "c++ and c", true},
		{"学习魔法", "我想学习魔法", true}, {"魔法", "魔法师", false}, {"魔法", "这是魔法吗", true}, {"e\u0301t", "e\u0301te\u0301", false},
	} {
		config, _ := format.ParseRoleplay("b", []byte(`{"worldBookEntries":[{"uid":"a","matchWholeWords":true,"keywords":["`+c.key+`"]}]}`))
		compiled, _ := config.Compile()
		r, _ := compiled.Scan(worldbook.Input{Messages: []worldbook.Message{{Text: c.text}}, ContextSize: 8192}, worldbook.State{})
		if found := len(r.Activated) == 1; found != c.found {
			t.Errorf("%q in %q: %v", c.key, c.text, found)
		}
	}
}

// TestBudgetOfTheDocument: lore takes less than a quarter of the context and less than 1,500 tokens, unless the
// document says otherwise.
func TestBudgetOfTheDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason, settings string
		context, size    int
		fits             bool
	}{
		{"below the cap", ``, 8192, 1498, true}, {"at the cap", ``, 8192, 1499, false},
		{"below a quarter", ``, 4000, 998, true}, {"a quarter", ``, 4000, 999, false},
		{"a cap of its own", `"tokenBudgetCap":100,`, 8192, 99, false}, {"a share of its own", `"tokenBudgetPercent":10,`, 4000, 399, false},
		{"below a share of its own", `"tokenBudgetPercent":10,`, 4000, 398, true},
	} {
		config, _ := format.ParseRoleplay("b", []byte(`{`+c.settings+`"worldBookEntries":[{"uid":"a","constant":true,"content":"`+strings.Repeat("x", c.size)+`"}]}`))
		compiled, _ := config.Compile()
		in := worldbook.Input{ContextSize: c.context, CountTokens: func(text string) int { return len(text) }}
		r, _ := compiled.Scan(in, worldbook.State{})
		if fits := len(r.Activated) == 1; fits != c.fits {
			t.Errorf("%s: fits %v", c.reason, fits)
		}
	}
}
