package card_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/card"
)

// times repeats a text n times between commas, with the number of the repetition for %d.
func times(n int, format string) string {
	list := make([]string, n)
	for i := range list {
		list[i] = strings.ReplaceAll(format, "%d", fmt.Sprint(i))
	}
	return strings.Join(list, ",")
}

// roundTrip decodes a card with additional members of data, and writes it in each form.
func roundTrip(members func(n int) string) func(n int) func() {
	return func(n int) func() {
		text := []byte(v3("Ann", members(n)))
		return func() {
			f := must(card.Open(text))
			for _, spec := range []card.Spec{card.V1, card.V2, card.V3} {
				must(card.Encode(f.Card, spec, card.EncodeOptions{DropNewer: true}))
			}
			f.Card.Book()
			if _, problems := f.Card.WorldBook(); problems.Err() != nil {
				panic(problems)
			}
		}
	}
}

// scaleFeatures return the work on n elements of a card or its container.
var scaleFeatures = []struct {
	name string
	work func(n int) func()
}{
	{"greetings", roundTrip(func(n int) string {
		return `,"alternate_greetings":[` + times(n, `"hello %d"`) + `],"tags":[` + times(n, `"%d"`) + `]`
	})},
	{"numbers for texts", roundTrip(func(n int) string { return `,"alternate_greetings":[` + times(n, `%d`) + `]` })},
	{"notes", roundTrip(func(n int) string { return `,"creator_notes_multilingual":{` + times(n, `"l%d":"x"`) + `}` })},
	{"extensions", roundTrip(func(n int) string { return `,"extensions":{` + times(n, `"e%d":{"a":[1]}`) + `}` })},
	{"unknown members", roundTrip(func(n int) string { return `,` + times(n, `"u%d":[1,"x"]`) })},
	{"twins", roundTrip(func(n int) string { return `,` + times(n, `"twin":%d`) })},
	{"book", roundTrip(func(n int) string {
		return `,"character_book":{"entries":[` + times(n, `{"keys":["k%d"],"content":"@@depth 4\nx","id":%d,"y":1}`) + `]}`
	})},
	{"book as an object, backwards", roundTrip(func(n int) string {
		var list strings.Builder
		for i := range n {
			fmt.Fprintf(&list, `,"%d":{"keys":["k"],"content":"x"}`, n-i)
		}
		return `,"character_book":{"entries":{` + list.String()[1:] + `}}`
	})},
	{"keys of one entry", roundTrip(func(n int) string {
		return `,"character_book":{"entries":[{"keys":[` + times(n, `"k%d"`) + `],"content":"x"}]}`
	})},
	{"long texts", roundTrip(func(n int) string {
		return `,"description":"` + strings.Repeat(`\"\\ua\u00e9 `, 10*n) + `"`
	})},
	{"nested", roundTrip(func(n int) string {
		return `,"x":[` + times(n/8, strings.Repeat("[", 400)+strings.Repeat("]", 400)) + `]`
	})},
	{"root members", func(n int) func() {
		text := []byte(`{"spec":"chara_card_v2","data":{"name":"A"},` + times(n, `"r%d":1`) + `}`)
		return func() {
			c, _, _ := parsed(card.ParseJSON(text))
			_, _ = json.Marshal(c)
		}
	}},
	{"assets in chunks", func(n int) func() {
		var chunks []string
		for i := range n {
			chunks = append(chunks, text(fmt.Sprint("chara-ext-asset_:", i), "x"))
		}
		data := pngOf(append(chunks, text("ccv3", v3("Ann", `,"assets":[`+
			times(n, `{"type":"x_a","uri":"__asset:%d","name":"%d","ext":"txt"}`)+`]`)))...)
		return func() { readAll(data, n) }
	}},
	{"assets in an archive", func(n int) func() {
		c, files := card.Card{Name: "Ann"}, assetFiles(n)
		for _, f := range files {
			c.Assets = append(c.Assets, card.Asset{Type: "x_a", URI: "embeded://" + f.Path})
		}
		data := must(card.WriteCHARX(nil, c, files))
		return func() { readAll(data, n) }
	}},
	{"archive written again", func(n int) func() {
		files := assetFiles(n)
		data := must(card.WriteCHARX(nil, card.Card{Name: "Ann"}, files))
		return func() { must(card.WriteCHARX(data, card.Card{Name: "Ann"}, files[:n/2])) }
	}},
	{"picture written again", func(n int) func() {
		picture := pngOf(strings.Repeat(text("chara", "x")+chunk("IDAT", "x"), n))
		return func() { must(card.WritePNG(picture, card.Card{Name: "Ann"})) }
	}},
}

// assetFiles returns n small files.
func assetFiles(n int) []card.AssetFile {
	files := make([]card.AssetFile, n)
	for i := range files {
		files[i] = card.AssetFile{Path: fmt.Sprint("assets/", i), Data: []byte("x")}
	}
	return files
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// readAll opens a card and reads each of its n assets, by its name.
func readAll(data []byte, n int) {
	f, err := card.Open(data)
	if err != nil || len(f.Card.Assets) != n {
		panic(err)
	}
	for _, a := range f.Card.Assets {
		if content, err := f.ReadAsset(a); err != nil || string(content) != "x" {
			panic(err)
		}
	}
}

// TestPerfFeatures: eight times as many elements take about eight times as long. Quadratic work
// takes 64 times as long.
func TestPerfFeatures(t *testing.T) {
	testkit.Need(t)
	for _, f := range scaleFeatures {
		few, many := f.work(500), f.work(4000)
		testkit.AtMost(t, f.name+", 4,000 against 500", 40, func() float64 {
			long, short := time.Hour, time.Hour
			for range 3 { // alternately, so that disturbances affect both
				long = min(long, testkit.Best(1, many))
				short = min(short, testkit.Best(5, few))
			}
			return testkit.Ratio(long, short)
		})
	}
}
