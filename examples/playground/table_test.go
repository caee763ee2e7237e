package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// bell is a world book of one entry, and mara a card with a variable.
const (
	bell = `{"entries": {"0": {"uid": 0, "key": ["bell"], "comment": "The bell", "content": "The bell hangs in the old tower."}}}`
	mara = `{"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Mara", "description": "Mara keeps the light.",
		"first_mes": "The lamp is lit.", "personality": "", "scenario": "", "mes_example": "",
		"character_book": {"entries": [{"keys": ["[initvar]"], "comment": "[initvar]", "enabled": false, "insertion_order": 0, "extensions": {}, "content": "{\"oil\": [3, \"cans of oil\"]}"}]}}}`
	gameFile = "id: tower\ntitle: The tower\ncharacters: [{character_id: ann, name: Ann, hp: {current: 5, max: 5}}]\nparty: [ann]\n"
)

// TestTable: each kind of drop is a game. A line activates lore, plays, and changes variables.
func TestTable(t *testing.T) {
	t.Parallel()
	var archive bytes.Buffer
	packed := zip.NewWriter(&archive)
	if err := packed.AddFS(fstest.MapFS{"tower/game.yaml": {Data: []byte(gameFile)}, "tower/books/bell.json": {Data: []byte(bell)}}); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason  string
		files   []file
		entries int
		values  string
	}{
		{"a world book", []file{{"bell.json", []byte(bell)}}, 1, `{}`},
		{"a card and a world book", []file{{"a mara.json", []byte(mara)}, {"bell.json", []byte(bell)}}, 2, `"oil":[2,"cans of oil"]`},
		{"a folder of a game", []file{{"tower/game.yaml", []byte(gameFile)}, {"tower/books/bell.json", []byte(bell)}}, 1, `{}`},
		{"a zip file of a game", []file{{"tower.zip", archive.Bytes()}}, 1, `{}`},
	} {
		game, about, err := open(t.Context(), c.files)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		if about.Entries != c.entries || about.Chinese || about.Title == "" {
			t.Errorf("%s: %+v", c.reason, about)
		}
		glow, err := game.glow(t.Context(), "Who rings the bell?")
		if err != nil || len(glow) != 1 || !strings.Contains(glow[0].Why, `key "bell"`) {
			t.Errorf("%s: the line activates %+v, %v", c.reason, glow, err)
		}
		turn, err := game.play(t.Context(), "Who rings the bell?", "Nobody.<UpdateVariable>_.set('oil[0]', 3, 2);//burnt</UpdateVariable>")
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		if !strings.HasPrefix(turn.Shown, "Nobody.") || !strings.Contains(turn.Values, c.values) || !strings.Contains(turn.Report, "The bell hangs in the old tower.") {
			t.Errorf("%s: the turn shows %q, has %s, and the page has %d bytes", c.reason, turn.Shown, turn.Values, len(turn.Report))
		}
	}
}

// TestTableRefuses: files without a game are an error that says why.
func TestTableRefuses(t *testing.T) {
	t.Parallel()
	for _, files := range [][]file{nil, {{"a.json", []byte("{")}}, {{"a.zip", []byte("PK")}}, {{"a/b.txt", nil}}} {
		if _, _, err := open(t.Context(), files); err == nil {
			t.Errorf("%+v is a game", files)
		}
	}
}

// TestRealFiles opens real cards and books. The folder may be absent.
func TestRealFiles(t *testing.T) {
	t.Parallel()
	names, _ := filepath.Glob("../../../shared/data/*/*")
	if len(names) == 0 {
		t.Skip("there are no files of others beside this repository")
	}
	opens := 0
	for i, name := range names {
		if i%20 != 0 {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			continue // a folder
		}
		if game, _, err := open(t.Context(), []file{{filepath.Base(name), data}}); err == nil {
			opens++
			if _, err := game.play(t.Context(), "Hello.", "Hi."); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if opens == 0 {
		t.Error("no file opens")
	}
}

// BenchmarkPlay plays a line with a book of 10,000 entries.
func BenchmarkPlay(b *testing.B) {
	var book strings.Builder
	book.WriteString(`{"entries": {`)
	for i := range 10_000 {
		if i > 0 {
			book.WriteByte(',')
		}
		fmt.Fprintf(&book, `"%d": {"uid": %d, "key": ["word%d"], "comment": "Entry %d", "content": "The text of entry %d."}`, i, i, i, i, i)
	}
	book.WriteString(`}}`)
	game, _, err := open(b.Context(), []file{{"book.json", []byte(book.String())}})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		do   func() (int, error)
	}{
		{"glow", func() (int, error) {
			list, err := game.glow(b.Context(), "A word77 and word78.")
			return len(list), err
		}},
		{"play", func() (int, error) {
			turn, err := game.play(b.Context(), "A word77 and word78.", "Nothing.")
			return strings.Count(turn.Report, "The text of entry"), err
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if n, err := c.do(); err != nil || n < 2 {
					b.Fatal(n, err)
				}
			}
		})
	}
}
