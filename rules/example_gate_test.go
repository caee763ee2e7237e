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
