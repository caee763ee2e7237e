package memory_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/memory"
)

// The words of the newest line find what was said long ago.
func Example() {
	ctx := context.Background()
	index := &memory.Index{}
	for _, turn := range []memory.Turn{
		{ID: "turn_0001", Index: 1, Player: "I buy a mule.", Text: "Orrin still owes you four coins."},
		{ID: "turn_0002", Parent: "turn_0001", Index: 2, Text: "银狼的右耳上有一个缺口。The wolf watches you."},
		{ID: "turn_0003", Parent: "turn_0002", Index: 3, Player: "I walk on.", Text: "Rain falls on the road."},
	} {
		if err := index.Remember(ctx, "greyhaven", turn); err != nil {
			fmt.Println(err)
		}
	}
	for _, line := range []string{"How many coins does Orrin owe me?", "我寻找右耳有缺口的狼。"} {
		items, err := index.Recall(ctx, memory.Query{Campaign: "greyhaven", Head: "turn_0003", Texts: []string{line}, Limit: 600})
		fmt.Println(len(items), items[0].TurnID, err)
		fmt.Println(items[0].Text)
	}
	// Output:
	// 1 turn_0001 <nil>
	// I buy a mule.
	// Orrin still owes you four coins.
	// 1 turn_0002 <nil>
	// 银狼的右耳上有一个缺口。The wolf watches you.
}

// A rollback also undoes memories: only turns that lead to the head are found.
func ExampleIndex_Recall_head() {
	ctx := context.Background()
	index := &memory.Index{}
	for _, turn := range []memory.Turn{
		{ID: "turn_0001", Index: 1, Text: "The bridge stands."},
		{ID: "turn_0002", Parent: "turn_0001", Index: 2, Text: "The bridge burns down."},
		{ID: "turn_0003", Parent: "turn_0001", Index: 2, Text: "The bridge is repaired."}, // after a rollback
	} {
		if err := index.Remember(ctx, "greyhaven", turn); err != nil {
			fmt.Println(err)
		}
	}
	items, err := index.Recall(ctx, memory.Query{Campaign: "greyhaven", Head: "turn_0003", Texts: []string{"the bridge"}, Limit: 600})
	for _, item := range items {
		fmt.Println(item.TurnID, item.Text)
	}
	fmt.Println(err)
	// Output:
	// turn_0001 The bridge stands.
	// turn_0003 The bridge is repaired.
	// <nil>
}

// Your own memory can split turns in the same way.
func ExampleTurn_Passages() {
	turn := memory.Turn{ID: "turn_0007", Player: "I want a bed.", Text: "The inn is full. 老掌柜笑了。", Summary: "They came to the inn."}
	for _, p := range turn.Passages() {
		fmt.Printf("%s %q\n", p.ID, p.Text)
	}
	// Output:
	// turn_0007/1 "I want a bed.\nThe inn is full. 老掌柜笑了。"
	// turn_0007/summary/1 "They came to the inn."
}

// A lineage separates turns that happened from turns that were undone.
func ExampleLineage() {
	var l memory.Lineage
	l.Add("turn_0001", "")
	l.Add("turn_0002", "turn_0001")
	l.Add("turn_0003", "turn_0001")
	story := l.Path("turn_0003")
	fmt.Println(story.Has("turn_0001"), story.Has("turn_0002"), story.Has("turn_0003"))
	// Output:
	// true false true
}

// Forget removes the memories of a deleted campaign.
func ExampleIndex_Forget() {
	ctx := context.Background()
	index := &memory.Index{}
	if err := index.Remember(ctx, "greyhaven", memory.Turn{ID: "turn_0001", Index: 1, Text: "The bridge stands."}); err != nil {
		fmt.Println(err)
	}
	index.Forget("greyhaven")
	items, err := index.Recall(ctx, memory.Query{Campaign: "greyhaven", Head: "turn_0001", Texts: []string{"the bridge"}, Limit: 600})
	fmt.Println(len(items), err)
	// Output:
	// 0 <nil>
}
