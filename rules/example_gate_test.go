package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// The schema applies to the commands of a model, and internal variables are not in its prompt.
func ExampleProgram_Gate() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Path: "stat_data.hp", Type: rules.TypeNumber, Max: new(20.0), Default: tree.Int(12)},
		{ID: "traitor", Type: rules.TypeString, Default: tree.Text("Ann"), Internal: true},
	}})
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}

	state := program.Complete(rules.State{}) // a new game
	gate := sys.With(program.Gate(state))
	doc, result := gate.Apply(state.Variables,
		"set_status('hp', 500); memory('traitor', 'Bob');", memvars.AI)

	for _, c := range result.Calls {
		fmt.Println(c.Status, c.Code, c.Warnings)
	}
	fmt.Println(gate.Render(doc, memvars.RenderOptions{}))
	// Output:
	// applied  [adjusted]
	// rejected bad_path []
	// {"stat_data":{"hp":20}}
}

// The declarations decide what a model may see and write, in every language of commands.
func ExampleGate() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.TypeNumber, Max: new(20.0), Default: tree.Int(12)},
		{ID: "traitor", Type: rules.TypeString, Default: tree.Text("Ann"), Internal: true},
	}})
	gate := program.Gate(program.Complete(rules.State{}))

	fmt.Println("hidden from a model:", gate.Hidden(memvars.AI))
	fmt.Println("hidden from the host:", gate.Hidden(memvars.Host))
	asked := memvars.Write{Actor: memvars.AI, Path: tree.Path{"hp"}, Old: tree.Int(12), New: tree.Int(500)}
	held, _ := gate.Judge(asked)
	fmt.Println("500 becomes", held)
	asked.New = tree.Text("none")
	_, refusal := gate.Judge(asked)
	fmt.Println(refusal.Code, refusal.Text)
	// Output:
	// hidden from a model: [traitor]
	// hidden from the host: []
	// 500 becomes 20
	// type_mismatch a variable of type number cannot be string
}

// Rules react to changes of variables by other writers, such as commands of a model.
func ExampleProgram_Heard() {
	program, _ := rules.Compile(rules.Content{
		Variables: []rules.Variable{
			{ID: "hp", Name: "Health", Type: rules.TypeNumber, Default: tree.Int(12)},
			{ID: "weak", Type: rules.TypeBoolean, Formula: "hp < 5"},
		},
		Rules: []rules.Rule{{ID: "faint", Trigger: &rules.Trigger{Type: rules.VariableCrossed,
			VariableID: "hp", Direction: rules.DropsBelow, Threshold: new(5.0)}}},
	})
	before := program.Complete(rules.State{})
	edit := before.Variables.Edit()
	if err := edit.Set(tree.Path{"hp"}, tree.Int(3)); err != nil {
		fmt.Println(err)
		return
	}
	after := before
	after.Variables = edit.Document()
	after, followed := program.Follow(after) // formulas first

	changes := tree.Diff(before.Variables, after.Variables)
	outcome := program.Run(after, program.Heard(before.Variables, after.Variables, changes), rules.Options{})
	fmt.Println(after.Variables, len(followed), outcome.Fired())
	fmt.Println(program.Declared(after.Variables, "Health"))
	// Output:
	// {"hp":3,"weak":true} 1 [faint]
	// 3 true
}

// A name that a model uses is found as an id or as the display name of the variable.
func ExampleGate_Resolve() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Name: "Health", Path: "stat_data.hero.hp", Type: rules.TypeNumber},
	}})
	gate := program.Gate(program.Complete(rules.State{}))
	fmt.Println(gate.Resolve("Health", memvars.AI))
	fmt.Println(gate.Resolve("mana", memvars.AI))
	for near := range gate.Near(tree.Path{"stat_data", "hero"}) {
		fmt.Println("declared within:", near)
	}
	// Output:
	// stat_data.hero.hp true
	//  false
	// declared within: stat_data.hero.hp
}

// A pattern names its events and tests their fields.
func ExamplePattern_Covers() {
	p := rules.Pattern{EventType: "area:*", Equal: map[string]tree.Value{"zone": tree.Text("mill")}}
	fmt.Println(p.Covers("area:entered"), p.Covers("turn:complete"), p.Wanted("zone"))
	// Output:
	// true false "mill"
}
