package memory_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/worldbook"
)

// A passage with different words is found.
func ExampleVectors() {
	ctx := context.Background()
	mem, err := memory.OpenVectors(memory.VectorConfig{Embedder: &scripted{}}) // in place of a client of llm/openai
	if err != nil {
		fmt.Println(err)
		return
	}
	err = mem.Remember(ctx, "greyhaven", memory.Turn{ID: "turn_0001", Index: 1, Text: "Hedda forged a sword for you."})
	if err != nil {
		fmt.Println(err)
	}
	items, err := mem.Recall(ctx, memory.Query{
		Campaign: "greyhaven", Head: "turn_0001", Texts: []string{"Who made my weapon?"}, Limit: 600,
	})
	for _, item := range items {
		fmt.Println(item.TurnID, item.Text)
	}
	fmt.Println(err)
	// Output:
	// turn_0001 Hedda forged a sword for you.
	// <nil>
}

// The same vectors find lore.
func ExampleVectors_Lore() {
	ctx := context.Background()
	mem, err := memory.OpenVectors(memory.VectorConfig{Embedder: &scripted{}})
	if err != nil {
		fmt.Println(err)
		return
	}
	lore, err := mem.Lore(ctx, worldbook.Book{Name: "greyhaven", Entries: []worldbook.Entry{
		{UID: "1", Content: "The king's sword lies in the lake."},
		{UID: "2", Content: "It has rained for years."},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	chat := []worldbook.Message{{Name: "Mara", Text: "I need a weapon."}}
	forced, err := worldbook.Retrieve(ctx, lore, chat, 4, 3) // for worldbook.Input.Forced
	for _, f := range forced {
		fmt.Println(f.ID)
	}
	fmt.Println(err)
	// Output:
	// greyhaven.1
	// <nil>
}
