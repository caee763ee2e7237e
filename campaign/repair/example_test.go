package repair_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/repair"
)

// The reference to a state that the repair of version 9 keeps.
func ExampleRef() {
	ref := repair.Ref(9, 1)
	version, ok := repair.RefVersion(ref)
	fmt.Println(ref, version, ok)
	// Output: repaired_9_1 9 true
}
