package card_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/prompt/card"
)

// The lorebook of a card is changed as a Book and set again. All other parts of the card and the
// book stay unchanged.
func ExampleBook() {
	c, problems := card.Parse([]byte(`{"spec": "chara_card_v2", "spec_version": "2.0", "data": {
		"name": "Ann", "character_book": {"shop_id": 7, "entries": [
			{"id": 3, "keys": ["sea"], "content": "It sings.", "comment": "", "enabled": true}]}}}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	book, _ := c.Book()
	book.Entries[0].Content = "It is silent."
	data, err := json.Marshal(book)
	if err != nil {
		fmt.Println(err)
		return
	}
	c.CharacterBook = data
	book, _ = c.Book()
	fmt.Println(book.Entries[0].Content, string(book.Entries[0].ID), string(book.Extra["shop_id"]))
	// Output: It is silent. 3 7
}

func ExampleCard_CharName() {
	fmt.Println(card.Card{Name: "Ann of the Sea"}.CharName())
	fmt.Println(card.Card{Name: "Ann of the Sea", Nickname: "Ann"}.CharName())
	// Output:
	// Ann of the Sea
	// Ann
}

func ExampleCard_Greetings() {
	c := card.Card{FirstMes: "Hello.", AlternateGreetings: []string{"You again?"}}
	for i, text := range c.Greetings() {
		fmt.Println(i, text)
	}
	// Output:
	// 0 Hello.
	// 1 You again?
}

// A card without a list of assets has one asset: the picture that contains it.
func ExampleCard_AllAssets() {
	for _, a := range (card.Card{Name: "Ann"}).AllAssets() {
		fmt.Println(a.Type, a.Name, a.URI)
	}
	// Output: icon main ccdefault:
}

func ExampleCard_Asset() {
	c := card.Card{Assets: []card.Asset{
		{Type: "icon", Name: "main", URI: "ccdefault:", Ext: "png"},
		{Type: "emotion", Name: "joy", URI: "embeded://assets/emotion/images/joy.png", Ext: "png"},
	}}
	joy, ok := c.Asset("emotion", "joy")
	fmt.Println(joy.URI, ok)
	_, ok = c.Asset("emotion", "grief")
	fmt.Println(ok)
	// Output:
	// embeded://assets/emotion/images/joy.png true
	// false
}

func ExampleAsset_Resolve() {
	for _, uri := range []string{"embeded://a/joy.png", "https://example.com/joy.png", "ccdefault:"} {
		place, path := card.Asset{URI: uri}.Resolve()
		fmt.Printf("%s %q\n", place, path)
	}
	// Output:
	// archive "a/joy.png"
	// remote ""
	// default ""
}

func ExampleCard_World() {
	c := card.Card{Extensions: map[string]json.RawMessage{"world": []byte(`"Eldoria"`)}}
	fmt.Println(c.World())
	// Output: Eldoria
}

func ExampleCard_Talkativeness() {
	c := card.Card{Extensions: map[string]json.RawMessage{"talkativeness": []byte(`"0.5"`)}}
	fmt.Println(c.Talkativeness())
	// Output: 0.5 true
}

func ExampleCard_Favorite() {
	c := card.Card{Extensions: map[string]json.RawMessage{"fav": []byte("true")}}
	fmt.Println(c.Favorite())
	// Output: true
}

// A name from an unknown author is never used as a path.
func ExampleAsset_FileName() {
	fmt.Println(card.Asset{Name: "../../happy", Ext: "PNG"}.FileName())
	fmt.Println(card.Asset{Name: "雨の日", Ext: "webp"}.FileName())
	// Output:
	// happy.png
	// 雨の日.webp
}
