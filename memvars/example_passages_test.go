package memvars_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars"
	"github.com/talewright/talewright/memvars/tree"
)

// The parts of a message for the engine, with their positions.
func ExampleSystem_Passages() {
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	text := "It rains. set_status('weather', 'rain'); Go on."
	for _, p := range sys.Passages(text) {
		fmt.Printf("%q %s\n", text[p.From:p.To], p.Ops[0].Name)
	}
	// Output: "set_status('weather', 'rain');" set_status
}

// A host's own language must respect what the options protect.
func ExampleSystem_Check() {
	sys, problems := memvars.Compile(memvars.Options{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	before, err := tree.ParseDocument([]byte(`{"assa_data": {"vault": {"_is_protected": true, "gold": 5}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := tree.ParseDocument([]byte(`{"assa_data": {}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, refusal := sys.Check(before, after, memvars.AI)
	fmt.Println(refusal.Code)
	// Output: protected
}
