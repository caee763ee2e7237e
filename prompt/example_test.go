package prompt_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/prompt/macro"
)

func show(messages []llm.Message) {
	for i, m := range messages {
		text := m.Text
		if m.Name != "" {
			text = m.Name + ": " + text
		}
		for _, c := range m.ToolCalls {
			text += "call " + c.Name + c.Arguments
		}
		fmt.Printf("#%d %-9s %s\n", i, m.Role, text)
	}
}

// A prompt for one turn: the pieces of a scene, the chat, and the player's line.
func ExampleAssemble() {
	env := prompt.Env{
		User: "Mara", Char: "Orin",
		Card: macro.Card{Description: "{{char}} keeps the lighthouse.", Personality: "dry-witted"},
	}
	history := []prompt.Line{
		{Role: llm.Assistant, Text: "The lamp turns. \"You came, {{user}}.\""},
		{Role: llm.User, Text: "I set down my pack. {{roll::d20}}"},
	}
	pieces := prompt.Scene{
		System: "You are {{char}}. Answer in two sentences.",
		Lore: []prompt.Lore{
			{Text: "The lighthouse has no door.", Position: "before", Constant: true},
			{Text: "Storms sing.", Position: "at_depth", Depth: new(1)},
		},
		Directives: []prompt.Directive{{ID: "tired", Text: "{{user}} is worn out.",
			Position: "after_char"}},
		State: "hp 3/10",
	}
	result, err := prompt.Assemble(prompt.Default(), prompt.Input{
		Blocks: pieces.Blocks(env, history), History: history,
	}, env, prompt.Budget{Context: 8192, Response: 1024})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(result.Messages)
	fmt.Println("cache marks behind", result.Breakpoints)
	// Output:
	// #0 system    You are Orin. Answer in two sentences.
	// #1 system    The lighthouse has no door.
	// #2 system    Orin keeps the lighthouse.
	//
	// dry-witted
	// #3 system    Mara is worn out.
	// #4 system    [Start a new Chat]
	// #5 assistant The lamp turns. "You came, Mara."
	// #6 system    Storms sing.
	// #7 user      I set down my pack. {{roll::d20}}
	// #8 system    hp 3/10
	// cache marks behind [2]
}

// The report says for every block whether it was kept, and why.
func ExampleReport_String() {
	env := prompt.Env{User: "Mara", Char: "Orin"}
	var history []prompt.Line
	for i := range 12 {
		history = append(history,
			prompt.Line{Role: llm.User,
				Text: fmt.Sprintf("I climb stair %d of the tower and listen.", i)},
			prompt.Line{Role: llm.Assistant, Text: "Only the wind answers, and far below the sea."})
	}
	history = append(history, prompt.Line{Role: llm.User, Text: "I open the hatch."})
	pieces := prompt.Scene{
		System: "You are {{char}}, keeper of the lighthouse. {{weather}}",
		Lore: []prompt.Lore{
			{ID: "coast.4", Key: "world.coast.4", Text: "The lamp was lit by the drowned.",
				Position: "before"},
			{ID: "coast.9", Key: "world.coast.9", Position: "after",
				Text: "A chronicle of every wreck on the reef, with the names of those who " +
					"were lost, the dates, the tides, the cargo, and what the keepers of the " +
					"light had to say of each of them."},
		},
		Note:    prompt.AuthorNote{Text: "Keep it eerie.", Interval: new(4)},
		Summary: "Mara rowed to the island in the storm.",
		State:   "hp 3/10",
	}
	journal := prompt.Block{
		Key: "journal", Slot: "settings", Literal: true, Keep: new(450), Truncate: prompt.CutStart,
		Text: "Day 1: rowed out at dawn.\nDay 2: the oar broke.\nDay 3: a light.\n" +
			"Day 4: the gate was open.",
	}
	result, err := prompt.Assemble(prompt.Default(), prompt.Input{
		Blocks: append(pieces.Blocks(env, history), journal), History: history,
	}, env, prompt.Budget{Context: 184, Response: 40})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(result.Report)
	// Output:
	// kept      main                14 tok  #0
	// kept      world.coast.4        9 tok  #1
	// truncated journal             19 tok  #2    26 -> 19, first line removed
	// dropped   world.coast.9       42 tok        room 26
	// kept      summary              9 tok  #3
	// kept      chat.marker         10 tok  #4
	// dropped   history.0 … 19       - tok        older than a line that did not fit
	// dropped   history.20          14 tok        room 3
	// kept      history.21 … 24     53 tok  #5-8
	// kept      state                4 tok  #9
	// not_due   note                 0 tok        depth 4, interval 4
	//
	// used:      138 of 141 tokens, 3 left
	// slots:     main 18, world_before 13, settings 23, summary 13, history 63, state 8
	// sources:   host 62, world 13, control 10, history 53
	// problem:   main@44 (weather): no macro has this name; left as written
}

