package imports_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// teahouse is a card with variables, and a second greeting with different initial values.
const teahouse = `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {
	"name": "小满", "description": "茶馆的掌柜", "first_mes": "「进来坐，{{user}}。」\n<UpdateVariable>\n_.set('小满.心情', '好奇');\n</UpdateVariable>",
	"alternate_greetings": ["「又是你。」<initvar>{\"小满\": {\"好感度\": 60, \"心情\": \"高兴\"}}</initvar>"],
	"character_book": {"name": "茶馆", "extensions": {}, "entries": [
		{"id": 0, "keys": [], "comment": "[InitVar]初始", "enabled": false, "insertion_order": 0, "extensions": {},
		 "content": "小满:\n  好感度: 20\n  心情: 平静\n"}]}}}`

// stat returns the initial variables of a story.
func stat(t *testing.T, s imports.Start) string {
	t.Helper()
	data, err := s.Setup.Variables.Root().Get("stat_data").MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCardOfMVU: the entry, the commands of the opening and its block are read. Players do not see
// them, and the model may change the variables.
func TestCardOfMVU(t *testing.T) {
	start, odd := imports.Parse([]byte(teahouse), imports.Options{Player: "阿远", MVU: mvu.Options{Hints: "zh"}})
	if len(odd) > 0 {
		t.Fatal(odd)
	}
	if got, want := stat(t, start), `{"小满":{"好感度":20,"心情":"好奇"}}`; got != want {
		t.Errorf("the variables begin as %s, want %s", got, want)
	}
	if start.Setup.Variables.Root().Get("display_data").Kind() != tree.Absent {
		t.Error("what the opening changed is still told")
	}
	m := played(t, start)
	prompt := told(t, m, "来碗茶")
	for _, want := range []string{"「进来坐，阿远。」", `"心情":"好奇"`, "_.add('路径', 数字)"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt has no %s:\n%s", want, prompt)
		}
	}
	if strings.Contains(prompt, "_.set('小满") {
		t.Errorf("the prompt has the commands of the opening:\n%s", prompt)
	}
	second, secondOdd := imports.Parse([]byte(teahouse), imports.Options{Greeting: 1})
	if err := secondOdd.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := stat(t, second), `{"小满":{"好感度":60,"心情":"高兴"}}`; got != want || second.Setup.Greeting != "「又是你。」" {
		t.Errorf("the second greeting begins with %s and %q, want %s", got, second.Setup.Greeting, want)
	}
	if got := start.Content.People.Card.AlternateGreetings[0]; got != "「又是你。」" {
		t.Errorf("a greeting that may be chosen later is %q", got)
	}
}

// TestCardThatExplains (SC-05): the prompt has the author's explanation of changes and the author's
// view of the variables, and no second copy of them. What a card leaves out, the engine adds.
func TestCardThatExplains(t *testing.T) {
	const how, ours = "<UpdateVariable>\n_.set('小满.心情', '新的心情');\n</UpdateVariable>", "# 如何修改变量"
	for _, c := range []struct {
		name, comment, lore, shown string
		constant                   bool
		copies                     int // of the present mood
		explained                  bool
	}{
		{"shows and explains", "格式", "{{format_message_variable::stat_data}}\n" + how, "心情: 好奇", true, 1, false},
		{"a template shows", "格式", "<%- JSON.stringify(getvar('stat_data.小满')) %>\n" + how, `"心情":"好奇"`, true, 1, false},
		{"for the update", "[mvu_update]格式", "{{get_message_variable::stat_data.小满.心情}}\n<JSONPatch>[]</JSONPatch>", "好奇", true, 1, false},
		{"only explains", "格式", how, `"心情":"好奇"`, true, 1, false},
		{"only shows", "状态", "{{format_message_variable::stat_data}}", "心情: 好奇", true, 2, true},
		{"a template sets", "格式", "<% _.set(variables, 'x', 1) %>", `"心情":"好奇"`, true, 1, true},
		{"not always there", "格式", "{{format_message_variable::stat_data}}\n" + how, `"心情":"好奇"`, false, 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			entry, err := json.Marshal(map[string]any{"id": 1, "keys": []string{"从未出现"}, "comment": c.comment, "content": c.lore,
				"constant": c.constant, "enabled": true, "insertion_order": 1, "extensions": map[string]any{}})
			if err != nil {
				t.Fatal(err)
			}
			card := strings.Replace(teahouse, `"entries": [`, `"entries": [`+string(entry)+",", 1)
			start, odd := imports.Parse([]byte(card), imports.Options{Player: "阿远", Chat: true})
			if err := odd.Err(); err != nil {
				t.Fatal(err)
			}
			prompt := promptOf(talked(t, start, "「请。」"), 0)
			if got := strings.Count(prompt, "好奇"); got != c.copies || !strings.Contains(prompt, c.shown) {
				t.Errorf("the mood is there %d times, want %d:\n%s", got, c.copies, prompt)
			}
			if got := strings.Contains(prompt, ours); got != c.explained {
				t.Errorf("explained by the engine: %v\n%s", got, prompt)
			}
		})
	}
	own := imports.Begin(imports.Options{})
	own.Content.Rules.Dialects = []game.Dialect{game.Commands()}
	if odd := own.AddBook("茶馆", []byte(`{"entries": {"0": {"uid": 0, "key": [], "comment": "[initvar]", "content": "{\"a\": 1}", "disable": true},
		"1": {"uid": 1, "key": [], "constant": true, "comment": "格式", "content": "_.set('a', 2)"}}}`)); odd.Err() != nil {
		t.Fatal(odd)
	}
	if d := own.Content.Rules.Dialects; len(d) != 1 || d[0].Name != game.Commands().Name {
		t.Errorf("the dialects of the host were replaced by %+v", d)
	}
}

