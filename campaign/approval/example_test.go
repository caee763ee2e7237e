package approval_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/approval"
	"github.com/talewright/talewright/memvars/tree"
)

func ExampleQuestion_All() {
	q := approval.Question{ID: "approval_0007", Calls: []approval.Call{
		{ID: "call_001", Tool: "move"}, {ID: "call_002", Tool: "hp_delta"},
	}}
	for _, d := range q.All(approval.Deny, "The gate is shut.") {
		fmt.Println(d.CallID, d.Verdict, d.Reason)
	}
	// Output:
	// call_001 deny The gate is shut.
	// call_002 deny The gate is shut.
}

func ExampleQuestion_ForPlayers() {
	q := approval.Question{ID: "approval_0007", Narration: "The duke is the thief.",
		Calls: []approval.Call{{ID: "call_001", Tool: "move", Args: tree.Object()}}}
	fmt.Printf("%q %d\n", q.ForPlayers().Narration, len(q.ForPlayers().Calls))
	// Output: "" 1
}