// Lines of a long history that were not read share one line of the report. All returns them one by
// one.
func ExampleReport_All() {
	history := make([]prompt.Line, 400)
	for i := range history {
		history[i] = prompt.Line{Role: llm.User, Text: "I walk on through the rain."}
	}
	result, err := prompt.Simple("Tell a story.", history, nil, 60)
	if err != nil {
		fmt.Println(err)
		return
	}
	statuses := map[prompt.Status]int{} // printed in the order of the keys
	for line := range result.Report.All() {
		if line.Source.Kind == prompt.KindHistory {
			statuses[line.Status]++
		}
	}
	fmt.Println(statuses, "in", len(result.Report.Lines), "lines")
	// Output: map[dropped:397 kept:3] in 7 lines
}

// The tool loop of a turn only appends: the earlier request stays a prefix of the next one, so that
// a provider's cache can be used.
func ExampleResult_Extend() {
	budget := prompt.Budget{Context: 2048, Response: 512, TurnReserve: 256}
	result, err := prompt.Assemble(prompt.Default(), prompt.Input{
		Blocks:  []prompt.Block{{Key: "main", Slot: "main", Text: "You are the game master."}},
		History: []prompt.Line{{Role: llm.User, Text: "I attack the goblin."}},
	}, prompt.Env{}, budget)
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err = result.Extend(budget,
		llm.Message{Role: llm.Assistant, ToolCalls: []llm.ToolCall{
			{ID: "c1", Name: "hp_delta", Arguments: `{"target":"goblin","delta":-4}`},
		}},
		llm.Message{Role: llm.Tool, ToolCallID: "c1", Text: `{"hp":3}`},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(result.Messages)
	fmt.Printf("%d messages as before\n", result.Report.Shared.Messages)
	// Output:
	// #0 system    You are the game master.
	// #1 system    [Start a new Chat]
	// #2 user      I attack the goblin.
	// #3 assistant call hp_delta{"target":"goblin","delta":-4}
	// #4 tool      {"hp":3}
	// 3 messages as before
}

// If required parts do not fit, the error lists all of them with their sizes. No prompt is built
// without them.
func ExampleBudgetError() {
	_, err := prompt.Simple("You are the game master.",
		[]prompt.Line{{Role: llm.User, Text: "I read the whole book aloud."}}, nil, 20)
	fmt.Println(errors.Is(err, prompt.ErrBudget))
	fmt.Println(err)
	// Output:
	// true
	// prompt: the required blocks need 31 tokens, the budget is 20: main (6), chat.marker (10), history.0 (11)
}

func ExampleSimple() {
	result, err := prompt.Simple("You are a helpful innkeeper.", []prompt.Line{
		{Role: llm.User, Text: "A long tale that nobody remembers any more."},
		{Role: llm.Assistant, Text: "Indeed."},
		{Role: llm.User, Text: "A room, please."},
	}, nil, 48)
	if err != nil {
		fmt.Println(err)
		return
	}
	show(result.Messages)
	// Output:
	// #0 system    You are a helpful innkeeper.
	// #1 system    [Start a new Chat]
	// #2 assistant Indeed.
	// #3 user      A room, please.
}

// Your own layout: rules in a separate slot, one message per rule, and a status line that always
// comes last.
func ExampleLayout() {
	layout := prompt.Layout{Slots: []prompt.Slot{
		{Name: "rules", Form: prompt.Separate, Required: true, Stability: prompt.Static},
		{Name: "chat", Form: prompt.History},
		{Name: "status", Required: true},
	}}
	result, err := prompt.Assemble(layout, prompt.Input{
		Blocks: []prompt.Block{
			{Key: "status", Slot: "status", Text: "hp 3", Literal: true},
			{Key: "rule.1", Slot: "rules", Text: "Never speak for the player."},
			{Key: "rule.2", Slot: "rules", Text: "Roll for everything."},
		},
		History: []prompt.Line{{Role: llm.User, Text: "I jump."}},
	}, prompt.Env{}, prompt.Budget{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, m := range result.Messages {
		fmt.Printf("%-6s %-7v %s\n", result.Origins[i].Slot, result.Origins[i].Keys[0], m.Text)
	}
	// Output:
	// rules  rule.1  Never speak for the player.
	// rules  rule.2  Roll for everything.
	// chat   history.0 I jump.
	// status status  hp 3
}

func ExampleLayout_Check() {
	layout := prompt.Layout{Slots: []prompt.Slot{
		{Name: "main"}, {Name: "main", Stability: "forever"}, {Name: "control"},
	}}
	for _, p := range layout.Check() {
		fmt.Println(p)
	}
	// Output:
	// slots[1].name: "main" is also slot 0: rename one
	// slots[1].stability: "forever" is unknown: use static, session or turn
	// slots[2].name: "control" is the name of a place after the last slot: choose a different name
}

// The part of a request that a provider's cache can serve again.
func ExampleSharedPrefix() {
	before := []llm.Message{{Role: llm.System, Text: "Tell a story."},
		{Role: llm.User, Text: "I knock."}}
	now := append(before[:1:1], llm.Message{Role: llm.User, Text: "I leave."})
	fmt.Printf("%+v\n", prompt.SharedPrefix(before, now, prompt.Budget{}))
	// Output: {Messages:1 Tokens:8}
}

func ExampleReport_Line() {
	result, err := prompt.Simple("Tell a story.",
		[]prompt.Line{{Role: llm.User, Text: "I knock."}}, nil, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	line, ok := result.Report.Line("main")
	fmt.Println(line.Status, line.Tokens, line.Message, ok)
	// Output: kept 4 0 true
}

func ExampleParseExamples() {
	const text = "<START>\nMara: Evening.\nOrin: *nods*\nEvening."
	for _, turns := range prompt.ParseExamples(text, "Mara", "Orin") {
		for _, t := range turns {
			fmt.Printf("user %v: %q\n", t.User, t.Text)
		}
	}
	// Output:
	// user true: "Evening."
	// user false: "*nods*\nEvening."
}

// Macros of the host, with variables that are kept after the build.
func ExampleEnv() {
	set, err := macro.NewSet(macro.Macro{Name: "weather", Text: "fog"})
	if err != nil {
		fmt.Println(err)
		return
	}
	env := prompt.Env{
		User: "Mara", Char: "Orin", Vars: map[string]any{"visits": 2.0},
		Clock:   time.Date(2025, time.March, 14, 21, 30, 0, 0, time.UTC),
		Random:  func() float64 { return 0.5 }, // the campaign's own source
		Compile: macro.NewCache(set, 0).Compile,
	}
	result, err := prompt.Assemble(prompt.Default(), prompt.Input{Blocks: []prompt.Block{{
		Key: "main", Slot: "main",
		Text: "It is {{time}}, {{weather}}. Visit {{.visits++}} of {{user}}. Luck: {{roll::d20}}.",
	}}}, env, prompt.Budget{})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(result.Messages)
	fmt.Println(result.Vars, result.Draws)
	// Output:
	// #0 system    It is 9:30 PM, fog. Visit 3 of Mara. Luck: 11.
	// map[visits:3] [{roll 68 0.5}]
}

// The default layout is a value: change the copy.
func ExampleDefault() {
	layout := prompt.Default()
	layout.ChatMarker = ""
	for i := range layout.Slots {
		if layout.Slots[i].Name == "world_before" {
			layout.Slots[i].Format = "<lore>\n{0}\n</lore>"
		}
	}
	result, err := prompt.Assemble(layout, prompt.Input{Blocks: []prompt.Block{
		{Key: "lore", Slot: "world_before", Text: "Storms sing."},
		{Key: "main", Slot: "main", Text: "Tell a story."},
	}}, prompt.Env{}, prompt.Budget{})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(result.Messages)
	// Output:
	// #0 system    Tell a story.
	// #1 system    <lore>
	// Storms sing.
	// </lore>
}

// A text that a model can enlarge has a limit: it always fits the prompt, and the report shows the
// cut.
func ExampleBlock_bound() {
	feedback := strings.Repeat("unknown variable\n", 100)
	result, err := prompt.Assemble(prompt.Default(), prompt.Input{
		Blocks: []prompt.Block{{Key: "feedback", Slot: "state", Text: feedback, Literal: true,
			Truncate: prompt.CutStart, MaxTokens: 20}},
		History: []prompt.Line{{Role: llm.User, Text: "I go on."}},
	}, prompt.Env{}, prompt.Budget{Context: 200})
	if err != nil {
		fmt.Println(err)
		return
	}
	line, _ := result.Report.Line("feedback")
	fmt.Println(line.Status, line.Before, "->", line.Tokens)
	// Output:
	// truncated 290 -> 18
}

func ExampleLine_Message() {
	line := prompt.Line{Role: llm.Assistant, Calls: []llm.ToolCall{{Name: "roll"}}}
	fmt.Println(line.Message().Role, line.Message().Hidden)
	// Output: assistant true
}
