package state_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/memvars/tree"
)

func ExampleApprovalQuestion_All() {
	q := state.ApprovalQuestion{ID: "approval_0007", Calls: []state.ApprovalCall{
		{ID: "call_001", Tool: "move"}, {ID: "call_002", Tool: "hp_delta"},
	}}
	for _, d := range q.All(state.Deny, "The gate is shut.") {
		fmt.Println(d.CallID, d.Verdict, d.Reason)
	}
	// Output:
	// call_001 deny The gate is shut.
	// call_002 deny The gate is shut.
}

func ExampleApprovalQuestion_ForPlayers() {
	q := state.ApprovalQuestion{ID: "approval_0007", Narration: "The duke is the thief.",
		Calls: []state.ApprovalCall{{ID: "call_001", Tool: "move", Args: tree.Object()}}}
	fmt.Printf("%q %d\n", q.ForPlayers().Narration, len(q.ForPlayers().Calls))
	// Output: "" 1
}
