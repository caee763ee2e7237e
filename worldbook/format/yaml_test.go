package format_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// TestYAMLBooks: a book of any format may be written in YAML, or in JSON with comments (WB-49).
func TestYAMLBooks(t *testing.T) {
	t.Parallel()
	for _, r := range []struct{ reason, file, want string }{
		{"SillyTavern", "entries:\n  0:\n    uid: 0\n    key: [dragon, 'wyrm']\n    content: |\n      Big.\n      Old.\n    disable: false\n", `0 [dragon wyrm] "Big.\nOld.\n"`},
		{"a long manual before it", strings.Repeat("# 使用说明\n", 2000) + "- name: Hill\n  content: High.\n", `0 [Hill] "High."`},
		{"anchors", "entries:\n  - &a {keys: [dragon], content: Big.}\n  - <<: *a\n    content: Old.\n", `0 [dragon] "Big." 1 [dragon] "Old."`},
		{"a byte order mark and Windows lines", "\ufeffworld_lores:\r\n  - keywords: hill, rock\r\n    content: High.\r\n", `0 [hill rock] "High."`},
		{"JSON with comments", "{ // lore\n\"entries\": {\"0\": {\"uid\": 0, \"key\": [\"a\"], /* old */ \"content\": \"// b\"}}}", `0 [a] "// b"`},
	} {
		book, problems := format.Parse([]byte(r.file))
		got := ""
		for _, e := range book.Entries {
			got += fmt.Sprintf(" %s %v %q", e.UID, e.Keys, e.Content)
		}
		if problems.Err() != nil || strings.TrimSpace(got) != r.want {
			t.Errorf("%s: got %s, %v, want %s", r.reason, got, problems, r.want)
		}
	}
}

// TestMendedBooks: a book in a wrapper, and JSON with commas before closing brackets, are read and reported
// as warnings.
func TestMendedBooks(t *testing.T) {
	t.Parallel()
	const entries = `"entries": {"0": {"uid": 0, "key": ["a"], "content": "b"}}`
	for _, r := range []struct{ reason, file, want string }{
		{"data", `{"data": {"name": "Hills", ` + entries + `}, "time": 5}`, "Hills data: wrapped"},
		{"world_info", `{"name": "Hills", "world_info": {` + entries + `}}`, "Hills world_info: wrapped"},
		{"a list of entries", `{"data": {"name": "Hills", "entries": [{"keys": ["a"], "content": "b"}]}}`, "Hills data: wrapped"},
		{"the name of the book first", `{"name": "Site", "data": {"name": "Hills", ` + entries + `}}`, "Hills data: wrapped"},
		{"a book that has data", `{"name": "Hills", "data": {"entries": {}}, ` + entries + `}`, "Hills"},
		{"last commas", `{"name": "Hills", "entries": {"0": {"uid": 0, "key": ["a",], "content": "b,}",},},}`, "Hills : mended_json"},
		{"comments", "{\"name\": \"Hills\", // a book\n" + entries + "}", "Hills"},
		{"both, in a wrapper", "{\"data\": {\"name\": \"Hills\", // a book\n" + entries + ",}}", "Hills : mended_json data: wrapped"},
	} {
		book, problems := format.Parse([]byte(r.file))
		got := book.Name
		for _, p := range problems {
			if got += fmt.Sprintf(" %s: %s", p.Path, p.Code); p.Severity != talewright.Warning {
				t.Errorf("%s: %v is no warning", r.reason, p)
			}
		}
		if got != r.want || len(book.Entries) != 1 || fmt.Sprint(book.Entries[0].Keys) != "[a]" {
			t.Errorf("%s: %s, want %s; %+v", r.reason, got, r.want, book.Entries)
		}
	}
	for _, file := range []string{`{"data": {"name": "no book"}}`, `{"data": [1]}`, `{"spec": "other", "data": {"entries": {}}}`, `[1,,]`} {
		if book, problems := format.Parse([]byte(file)); problems.Err() == nil {
			t.Errorf("%s is read as %+v", file, book)
		}
	}
}

