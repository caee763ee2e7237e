package worldbook_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"

	wb "github.com/talewright/talewright/worldbook"
)

// compileLore compiles entries as the book "lore" under the exact profile.
func compileLore(entries ...wb.Entry) *wb.Compiled {
	book := wb.Book{Name: "lore", Entries: entries}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
	return compiled
}

// WB-19: random numbers come from the host and are part of the result, so that a turn can be
// replayed.
func ExampleCompiled_Scan() {
	compiled := compileLore(
		wb.Entry{UID: "rain", Constant: true, UseProbability: true, Probability: 50, Content: "It rains."},
		wb.Entry{UID: "wind", Constant: true, UseProbability: true, Probability: 50, Content: "A gale."},
	)
	in := wb.Input{
		Messages:    []wb.Message{{Name: "Ann", Text: "I open the door."}},
		ContextSize: 4096,
		Random:      rand.New(rand.NewPCG(1, 5)).Float64,
	}
	first, _ := compiled.Scan(in, wb.State{})

	rolls := first.Rolls
	in.Random = func() float64 {
		value := rolls[0].Value
		rolls = rolls[1:]
		return value
	}
	again, _ := compiled.Scan(in, wb.State{})
	fmt.Println(len(first.Rolls), wb.Join(first.Before) == wb.Join(again.Before))
	// Output: 2 true
}

// One book for many chats: each can have its own cache.
func ExampleNewCache() {
	compiled := compileLore(wb.Entry{UID: "1", Keys: []string{"dragon"}, Content: "Hot."})
	type chat struct {
		messages []wb.Message
		state    wb.State
		cache    *wb.Cache
	}
	chats := []*chat{
		{messages: []wb.Message{{Text: "A dragon!"}}, cache: wb.NewCache(200)},
		{messages: []wb.Message{{Text: "An elf!"}}, cache: wb.NewCache(200)},
	}
	for _, c := range chats {
		in := wb.Input{Messages: c.messages, ContextSize: 4096, Cache: c.cache}
		var result wb.Result
		result, c.state = compiled.Scan(in, c.state)
		fmt.Println(c.messages[0].Text, len(result.Activated))
	}
	// Output:
	// A dragon! 1
	// An elf! 0
}

// WB-38: a world info file is read, edited and written with all its data, members of other programs
// included.
func ExampleBook_UnmarshalJSON() {
	file := `{"entries": {"7": {"uid": 7, "key": ["inn"], "content": "Warm.", "order": "90",
		"vendor": {"color": "red"}}}, "theme": "dark"}`
	var book wb.Book
	if err := json.Unmarshal([]byte(file), &book); err != nil {
		fmt.Println(err)
		return
	}
	book.Entries[0].Content = "Warm and loud."
	out, _ := json.Marshal(book)
	fmt.Println(string(out))
	// Output:
	// {"entries":{"7":{"uid":7,"key":["inn"],"content":"Warm and loud.","order":"90","vendor":{"color":"red"}}},"theme":"dark"}
}

// An entry made in Go is written with all its fields, under SillyTavern's names.
func ExampleEntry_MarshalJSON() {
	out, _ := json.Marshal(wb.Entry{UID: "3", Keys: []string{"elf"}, Content: "Tall.", Sticky: 2})
	var members map[string]any
	_ = json.Unmarshal(out, &members)
	fmt.Println(members["uid"], members["key"], members["sticky"], len(members))
	// Output: 3 [elf] 2 41
}

// The mistakes of all books, as one error.
func ExampleProblems_Err() {
	book := wb.Book{Name: "lore", Entries: []wb.Entry{
		{UID: "1", Keys: []string{"elf", "/drag(on/"}, Content: "x"},
		{UID: "2", Keys: []string{"/a{2,1}/"}, Content: "y"},
	}}
	_, problems := wb.Compile([]wb.Attachment{{Book: book}}, wb.Exact())
	fmt.Println(problems.Error())
	// Output:
	// lore.entries[0].key[1] (lore.1): "/drag(on/" is not a JavaScript regex (unterminated group at 7): correct it or remove its slashes
	// lore.entries[1].key[0] (lore.2): "/a{2,1}/" is not a JavaScript regex (numbers out of order in quantifier at 6): correct it or remove its slashes
}

func ExampleCompiled_Settings() {
	compiled := compileLore()
	fmt.Println(compiled.Settings().Depth, compiled.Settings().Recursive)
	// Output: 2 true
}

func ExampleCompiled_Len() {
	fmt.Println(compileLore(wb.Entry{UID: "1"}, wb.Entry{UID: "2", Disable: true}).Len())
	// Output: 2
}

