package worldbook_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook"
)

func ExampleAllQuirks() {
	for _, q := range worldbook.AllQuirks()[:3] {
		fmt.Println(q)
	}
	// Output:
	// blank-key
	// group-removal
	// group-cooldown
}
