package prompt_test

import (
	"fmt"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/card"
	"github.com/talewright/talewright/worldbook"
)

// The pieces of a turn as blocks, with their places in the default layout.
func ExampleScene_Blocks() {
	pieces := prompt.Scene{
		System:     "Tell a story.",
		Note:       prompt.AuthorNote{Text: "Be brief.", Depth: new(2)},
		Hooks:      []prompt.HookPlace{{Key: "mood", Text: "Rain.", Priority: new(30)}},
		Directives: []prompt.Directive{{ID: "hurt", Text: "Mara limps.", Position: "nowhere"}},
	}
	for _, b := range pieces.Blocks(prompt.Env{}, nil) {
		switch {
		case b.Depth != nil:
			fmt.Printf("%s at depth %d\n", b.Key, *b.Depth)
		case b.Reason != "":
			fmt.Printf("%s in %s: %s\n", b.Key, b.Slot, b.Reason)
		default:
			fmt.Printf("%s in %s\n", b.Key, b.Slot)
		}
	}
	// Output:
	// main in main
	// note at depth 2
	// directive.hurt in auto: unknown_position nowhere
	// hook.mood in hooks_turn
}

// A character card and the line of a player as a prompt.
func ExampleCardOf() {
	c, problems := card.Parse([]byte(`{"spec": "chara_card_v2", "data": {"name": "Wren",
		"description": "{{char}} keeps the lighthouse.", "first_mes": "Who is there?",
		"extensions": {"depth_prompt": {"prompt": "{{char}} is tired.", "depth": 0}}}}`))
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	env := prompt.Env{User: "Mara", Char: c.CharName()}
	pieces := prompt.Scene{System: "You are {{char}}. Answer {{user}}."}
	env.Card, pieces.CardDepth = prompt.CardOf(c)
	history := []prompt.Line{{Role: llm.Assistant, Text: c.Greetings()[0]}, {Role: llm.User, Text: "It is me."}}
	result, err := prompt.Assemble(prompt.Default(), prompt.Input{Blocks: pieces.Blocks(env, history), History: history},
		env, prompt.Budget{Context: 4096})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range result.Messages {
		fmt.Printf("%s: %s\n", m.Role, m.Text)
	}
	// Output:
	// system: You are Wren. Answer Mara.
	// system: Wren keeps the lighthouse.
	// system: [Start a new Chat]
	// assistant: Who is there?
	// user: It is me.
	// system: Wren is tired.
}

func ExampleAuthorNote_Due() {
	note := prompt.AuthorNote{Text: "Remember the storm.", Interval: new(2)}
	history := []prompt.Line{{Role: llm.User, Text: "I wake."},
		{Role: llm.Assistant, Text: "It is dark."}}
	fmt.Println(note.Due(history))
	fmt.Println(note.Due(append(history, prompt.Line{Role: llm.User, Text: "I listen."})))
	// Output:
	// false
	// true
}

// The lore that a scan activated, placed by its entries.
func ExampleLoreOf() {
	result := worldbook.Result{
		Before: []worldbook.Placed{{ID: worldbook.ID{Book: "coast", UID: "4"},
			Text: "The lamp was lit by the drowned."}},
	}
	for _, l := range prompt.LoreOf(result, false) {
		fmt.Println(l.Key, l.Position, l.Text)
	}
	// Output: world.coast.4 before The lamp was lit by the drowned.
}

// Pieces of a scene as blocks, for a host that builds the list of blocks itself.
func ExampleDirective_Block() {
	directive := prompt.Directive{ID: "hurt", Text: "{{user}} limps.", Position: "depth",
		Depth: new(2)}
	hook := prompt.HookPlace{Key: "mood", Text: "Rain.", Session: true}
	injection := prompt.Injection{Key: "time", Text: "It is night.", Placement: prompt.InjectionAfterMain}
	for _, b := range []prompt.Block{directive.Block(), hook.Block(), injection.Block()} {
		if b.Depth != nil {
			fmt.Println(b.Key, "at depth", *b.Depth)
		} else {
			fmt.Println(b.Key, "in", b.Slot, "with order", *b.Order)
		}
	}
	// Output:
	// directive.hurt at depth 2
	// hook.mood in hooks_session with order 55
	// inject.time in main with order 150
}

// World books search the author's note for keys on the turns on which the note is due, here every
// second message of the player.
func ExampleScene_ScanTexts() {
	pieces := prompt.Scene{Note: prompt.AuthorNote{Text: "Remember the old bell.", Interval: new(2), Scan: true}}
	var history []prompt.Line
	for range 4 {
		history = append(history, prompt.Line{Role: llm.User, Text: "I climb on."})
		fmt.Printf("%d: %q\n", len(history), pieces.ScanTexts(prompt.Env{}, history))
	}
	// Output:
	// 1: []
	// 2: ["Remember the old bell."]
	// 3: []
	// 4: ["Remember the old bell."]
}

func ExampleHookPlace_Block() {
	b := prompt.HookPlace{Key: "weather", Text: "It rains.", Priority: new(10)}.Block()
	fmt.Println(b.Key, b.Slot, *b.Order)
	// Output: hook.weather hooks_turn 10
}

func ExampleInjection_Block() {
	b := prompt.Injection{Key: "map", Text: "The pass is closed.", Depth: 2}.Block()
	fmt.Println(b.Key, *b.Depth)
	b = prompt.Injection{Key: "map", Text: "The pass is closed.", Placement: prompt.InjectionAfterMain}.Block()
	fmt.Println(b.Slot, *b.Order)
	// Output:
	// inject.map 2
	// main 150
}
