package imports_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/talewright/talewright/campaign/imports"
	"github.com/talewright/talewright/memvars/mvu"
	"github.com/talewright/talewright/memvars/tree"
)

// teahouse is a card with variables, and a second greeting that begins them otherwise.
const teahouse = `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {
	"name": "小满", "description": "茶馆的掌柜", "first_mes": "「进来坐，{{user}}。」\n<UpdateVariable>\n_.set('小满.心情', '好奇');\n</UpdateVariable>",
	"alternate_greetings": ["「又是你。」<initvar>{\"小满\": {\"好感度\": 60, \"心情\": \"高兴\"}}</initvar>"],
	"character_book": {"name": "茶馆", "extensions": {}, "entries": [
		{"id": 0, "keys": [], "comment": "[InitVar]初始", "enabled": false, "insertion_order": 0, "extensions": {},
		 "content": "小满:\n  好感度: 20\n  心情: 平静\n"}]}}}`

// stat is what the variables of a story begin with.
func stat(t *testing.T, s imports.Start) string {
	t.Helper()
	data, err := s.Setup.Variables.Root().Get("stat_data").MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestCardOfMVU: the entry, the commands of the opening and its block are read; nobody sees
// them, and the model may change what they gave.
func TestCardOfMVU(t *testing.T) {
	start, err := imports.Card([]byte(teahouse), imports.Options{Player: "阿远", MVU: mvu.Options{Hints: "zh"}})
	if err != nil || len(start.Problems) > 0 {
		t.Fatal(err, start.Problems)
	}
	if got, want := stat(t, start), `{"小满":{"好感度":20,"心情":"好奇"}}`; got != want {
		t.Errorf("the variables begin as %s, want %s", got, want)
	}
	if start.Setup.Variables.Root().Get("display_data").Kind() != tree.Absent {
		t.Error("what the opening changed is still told")
	}
	m := played(t, start)
	prompt := told(t, m, "来碗茶")
	for _, want := range []string{"「进来坐，阿远。」", `"心情":"好奇"`, "_.add('path', number)"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt has no %s:\n%s", want, prompt)
		}
	}
	if strings.Contains(prompt, "_.set('小满") {
		t.Errorf("the prompt has the commands of the opening:\n%s", prompt)
	}
	second, err := imports.Card([]byte(teahouse), imports.Options{Greeting: 1})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := stat(t, second), `{"小满":{"好感度":60,"心情":"高兴"}}`; got != want || second.Setup.Greeting != "「又是你。」" {
		t.Errorf("the second greeting begins with %s and %q, want %s", got, second.Setup.Greeting, want)
	}
	if got := start.Content.Card.AlternateGreetings[0]; got != "「又是你。」" {
		t.Errorf("a greeting that may be chosen later is %q", got)
	}
}

// TestBooksOfMVU: a book that is added gives its variables, once, after those of the card;
// books of one name are two. A folder does the same, and its campaign.json comes first.
func TestBooksOfMVU(t *testing.T) {
	book := func(data string) []byte {
		return []byte(`{"name": "茶馆", "entries": {"0": {"uid": 0, "comment": "[initvar]", "disable": true, "content": "` + data + `"}}}`)
	}
	start, err := imports.Card([]byte(teahouse), imports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{`小满: 1\n铜钱: 12`, `铜钱: 99\n天气: 雨`} {
		if err := start.AddBook("x", book(data)); err != nil {
			t.Fatal(err)
		}
	}
	want := `{"小满":{"好感度":20,"心情":"好奇"},"铜钱":12,"天气":"雨"}`
	if got := stat(t, start); got != want {
		t.Errorf("the variables begin as %s, want %s", got, want)
	}
	folder, err := imports.Folder(fstest.MapFS{
		"campaign.json": {Data: []byte(`{"characters": [{"character_id": "a", "name": "A", "hp": {"current": 1, "max": 1}}],
			"variables": {"stat_data": {"天气": "晴"}, "own": 1}}`)},
		"card.json":  {Data: []byte(teahouse)},
		"book.json":  {Data: book(`天气: 雨\n铜钱: 12`)},
		"rules.json": {Data: []byte(`{"variables": [{"id": "coins", "type": "number", "default": 1}]}`)},
	}, imports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := stat(t, folder), `{"天气":"晴","小满":{"好感度":20,"心情":"好奇"},"铜钱":12}`; got != want {
		t.Errorf("the folder begins with %s, want %s", got, want)
	}
	if n := len(folder.Content.Dialects); n != 2 || folder.Setup.Variables.Root().Get("own").Kind() == tree.Absent {
		t.Errorf("%d dialects, variables %v", n, folder.Setup.Variables.Root())
	}
}

// TestBadInitVarIsReported: what cannot be read is a problem, the rest is played.
func TestBadInitVarIsReported(t *testing.T) {
	bad := strings.Replace(teahouse, `小满:\n  好感度: 20\n  心情: 平静\n`, `&a 小满`, 1)
	start, err := imports.Card([]byte(bad), imports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(start.Problems) != 2 || start.Problems[0].Code != mvu.BadInitvar || start.Problems[1].Path != "opening" {
		t.Errorf("problems: %v", start.Problems)
	}
	played(t, start)
}
