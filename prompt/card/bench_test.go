package card_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/talewright/talewright/prompt/card"
)

// bigPNG returns a PNG with one megabyte of image data in chunks of the usual size, and a card of
// 20 KB in both forms.
func bigPNG(tb testing.TB) []byte {
	tb.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var images []string
	for range 1 << 20 / 8192 {
		pixels := make([]byte, 8192)
		for i := range pixels {
			pixels[i] = byte(random.Uint32())
		}
		images = append(images, chunk("IDAT", string(pixels)))
	}
	out, err := card.WritePNG(pngOf(images...), bigCard())
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

func bigCard() card.Card {
	entry := `{"keys":["key"],"content":"` + strings.Repeat("Lore. ", 160) + `","insertion_order":1}`
	return card.Card{
		Name:          "Ann",
		Description:   strings.Repeat("She keeps the tower. ", 500),
		CharacterBook: []byte(`{"entries":[` + strings.Repeat(entry+",", 9) + entry + `]}`),
	}
}

func BenchmarkDecodePNG(b *testing.B) {
	data := bigPNG(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		c, problems, err := parsed(card.ParsePNG(data))
		if err != nil || len(problems) > 0 || c.Name != "Ann" {
			b.Fatal(c.Name, problems, err)
		}
	}
}

// BenchmarkDecodePNGText decodes a PNG that is mostly card: one megabyte of lore in one chunk.
func BenchmarkDecodePNGText(b *testing.B) {
	entry := `{"keys":["key"],"content":"` + strings.Repeat("Lore. ", 160) + `","insertion_order":1}`
	list := strings.Repeat(entry+",", 750) + entry
	data := pngOf(text("chara", v2("Ann", `,"character_book":{"entries":[`+list+`]}`)))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		c, problems, err := parsed(card.ParsePNG(data))
		if err != nil || len(problems) > 0 || c.Name != "Ann" || len(data) < 1e6 {
			b.Fatal(c.Name, problems, err, len(data))
		}
	}
}

func BenchmarkWritePNG(b *testing.B) {
	data, c := bigPNG(b), bigCard()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		out, err := card.WritePNG(data, c)
		if err != nil || len(out) != len(data) {
			b.Fatal(len(out), err)
		}
	}
}

func BenchmarkDecodeJSON(b *testing.B) {
	data := []byte(mustEncode(b, bigCard(), card.V3, card.EncodeOptions{}))
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		c, problems, err := parsed(card.ParseJSON(data))
		if err != nil || len(problems) > 0 || len(c.Description) != 10500 {
			b.Fatal(len(c.Description), problems, err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	c := bigCard()
	b.ReportAllocs()
	for b.Loop() {
		if out, err := card.Encode(c, card.V3, card.EncodeOptions{}); err != nil || len(out) < 20000 {
			b.Fatal(len(out), err)
		}
	}
}
