package ledger_test

import (
	"fmt"
	"math"

	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/ledger"
)

func ExampleLedger_Clone() {
	was := ledger.Ledger{Enabled: map[string]bool{"alarm": true}}
	mine := was.Clone()
	mine.Enabled["alarm"] = false
	fmt.Println(was.Enabled, mine.Enabled)
	// Output: map[alarm:true] map[alarm:false]
}

func ExampleLedger_Expire() {
	ledger := ledger.Ledger{Directives: []ledger.Directive{
		{ID: "storm", Content: "It storms.", Duration: new(2), InjectedAtTurn: 5},
		{ID: "curse", Content: "A curse.", Persistent: true, InjectedAtTurn: 1},
	}}
	ledger, expired := ledger.Expire(7)
	fmt.Println(expired, len(ledger.Directives))
	// Output: [storm] 1
}

func ExampleLedger_TakePending() {
	ledger := ledger.Ledger{Pending: []effect.SendContext{{Message: "A door creaks.",
		Role: "system"}}}
	ledger, messages := ledger.TakePending()
	fmt.Println(messages[0].Message, len(ledger.Pending))
	// Output: A door creaks. 0
}

// A reminder for "in three turns", and one that is due after the last turn that a number can hold.
func ExampleAfter() {
	fmt.Println(ledger.After(7, 3), ledger.After(math.MaxInt, 3) == math.MaxInt)
	// Output: 10 true
}