// TestAstrBot: the members of both extensions have the meaning that their manuals give.
func TestAstrBot(t *testing.T) {
	t.Parallel()
	book, problems := format.Parse([]byte(`
- name: 教学
  keywords: [示例, "^教学$", "a/b+", "(broken"]
  priority: 5
  probability: 0.8
  content: 你好
- {name: 常驻, template: resident, content: 总在}
- {name: 关, enabled: false, content: x, probability: many}
`))
	e := book.Entries
	if problems.Err() != nil || len(e) != 3 || fmt.Sprint(e[0].Keys) != `[示例 /^教学$/ /a\/b+/ (broken]` || e[0].Order != 5 || e[0].Probability != 80 || e[0].Comment != "教学" ||
		!e[1].Constant || e[1].Order != 100 || !e[2].Disable || e[2].Keys[0] != "关" || e[2].Probability != 100 {
		t.Errorf("%v, %+v", problems, e)
	}
	if len(problems.Of("bad_pattern")) != 1 || len(problems.Of("bad_type")) != 1 {
		t.Error(problems)
	}
	book, problems = format.Parse([]byte(`
trigger:
  - {name: lot, type: keywords, match: "求签,抽签~统计,规则", position: sys_end, content: "签：{var::set(a,{buildin::random(上,下)})}。{a} {x"}
  - {name: dice, type: regex, match: "r(\\d+)", position: sys_start, content: "Roll."}
`))
	e = book.Entries
	if problems.Err() != nil || len(e) != 2 || fmt.Sprint(e[0].Keys, e[0].SecondaryKeys) != "[求签 抽签] [统计 规则]" || e[0].Logic != worldbook.NotAny || !e[0].Selective ||
		e[0].Content != "签：。{a} {x" || e[0].Position != worldbook.PositionAfterCharacter || fmt.Sprint(e[1].Keys) != `[/r(\d+)/]` || e[1].Position != worldbook.PositionBeforeCharacter {
		t.Errorf("%v, %+v", problems, e)
	}
	c, _ := worldbook.Compile([]worldbook.Attachment{{Book: book}}, worldbook.Exact())
	for line, want := range map[string]int{"我要抽签": 1, "抽签统计": 0, "r20": 1} {
		if r, _ := c.Scan(worldbook.Input{ContextSize: 8192, Messages: []worldbook.Message{{Text: line}}}, worldbook.State{}); len(r.Activated) != want {
			t.Errorf("%s: %d entries are active, want %d", line, len(r.Activated), want)
		}
	}
}

// TestChatLuna: settings apply to the entries after them, unless an entry has its own.
func TestChatLuna(t *testing.T) {
	t.Parallel()
	book, problems := format.Parse([]byte(`
keywords: [name of the preset]
world_lores:
  - scanDepth: 3
    recursiveScan: false
  - keywords: [tower]
    content: Old.
  - {keywords: bell, content: Loud., scanDepth: 7, recursiveScan: true, matchWholeWord: true, caseSensitive: false, order: 5, insertPosition: after_char_defs, enabled: false}
  - {constant: true, content: Always.}
`))
	e := book.Entries
	if problems.Err() != nil || len(e) != 3 {
		t.Fatal(problems)
	}
	if *e[0].ScanDepth != 3 || !e[0].PreventRecursion || e[0].MatchWholeWords != nil || e[0].Order != 100 ||
		*e[1].ScanDepth != 7 || e[1].PreventRecursion || !*e[1].MatchWholeWords || *e[1].CaseSensitive || e[1].Order != 5 || e[1].Position != worldbook.PositionAfterCharacter || !e[1].Disable ||
		!e[2].Constant || e[2].Content != "Always." {
		text, _ := json.Marshal(e)
		t.Errorf("%s", text)
	}
}

// TestCommandsGrowth: removing commands takes time in proportion to the text, for any nesting.
func TestCommandsGrowth(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"{a::", "{a::}", "{", "}", "{a::{b}"} {
		text, _ := json.Marshal(strings.Repeat(unit, 200_000) + strings.Repeat("}", 200_000))
		if _, problems := format.Parse([]byte(`{"trigger":[{"match":"a","content":` + string(text) + `}]}`)); problems.Err() != nil {
			t.Errorf("%q: %v", unit, problems)
		}
	}
}
