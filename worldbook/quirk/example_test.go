package quirk_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook/quirk"
)

func ExampleAll() {
	for _, q := range quirk.All()[:3] {
		fmt.Println(q)
	}
	// Output:
	// blank-key
	// group-removal
	// group-cooldown
}

// A set of all quirks but one.
func ExampleWithout() {
	on := quirk.Without([]quirk.Name{quirk.BlankKey})
	fmt.Println(on.Has(quirk.BlankKey), on.Has(quirk.GroupRemoval))
	// Output: false true
}
