package audience_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/audience"
)

// What is said to Orrin alone is known to the two of them.
func ExampleOf() {
	fmt.Println(audience.Of("mara", []string{"orrin"}))
	// Output: [orrin mara]
}

func ExampleKnows() {
	whispered := audience.Of("mara", []string{"orrin"})
	fmt.Println(audience.Knows(whispered, "orrin"), audience.Knows(whispered, "sella"), audience.Knows(nil, "sella"))
	// Output: true false true
}

// A game master knows everything, unless the mode is strict.
func ExampleFor() {
	secret := []string{"mara"}
	for _, mode := range []audience.Mode{audience.Off, audience.Marked, audience.Strict} {
		v := audience.For(mode, "orrin", true)
		fmt.Println(mode, v.Sees(secret))
	}
	// Output:
	// off true
	// marked true
	// strict false
}
