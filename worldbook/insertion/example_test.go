package insertion_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook/insertion"
)

// Numbers in files, words in logs.
func ExamplePosition_String() {
	fmt.Println(insertion.AtDepth, insertion.None, insertion.Position(12))
	fmt.Println(insertion.RoleAssistant)
	// Output:
	// atDepth none Position(12)
	// assistant
}

func ExampleInjection_Apply() {
	in := insertion.Injection{Into: "main", How: insertion.Prepend}
	fmt.Println(in.Apply("You are a narrator.", "Speak in rhymes."))
	// Output:
	// Speak in rhymes.
	// You are a narrator.
}
