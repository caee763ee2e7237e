package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/declare"
)

// The schema holds for the commands of a model, and what is internal stays out of its prompt.
func ExampleProgram_Gate() {
	program, _ := rules.Compile(rules.Content{Variables: []declare.Variable{
		{ID: "hp", Path: "stat_data.hp", Type: declare.Number, Max: new(20.0), Default: tree.Int(12)},
		{ID: "traitor", Type: declare.String, Default: tree.Text("Ann"), Internal: true},
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

// What a model may see and write follows from the declarations, whichever language it writes in.
func ExampleGate() {
	program, _ := rules.Compile(rules.Content{Variables: []declare.Variable{
		{ID: "hp", Type: declare.Number, Max: new(20.0), Default: tree.Int(12)},
		{ID: "traitor", Type: declare.String, Default: tree.Text("Ann"), Internal: true},
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
