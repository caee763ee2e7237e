package campaign_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

// Report explains any turn that was ever played. WriteHTML writes the same as a page.
func ExampleEngine_Report() {
	ctx := context.Background()
	g, problems := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: llmtest.NewScripted(
		llmtest.Reply{Text: "You fly.", Calls: []llm.ToolCall{{ID: "c1", Name: "fly", Arguments: "{}"}}},
		llmtest.Text("Rain falls."), llmtest.Text("It stops."))})
	if err = errors.Join(problems.Err(), err); err != nil {
		fmt.Println(err)
		return
	}
	ann := state.Character{ID: "ann", Name: "Ann", HP: state.HP{Current: 10, Max: 10}}
	_, err = engine.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{ann}})
	for range 2 {
		if err == nil {
			_, err = engine.Turn(ctx, "mill", turn.Submit{Text: "I fly away."})
		}
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := engine.Report(ctx, "mill", "turn_0001")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, item := range r.Section("replies").Items {
		fmt.Printf("%-7s %s: %s\n", item.Mark, item.Name, item.Text)
	}
	// Output:
	// refused reply 1: You fly.
	// note    reply 1: calls fly {}
	// refused reply 1: call c1 of fly: no such tool
	// done    reply 2: Rain falls.
}
