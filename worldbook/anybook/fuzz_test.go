package anybook_test

import (
	"encoding/json"
	"testing"

	"github.com/talewright/talewright/worldbook"
	"github.com/talewright/talewright/worldbook/agnai"
	"github.com/talewright/talewright/worldbook/aidungeon"
	"github.com/talewright/talewright/worldbook/anybook"
	"github.com/talewright/talewright/worldbook/charbook"
	"github.com/talewright/talewright/worldbook/koboldai"
	"github.com/talewright/talewright/worldbook/novelai"
	"github.com/talewright/talewright/worldbook/risu"
	"github.com/talewright/talewright/worldbook/seedbook"
	"github.com/talewright/talewright/worldbook/stbook"
)

func FuzzParse(f *testing.F) {
	for _, s := range samples {
		f.Add([]byte(s.json))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if book, _, _, err := anybook.Parse(data); err == nil {
			useBook(t, book)
		}
	})
}

// FuzzImporters hands every file to every importer (WB-38, WB-39): what one of
// them reads compiles, and what it writes it can read again.
func FuzzImporters(f *testing.F) {
	importers := []func([]byte) (worldbook.Book, []worldbook.Problem, error){
		agnai.Parse, aidungeon.Parse, charbook.Parse, koboldai.Parse, novelai.Parse, risu.Parse, stbook.Parse,
		func(data []byte) (worldbook.Book, []worldbook.Problem, error) {
			config, problems, err := seedbook.Parse("b", data)
			return config.Book, problems, err
		},
	}
	for _, s := range samples {
		for i := range importers {
			f.Add(uint8(i), []byte(s.json))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, data []byte) {
		if book, _, err := importers[int(which)%len(importers)](data); err == nil {
			useBook(t, book)
		}
	})
}

// useBook compiles a book and sends it through both formats that are written.
func useBook(t *testing.T, book worldbook.Book) {
	t.Helper()
	worldbook.Compile([]worldbook.Attachment{{Book: book}}, worldbook.Exact())
	once, err := stbook.Encode(book)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := stbook.Parse(once)
	if err != nil || len(again.Entries) != len(book.Entries) {
		t.Fatalf("%d entries became %d: %v\n%s", len(book.Entries), len(again.Entries), err, once)
	}
	card, _, err := charbook.Export(book)
	if err != nil || !json.Valid(card) {
		t.Fatalf("export: %v\n%s", err, card)
	}
	back, _, err := charbook.Parse(card)
	if err != nil || len(back.Entries) != len(book.Entries) {
		t.Fatalf("%d entries became %d: %v\n%s", len(book.Entries), len(back.Entries), err, card)
	}
}