// TestTimeInInitialValues: a macro that needs a clock is reported if there is no clock.
func TestTimeInInitialValues(t *testing.T) {
	t.Parallel()
	timed := []byte(strings.Replace(teahouse, "心情: 平静", "时间: '{{date}}'", 1))
	start, odd := imports.Parse(timed, imports.Options{})
	if list := odd.Of("refused"); len(list) != 1 || list[0].Path != "variables" || !strings.Contains(stat(t, start), "{{date}}") {
		t.Errorf("%v, %s", odd, stat(t, start))
	}
	if start, _ = imports.Parse(timed, imports.Options{MVU: mvu.Options{Expand: func(string) string { return "X" }}}); !strings.Contains(stat(t, start), `"X"`) {
		t.Errorf("the macros of the host are not used: %s", stat(t, start))
	}
	if _, odd = imports.Parse(timed, imports.Options{Clock: time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)}); len(odd.Of("refused")) > 0 {
		t.Error(odd)
	}
}

// TestSchemaAsData: a card may have its schema as data, in the words of JSON Schema or of zod.
func TestSchemaAsData(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"type": "object", "required": ["hp"], "additionalProperties": false, "properties": {
			"hp": {"type": "number", "coerce": true, "minimum": 0, "maximum": 9, "clamp": true},
			"name": {"type": ["string", "null"], "minLength": 2, "pattern": "^[a-z]+/?$"},
			"mood": {"enum": ["calm", "angry"], "default": "calm"}, "one": {"const": 1},
			"bag": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}, "default": {}},
			"more": {"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}},
			"shut": {"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": false},
			"open": {"type": "object", "properties": {"a": {"type": "boolean", "coerce": true}}}, "any": {"title": "Anything"},
			"half": {"type": "number", "exclusiveMinimum": 0, "multipleOf": 0.5, "minimum": 1, "clamp": true},
			"list": {"type": "array", "items": {"anyOf": [{"type": "boolean"}, {"type": "string"}]}, "maxItems": 2}}}`: `
			{"hp":"12"} {"hp":9,"mood":"calm","bag":{}}
			{"hp":1,"name":null,"mood":"angry","one":1,"bag":{"a":1},"list":[true,"x"]} {"hp":1,"name":null,"mood":"angry","one":1,"bag":{"a":1},"list":[true,"x"]}
			{"hp":1,"name":"a"} refused
			{"hp":1,"more":{"a":1,"b":2}} refused
			{"hp":1,"more":{"a":1,"b":"x"}} {"hp":1,"more":{"a":1,"b":"x"},"mood":"calm","bag":{}}
			{"hp":1,"more":{"a":0.5}} refused
			{"hp":1,"shut":{"b":1}} refused
			{"hp":1,"shut":{"a":1}} refused
			{"hp":1,"shut":{"a":null},"open":{"a":1,"b":2},"any":[1]} {"hp":1,"shut":{"a":null},"open":{"a":true,"b":2},"any":[1],"mood":"calm","bag":{}}
			{"hp":1,"half":1.5} {"hp":1,"half":1.5,"mood":"calm","bag":{}}
			{"hp":1,"half":0.5} refused
			{"hp":1,"half":1.2} refused
			{"hp":1,"list":[1]} refused
			{"hp":1,"name":"ab/"} {"hp":1,"name":"ab/","mood":"calm","bag":{}}
			{"hp":1,"mood":"mad"} refused
			{"hp":1,"bag":{"a":0.5}} refused
			{"hp":1,"list":["a","b","c"]} refused
			{"name":"ab"} refused`,
		`"z.object({hp: z.coerce.number().prefault(3)})"`: `
			{} {"hp":3}
			{"hp":"4"} {"hp":4}`,
	} {
		for _, line := range strings.Split(strings.TrimSpace(want), "\n") {
			data, want, _ := strings.Cut(strings.TrimSpace(line), " ")
			file := `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "N", "first_mes": "Hi.", "extensions": {"talewright": {"schema": ` + schema + `}},
				"character_book": {"entries": [{"id": 0, "keys": [], "comment": "[InitVar]", "enabled": false, "insertion_order": 0, "extensions": {}, "content": ` + tree.Text(data).String() + `}]}}}`
			start, odd := imports.Parse([]byte(file), imports.Options{})
			if got := stat(t, start); want == "refused" && len(odd.Of("initial_refused")) != 1 || want != "refused" && (got != want || len(odd) > 0) {
				t.Errorf("%s: %s, want %s, %v", data, got, want, odd)
			}
		}
	}
	_, odd := imports.Parse([]byte(`{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "N", "extensions": {"talewright": {"schema": {"type": "object", "properties": {"a": {"minimun": 1}}}}}}}`), imports.Options{})
	if list := odd.Of("schema_part"); len(list) != 1 || list[0].String() != `card.extensions.talewright.schema (a): the word "minimun" of the schema is unknown and has no effect: correct it` ||
		list[0].Severity != talewright.Warning {
		t.Error(odd)
	}
}

// TestVariablesWithoutGreeting: a card of MVU begins with its variables alone if it has no first message,
// or if the setup names an opening that is not one of the card.
func TestVariablesWithoutGreeting(t *testing.T) {
	t.Parallel()
	cardOf := func(first string) *fstest.MapFile {
		return &fstest.MapFile{Data: []byte(`{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "N", "first_mes": "` + first + `", "character_book": {"entries": [
			{"id": 0, "keys": [], "comment": "[InitVar]", "enabled": false, "insertion_order": 0, "extensions": {}, "content": "hp: 3"}]}}}`)}
	}
	for name, files := range map[string]fstest.MapFS{
		"no message": {"card.json": cardOf("")},
		"a name":     {"card.json": cardOf("Hi.<initvar>hp: 4</initvar>"), "campaign.json": {Data: []byte(`{"greeting_id": "night"}`)}},
	} {
		start, problems := imports.ParseFolder(files, imports.Options{})
		if got := stat(t, start); problems.Err() != nil || got != `{"hp":3}` || start.Setup.Greeting != "" {
			t.Errorf("%s: %s, greeting %q, %v", name, got, start.Setup.Greeting, problems)
		}
	}
}

// TestSchemaAsDataIsBounded: types in types repeat what is below them, so that thirty levels of a small
// schema would be thousands of millions of places.
func TestSchemaAsDataIsBounded(t *testing.T) {
	t.Parallel()
	schema := `{"type": "number"}`
	for range 30 {
		schema = `{"type": ["object", "object"], "properties": {"a": ` + schema + `}}`
	}
	_, odd := imports.Parse([]byte(`{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "N", "extensions": {"talewright": {"schema": `+schema+`}}}}`), imports.Options{})
	if list := odd.Of("schema_part"); len(list) != 1 || !strings.Contains(list[0].String(), "the schema is too large") || list[0].Severity != talewright.Warning {
		t.Error(odd)
	}
}

// TestMVUInAChat: a talk with an MVU card shows its variables and how to change them, and the next
// prompt has the model's changes. A card without variables has no such text in its prompt.
func TestMVUInAChat(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(teahouse), imports.Options{ID: "tea", Player: "阿远", Chat: true, MVU: mvu.Options{Hints: "zh"}})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	model := talked(t, start, "「请坐。」\n<UpdateVariable>\n_.set('小满.心情', '欢喜');\n</UpdateVariable>", "「慢用。」")
	for i, mood := range []string{"好奇", "欢喜"} {
		prompt := promptOf(model, i)
		for _, want := range []string{`"心情":"` + mood + `"`, "_.add('路径', 数字)"} {
			if !strings.Contains(prompt, want) {
				t.Errorf("prompt %d has no %s:\n%s", i, want, prompt)
			}
		}
	}
	plain, plainOdd := imports.Parse([]byte(orin), imports.Options{ID: "talk", Chat: true})
	if err := plainOdd.Err(); err != nil {
		t.Fatal(err)
	}
	if prompt := promptOf(talked(t, plain, "Hm."), 0); strings.Contains(prompt, "#") || strings.Contains(prompt, "set_") {
		t.Errorf("a card without variables has a prompt of %s", prompt)
	}
}

// talked plays a story with an engine, a line for each reply, and replays it.
func talked(t *testing.T, start imports.Start, replies ...string) *llmtest.Scripted {
	t.Helper()
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	model := llmtest.NewScripted()
	for _, text := range replies {
		model.Add(llmtest.Text(text))
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Create(t.Context(), start.Setup); err != nil {
		t.Fatal(err)
	}
	for range replies {
		if outcome, err := engine.Turn(t.Context(), start.Setup.ID, turn.Submit{Text: "…"}); err != nil || outcome.Err() != nil {
			t.Fatal(err, outcome.Err())
		}
	}
	if _, err := engine.Rebuild(t.Context(), start.Setup.ID); err != nil {
		t.Error(err)
	}
	return model
}

// promptOf returns the text of a request.
func promptOf(model *llmtest.Scripted, request int) string {
	var b strings.Builder
	for _, m := range model.Requests()[request].Messages {
		b.WriteString(m.Text + "\n")
	}
	return b.String()
}

// TestMacrosInInitialData: macros of initial data are expanded after parsing, in entries and in
// blocks of the greeting, so that no name breaks the syntax. Unquoted macros work, a text stays a
// text, and the result of a macro is not expanded again.
func TestMacrosInInitialData(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ entry, greeting, player, want string }{
		{"名字: {{user}}\nhp: 3", "", "Mara", `{"名字":"Mara","hp":3}`},
		{"who: '{{user}}'\ntext: \"{{char}} and {{user}}\"", "", "O'Neil: 5", `{"who":"O'Neil: 5","text":"小满 and O'Neil: 5"}`},
		{`{"{{user}}": {"friend": {{char}}, "n": [{{user}}, 1,]},}`, "", "5", `{"5":{"friend":"小满","n":["5",1]}}`},
		{"{{user}}:\n  - {{user}} x\n  - {a: {b: {{user}}}}", "", "{{char}}", `{"{{char}}":["{{char}} x",{"a":{"b":"{{char}}"}}]}`},
		{"lucky: {{roll::1d1}}\nopen: '{{user'\nshut: '}} {{nope}}'", "", "M", `{"lucky":"1","open":"{{user","shut":"}} {{nope}}"}`},
		{"a: 1", "<initvar>\nwho: {{user}}\n</initvar>x<InitVar>b: {c: {{char}}}</initvar>", "O'Neil", `{"who":"O'Neil","b":{"c":"小满"}}`},
		{"a: {{user}}", "<initvar>- a</initvar>", "M", `{"a":"M"}`},
	} {
		data, err := json.Marshal(map[string]any{"spec": "chara_card_v2", "data": map[string]any{
			"name": "小满", "description": "x", "first_mes": "Hi." + c.greeting, "character_book": map[string]any{"entries": []any{
				map[string]any{"keys": []any{}, "comment": "[initvar]", "content": c.entry, "enabled": false}}}}})
		if err != nil {
			t.Fatal(err)
		}
		start, odd := imports.Parse(data, imports.Options{Player: c.player})
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		if got := stat(t, start); got != c.want {
			t.Errorf("%q %q begins with %s, want %s: %v", c.entry, c.greeting, got, c.want, odd)
		}
		if start.Setup.Greeting != "Hi." && start.Setup.Greeting != "Hi.x" {
			t.Errorf("the greeting is %q", start.Setup.Greeting)
		}
		nameless := []byte(`{"entries": {"0": {"uid": 0, "key": [], "comment": "[initvar]", "disable": true, "content": "铜钱: 3"}}}`)
		alone, odd := imports.Parse(nameless, imports.Options{})
		if got := stat(t, alone); got != `{"铜钱":3}` {
			t.Errorf("a book without a name begins with %s: %v", got, odd)
		}
		folder, folderOdd := imports.ParseFolder(fstest.MapFS{"card.json": {Data: data}}, imports.Options{Player: c.player})
		if err := folderOdd.Err(); err != nil {
			t.Fatal(err)
		}
		if got := stat(t, folder); got != c.want {
			t.Errorf("a folder with %q begins with %s, want %s", c.entry, got, c.want)
		}
	}
	named := strings.Replace(teahouse, "小满:\\n  好感度: 20", "小满:\\n  客人: {{user}}\\n  好感度: 20", 1)
	start, odd := imports.Parse([]byte(named), imports.Options{ID: "tea", Player: "阿远", Chat: true})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	if prompt := promptOf(talked(t, start, "「请坐。」"), 0); !strings.Contains(prompt, `"客人":"阿远"`) || !strings.Contains(prompt, `"好感度":20`) {
		t.Errorf("the prompt has no variables with the name:\n%s", prompt)
	}
}

// TestBooksOfMVU: the variables of an added book apply before the variables of the card. Two books
// with the same name are different books. A folder does the same, and its campaign.json comes first.
func TestBooksOfMVU(t *testing.T) {
	book := func(data string) []byte {
		return []byte(`{"name": "茶馆", "entries": {"0": {"uid": 0, "comment": "[initvar]", "disable": true, "content": "` + data + `"}}}`)
	}
	start, odd := imports.Parse([]byte(teahouse), imports.Options{})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{`小满: 1\n铜钱: 12`, `铜钱: 99\n天气: 雨`} {
		if err := start.AddBook("x", book(data)).Err(); err != nil {
			t.Fatal(err)
		}
	}
	want := `{"小满":1,"铜钱":12,"天气":"雨"}`
	if got := stat(t, start); got != want {
		t.Errorf("the variables begin as %s, want %s", got, want)
	}
	folder, folderOdd := imports.ParseFolder(fstest.MapFS{
		"campaign.json": {Data: []byte(`{"characters": [{"character_id": "a", "name": "A", "hp": {"current": 1, "max": 1}}],
			"variables": {"stat_data": {"天气": "晴"}, "own": 1}}`)},
		"card.json":  {Data: []byte(teahouse)},
		"book.json":  {Data: book(`天气: 雨\n铜钱: 12`)},
		"rules.json": {Data: []byte(`{"variables": [{"id": "coins", "type": "number", "default": 1}]}`)},
	}, imports.Options{})
	if err := folderOdd.Err(); err != nil {
		t.Fatal(err)
	}
	if got, want := stat(t, folder), `{"天气":"晴","铜钱":12,"小满":{"好感度":20,"心情":"好奇"}}`; got != want {
		t.Errorf("the folder begins with %s, want %s", got, want)
	}
	if n := len(folder.Content.Rules.Dialects); n != 2 || folder.Setup.Variables.Root().Get("own").Kind() == tree.Absent {
		t.Errorf("%d dialects, variables %v", n, folder.Setup.Variables.Root())
	}
}

// TestBadInitVarIsReported: data that cannot be read is a problem, and the rest is played.
func TestBadInitVarIsReported(t *testing.T) {
	bad := strings.Replace(teahouse, `小满:\n  好感度: 20\n  心情: 平静\n`, `&a 小满`, 1)
	start, odd := imports.Parse([]byte(bad), imports.Options{})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	if len(odd) != 2 || odd[0].Code != "bad_initvar" || odd[1].Path != "opening" {
		t.Errorf("problems: %v", odd)
	}
	played(t, start)
}

// TestChangedStarts: a host changes a start and adds a book with initial variables. The book counts, and
// the changes of the host stay.
func TestChangedStarts(t *testing.T) {
	t.Parallel()
	const book = `{"name": "own", "entries": {"0": {"uid": 0, "key": [], "comment": "[initvar]", "disable": true, "content": "{\"who\": \"{{persona}}\", \"n\": \"{{roll::1d100000}}\"}"}}}`
	changed := func(change func(*imports.Start)) imports.Start {
		start, odd := imports.Parse([]byte(teahouse), imports.Options{Player: "阿远"})
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		change(&start)
		if err := start.AddBook("own", []byte(book)).Err(); err != nil {
			t.Fatal(err)
		}
		if v := start.Setup.Variables.Root().Get("stat_data"); !v.Get("who").Exists() || !v.Get("小满").Exists() {
			t.Errorf("the variables begin as %s", v)
		}
		return start
	}
	plain := changed(func(*imports.Start) {})
	if got := plain.Content.Rules.Render.Part.String(); got != "stat_data" {
		t.Errorf("the model sees %q of the variables", got)
	}
	if got := changed(func(s *imports.Start) { s.Setup.Greeting = "Own." }); got.Setup.Greeting != "Own." {
		t.Errorf("the greeting of the host became %q", got.Setup.Greeting)
	}
	if got := changed(func(s *imports.Start) { s.Content.Rules.Dialects = []game.Dialect{game.Commands()} }).Content.Rules.Dialects; len(got) != 1 || got[0].Name != game.Commands().Name {
		t.Errorf("the dialects of the host became %+v", got)
	}
	if got := changed(func(s *imports.Start) { s.Content.Rules.ShowsVariables = true }); !got.Content.Rules.ShowsVariables {
		t.Error("the texts of the host no longer show the variables")
	}
	named := changed(func(s *imports.Start) { s.Content.People.Persona, s.Setup.Seed = "A guest.", 5 })
	if v, w := named.Setup.Variables.Root().Get("stat_data"), plain.Setup.Variables.Root().Get("stat_data"); v.Get("who").String() != `"A guest."` || v.Get("n").Equal(w.Get("n")) {
		t.Errorf("with a persona and another seed the variables begin as %s, without them as %s", v, w)
	}
	for _, id := range []string{"-1", "7"} {
		folder, odd := imports.ParseFolder(fstest.MapFS{"card.json": {Data: []byte(teahouse)},
			"campaign.json": {Data: []byte(`{"greeting_id": "` + id + `", "variables": {"own": 1}}`)}}, imports.Options{})
		if got := stat(t, folder); odd.Err() != nil || got != `{"小满":{"好感度":20,"心情":"平静"}}` || len(folder.Content.Rules.Render.Part) > 0 {
			t.Errorf("greeting %s: the variables begin as %s, and the model sees %q of them; %v", id, got, folder.Content.Rules.Render.Part, odd)
		}
	}
}

// TestMacrosOfVariables plays a card whose texts show variables of all stores. The prompts follow
// the model's changes. Macros in a line of the player and in a value stay data.
func TestMacrosOfVariables(t *testing.T) {
	t.Parallel()
	shows := strings.Replace(teahouse, `"description": "茶馆的掌柜"`, `"description": "状态：{{format_message_variable::stat_data}}\n{{get_character_variable::shop.name}} {{get_chat_variable::n}}", "extensions": {"tavern_helper": [["scripts", []], ["variables", {"shop": {"name": "雨前"}}]]}`, 1)
	shows = strings.Replace(shows, "「进来坐，{{user}}。」", "「进来坐。」心情：{{get_message_variable::stat_data.小满.心情}}", 1)
	start, odd := imports.Parse([]byte(shows), imports.Options{ID: "tea", Player: "阿远", Chat: true})
	if len(odd) > 0 {
		t.Fatal(odd)
	}
	if start.Setup.Greeting != "「进来坐。」心情：好奇\n" {
		t.Errorf("the greeting is %q", start.Setup.Greeting)
	}
	model := talked(t, start, "「请坐。」\n<UpdateVariable>\n_.set('小满.心情', '{{user}}来了');\n</UpdateVariable>", "「慢用。{{get_message_variable::stat_data}}」", "…")
	for i, want := range []string{"状态：小满:\n     好感度: 20\n     心情: 好奇\n雨前 null", "     心情: \"{{user}}来了\"\n雨前", "「慢用。{{get_message_variable::stat_data}}」"} {
		if prompt := promptOf(model, i); !strings.Contains(prompt, want) {
			t.Errorf("prompt %d has no %q:\n%s", i, want, prompt)
		}
	}
}

// TestSchemaOfACard plays a card whose script registers a schema. Defaults are in the first prompt,
// a reply is converted and clamped, and the model reads the refusals. What cannot be read is a
// problem, and no script of the card runs.
func TestSchemaOfACard(t *testing.T) {
	t.Parallel()
	script, err := json.Marshal("import { registerMvuSchema } from 'https://example.invalid/mvu_zod.js';\n" +
		"const Level = z.coerce.number().transform(v => _.clamp(v, 0, 100)).prefault(5);\n" +
		"export const Schema = z.object({ 小满: z.object({ 好感度: Level, 心情: z.enum(['好奇', '欢喜', '平静']), 疲劳: Level, 备注: z.date() }) });\n" +
		"$(() => { registerMvuSchema(Schema); });")
	if err != nil {
		t.Fatal(err)
	}
	card := strings.Replace(teahouse, `"description": "茶馆的掌柜"`, `"description": "茶馆的掌柜", "extensions": {"tavern_helper": {"scripts": [{"type": "folder", "enabled": true, "scripts": [{"type": "script", "enabled": true, "name": "变量结构", "content": `+string(script)+`}]}]}}`, 1)
	start, odd := imports.Parse([]byte(card), imports.Options{ID: "tea", Player: "阿远", Chat: true})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	if len(odd) != 1 || odd[0].Code != "schema_part" || odd[0].ID != "小满.备注" {
		t.Errorf("problems: %v", odd)
	}
	if got, want := stat(t, start), `{"小满":{"好感度":20,"心情":"好奇","疲劳":5}}`; got != want {
		t.Errorf("the variables begin as %s, want %s", got, want)
	}
	model := talked(t, start, "「请坐。」\n<UpdateVariable>\n_.set('小满.好感度', '300');\n_.set('小满.心情', '狂喜');\n_.set('小满.备注2', 1);\n</UpdateVariable>", "「慢用。」")
	prompt := promptOf(model, 1)
	for _, want := range []string{`"好感度":100`, `"心情":"好奇"`} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt has no %s:\n%s", want, prompt)
		}
	}
	if strings.Contains(prompt, "备注2") {
		t.Errorf("a member that the schema drops is stored:\n%s", prompt)
	}
}

// TestPlacesOfStatusPages: the place that the script of MVU fills is in no greeting and no prompt.
func TestPlacesOfStatusPages(t *testing.T) {
	t.Parallel()
	card := strings.Replace(teahouse, "「又是你。」", "<StatusPlaceHolderImpl/>「又是你。」\\n\\n<StatusPlaceHolderImpl/>", 1)
	card = strings.Replace(card, "「进来坐，{{user}}。」", "「进来坐，{{user}}。」\\n<StatusPlaceHolderImpl/>", 1)
	start, odd := imports.Parse([]byte(card), imports.Options{ID: "tea", Player: "阿远", Chat: true})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	if got := start.Content.People.Card.AlternateGreetings[0]; got != "「又是你。」\n" {
		t.Errorf("the second greeting is %q", got)
	}
	if prompt := promptOf(talked(t, start, "「请坐。」"), 0); strings.Contains(prompt, "StatusPlaceHolder") || !strings.Contains(prompt, "「进来坐，阿远。」") {
		t.Errorf("the prompt is\n%s", prompt)
	}
}

// TestStatusPagesOfReplies plays a card whose script draws a status page in the place that MVU
// appends (SC-10). Replies are stored without the place and without the copies of variables that
// models write. Players see the page with the present variables. Models do not see it.
func TestStatusPagesOfReplies(t *testing.T) {
	t.Parallel()
	data := strings.Replace(teahouse, `"description": "茶馆的掌柜"`, `"description": "茶馆的掌柜", "extensions": {"regex_scripts": [
		{"id": "1", "scriptName": "状态栏", "findRegex": "<StatusPlaceHolderImpl/>", "replaceString": "<div>心情：{{get_message_variable::stat_data.小满.心情}}</div>",
		 "placement": [2], "markdownOnly": true}]}`, 1)
	start, odd := imports.Parse([]byte(data), imports.Options{ID: "tea", Player: "阿远", Chat: true})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	model := llmtest.NewScripted(
		llmtest.Text("「请坐。」\n<UpdateVariable>\n_.set('小满.心情', '欢喜');\n</UpdateVariable>\n<status_current_variable>\n心情: x\n</status_current_variable>\n\n<StatusPlaceHolderImpl/>"),
		llmtest.Text("<StatusPlaceHolderImpl/>\n「慢用。」"))
	engine, err := campaign.New(campaign.Config{Game: g, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Create(t.Context(), start.Setup); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"「请坐。」", "「慢用。」"} {
		shown, stored := "", ""
		for p, err := range engine.Stream(t.Context(), "tea", turn.Submit{Text: "茶\n<StatusPlaceHolderImpl/>"}) {
			switch p := p.(type) {
			case nil:
				t.Fatal(err)
			case campaign.Narration:
				shown += p.Text
			case campaign.Finished:
				stored = p.Outcome.Turn.Text
			}
		}
		if stored != want || shown != want+"\n\n<div>心情：欢喜</div>" {
			t.Errorf("reply %d is stored as %q and shown as %q", i, stored, shown)
		}
	}
	if prompt := promptOf(model, 1); strings.Contains(prompt, "StatusPlaceHolder") || strings.Contains(prompt, "status_current") || strings.Contains(prompt, "<div>") {
		t.Errorf("the prompt is\n%s", prompt)
	}
}

// TestUpdateBlocksAreNotShown: scripts of a card hide, fold or replace the update block. Players see
// the page that replaces the block, and never the commands.
func TestUpdateBlocksAreNotShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ reason, find, replace, want string }{
		{"hidden", `/<UpdateVariable>[\\s\\S]*?<\\/UpdateVariable>/g`, "", "「请坐。」"},
		{"folded", `/<UpdateVariable>([\\s\\S]*?)<\\/UpdateVariable>/g`, "<details>$1</details>", "「请坐。」"},
		{"replaced", `/<update(?:variable)?>.*<\\/update(?:variable)?>/gsi`, "<div>心情：{{get_message_variable::stat_data.小满.心情}}</div>",
			"「请坐。」\n\n<div>心情：欢喜</div>"},
		{"not found", `/<UpdateVariable>X<\\/UpdateVariable>/g`, "<div>X</div>", "「请坐。」"},
	} {
		data := strings.Replace(teahouse, `"description": "茶馆的掌柜"`, `"description": "茶馆的掌柜", "extensions": {"regex_scripts": [
			{"id": "1", "scriptName": "变量更新", "findRegex": "`+c.find+`", "replaceString": "`+c.replace+`", "placement": [2], "markdownOnly": true}]}`, 1)
		start, odd := imports.Parse([]byte(data), imports.Options{ID: "tea", Player: "阿远", Chat: true})
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		g, problems := game.Compile(start.Content)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		engine, err := campaign.New(campaign.Config{Game: g, Model: llmtest.NewScripted(
			llmtest.Text("「请坐。」\n<UpdateVariable>\n_.set('小满.心情', '欢喜');\n</UpdateVariable>"))})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Create(t.Context(), start.Setup); err != nil {
			t.Fatal(err)
		}
		shown := ""
		for p, err := range engine.Stream(t.Context(), "tea", turn.Submit{Text: "茶"}) {
			if err != nil {
				t.Fatal(err)
			}
			if p, ok := p.(campaign.Narration); ok {
				shown += p.Text
			}
		}
		if shown != c.want {
			t.Errorf("%s: %q, want %q", c.reason, shown, c.want)
		}
	}
}

// TestGreetingChanges: a campaign that changes its greeting before the first turn begins with the
// variables of the new one (SC-10). Changes by the host since the beginning stay.
func TestGreetingChanges(t *testing.T) {
	t.Parallel()
	start, odd := imports.Parse([]byte(teahouse), imports.Options{ID: "tea", Player: "阿远", Chat: true})
	if err := odd.Err(); err != nil {
		t.Fatal(err)
	}
	g, problems := game.Compile(start.Content)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	engine, err := campaign.New(campaign.Config{Game: g, Model: llmtest.NewScripted(llmtest.Text("「请坐。」"))})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Create(t.Context(), start.Setup); err != nil {
		t.Fatal(err)
	}
	for _, in := range []turn.Input{
		turn.ApplyEffects{Effects: effect.List{effect.SetVariable{Path: "stat_data.铜钱", Value: tree.Int(3)}}},
		turn.Choose{Greeting: new(1)},
		turn.Submit{Text: "茶"},
	} {
		if out, err := engine.Do(t.Context(), "tea", in); err != nil || out.Err() != nil {
			t.Fatalf("%T: %v, %v", in, err, out.Err())
		}
	}
	c, err := engine.Campaign(t.Context(), "tea")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.State.Variables.Root().Get("stat_data").String(), `{"小满":{"好感度":60,"心情":"高兴"},"铜钱":3}`; got != want {
		t.Errorf("the variables are %s, want %s", got, want)
	}
	if _, err := engine.Rebuild(t.Context(), "tea"); err != nil {
		t.Error(err)
	}
}

// TestGreetingsWithTemplates: a template of a greeting reads the variables of that greeting, whichever
// greeting the campaign had before. What it writes goes with its greeting.
func TestGreetingsWithTemplates(t *testing.T) {
	t.Parallel()
	const file = `{"spec": "chara_card_v3", "spec_version": "3.0", "data": {"name": "小满", "description": "掌柜", "first_mes": "<initvar>\nhp: 1\n</initvar>\n<% setvar('k', 1) %>甲",
		"alternate_greetings": ["<initvar>\nhp: 2\n</initvar>\n乙<%= getvar('stat_data.hp') %>"]}}`
	for first := range 2 {
		start, odd := imports.Parse([]byte(file), imports.Options{ID: "tea", Player: "阿远", Chat: true, Greeting: first})
		if err := odd.Err(); err != nil {
			t.Fatal(err)
		}
		g, problems := game.Compile(start.Content)
		if err := problems.Err(); err != nil {
			t.Fatal(err)
		}
		engine, err := campaign.New(campaign.Config{Game: g, Model: llmtest.NewScripted()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Create(t.Context(), start.Setup); err != nil {
			t.Fatal(err)
		}
		for _, chosen := range []int{1 - first, first, 1 - first} {
			if out, err := engine.Do(t.Context(), "tea", turn.Choose{Greeting: new(chosen)}); err != nil || out.Err() != nil {
				t.Fatal(err, out.Err())
			}
			c, err := engine.Campaign(t.Context(), "tea")
			if err != nil {
				t.Fatal(err)
			}
			root := c.State.Variables.Root()
			got := c.State.Greeting + " " + root.Get("stat_data").String() + " " + root.Get("k").String()
			if want := []string{`甲 {"hp":1} 1`, `乙2 {"hp":2} null`}[chosen]; got != want {
				t.Errorf("%d, then %d: %s, want %s", first, chosen, got, want)
			}
		}
	}
}