// The parts of a prompt, each as one text.
func ExampleJoin() {
	compiled := compileLore(
		wb.Entry{UID: "1", Constant: true, Order: 20, Content: "The town lies by the sea."},
		wb.Entry{UID: "2", Constant: true, Order: 10, Content: "Magic is rare."},
		wb.Entry{UID: "3", Constant: true, Position: wb.PositionAtDepth, Role: wb.RoleUser, Content: "(I am tired.)"},
	)
	result, _ := compiled.Scan(wb.Input{ContextSize: 4096}, wb.State{})
	fmt.Println(wb.Join(result.Before))
	for _, group := range result.Depth {
		fmt.Printf("%s, %d messages up: %s\n", group.Role, *group.Depth, wb.Join(group.Entries))
	}
	// Output:
	// Magic is rare.
	// The town lies by the sea.
	// user, 0 messages up: (I am tired.)
}

// WB-12: named slots, for prompts that define the place of lore themselves.
func ExampleResult_Outlet() {
	outlet := func(uid, text string) wb.Entry {
		return wb.Entry{UID: uid, Constant: true, Position: wb.PositionInOutlet, OutletName: "map", Content: text}
	}
	compiled := compileLore(outlet("1", "North: the sea."), outlet("2", "South: hills."))
	result, _ := compiled.Scan(wb.Input{ContextSize: 4096}, wb.State{})
	fmt.Println(result.Outlet("map"))
	fmt.Printf("%q\n", result.Outlet("rumours"))
	// Output:
	// North: the sea.
	// South: hills.
	// ""
}

// WB-08: the built-in heuristic for Chinese words.
func Example_chineseWords() {
	settings := wb.Roleplay()
	settings.MatchWholeWords = true
	entries := []wb.Entry{{UID: "1", Keys: []string{"魔法"}, Content: "Magic."}}
	compiled, _ := wb.Compile([]wb.Attachment{{Book: wb.Book{Name: "b", Entries: entries}}}, settings)
	for _, text := range []string{"学习魔法", "魔法师"} {
		result, _ := compiled.Scan(wb.Input{Messages: []wb.Message{{Text: text}}, ContextSize: 8192}, wb.State{})
		fmt.Println(text, len(result.Activated) == 1)
	}
	// Output:
	// 学习魔法 true
	// 魔法师 false
}

// One line per entry: the reason of its activation, or the gate that stopped it.
func ExampleExplanation_String() {
	compiled := compileLore(wb.Entry{
		UID: "12", Keys: []string{"Boss"}, SecondaryKeys: []string{"城堡", "决战"}, Selective: true,
		Logic: wb.AndAll, Content: "…",
	})
	in := wb.Input{Messages: []wb.Message{{Text: "Boss在城堡"}}, ContextSize: 4096, Explain: true}
	result, _ := compiled.Scan(in, wb.State{})
	fmt.Println(result.Trace[0])
	in.Messages[0].Text = "Boss在城堡决战"
	result, _ = compiled.Scan(in, wb.State{})
	fmt.Println(result.Trace[0])
	// Output:
	// lore.12: stopped: secondary AND_ALL: missing 决战
	// lore.12: active by key "Boss" in message 0
}

// Numbers in files, words in logs.
func ExampleLogic_String() {
	fmt.Println(wb.NotAll, wb.LogicNone)
	// Output: NOT_ALL none
}

// Entries lists the entries by the ids of results and states. Reach returns the number of messages
// that a host has to keep for them.
func ExampleCompiled_Entries() {
	compiled := compileLore(
		wb.Entry{UID: "mill", Keys: []string{"mill"}, Order: 10},
		wb.Entry{UID: "storm", Keys: []string{"storm"}, Order: 20, ScanDepth: new(7)},
	)
	for id, entry := range compiled.Entries() {
		fmt.Println(id, entry.Keys)
	}
	fmt.Println("messages:", compiled.Reach())
	// Output:
	// lore.storm [storm]
	// lore.mill [mill]
	// messages: 7
}

// An entry whose triggers are all unknown is never active.
func ExampleGenerationType_IsKnown() {
	fmt.Println(wb.Swipe.IsKnown(), wb.GenerationType("Normal").IsKnown())
	// Output: true false
}

// Decorators at the top of a content, and the text after them.
func ExampleParseDecorators() {
	list, rest, problems := wb.ParseDecorators(
		"@@glitter\n@@@depth 2\n@@role user\n\nThe sea sings at night.")
	for _, d := range list {
		fmt.Println(d.Name, d.Values)
	}
	fmt.Printf("%q\n", rest)
	fmt.Println(problems)
	// Output:
	// depth [2]
	// role [user]
	// "The sea sings at night."
	// 1: @@glitter is unknown and is ignored: correct the name, or remove it
}

// A host has a decorator of its own.
func ExampleParseDecorators_host() {
	list, _, problems := wb.ParseDecorators("@@mood grim\n@@depth 1\nText", wb.DecoratorRule{Name: "mood"})
	fmt.Println(list, len(problems))
	// Output: [{mood [grim]} {depth [1]}] 0
}

// The number of a decorator.
func ExampleDecorator_Int() {
	list, _, _ := wb.ParseDecorators("@@depth 4\nThe sea sings.")
	depth, ok := list[0].Int()
	fmt.Println(depth, ok)
	// Output: 4 true
}
