package format_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

// realBooks returns the real lorebooks next to the repository, by name. They are not part of the
// repository; without them the test is skipped.
func realBooks(tb testing.TB) map[string][]byte {
	tb.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "data", "lorebooks", "*"))
	if err != nil {
		tb.Fatal(err)
	}
	if len(paths) == 0 {
		tb.Skip("no lorebooks in ../shared/data/lorebooks beside the repository")
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			tb.Fatal(err)
		}
	}
	return files
}

// realBook is the expected result of reading a real file.
type realBook struct {
	format  format.Name
	entries int
	// lost lists the reported members, with numbers of entries as *.
	lost []string
}

// liteLost lists the additional members of entries of lorebook_lite, presetLost the additional
// members of a preset of ChatLuna.
var (
	liteLost   = []string{"not_carried trigger[*].block", "not_carried trigger[*].content", "not_carried user_state", "not_carried world_state"}
	presetLost = []string{"not_carried format_user_prompt", "not_carried keywords", "not_carried prompts"}
)

var known = map[string]realBook{
	"st_eldoria.json":                        {format.SillyTavern, 4, nil},
	"tavernkit_world_one.json":               {format.SillyTavern, 1, nil},
	"tavernkit_world_two.json":               {format.SillyTavern, 1, nil},
	"charbook_seraphina.json":                {format.CharacterBook, 4, nil},
	"nativetavern_cultivation_zh.json":       {format.CharacterBook, 7, nativeLost},
	"nativetavern_eldia_ja.json":             {format.CharacterBook, 8, nativeLost},
	"nativetavern_guardian_universe_en.json": {format.CharacterBook, 8, nativeLost},
	"novelai_lockwood_subset.lorebook": {format.NovelAI, 71, []string{
		"not_carried categories", "not_carried entries[*].category",
		"not_carried entries[*].contextConfig", "not_carried entries[*].keyRelative",
		"not_carried entries[*].loreBiasGroups", "not_carried entries[*].nonStoryActivatable",
		"not_carried entries[*].searchRange", "not_carried settings"}},
	"astrbot_worldbook_zh.yaml": {format.AstrBot, 22, []string{"not_carried [*].cron", "not_carried [*].duration",
		"not_carried [*].scope", "not_carried [*].template", "not_carried [*].times"}},
	"astrbot_lorebook_lite_dice.yaml":        {format.AstrBot, 1, liteLost[:2]},
	"astrbot_lorebook_lite_draw_lot_zh.yaml": {format.AstrBot, 2, append([]string{"not_carried trigger[*].actions"}, liteLost...)},
	"astrbot_lorebook_lite_save_zh.yaml":     {format.AstrBot, 4, append([]string{"not_carried trigger[*].actions"}, liteLost...)},
	"chatluna_hornet_en.yml":                 {format.ChatLuna, 2, append([]string{"not_carried authors_note"}, presetLost...)},
	"chatluna_shiyue_detective_gm_zh.yml": {format.ChatLuna, 30, append(presetLost[:3:3],
		"not_carried world_lores[*].maxRecursionDepth", "not_carried world_lores[*].tokenLimit")},
}

// nativeLost lists the additional members of a program whose format is nearly a character book.
var nativeLost = []string{"not_carried book.createdAt",
	"not_carried book.id", "not_carried book.modifiedAt", "not_carried entries[*].worldInfoId"}

