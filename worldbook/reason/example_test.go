package reason_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook/reason"
)

func ExampleReason_String() {
	fmt.Println(reason.Reason{Kind: reason.BySticky})
	fmt.Println(reason.Reason{Kind: reason.ByKey, Key: "dragon", Place: reason.Place{Kind: "message", Message: 2}})
	// Output:
	// sticky
	// key "dragon" in message 2
}
