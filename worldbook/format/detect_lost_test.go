package format_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook/format"
)

// TestLost shows for every importer that an unused member is reported at its place and kept, and
// that a used member is not reported (WB-38, WB-39).
func TestLost(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		format format.Name
		file   string
		want   []string // paths of members that do not act
	}{
		{format.NovelAI, `{"lorebookVersion":5,"own":1,"categories":[],"entries":[
			{"text":"t","displayName":"n","keys":["k"],"enabled":true,"id":"i","lastUpdatedAt":3,
			 "forceActivation":true,"keyRelative":false,"loreBiasGroups":[{"bias":1}],
			 "contextConfig":{"budgetPriority":5,"prefix":"","suffix":"\n","tokenBudget":100}}]}`,
			[]string{"entries[0].contextConfig", "entries[0].loreBiasGroups", "own"}},
		{format.Agnai, `{"kind":"memory","name":"B","own":{"a":1},"entries":[
			{"name":"n","entry":"e","keywords":["k"],"priority":4,"weight":2,"enabled":true}]}`,
			[]string{"entries[0].priority", "own"}},
		{format.Risu, `{"type":"risu","ver":1,"own":"x","data":[
			{"key":"k","mode":"normal","own":1},{"key":"k","mode":"folder"},
			{"key":"k","useRegex":true,"mode":"constant","constant":true}]}`,
			[]string{"data[0].own", "data[1].mode", "own"}},
		{format.AIDungeon, `{"own":true,"storyCards":[{"keys":"k","type":"race","value":"v","id":"1"}]}`,
			[]string{"storyCards[0].type", "own"}},
		{format.AIDungeon, `[{"keys":"k","value":"v","title":"t","useForCharacterCreation":true}]`,
			[]string{"[0].useForCharacterCreation"}},
		{format.KoboldAI, `{"gamestarted":true,"worldinfo":[{"key":"k","folder":"f","keyanti":"a",
			"keysecondary":"s","content":"c","wigroup":"g","widisabled":false}]}`,
			[]string{"worldinfo[0].keyanti", "worldinfo[0].folder", "worldinfo[0].wigroup",
				"gamestarted"}},
		{format.AstrBot, `[{"name":"n","content":"c","cron":"* * * * *","times":2,"duration":0,"template":"user","priority":2}]`,
			[]string{"[0].cron", "[0].template", "[0].times"}},
		{format.AstrBot, `{"world_state":{"a":"1"},"trigger":[{"name":"n","match":"a","block":true,"position":"sys_end","content":"b {var::get(x)}"},
			{"name":"n","match":"a","type":"command","content":"b"}]}`,
			[]string{"trigger[0].content", "trigger[0].block", "trigger[1].match", "trigger[1].type", "world_state"}},
		{format.ChatLuna, `{"prompts":[1],"world_lores":[{"scanDepth":3,"tokenLimit":9},{"keywords":["a"],"content":"c","insertPosition":"in_chat","order":3}]}`,
			[]string{"world_lores[0].tokenLimit", "world_lores[1].insertPosition", "prompts"}},
		{format.CharacterBook, `{"name":"B","scan_depth":5,"recursive_scanning":true,"extensions":{"x":1},
			"entries":[{"id":1,"keys":["k"],"priority":3,"use_regex":true,"case_sensitive":true},
			{"id":2,"keys":["k"],"use_regex":true,"name":"n","comment":"n","extensions":{"position":0,"x":1}},
			{"id":3,"keys":["k"],"name":"n","comment":"m"}]}`,
			[]string{"entries[0].case_sensitive", "entries[0].priority", "entries[0].use_regex",
				"entries[2].name", "book.extensions", "book.recursive_scanning", "book.scan_depth"}},
		{format.CharacterBook, `{"spec":"lorebook_v3","own":1,"data":{"own":2,"entries":[]}}`,
			[]string{"own", "book.own"}},
	} {
		book, problems := format.Parse([]byte(tc.file))
		kind, _ := format.Detect([]byte(tc.file))
		err := problems.Err()
		if err != nil || kind != tc.format {
			t.Errorf("%s read as %s: %v", tc.format, kind, err)
			continue
		}
		if got := paths(problems, "not_carried"); !slices.Equal(got, tc.want) {
			t.Errorf("%s: not carried %q, want %q", tc.format, got, tc.want)
		}
		if string(book.Extra["originalData"]) != tc.file {
			t.Errorf("%s: the source is %s", tc.format, book.Extra["originalData"])
		}
		// The source is written with the book, and read again.
		out, err := format.WriteSillyTavern(book)
		if err != nil || !strings.Contains(string(out), `"originalData":`) {
			t.Errorf("%s is written as %s, %v", tc.format, out, err)
		}
	}
}

