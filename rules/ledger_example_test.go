package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
)

func ExampleMemory_Clone() {
	was := rules.Memory{Enabled: map[string]bool{"alarm": true}}
	mine := was.Clone()
	mine.Enabled["alarm"] = false
	fmt.Println(was.Enabled, mine.Enabled)
	// Output: map[alarm:true] map[alarm:false]
}

func ExampleMemory_Expire() {
	ledger := rules.Memory{Directives: []rules.Directive{
		{ID: "storm", Content: "It storms.", Duration: new(2), InjectedAtTurn: 5},
		{ID: "curse", Content: "A curse.", Persistent: true, InjectedAtTurn: 1},
	}}
	ledger, expired := ledger.Expire(7)
	fmt.Println(expired, len(ledger.Directives))
	// Output: [storm] 1
}

func ExampleMemory_TakePending() {
	ledger := rules.Memory{Pending: []effect.SendContext{{Message: "A door creaks.",
		Role: "system"}}}
	ledger, messages := ledger.TakePending()
	fmt.Println(messages[0].Message, len(ledger.Pending))
	// Output: A door creaks. 0
}
