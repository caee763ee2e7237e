package format_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/talewright/talewright/worldbook/format"
)

// united is an export of KoboldAI United.
const united = `{"folders":{"root":["1","2"]},"entries":{
	"1":{"uid":1,"title":"Borin","folder":"root","constant":false,"manual_text":"A dwarf.","comment":"",
		"key":["borin","dwarf"],"keysecondary":[],"token_length":3,"selective":false,"content":"A dwarf.",
		"wpp":{"name":"","type":"","format":"W++","attributes":{}},"use_wpp":false},
	"2":{"uid":2,"title":"Hall","folder":"root","constant":true,"key":[],"keysecondary":["x"],
		"selective":true,"content":"","manual_text":"A hall.","use_wpp":false}}}`

// TestDetect distinguishes similar files and accepts no other files.
func TestDetect(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		reason, file string
		want         format.Name // "" for none
	}{
		{"an export of KoboldAI United", united, format.KoboldAI},
		{"the same without folders", `{"entries":{"1":{"key":["a"],"content":"c","use_wpp":false}}}`, format.KoboldAI},
		{"world info with a member folders", `{"folders":{},"entries":{"0":{"key":["a"],"content":"c","order":5}}}`,
			format.SillyTavern},
		{"world info by hand", `{"entries":{"0":{"key":["a"],"content":"c"}}}`, format.SillyTavern},
		{"constant world info by hand", `{"entries":[5,{"constant":true,"content":"c"}]}`, format.SillyTavern},
		{"a new world info file", `{"entries":{}}`, format.SillyTavern},
		{"a request body", `{"name":"p","roleplayConfig":{"worldBookEntries":[]}}`, format.RoleplayConfig},
		{"comments", "// a file\n" + `{"worldBookEntries": [ /* none */ ]}`, format.RoleplayConfig},
		{"cards without titles", `[{"triggers":"a","entry":"e"}]`, format.AIDungeon},
		{"one good card is enough", `[{"title":"t"},{"keys":"a","description":"e"}]`, format.AIDungeon},

		{"a content index", `[{"filename":"Eldoria.json","type":"world"},{"filename":"a.png","type":"character"}]`, ""},
		{"regex scripts", `[{"id":"1","scriptName":"dice","findRegex":"/x/g","replaceString":"y","trimStrings":[],
			"placement":[2],"disabled":false,"promptOnly":true,"minDepth":null}]`, ""},
		{"a journal of migrations", `{"version":"7","dialect":"sqlite","entries":[{"idx":0,"version":"6",
			"when":1718000000000,"tag":"0000_first","breakpoints":true}]}`, ""},
		{"an empty journal", `{"version":"7","dialect":"sqlite","entries":[]}`, ""},
		{"a list of titles", `[{"title":"a"},{"title":"b"}]`, ""},
		{"a list of values", `[{"key":"a","value":"b"},{"key":"c","value":"d"}]`, ""},
		{"a list of words", `["a","b"]`, ""},
		{"entries that are a number", `{"entries":5}`, ""},
		{"entries that are words", `{"entries":["a"]}`, ""},
		{"quick replies", `{"version":2,"name":"q","qrList":[{"id":1,"label":"a","message":"b"}]}`, ""},
		{"a theme", `{"name":"dark","blur_strength":1}`, ""},
	} {
		got, err := format.Detect([]byte(tc.file))
		if got != tc.want || (err == nil) != (tc.want != "") || err != nil && !errors.Is(err, format.ErrUnknown) {
			t.Errorf("%s: %q, %v, want %q", tc.reason, got, err, tc.want)
		}
	}
}

// TestKoboldUnited reads an export whole: keys, titles and texts, and the folders with
// their entries.
func TestKoboldUnited(t *testing.T) {
	t.Parallel()
	book, problems := format.Parse([]byte(united))
	kind, _ := format.Detect([]byte(united))
	err := problems.Err()
	if err != nil || kind != format.KoboldAI || len(book.Entries) != 2 {
		t.Fatal(book, kind, err)
	}
	a, b := book.Entries[0], book.Entries[1]
	if strings.Join(a.Keys, "|") != "borin|dwarf" || a.Comment != "Borin" || a.Content != "A dwarf." || a.Constant {
		t.Errorf("first %+v", a)
	}
	if b.Content != "A hall." || !b.Constant || !b.Selective || b.Order != 100 {
		t.Errorf("second %+v", b)
	}
	if string(a.Extra["folder"]) != `"root"` {
		t.Errorf("the folder is %s", a.Extra["folder"])
	}
	for _, p := range problems {
		if p.Code != "not_carried" && p.Path != "entries" {
			t.Errorf("problem %v", p)
		}
	}
}

