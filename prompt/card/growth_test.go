package card_test

import (
	"strings"
	"testing"

	"github.com/talewright/talewright/internal/testkit"
	"github.com/talewright/talewright/prompt/card"
)

// growthMembers are members of a card's data that are repeated and nested.
var growthMembers = []testkit.Atom{
	testkit.Repeat(`,"a":1`),
	testkit.Repeat(`,"tags":["x"]`),
	testkit.Repeat(`,"\u0061":"\ud800"`),
	testkit.Repeat(`,"name":5`),
	{Head: `,"alternate_greetings":[1`, Open: `,"x"`, Tail: `]`},
	{Head: `,"alternate_greetings":[1`, Open: `,5`, Tail: `]`},
	{Head: `,"tags":["`, Open: `\"`, Tail: `"]`},
	{Head: `,"tags":["`, Open: `\\`, Tail: `"]`},
	{Head: `,"tags":["`, Open: "\xff", Tail: `"]`},
	{Head: `,"creator_notes_multilingual":{"a":1`, Open: `,"b":"c"`, Tail: `}`},
	{Head: `,"extensions":{"depth_prompt":{"prompt":"`, Open: `\ud800`, Tail: `"}}`},
	{Head: `,"assets":[{}`, Open: `,{"name":"../a","uri":"embeded://../a"}`, Tail: `]`},
	{Head: `,"assets":[{"name":"`, Open: `../`, Tail: `"}]`},
	{Head: `,"character_book":{"entries":[{}`, Open: `,{}`, Tail: `]}`},
	{Head: `,"character_book":{"entries":{"0":{}`, Open: `,"7":{"id":1}`, Tail: `}}`},
	{Head: `,"character_book":{"entries":[{"content":"`, Open: `@@depth 1\n`, Tail: `"}]}`},
	{Head: `,"character_book":{"entries":[{"content":"@@x\n`, Open: `@@@x\n`, Tail: `"}]}`},
	{Head: `,"character_book":{"entries":[{"keys":["k"`, Open: `,5`, Tail: `]}]}`},
	{Head: `,"x":`, Open: `[`, Close: `]`, Mid: `1`},
	{Head: `,"x":`, Open: `{"a":`, Mid: `1`, Close: `}`},
	{Head: `,"x":0.`, Open: `1`},
	testkit.Repeat(` `),
	testkit.Repeat(`"`),
}

