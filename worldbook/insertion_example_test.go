package worldbook_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook"
)

// Numbers in files, words in logs.
func ExamplePosition_String() {
	fmt.Println(worldbook.PositionAtDepth, worldbook.PositionNone, worldbook.Position(12))
	fmt.Println(worldbook.RoleAssistant)
	// Output:
	// atDepth none Position(12)
	// assistant
}

func ExampleInjection_Apply() {
	in := worldbook.Injection{Into: "main", How: worldbook.Prepend}
	fmt.Println(in.Apply("You are a narrator.", "Speak in rhymes."))
	// Output:
	// Speak in rhymes.
	// You are a narrator.
}
