package format_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/format"
)

func parseV3(data []byte) (worldbook.Book, talewright.Problems) {
	return format.ParseLorebookV3(data, format.RegexByWriter)
}

// importers are the readers of all formats.
var importers = []func([]byte) (worldbook.Book, talewright.Problems){
	format.ParseAs(format.Agnai), format.ParseAs(format.AIDungeon), format.ParseCard, parseV3,
	format.ParseAs(format.KoboldAI), format.ParseAs(format.NovelAI), format.ParseAs(format.Risu),
	format.ParseSillyTavern, format.ParseAs(format.RoleplayConfig),
}

// seeds are the samples of all formats, and odd forms of them.
func seeds() []string {
	list := []string{
		"\ufeff" + `{"entries":[{"keys":["\ud800"],"content":"\xff"}]}`,
		`{"entries":{"10":{"id":1,"keys":"k"},"2":{"id":1,"id":2},"x":null,"2":{}},"entries2":0}`,
		`{"entries":[{"keys":["a"],"extensions":{"position":4,"depth":null,"role":"x"},"enabled":0}]}`,
		`{"spec":"lorebook_v3","data":{"spec":"lorebook_v3","data":{"entries":[]},"entries":{}}}`,
		`{"type":"risu","data":{"1":{"key":",","mode":"folder","activationPercent":0},"0":5}}`,
		`{"worldBookEntries":[{"uid":5,"keywords":["a",1],"position":"none","conditions":{}},null]}`,
		`{"storyCards":[],"worldInfo":[{"keys":["a",""],"triggers":"b, c"}],"title":"x"}`,
		`{"entries":{"0":{"uid":null,"order":"1e999","position":-1,"key":5,"sticky":-0.0}}}`,
	}
	for _, s := range samples {
		list = append(list, s.json)
	}
	return list
}

func FuzzParse(f *testing.F) {
	for _, text := range seeds() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if book, problems := format.Parse(data); problems.Err() == nil {
			useBook(t, book)
		}
	})
}

// FuzzImporters gives every file to every importer (WB-38, WB-39). A book that an importer reads
// compiles, and can be written and read again.
func FuzzImporters(f *testing.F) {
	for _, text := range seeds() {
		for i := range importers {
			f.Add(uint8(i), []byte(text))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		if book, problems := importers[int(which)%len(importers)](data); problems.Err() == nil {
			useBook(t, book)
		}
	})
}

// useBook compiles a book and sends it through both formats that are written.
func useBook(t *testing.T, book worldbook.Book) {
	t.Helper()
	worldbook.Compile([]worldbook.Attachment{{Book: book}}, worldbook.Exact())
	once, err := format.WriteSillyTavern(book)
	if err != nil {
		t.Fatal(err)
	}
	again, found := format.ParseSillyTavern(once)
	if err := found.Err(); err != nil || len(again.Entries) != len(book.Entries) {
		t.Fatalf("%d entries became %d: %v\n%s", len(book.Entries), len(again.Entries), found, once)
	}
	card, found := format.WriteCard(book)
	if err := found.Err(); err != nil || !json.Valid(card) {
		t.Fatalf("export: %v\n%s", found, card)
	}
	back, found := format.ParseCard(card)
	if err := found.Err(); err != nil || len(back.Entries) != len(book.Entries) {
		t.Fatalf("%d entries became %d: %v\n%s", len(book.Entries), len(back.Entries), found, card)
	}
}
