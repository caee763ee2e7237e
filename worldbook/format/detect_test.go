package format_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/talewright/talewright/worldbook/format"
)

func ExampleParse() {
	book, problems := format.Parse([]byte(`{"kind": "memory", "name": "Hills", "entries": [
		{"name": "Borin", "entry": "A dwarf.", "keywords": ["borin"], "weight": 7, "priority": 3,
		 "enabled": true}]}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(book.Name, book.Entries[0].Keys, book.Entries[0].Content)
	fmt.Println(problems[0].Path, problems[0].Code)
	// Output:
	// Hills [borin] A dwarf.
	// entries[0].priority not_carried
}

func ExampleDetect() {
	format, _ := format.Detect([]byte(`[{"title": "Elf", "keys": "elf,elves", "value": "Tall."}]`))
	fmt.Println(format)
	// Output: aidungeon
}

var samples = []struct {
	json   string
	format format.Name
	keys   int // of the first entry
}{
	{`{"lorebookVersion":4,"entries":[{"text":"t","keys":["a","b"],"enabled":true,
		"contextConfig":{"budgetPriority":3}}]}`, format.NovelAI, 2},
	{`{"kind":"memory","entries":[{"entry":"e","keywords":["k"]}]}`, format.Agnai, 1},
	{`{"type":"risu","data":[{"key":"a, b,","content":"c"}]}`, format.Risu, 3},
	{`{"spec":"lorebook_v3","data":{"entries":[{"keys":["a"],"content":"c"}]}}`,
		format.CharacterBook, 1},
	{`{"entries":[{"keys":["a"],"content":"c","enabled":true}]}`, format.CharacterBook, 1},
	{`{"worldBookEntries":[{"uid":"x","keywords":["a","b"]}]}`, format.RoleplayConfig, 2},
	{`{"entries":{"0":{"uid":0,"key":["a"]}}}`, format.SillyTavern, 1},
	{`{"storyCards":[{"keys":"a, b","entry":"e"}]}`, format.AIDungeon, 2},
	{`[{"keys":"a,,b ","value":"e","title":"T"}]`, format.AIDungeon, 2},
	{`[{"key":"a,b","content":"c","keyanti":"d"}]`, format.KoboldAI, 2},
	{`{"worldinfo":[{"key":"a","content":"c","selective":true,"keysecondary":"x, y",
		"constant":true}]}`, format.KoboldAI, 1},
	{`[{"name":"n","content":"c"}]`, format.AstrBot, 1},
	{`{"trigger":[{"name":"n","match":"a,b~c","content":"c"}]}`, format.AstrBot, 2},
	{`{"world_lores":[{"scanDepth":3},{"keywords":"a","content":"c"}]}`, format.ChatLuna, 1},
}

func TestParse(t *testing.T) {
	t.Parallel()
	for _, s := range samples {
		kind, err := format.Detect([]byte(s.json))
		book, found := format.Parse([]byte(s.json))
		if err = cmp.Or(err, found.Err()); err != nil || kind != s.format || len(book.Entries) != 1 ||
			len(book.Entries[0].Keys) != s.keys {
			t.Errorf("%s: %v %v %+v", s.json, err, kind, book.Entries)
		}
	}
	for _, bad := range []string{``, `5`, `{}`, `"x"`, `{"entries":5}`,
		`{"lorebookVersion":1,"entries":5}`, `[5]`, `[]`, `{"data":{}}`} {
		if _, problems := format.Parse([]byte(bad)); problems.Err() == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
