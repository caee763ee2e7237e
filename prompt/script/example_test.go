package script_test

import (
	"fmt"

	"github.com/talewright/talewright/prompt/macro"
	"github.com/talewright/talewright/prompt/script"
)

// A card hides its block of variables from the reader, and a script of the settings cleans the
// stored text.
func Example() {
	global, problems := script.Parse([]byte(`[{
		"scriptName": "No double blanks", "findRegex": "/ {2,}/g", "replaceString": " ",
		"placement": [1, 2], "runOnEdit": true
	}]`))
	card := []script.Script{{
		Name: "Variables", Find: `/<vars>hp: (\d+)<\/vars>/`, Replace: "[{{char}} has $1 HP]",
		Placement: []script.Placement{script.AIOutput}, Display: true,
	}}
	set, more := script.Compile([]script.List{
		{Source: script.Global, Scripts: global},
		{Source: script.Character, Owner: "Orin", Scripts: card},
	}, script.Options{})
	fmt.Println(len(problems), len(more))

	run := macro.NewRun(macro.Env{Char: "Orin"})
	stored, report := set.Apply("He  nods. <vars>hp: 7</vars>", script.Where{Placement: script.AIOutput}, run)
	fmt.Println(stored)
	fmt.Print(report)
	shown, report := set.Apply(stored, script.Where{Placement: script.AIOutput, ForDisplay: true}, run)
	fmt.Println(shown)
	fmt.Print(report)
	// Output:
	// 0 0
	// He nods. <vars>hp: 7</vars>
	// global[0] "No double blanks": 1 replaced, 28 to 27 bytes
	// He nods. [Orin has 7 HP]
	// character[0] "Variables" of Orin: 1 replaced, 27 to 24 bytes
}

// All mistakes are reported at once, each with its place.
func ExampleCompile() {
	_, problems := script.Compile([]script.List{{Source: script.Preset, Owner: "Night", Scripts: []script.Script{
		{Name: "Bars", Find: "/(hp/", Placement: []script.Placement{script.AIOutput}},
		{Name: "Names", Find: `/(\w+) says/`, Replace: "$2:", Placement: []script.Placement{script.AIOutput}},
		{Name: "Nowhere", Find: "x"},
	}}}, script.Options{})
	for _, p := range problems {
		fmt.Println(p.Severity, p.Code, p.Path)
	}
	fmt.Println(problems[1])
	// Output:
	// error bad_pattern preset(Night)[0].findRegex
	// warning unknown_group preset(Night)[1].replaceString
	// warning no_placement preset(Night)[2].placement
	// preset(Night)[1].replaceString (Names): inserts a group that the pattern does not have, so nothing is inserted: the number of its groups is 1
}

// Files of old versions and files with mistakes are read as SillyTavern reads them.
func ExampleParse() {
	scripts, problems := script.Parse([]byte(`{
		"scriptName": "Old", "findRegex": "x", "placement": [0], "disabled": "false"
	}`))
	fmt.Println(scripts[0].Placement, scripts[0].Display, scripts[0].Prompt, scripts[0].Disabled)
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// [1 2 3 5 6] true true true
	// disabled (Old): should be true or false
	// placement (Old): has a kind of text of old versions, which was converted: save it with the new one
}

// Why a script did not run.
func ExampleSet_Skipped() {
	set, _ := script.Compile([]script.List{{Source: script.Global, Scripts: []script.Script{
		{Name: "shown", Find: "x", Display: true, Placement: []script.Placement{script.AIOutput}},
		{Name: "old", Find: "x", MinDepth: new(4.0), Placement: []script.Placement{script.AIOutput}},
		{Name: "lore", Find: "x", Placement: []script.Placement{script.WorldInfo}},
		{Name: "all", Find: "x", Placement: []script.Placement{script.AIOutput}},
	}}}, script.Options{})
	depth := 0
	where := script.Where{Placement: script.AIOutput, Depth: &depth}
	fmt.Println(set.Wants(where))
	for _, skip := range set.Skipped(where) {
		fmt.Println(skip)
	}
	// Output:
	// true
	// global[0] "shown": purpose
	// global[1] "old": depth
	// global[2] "lore": placement
}

func ExampleSet_Apply() {
	set, _ := script.Compile([]script.List{{Scripts: []script.Script{{Name: "Whisper", Find: `/\*(.+?)\*/g`,
		Replace: "({{match}})", Trim: []string{"*"}, Placement: []script.Placement{script.AIOutput}}}}}, script.Options{})
	text, report := set.Apply("*Come* closer, *now*.", script.Where{Placement: script.AIOutput}, nil)
	fmt.Println(text, report.Changed())
	fmt.Print(report)
	// Output:
	// (Come) closer, (now). true
	// global[0] "Whisper": 2 replaced, 21 to 21 bytes
}

func ExampleReport_Changed() {
	set, _ := script.Compile([]script.List{{Scripts: []script.Script{{Name: "a", Find: "x",
		Placement: []script.Placement{script.UserInput}}}}}, script.Options{})
	_, report := set.Apply("no such letter", script.Where{Placement: script.UserInput}, nil)
	fmt.Println(len(report.Ran), report.Changed())
	// Output: 1 false
}

func ExampleSet_Wants() {
	set, _ := script.Compile([]script.List{{Scripts: []script.Script{{Name: "Shown", Find: "x", Display: true,
		Placement: []script.Placement{script.AIOutput}}}}}, script.Options{})
	fmt.Println(set.Wants(script.Where{Placement: script.AIOutput}),
		set.Wants(script.Where{Placement: script.AIOutput, ForDisplay: true}))
	// Output: false true
}

// The results of scripts without macros can be cached.
func ExampleSet_Steady() {
	on := []script.Placement{script.AIOutput}
	set, _ := script.Compile([]script.List{{Scripts: []script.Script{
		{Name: "a", Find: "x", Replace: "y", Prompt: true, Placement: on},
		{Name: "b", Find: "x", Replace: "{{random::a::b}}", Display: true, Placement: on},
	}}}, script.Options{})
	_, steady := set.Steady(script.Where{Placement: script.AIOutput, ForPrompt: true})
	fmt.Println(steady)
	_, steady = set.Steady(script.Where{Placement: script.AIOutput, ForDisplay: true})
	fmt.Println(steady)
	// Output:
	// true
	// false
}

// A script that repeatedly reaches the limit is left out.
func ExampleSet_Without() {
	set, _ := script.Compile([]script.List{{Scripts: []script.Script{{Name: "Slow", Find: "x",
		Placement: []script.Placement{script.AIOutput}}}}}, script.Options{})
	where := script.Where{Placement: script.AIOutput}
	less := set.Without(script.Ref{Source: script.Global, Index: 0})
	fmt.Println(set.Wants(where), less.Wants(where))
	fmt.Println(less.Skipped(where))
	// Output:
	// true false
	// [global[0] "Slow": put_aside]
}
