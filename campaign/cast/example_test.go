package cast_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/cast"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/prompt/macro"
)

// source returns the given numbers in order.
func source(numbers ...float64) func() float64 {
	return func() float64 {
		x := numbers[0]
		numbers = numbers[1:]
		return x
	}
}

// Named members speak, and members with a lucky draw.
func ExampleChoose() {
	loud, shy := 0.9, 0.1
	choice, err := cast.Choose(cast.Round{
		Members: []cast.Member{
			{ID: "ash", Name: "Ash", Talkativeness: &shy},
			{ID: "reed", Name: "Bo Reed", Talkativeness: &loud},
			{ID: "chen", Name: "老陈", Talkativeness: &shy},
			{ID: "dov", Name: "Dov the Smith", Muted: true},
		},
		Input:  "问老陈吧, the smith is asleep.",
		Random: source(0.9, 0.9, 0.9, 0.5, 0.5, 0.5),
	})
	fmt.Println(choice.Speakers, err)
	fmt.Print(choice)
	// Output:
	// [chen reed] <nil>
	// dov is passed over: muted
	// chen speaks: named
	// ash is passed over: silent, draw 0.5
	// reed speaks: talkative, draw 0.5
	// chen is passed over: silent, draw 0.5
}

// If cards are joined, each is a separate piece, and {{char}} is its owner.
func ExampleMakeSheet() {
	members := []cast.Member{
		{ID: "ash", Name: "Ash", Card: cast.Card{Description: "{{char}} limps.", SystemPrompt: "Be {{char}}."}},
		{ID: "reed", Name: "Bo Reed", Card: cast.Card{Description: "A ferryman. He fears {{notChar}}."}},
		{ID: "dov", Name: "Dov", Muted: true, Card: cast.Card{Description: "A smith."}},
	}
	sheet, ok := cast.MakeSheet(members, nil, "ash", cast.Putting{Cards: "join", Prefix: "[{{char}}, <FIELDNAME>] "})
	expand := func(text, id, char string) string {
		out, _ := macro.Expand(text, macro.Env{Char: char, User: "Mara", Macros: cast.Macros(members, id)})
		return out
	}
	fmt.Println(ok)
	fmt.Println(sheet.Description.Expand(expand))
	fmt.Println(sheet.SystemPrompt.Expand(expand))
	// Output:
	// true
	// [Ash, Description] Ash limps.
	// [Bo Reed, Description] A ferryman. He fears Ash.
	// Be Ash.
}

func ExampleMacros() {
	members := []cast.Member{{ID: "ash", Name: "Ash"}, {ID: "reed", Name: "Bo Reed", Muted: true}, {ID: "dov", Name: "Dov"}}
	values := cast.Macros(members, "ash")
	fmt.Println(values["group"])
	fmt.Println(values["groupNotMuted"])
	fmt.Println(values["notChar"])
	// Output:
	// Ash, Bo Reed, Dov
	// Ash, Dov
	// Dov
}

func ExampleFromCard() {
	c, problems := card.Parse([]byte(`{"spec": "chara_card_v2", "spec_version": "2.0", "data": {
		"name": "Ash", "description": "She limps.", "extensions": {"talkativeness": "0.8"}}}`))
	m := cast.FromCard("ash", c)
	fmt.Println(m.Name, *m.Talkativeness, m.Card.Description, problems.Err())
	// Output: Ash 0.8 She limps. <nil>
}
