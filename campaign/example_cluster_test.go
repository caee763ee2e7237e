package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// A program that changes a campaign directly acquires its lease, so that no engine plays it in the
// meantime. Other instructions are refused, or wait.
func ExampleCluster() {
	ctx := context.Background()
	store := &campaign.MemoryStore{}
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Sharing: campaign.Sharing{Owner: "tavern-1"},
		Model: llmtest.NewScripted(llmtest.Text("Dust."))})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Create(ctx, mill()); err != nil {
		fmt.Println(err)
		return
	}
	fence, err := store.Acquire(ctx, "mill", "night shift", time.Minute)
	if err != nil {
		fmt.Println(err)
		return
	}
	play := func() {
		outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."})
		fmt.Println(outcome.Status, outcome.Reason, err)
	}
	play()
	if err := store.Release(ctx, "mill", fence); err != nil {
		fmt.Println(err)
	}
	play()
	fmt.Println(errors.Is(store.Renew(ctx, "mill", fence, time.Minute), campaign.ErrLeaseLost))
	// Output:
	// refused campaign_busy <nil>
	// completed  <nil>
	// true
}