// TestRealBooks loads books by other people (WB-38, WB-39, WB-49). All files are read, their lost
// members are listed, and their keys activate.
func TestRealBooks(t *testing.T) {
	t.Parallel()
	for name, data := range realBooks(t) {
		book, problems := format.Parse(data)
		kind, _ := format.Detect(data)
		err := problems.Err()
		yaml := strings.HasPrefix(filepath.Ext(name), ".y")
		lost := map[string]bool{}
		for _, p := range problems {
			lost[string(p.Code)+" "+starred(p.Path)] = true
		}
		got := realBook{kind, len(book.Entries), slices.Sorted(maps.Keys(lost))}
		if diff := cmp.Diff(known[name], got, cmp.AllowUnexported(realBook{})); err != nil || diff != "" {
			t.Errorf("%s: %v, (-want +got):\n%s", name, err, diff)
			continue
		}
		if original := book.Extra["originalData"]; kind != format.SillyTavern && !yaml &&
			!bytes.Equal(original, data) {
			t.Errorf("%s: the source is not kept", name)
		}
		checkActive(t, name, book)
		if !yaml {
			checkWritten(t, name, data, book)
		}
	}
}

// starred replaces the numbers of entries.
func starred(path string) string {
	head, rest, _ := strings.Cut(path, "[")
	if _, tail, ok := strings.Cut(rest, "]"); ok {
		return head + "[*]" + tail
	}
	return path
}

// checkActive fails if the first entry with a key is not activated by it.
func checkActive(t *testing.T, name string, book worldbook.Book) {
	t.Helper()
	c, problems := worldbook.Compile([]worldbook.Attachment{{Book: book}}, worldbook.Exact())
	if len(problems) > 0 {
		t.Errorf("%s: %v", name, problems)
	}
	for _, e := range book.Entries {
		if len(e.Keys) == 0 || e.Disable {
			continue
		}
		in := worldbook.Input{Messages: []worldbook.Message{{Text: "about " + e.Keys[0]}}, ContextSize: 1 << 20}
		if r, _ := c.Scan(in, worldbook.State{}); len(r.Activated) == 0 {
			t.Errorf("%s: %q activates nothing", name, e.Keys[0])
		}
		return
	}
	t.Errorf("%s: no entry has a key", name)
}

// exportAdds are the extensions that only an export of a character book has, not its source:
// settings that newer versions of SillyTavern write.
var exportAdds = []string{"ignore_budget", "match_character_depth_prompt",
	"match_character_description", "match_character_personality", "match_creator_notes",
	"match_persona_description", "match_scenario", "outlet_name", "triggers"}

// checkWritten fails unless writing the book in the two output formats gives back the input. For
// world info, all members and values of the file must be equal, in any order. For a character book,
// all members and values of its entries and its name must be equal, except the settings that an
// export adds.
func checkWritten(t *testing.T, name string, data []byte, book worldbook.Book) {
	t.Helper()
	once, err := format.WriteSillyTavern(book)
	if err != nil {
		t.Fatal(err)
	}
	again, found := format.ParseSillyTavern(once)
	if err := found.Err(); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if twice, err := format.WriteSillyTavern(again); err != nil || !bytes.Equal(once, twice) {
		t.Errorf("%s: writing it a second time changes it: %v", name, err)
	}
	switch known[name].format {
	case format.SillyTavern:
		if diff := cmp.Diff(value(t, data), value(t, once)); diff != "" {
			t.Errorf("%s: world info (-read +written):\n%s", name, diff)
		}
	case format.CharacterBook:
		if !strings.HasPrefix(name, "charbook_") {
			return // not a member that is written
		}
		out, problems := format.WriteCard(book)
		err := problems.Err()
		if err != nil || len(problems) != 1 || problems[0].Path != "book.originalData" {
			t.Errorf("%s: export: %v, %v", name, problems, err)
		}
		added := cmp.FilterPath(func(p cmp.Path) bool {
			index, ok := p.Last().(cmp.MapIndex)
			return ok && slices.Contains(exportAdds, index.Key().String())
		}, cmp.Ignore())
		if diff := cmp.Diff(value(t, data), value(t, out), added); diff != "" {
			t.Errorf("%s: character book (-read +written):\n%s", name, diff)
		}
	}
}

func value(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// sameJSON reports whether two texts are the same JSON value.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	return cmp.Equal(value(t, []byte(a)), value(t, []byte(b)))
}
