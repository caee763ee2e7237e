package state_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
)

// The reference to a state that the repair of version 9 keeps.
func ExampleRepairRef() {
	ref := state.RepairRef(9, 1)
	version, ok := state.RepairRefVersion(ref)
	fmt.Println(ref, version, ok)
	// Output: repaired_9_1 9 true
}