// TestGrowth checks that every reader of a card and of its files has linear cost.
func TestGrowth(t *testing.T) {
	open := func(data []byte) {
		f, err := card.Open(data)
		if err != nil {
			return
		}
		f.Card.Book()
		f.Card.DepthPrompt()
		_, _ = f.Card.WorldBook()
		for i, a := range f.Card.AllAssets() {
			if i == 10 { // each is read separately
				break
			}
			_, _ = f.ReadAsset(a)
		}
		for _, spec := range []card.Spec{card.V1, card.V3} {
			_, _ = card.Encode(f.Card, spec, card.EncodeOptions{DropNewer: true})
		}
	}
	packed := deflated(v2("A", ""))
	testkit.Growth(t,
		testkit.Reader{Name: "JSON V1", Atoms: growthMembers, Read: func(s string) {
			open([]byte(`{"name":"A","scenario":""` + s + `}`))
		}},
		testkit.Reader{Name: "JSON V2", Size: 1 << 10, Atoms: growthMembers, Read: func(s string) { open([]byte(v2("A", s))) }},
		testkit.Reader{Name: "JSON V3", Size: 1 << 10, Atoms: growthMembers, Read: func(s string) { open([]byte(v3("A", s))) }},
		testkit.Reader{Name: "JSON, root", Atoms: growthMembers, Read: func(s string) {
			open([]byte(`{"spec":"chara_card_v2","data":{"name":"A"}` + s + `}`))
		}},
		testkit.Reader{Name: "lorebook", Atoms: growthMembers, Read: func(s string) {
			_, _, _ = parsed(card.ParseBook([]byte(`{"entries":[]` + strings.ReplaceAll(s, `,"character_book":{"entries"`, `,"x":{"x"`) + `}`)))
		}},
		testkit.Reader{Name: "PNG text", Size: 1 << 10, Atoms: growthMembers, Read: func(s string) {
			open(pngOf(text("chara", v2("A", s)), text("ccv3", v3("A", s))))
		}},
		testkit.Reader{Name: "PNG packed text", Size: 1 << 10, Atoms: growthMembers, Read: func(s string) {
			open(pngOf(chunk("zTXt", "chara\x00\x00"+deflated(v2("A", s)))))
		}},
		testkit.Reader{Name: "PNG chunks", Read: func(s string) { open([]byte(s)) }, Atoms: []testkit.Atom{
			{Head: signature, Open: chunk("IDAT", "x"), Tail: text("chara", v2("A", ""))},
			{Head: signature, Open: "\x00\x00\x00\x00iCCPxxxx", Tail: text("chara", v2("A", ""))},
			{Head: signature, Open: text("chara", "x"), Tail: text("ccv3", v2("A", ""))},
			{Head: signature, Open: chunk("zTXt", "chara\x00\x00"+packed), Tail: text("ccv3", v2("A", ""))},
			{Head: signature, Open: chunk("tEXt", "chara-ext-asset_:a\x00eA=="), Tail: text("ccv3", v2("A", ""))},
			{Head: signature + text("chara", v2("A", "")), Open: chunk("IEND", "")},
			{Head: signature, Open: "\x00\x00\x10\x00tEXtchara"},
			{Head: signature, Open: "\x00"},
		}},
		testkit.Reader{Name: "CHARX members", Size: 2 << 10, Read: func(s string) {
			files := []string{"card.json", v3("A", "")}
			for _, name := range strings.Split(s, "|") {
				files = append(files, name, "x")
			}
			data := zipOf(t, files...)
			open(data)
			_, _ = card.WriteCHARX(data, card.Card{Name: "A"}, nil)
		}, Atoms: []testkit.Atom{testkit.Repeat("card.json|"), testkit.Repeat("../../a|"), testkit.Repeat("a|"),
			testkit.Repeat("x/y/../z|"), testkit.Repeat("PK\x01\x02|"), testkit.Repeat("PK\x03\x04|")}},
		testkit.Reader{Name: "CHARX asset address", Size: 2 << 10, Read: func(s string) {
			open(zipOf(t, "card.json", v3("A", `,"assets":[{"uri":"embeded://`+s+`"}]`)))
		}, Atoms: []testkit.Atom{{Head: "%", Open: "25"}, testkit.Repeat("%41"), testkit.Repeat("a/../")}},
		testkit.Reader{Name: "CHARX bytes", Read: func(s string) { open([]byte(s)) }, Atoms: []testkit.Atom{
			{Open: "PK\x03\x04", Tail: string(zipOf(t, "card.json", v3("A", "")))},
			{Open: "PK\x01\x02", Tail: string(zipOf(t, "card.json", v3("A", "")))},
			{Head: string(zipOf(t, "card.json", v3("A", ""))), Open: "PK\x05\x06"},
			{Head: string(zipOf(t, "card.json", v3("A", ""))), Open: "\x00"},
		}},
		testkit.Reader{Name: "data address", Read: func(s string) {
			var f card.File
			_, _ = f.ReadAsset(card.Asset{URI: "data:" + s})
		}, Atoms: []testkit.Atom{{Head: ";base64,", Open: "eA=="}, {Head: ";base64,", Open: "e \n-_"}, {Head: ",", Open: "%41"},
			testkit.Repeat(";base64"), testkit.Repeat(",")}},
		testkit.Reader{Name: "file name", Read: func(s string) { card.Asset{Name: s, Ext: s}.FileName() },
			Atoms: []testkit.Atom{testkit.Repeat("../"), testkit.Repeat("微"), testkit.Repeat(" ")}},
	)
}
