package worldbook_test

import (
	"fmt"

	"github.com/talewright/talewright/worldbook"
)

func ExampleReason_String() {
	fmt.Println(worldbook.Reason{Kind: "sticky"})
	fmt.Println(worldbook.Reason{Kind: "key", Key: "dragon", Place: worldbook.MatchPlace{Kind: "message", Message: 2}})
	// Output:
	// sticky
	// key "dragon" in message 2
}
