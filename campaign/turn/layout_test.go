package turn_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/turn"
)

// A record of an unknown layout is refused.
func ExampleCheckLayout() {
	fmt.Println(turn.CheckLayout(1))
	fmt.Println(turn.CheckLayout(99))
	fmt.Println(turn.CheckLayout(0))
	// Output:
	// <nil>
	// layout 99, up to 1 are known: it was written by a newer version of this library: read it with that version
	// layout 0: the first one is 1
}
