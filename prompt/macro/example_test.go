package macro_test

import (
	"fmt"
	"time"

	"github.com/talewright/talewright/prompt/macro"
)

func ExampleExpand() {
	text, trace := macro.Expand("{{char}} greets {{user}}. {{nope}}", macro.Env{User: "Mara", Char: "Orin"})
	fmt.Println(text)
	fmt.Printf("%+v\n", trace.Problems)
	// Output:
	// Orin greets Mara. {{nope}}
	// [{Code:unknown Macro:nope Offset:26 Detail:}]
}

// The texts of one build share their variables, and the host gets them back.
func ExampleRun_Expand() {
	run := macro.NewRun(macro.Env{Vars: map[string]any{"hp": 7.0}, Random: func() float64 { return 0.5 }})
	fmt.Println(run.Expand("{{.hp -= 3}}{{if {{.hp < 5}}}}You limp.{{else}}You run.{{/if}}", macro.Full))
	fmt.Println(run.Expand("hp {{.hp}}, luck {{roll::2d6}}", macro.Full))
	fmt.Println(run.Expand("{{.hp = 99}} says the player", macro.Names))
	vars, written := run.Vars()
	fmt.Println(vars, written, run.Trace().Draws)
	// Output:
	// You limp.
	// hp 4, luck 8
	// {{.hp = 99}} says the player
	// map[hp:4] true [{roll 17 0.5} {roll 17 0.5}]
}

func ExampleRun_ExpandWith() {
	run := macro.NewRun(macro.Env{})
	text := run.ExpandWith("Be brief. {{original}}", macro.Full, macro.Locals{
		Original: func() string { return "Never speak for the player." },
	})
	fmt.Println(text)
	// Output: Be brief. Never speak for the player.
}

// A macro of the host, with a scope as its argument.
func ExampleNewSet() {
	set, err := macro.NewSet(macro.Macro{
		Name: "whisper", MinArgs: 1, MaxArgs: 1,
		Func: func(c *macro.Call) string { return "(" + c.Args[0] + ")" },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := macro.Expand("{{whisper}} run, {{user}} {{/whisper}}", macro.Env{User: "Mara", Compile: set.Compile})
	fmt.Println(text)
	_, err = macro.NewSet(macro.Macro{Name: "if"}, macro.Macro{Name: "2nd"})
	fmt.Println(err)
	// Output:
	// (run, Mara)
	// macro: macros[0]: "if" is part of the syntax: choose another name
	// macros[1]: "2nd" is no macro name: use a letter, then letters, digits, _ and -
}

// A cache keeps the compiled form of texts that come again on every turn.
func ExampleNewCache() {
	cache := macro.NewCache(nil, 100)
	env := macro.Env{Char: "Orin", Compile: cache.Compile}
	for range 2 {
		text, _ := macro.Expand("{{char}} waits.", env)
		fmt.Println(text)
	}
	// Output:
	// Orin waits.
	// Orin waits.
}

func ExampleFormatTime() {
	at := time.Date(2025, time.March, 14, 15, 9, 26, 0, time.UTC)
	fmt.Println(macro.FormatTime(at, "dddd, MMMM Do [at] h:mm A"))
	// Output: Friday, March 14th at 3:09 PM
}

func ExampleCompile() {
	fmt.Println(macro.Compile("no macros").Plain(), macro.Compile("{{user}}").Plain())
	// Output: true false
}

func ExampleSplitExamples() {
	fmt.Printf("%q\n", macro.SplitExamples("<START>\nMara: hi\n<start>\nOrin: yo"))
	// Output: ["Mara: hi" "Orin: yo"]
}
