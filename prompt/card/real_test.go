package card_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/talewright/talewright/prompt/card"
)

// realCards returns card files by other authors, by name. They are stored outside the repository;
// without them the test is skipped.
func realCards(tb testing.TB) map[string][]byte {
	tb.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data", "cards")
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		tb.Fatal(err)
	}
	if len(paths) == 0 {
		tb.Skip("no card files in ../shared/data/cards beside the repository")
	}
	files := map[string][]byte{}
	for _, path := range paths {
		if files[filepath.Base(path)], err = os.ReadFile(path); err != nil {
			tb.Fatal(err)
		}
	}
	return files
}

// TestRealCards shows that published cards are read without a problem and survive a round trip
// through every file format (PR-10).
func TestRealCards(t *testing.T) {
	t.Parallel()
	for name, data := range realCards(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, err := card.Open(data)
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Problems) > 0 {
				t.Errorf("problems: %v", f.Problems)
			}
			c := f.Card
			if c.Name == "" || c.FirstMes == "" {
				t.Errorf("name %q, first message %q", c.Name, c.FirstMes)
			}
			book, _ := c.Book()
			world, problems := c.WorldBook()
			if err := problems.Err(); err != nil || len(world.Entries) != len(book.Entries) {
				t.Errorf("%d of %d entries in the world book, %v", len(world.Entries),
					len(book.Entries), err)
			}
			out := mustEncode(t, c, c.Spec, card.EncodeOptions{})
			checkMembers(t, "root", gjson.ParseBytes(cardText(t, f, data)).Value(),
				gjson.Parse(out).Value())

			// The same content in every other file format.
			want := mustEncode(t, c, card.V3, card.EncodeOptions{})
			base := data
			if f.Format != card.PNG {
				base = picture(t)
			}
			inPNG, err := card.WritePNG(base, c)
			if err != nil {
				t.Fatal(err)
			}
			inZIP, err := card.WriteCHARX(nil, c, nil)
			if err != nil {
				t.Fatal(err)
			}
			for form, file := range map[string][]byte{"json": []byte(want), "png": inPNG, "charx": inZIP} {
				read, _, err := parsed(card.Parse(file))
				if err != nil {
					t.Fatalf("%s: %v", form, err)
				}
				if got := mustEncode(t, read, card.V3, card.EncodeOptions{}); got != want {
					t.Errorf("%s:\n got %s\nwant %s", form, got, want)
				}
			}
		})
	}
}

// cardText returns the JSON text of the card in the file. It does not use the package under test.
func cardText(t *testing.T, f *card.File, data []byte) []byte {
	t.Helper()
	switch f.Format {
	case card.PNG:
		start := bytes.Index(data, []byte("tEXt"+f.Source+"\x00"))
		if start < 4 {
			t.Fatalf("no %s chunk", f.Source)
		}
		n := int(data[start-4])<<24 | int(data[start-3])<<16 | int(data[start-2])<<8 | int(data[start-1])
		return fromBase64(t, string(data[start+5+len(f.Source):start+4+n]))
	case card.CHARX:
		return []byte(zipContent(t, data, f.Source))
	}
	return data
}

// TestRealAssets reads the main icon of real cards: a picture in the archive, or
// the PNG itself.
func TestRealAssets(t *testing.T) {
	t.Parallel()
	for name, data := range realCards(t) {
		f, err := card.Open(data)
		if err != nil {
			t.Fatal(err)
		}
		icon, _ := f.Card.Asset("icon", "main")
		place, _ := icon.Resolve()
		content, err := f.ReadAsset(icon)
		if f.Format == card.JSON || f.Format == card.PNG && place == "archive" {
			// Such files name a picture that they do not contain.
			if errorCode(err) != "missing_asset" {
				t.Errorf("%s: %v, want %s", name, err, "missing_asset")
			}
			continue
		}
		if err != nil || !strings.HasPrefix(string(content), signature) {
			t.Errorf("%s: %d bytes, %v", name, len(content), err)
		}
	}
}
