package card_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"

	"github.com/talewright/talewright/prompt/card"
)

// A card is stored in a picture: read it, change it, write it back.
func Example() {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 64, 96))); err != nil {
		fmt.Println(err)
		return
	}
	file, err := card.WritePNG(picture.Bytes(), card.Card{
		Name:               "Wren",
		Description:        "{{char}} tends the lighthouse.",
		FirstMes:           "The lamp is lit. Who knocks?",
		AlternateGreetings: []string{"You again?"},
		Extra:              map[string]json.RawMessage{"shop_id": []byte("77")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	c, problems := card.Parse(file)
	fmt.Println(c.CharName(), len(c.Greetings()), "greetings,", len(problems), "problems")

	c.Nickname = "Keeper"
	if file, err = card.WritePNG(file, c); err != nil {
		fmt.Println(err)
		return
	}
	c, problems = card.Parse(file)
	fmt.Println(c.CharName(), string(c.Extra["shop_id"]), problems.Err())
	// Output:
	// Wren 2 greetings, 0 problems
	// Keeper 77 <nil>
}

func ExampleParse() {
	c, problems := card.Parse([]byte(`{
		"spec": "chara_card_v2", "spec_version": "2.0",
		"data": {"name": "Ann", "first_mes": "Hello.", "tags": "calm", "creator": null}
	}`))
	fmt.Println(c.Name, c.Tags)
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// Ann [calm]
	// data.tags: a single value where a list is expected; read as a list of one
}

// Errors have a code for programs and a sentence for users.
func ExampleError() {
	_, err := card.Open([]byte(`{"spec": "lorebook_v3", "data": {"entries": []}}`))
	if e, ok := errors.AsType[*card.Error](err); ok {
		fmt.Println(e.Code)
		fmt.Println(e.Message)
	}
	// Output:
	// is_lorebook
	// this is a lorebook without a character. Import it as a lorebook
}

// A file without a card has one fatal problem.
func ExampleParse_damaged() {
	_, problems := card.Parse([]byte("\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXtchara"))
	fmt.Println(problems.Err())
	// Output: @8: the PNG ends in the middle of a chunk. Download it again, completely
}

// The problems of an archive name assets that it lacks.
func ExampleParse_archive() {
	archive, err := card.WriteCHARX(nil, card.Card{Name: "Ann", Assets: []card.Asset{
		{Type: "emotion", URI: "embeded://assets/emotion/images/joy.png", Name: "joy", Ext: "png"},
	}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, problems := card.Parse(archive)
	fmt.Println(c.Name)
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// Ann
	// data.assets.0.uri: the archive has no file "assets/emotion/images/joy.png"
}

// Open also returns the kind of the file, and the part of it that contains the card.
func ExampleOpen() {
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		fmt.Println(err)
		return
	}
	file, err := card.WritePNG(picture.Bytes(), card.Card{Name: "Ann"})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := card.Open(file)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Format, f.Source, f.Card.Name, len(f.Problems))
	// Output: png ccv3 Ann 0
}

// Pictures and sounds are read on request.
func ExampleFile_ReadAsset() {
	c := card.Card{Name: "Ann", Assets: []card.Asset{
		{Type: "icon", URI: "embeded://assets/icon/images/main.png", Name: "main", Ext: "png"},
		{Type: "background", URI: "https://example.com/sea.png", Name: "main", Ext: "png"},
	}}
	archive, err := card.WriteCHARX(nil, c, []card.AssetFile{
		{Path: "assets/icon/images/main.png", Data: []byte("pixels")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := card.Open(archive)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range f.Card.AllAssets() {
		place, _ := a.Resolve()
		data, err := f.ReadAsset(a)
		e, _ := errors.AsType[*card.Error](err)
		if e != nil {
			fmt.Println(a.Type, place, e.Code)
			continue
		}
		fmt.Println(a.Type, place, len(data), "bytes")
	}
	// Output:
	// icon archive 6 bytes
	// background remote remote_asset
}

func ExampleEncode() {
	c := card.Card{Name: "Ann", Description: "d", Nickname: "A", Tags: []string{"calm"}}
	_, err := card.Encode(c, card.V1, card.EncodeOptions{})
	fmt.Println(err)
	out, err := card.Encode(c, card.V1, card.EncodeOptions{DropNewer: true})
	fmt.Println(string(out), err)
	// Output:
	// card: a V1 card has no place for tags, nickname. Write V2 or V3, or ask to drop these fields
	// {"name":"Ann","description":"d","personality":"","scenario":"","first_mes":"","mes_example":""} <nil>
}

// A picture is required. Example shows a complete use.
func ExampleWritePNG() {
	_, err := card.WritePNG([]byte("no picture"), card.Card{Name: "Ann"})
	e, _ := errors.AsType[*card.Error](err)
	fmt.Println(e.Code)
	// Output: not_png
}

// A changed CHARX is written from the old one.
func ExampleWriteCHARX() {
	archive, err := card.WriteCHARX(nil, card.Card{Name: "Ann"}, []card.AssetFile{
		{Path: "notes.txt", Data: []byte("kept")},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if archive, err = card.WriteCHARX(archive, card.Card{Name: "Anna"}, nil); err != nil {
		fmt.Println(err)
		return
	}
	f, err := card.Open(archive)
	if err != nil {
		fmt.Println(err)
		return
	}
	notes, err := f.ReadAsset(card.Asset{URI: "embeded://notes.txt"})
	fmt.Println(f.Card.Name, string(notes), err)
	// Output: Anna kept <nil>
}

func ExampleCard_DepthPrompt() {
	c, problems := card.Parse([]byte(`{"data": {"name": "Ann", "extensions": {
		"depth_prompt": {"prompt": "Ann is tired."}}}}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	d, ok := c.DepthPrompt()
	fmt.Println(d.Prompt, d.Depth, d.Role, ok)
	// Output: Ann is tired. 4 system true
}

func ExampleCard_Book() {
	c, problems := card.Parse([]byte(`{"data": {"name": "Ann", "character_book": {"entries": [
		{"keys": ["tower"], "content": "It leans.", "position": "before_char"},
		{"keys": ["sea"], "content": "It sings.", "enabled": false}]}}}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	book, _ := c.Book()
	for _, e := range book.Entries {
		fmt.Println(e.Keys, e.Enabled, e.Position, e.Content)
	}
	// Output:
	// [tower] true before_char It leans.
	// [sea] false after_char It sings.
}

func ExampleParseBook() {
	book, problems := card.ParseBook([]byte(`{"spec": "lorebook_v3", "data": {
		"name": "Coast", "entries": [{"keys": ["sea"], "content": "It sings."}]}}`))
	fmt.Println(book.Name, len(book.Entries), problems.Err())
	// Output: Coast 1 <nil>
}

func ExampleCard_NotesFor() {
	c := card.Card{CreatorNotes: "Enjoy.", CreatorNotesMultilingual: map[string]string{"zh": "请享用。"}}
	fmt.Println(c.NotesFor("zh-CN"), c.NotesFor("en"))
	// Output: 请享用。 Enjoy.
}