// TestSwitchedOn: in every format with a switch, an entry without a value is on; false and 0 are
// off.
func TestSwitchedOn(t *testing.T) {
	t.Parallel()
	for _, shell := range []string{
		`{"kind":"memory","entries":[{"keywords":["k"],"entry":"e"#}]}`,
		`{"lorebookVersion":5,"entries":[{"keys":["k"],"text":"t"#}]}`,
		`{"entries":[{"keys":["k"],"content":"c"#}]}`,
	} {
		for member, off := range map[string]bool{
			"": false, `,"enabled":null`: false, `,"enabled":true`: false, `,"enabled":false`: true, `,"enabled":0`: true,
		} {
			file := strings.Replace(shell, "#", member, 1)
			book, found := format.Parse([]byte(file))
			err := found.Err()
			if err != nil || len(book.Entries) != 1 || book.Entries[0].Disable != off {
				t.Errorf("%s: %+v, %v", file, book.Entries, err)
			}
		}
	}
}

// TestTextsOfOtherTypes: a list keeps its texts and reports the others by their place.
func TestTextsOfOtherTypes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ file, keys, path, words string }{
		{`[{"key":["a",5,"b"],"content":"c"}]`, "a|b", "[0].key[1]", "must be a text, not a number"},
		{`[{"key":5,"content":"c"}]`, "", "[0].key", "must be a list of texts or one text with commas, not a number"},
		{`[{"keys":["a",{}],"value":"c"}]`, "a", "[0].keys[1]", "must be a text, not an object"},
		{`[{"keys":"a","value":["c"],"entry":"e"}]`, "a", "[0].value", "must be a text, not a list"},
		{`{"worldBookEntries":[{"keywords":["a",true]}]}`, "a", "worldBookEntries[0].keywords[1]",
			"must be a text, not true or false"},
		{`{"worldBookEntries":[{"keywords":["a"],"sticky":"many"}]}`, "a", "worldBookEntries[0].sticky",
			"must be a whole number, not a text"},
		{`{"worldBookEntries":[{"keywords":["a"],"constant":[]}]}`, "a", "worldBookEntries[0].constant",
			"must be true or false, not a list"},
	} {
		book, problems := format.Parse([]byte(tc.file))
		err := problems.Err()
		if err != nil || len(book.Entries) != 1 {
			t.Errorf("%s: %v", tc.file, err)
			continue
		}
		if got := strings.Join(book.Entries[0].Keys, "|"); got != tc.keys {
			t.Errorf("%s: keys %q", tc.file, got)
		}
		if problems[0].Code != "bad_type" || problems[0].Path != tc.path || !strings.HasPrefix(problems[0].Text, tc.words) {
			t.Errorf("%s: %v", tc.file, problems)
		}
	}
}

// TestOddValues: an imported value of an unusual type is reported with its place.
func TestOddValues(t *testing.T) {
	t.Parallel()
	for file, path := range map[string]string{
		`{"kind":"memory","entries":[{},{"keywords":["a"],"weight":"heavy"}]}`:          "entries[1]",
		`{"lorebookVersion":5,"entries":[{"keys":5,"text":"t"}]}`:                       "entries[0]",
		`{"type":"risu","data":[{"key":"a","insertorder":[]}]}`:                         "data[0]",
		`{"entries":[{"keys":["a"],"insertion_order":"first","id":7}]}`:                 "entries[0]",
		`[{"key":"a","content":"c","probability":"often"}]`:                             "[0]",
		`{"type":"risu","data":[{"key":"a","activationPercent":50,"insertorder":100}]}`: "",
	} {
		_, problems := format.Parse([]byte(file))
		err := problems.Err()
		if got := paths(problems, "bad_type"); err != nil || strings.Join(got, " ") != path {
			t.Errorf("%s: %v, %v", file, problems, err)
		}
	}
}

// TestOtherKindsOfFilesAreNamed: the error names the kind of the file and gives an advice.
func TestOtherKindsOfFilesAreNamed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		reason, file string
		want         []string
	}{
		{"YAML with a mistake", "entries:\n  - key: [dragon\n    content: Big.\n", []string{"YAML", "mistake", "convert it to JSON"}},
		{"YAML of another kind", "# my book\n---\nhills: 3\n", []string{`["hills"]`}},
		{"long YAML", "a: 1\n" + strings.Repeat("#\n", 3<<20), []string{"YAML", "more than 4 MiB"}},
		{"a page", "<!DOCTYPE html>\n<html></html>", []string{"HTML", "download"}},
		{"a picture", "\x89PNG\r\n\x1a\n0000", []string{"PNG", "prompt/card"}},
		{"an archive", "PK\x03\x04....", []string{"ZIP", "CHARX"}},
		{"broken JSON stays JSON", `{"entries": {,}}`, []string{"line 1, byte 14", "invalid character"}},
		{"a broken list too", `[{"keys": "a"`, []string{"unexpected end"}},
		{"JSON of another kind", `{"triggers":[],"world_state":{}}`,
			[]string{`["triggers" "world_state"]`, `{"entries": [{"keys":`}},
		{"a list of another kind", `[{"name":"a","keywords":["b"],"text":"c"}]`, []string{`"keys"`}},
		{"a plain text", "Once upon a time there was a dragon", []string{"invalid character 'O'"}},
	} {
		_, found := format.Parse([]byte(tt.file))
		err := found.Err()
		if len(found.Of("unknown_format")) != 1 {
			t.Fatalf("%s: %v", tt.reason, err)
		}
		for _, want := range tt.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", tt.reason, err, want)
			}
		}
	}
}
