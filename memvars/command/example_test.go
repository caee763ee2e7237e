package command_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/command"
	"github.com/talewright/talewright/memvars/tree"
)

func Example() {
	reader := command.Reader{Prefixes: []string{"*"}, Repair: true}
	for _, op := range reader.Parse("Rain. *.set_status('天气', '雨'); // at last\nset_status('时间' 5)") {
		fmt.Println(op.Pos.Line, op, op.Fault != nil)
	}
	// Output:
	// 1 set_status('天气', '雨'); // at last false
	// 2 set_status(); true
}

// Parts for the engine are removed from the text for players.
func ExampleShown() {
	reader := command.Reader{}
	text := "She smiles.\nset_status('mood', 'glad')\nIt rains."
	fmt.Println(command.Shown(text, reader.Passages(text, reader.Parse(text))))
	// Output:
	// She smiles.
	// It rains.
}

// Hosts can build Ops too.
func ExampleValueArg() {
	op := command.Op{Name: "set_status", Args: []command.Arg{command.TextArg("hp"), command.ValueArg(tree.Int(3))}}
	fmt.Println(op)
	// Output: set_status('hp', 3);
}

func ExampleKnown() {
	fmt.Println(command.Known("memory"), command.Known("Memory"))
	// Output: true false
}
