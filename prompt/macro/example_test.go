package macro_test

import (
	"fmt"
	"time"

	"github.com/talewright/talewright/prompt/macro"
)

func ExampleExpand() {
	text, trace := macro.Expand("{{char}} greets {{user}}. {{nope}}",
		macro.Env{User: "Mara", Char: "Orin"})
	fmt.Println(text)
	fmt.Println(trace.Problems)
	// Output:
	// Orin greets Mara. {{nope}}
	// @26 (nope): no macro has this name; left as written
}

// The texts of one build share their variables, and the host gets them after the build.
func ExampleRun_Expand() {
	run := macro.NewRun(macro.Env{Vars: map[string]any{"hp": 7.0},
		Random: func() float64 { return 0.5 }})
	fmt.Println(run.Expand("{{.hp -= 3}}{{if {{.hp < 5}}}}You limp.{{else}}You run.{{/if}}",
		macro.Full))
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

// Texts of authors are checked before they are used.
func ExampleTemplate_Vet() {
	for _, p := range macro.Compile("{{user}} has {{if {{wealth}}}}{{gold::1}}{{else}}{{char::x}}{{/if}}.").Vet() {
		fmt.Println(p.Severity, p)
	}
	// Output:
	// warning @18 (wealth): no macro has this name; left as written
	// warning @30 (gold): no macro has this name; left as written
	// warning @49 (char): wrong number of arguments; left as written
}

// A host looks for names that nothing sets.
func ExampleTemplate_Variables() {
	for _, v := range macro.Compile("{{setvar::mood::dark}}{{if .mood}}{{getvar::gold}}{{/if}}{{var::npc.hp}}").Variables() {
		fmt.Printf("%s by %q, stores: %v\n", v.Name, v.Macro, v.Stores)
	}
	// Output:
	// mood by "setvar", stores: true
	// gold by "getvar", stores: false
	// npc.hp by "var", stores: false
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
	text, _ := macro.Expand("{{whisper}} run, {{user}} {{/whisper}}",
		macro.Env{User: "Mara", Compile: set.Compile})
	fmt.Println(text)
	_, err = macro.NewSet(macro.Macro{Name: "if"}, macro.Macro{Name: "2nd"})
	fmt.Println(err)
	// Output:
	// (run, Mara)
	// macro: macros[0]: "if" is part of the syntax: choose a different name
	// macros[1]: "2nd" is not a macro name: use a letter, then letters, digits, _ and -
}

// A cache keeps the compiled form of texts that are used on every turn.
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

// A template is compiled once and may be shared. Plain templates need no expansion.
func ExampleTemplate_Text() {
	template := macro.Compile("{{char}} nods.")
	fmt.Println(template.Text(), template.Plain())
	// Output: {{char}} nods. false
}

// Use Set.Compile in an environment to add the macros of a host.
func ExampleSet_Compile() {
	set, err := macro.NewSet(macro.Macro{Name: "weather", Aliases: []string{"sky"}, Text: "fog"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(macro.Expand("{{sky}} over {{Weather}}", macro.Env{Compile: set.Compile}))
	// Output: fog over fog { [] []}
}

// A cache for a set keeps the macros and the compiled texts.
func ExampleCache_Compile() {
	set, err := macro.NewSet(macro.Macro{Name: "weather", Text: "fog"})
	if err != nil {
		fmt.Println(err)
		return
	}
	cache := macro.NewCache(set, 0)
	first, second := cache.Compile("{{weather}}"), cache.Compile("{{weather}}")
	fmt.Println(first == second)
	// Output: true
}

// A macro of the host draws from the random source of the build, so that a replay gives the same
// result. It refuses arguments that it cannot use.
func ExampleCall_Random() {
	set, err := macro.NewSet(macro.Macro{
		Name: "omen", MinArgs: 1, MaxArgs: 1,
		Func: func(c *macro.Call) string {
			if c.Args[0] == "" {
				return c.Stay("bad_value", "name what the omen is about")
			}
			x, ok := c.Random()
			if !ok {
				return "" // without a source the macro stays as written
			}
			if x < 0.5 {
				return c.Args[0] + " bodes ill for " + c.Env().User
			}
			return c.Args[0] + " means nothing"
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, trace := macro.Expand("{{omen::The raven}}. {{omen::}}", macro.Env{
		User: "Mara", Random: func() float64 { return 0.25 }, Compile: set.Compile,
	})
	fmt.Println(text)
	fmt.Println(trace.Draws, trace.Problems)
	// Output:
	// The raven bodes ill for Mara. {{omen::}}
	// [{omen 0 0.25}] @21 (omen): name what the omen is about
}

// A run belongs to one build: later texts read what earlier texts stored.
func ExampleNewRun() {
	run := macro.NewRun(macro.Env{Vars: map[string]any{"visits": 1.0}})
	run.Expand("{{.visits++}}{{setglobalvar::met::yes}}", macro.Full)
	vars, written := run.Vars()
	globals, _ := run.Globals()
	fmt.Println(vars, written, globals)
	fmt.Printf("%+v\n", run.Trace().Access)
	// Output:
	// map[visits:2] true map[met:yes]
	// [{Name:visits Global:false Read:true Write:true} {Name:met Global:true Read:false Write:true}]
}

// The fields of a card are expanded once, in a fixed order, before other texts read the variables
// that they store.
func ExampleRun_Prepare() {
	run := macro.NewRun(macro.Env{
		Char: "Orin", Card: macro.Card{Description: "{{setvar::mood::grim}}{{char}} keeps the lamp."},
	})
	run.Prepare()
	fmt.Println(run.Expand("{{description}} He is {{getvar::mood}}.", macro.Full))
	// Output: Orin keeps the lamp. He is grim.
}

// Outlets show lore wherever a text asks for it.
func ExampleRun_Outlet() {
	run := macro.NewRun(macro.Env{User: "Mara", Outlets: map[string][]macro.Piece{
		"rumours": {{Text: "{{user}} was seen at the pier."},
			{Text: "{{literal}} text", Literal: true}},
	}})
	fmt.Println(run.OutletUsed("rumours"))
	text, ok := run.Outlet("rumours")
	fmt.Println(text, ok, run.OutletUsed("rumours"))
	// Output:
	// false
	// Mara was seen at the pier.
	// {{literal}} text true true
}

// The chat in the form that the chat macros use.
func ExampleMessages() {
	env := macro.Env{Chat: macro.Messages{
		{Role: "user", Text: "I knock."},
		{Role: "assistant", Text: "Nobody answers.", Swipes: 3, Swipe: 1},
	}}
	text, _ := macro.Expand(
		"{{lastUserMessage}} {{lastCharMessage}} ({{currentSwipeId}} of {{lastSwipeId}})", env)
	fmt.Println(text)
	// Output: I knock. Nobody answers. (2 of 3)
}

// The host stores the variables after a build, and the draws for a replay.
func ExampleRun_Vars() {
	run := macro.NewRun(macro.Env{Vars: map[string]any{"hp": 7.0}, Random: func() float64 { return 0.5 }})
	run.Expand("{{setglobalvar::seen::dragon}}{{roll::d6}}", macro.Full)
	vars, written := run.Vars()
	fmt.Println(vars, written)
	globals, written := run.Globals()
	fmt.Println(globals, written)
	trace := run.Trace()
	fmt.Println(trace.Draws, trace.Access)
	// Output:
	// map[hp:7] false
	// map[seen:dragon] true
	// [{roll 30 0.5}] [{seen true false true}]
}

func ExampleRun_Globals() {
	run := macro.NewRun(macro.Env{})
	fmt.Println(run.Expand("{{$visits++}}", macro.Full))
	fmt.Println(run.Globals())
	// Output:
	// 1
	// map[visits:1] true
}

func ExampleRun_Trace() {
	run := macro.NewRun(macro.Env{})
	run.Expand("{{roll::d6}} {{nope}}", macro.Full)
	for _, p := range run.Trace().Problems {
		fmt.Println(p)
	}
	// Output:
	// @0 (roll): the environment has no random source
	// @13 (nope): no macro has this name; left as written
}

// A player's text in a place of a form is never a macro.
func ExampleRun_Form() {
	run := macro.NewRun(macro.Env{Char: "Orin"})
	form := run.Form(macro.Part{Text: "{{char}} hears: {{reverse::"}, macro.Part{Data: true}, macro.Part{Text: "}}"})
	fmt.Println(form.Plain())
	fmt.Println(run.Fill(form, "{{char}}"))
	// Output:
	// false
	// Orin hears: }}rahc{{
}

func ExampleForm_Plain() {
	run := macro.NewRun(macro.Env{})
	fmt.Println(run.Form(macro.Part{Text: "hp "}, macro.Part{Data: true}).Plain())
	// Output: true
}

func ExampleRun_OutletUsed() {
	run := macro.NewRun(macro.Env{Outlets: map[string][]macro.Piece{"map": {{Text: "A map."}}, "rumour": {{Text: "They say…"}}}})
	run.Expand("{{outlet::map}}", macro.Full)
	fmt.Println(run.OutletUsed("map"), run.OutletUsed("rumour"))
	// Output: true false
}

func ExamplePlain() {
	fmt.Println(macro.Plain("The {lamp} is < lit."), macro.Plain("<USER> is here."), macro.Plain("{{char}}"))
	// Output: true false false
}

func ExampleTemplate_Plain() {
	fmt.Println(macro.Compile("The lamp is lit.").Plain(), macro.Compile("{{user}}").Plain())
	// Output: true false
}

// A macro of the host stays as written if it cannot use its argument.
func ExampleCall_Stay() {
	set, err := macro.NewSet(macro.Macro{Name: "moon", MinArgs: 1, MaxArgs: 1, Func: func(c *macro.Call) string {
		if c.Args[0] != "phase" {
			return c.Stay("bad_value", "the moon has a phase and nothing else")
		}
		return "full, " + c.Env().User
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	text, trace := macro.Expand("{{moon::phase}} {{moon::age}}", macro.Env{User: "Mara", Compile: set.Compile})
	fmt.Println(text)
	fmt.Println(trace.Problems)
	// Output:
	// full, Mara {{moon::age}}
	// @16 (moon): the moon has a phase and nothing else
}

func ExampleCall_Env() {
	set, err := macro.NewSet(macro.Macro{Name: "both", Func: func(c *macro.Call) string {
		return c.Env().User + " and " + c.Env().Char
	}})
	fmt.Println(err)
	text, _ := macro.Expand("{{both}}", macro.Env{User: "Mara", Char: "Orin", Compile: set.Compile})
	fmt.Println(text)
	// Output:
	// <nil>
	// Mara and Orin
}

// A text in the language of RisuAI.
func ExampleCBS() {
	env := macro.Env{Char: "Orin", Vars: map[string]any{"trust": "60"}, CBS: &macro.CBS{Defaults: map[string]string{"mood": "calm"}}}
	run := macro.NewRun(env)
	fmt.Println(run.Expand("{{#when::{{getvar::trust}}::>=::50}}{{char}} smiles{{:else}}{{char}} frowns{{/when}}, {{getvar::mood}}.", macro.Full))
	// Output: Orin smiles, calm.
}