// TestKept shows the formats that keep every member in its place.
func TestKept(t *testing.T) {
	t.Parallel()
	world := `{"entries":{"0":{"uid":0,"key":["k"],"own":{"a":[1]}},"x":{"uid":"u","Key":1}},` +
		`"Entries":[],"Name":5,"own":null}`
	book, problems := format.ParseSillyTavern([]byte(world))
	if len(problems) > 0 || len(book.Entries) != 2 {
		t.Fatalf("%d entries, %v", len(book.Entries), problems)
	}
	out, err := format.WriteSillyTavern(book)
	if err != nil || !sameJSON(t, world, string(out)) {
		t.Errorf("%s is written as %s, %v", world, out, err)
	}

	config, problems := format.ParseRoleplay("b", []byte(`{"own":1,"scanDepth":"4","worldBookEntries":[
		{"uid":"a","own":2,"sticky":"many","Order":3}]}`))
	if problems.Err() != nil || len(config.Book.Entries) != 1 {
		t.Fatal(config, problems)
	}
	if got := paths(problems, "bad_type"); !slices.Equal(got,
		[]string{"scanDepth", "worldBookEntries[0].sticky"}) {
		t.Errorf("bad types at %q", got)
	}
	e := config.Book.Entries[0]
	if string(config.Extra["own"]) != "1" || string(config.Extra["scanDepth"]) != `"4"` ||
		string(e.Extra["own"]) != "2" || string(e.Extra["sticky"]) != `"many"` ||
		string(e.Extra["Order"]) != "3" || e.Order != 100 || config.Settings.Depth != 4 {
		t.Errorf("config %+v, entry %+v", config, e)
	}
}

// TestExportLost shows that the export lists all data that a character book cannot store (WB-38).
func TestExportLost(t *testing.T) {
	t.Parallel()
	book, found := format.ParseSillyTavern([]byte(`{"name":"B","description":"d","own":1,"entries":{"0":{"uid":0,
		"key":["k"],"addMemo":true,"comment":"c","own":2,"vectorized":true,"world":"w","extensions":{"e":1},
		"characterFilter":{"isExclude":false,"names":["n"],"tags":[]},"conditions":[1],"empty":""},
		"1":{"uid":1,"characterFilter":{"isExclude":true,"names":[],"tags":[]},"extensions":"odd"}}}`))
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	out, problems := format.WriteCard(book)
	if err := problems.Err(); err != nil {
		t.Fatal(err)
	}
	want := []string{"book.description", "book.own", "entries[0].characterFilter",
		"entries[0].conditions", "entries[0].own", "entries[0].world", "entries[1].extensions"}
	if got := paths(problems, "not_carried"); !slices.Equal(got, want) {
		t.Errorf("not carried %q, want %q", got, want)
	}
	if back, problems := format.ParseCard(out); problems.Err() != nil || !back.Entries[0].Vectorized {
		t.Errorf("%s, %v", out, problems.Err())
	}
}

// paths lists the places of the problems of a code.
func paths(problems talewright.Problems, code talewright.Code) []string {
	var list []string
	for _, p := range problems {
		if p.Code == code {
			list = append(list, p.Path)
		}
	}
	return list
}
