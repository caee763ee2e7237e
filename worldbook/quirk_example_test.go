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

// A set of all quirks but one.
func ExampleQuirksWithout() {
	on := worldbook.QuirksWithout([]worldbook.Quirk{worldbook.QuirkBlankKey})
	fmt.Println(on.Has(worldbook.QuirkBlankKey), on.Has(worldbook.QuirkGroupRemoval))
	// Output: false true
}
