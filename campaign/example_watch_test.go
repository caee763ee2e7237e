package campaign_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// watchEngine returns an engine with only a store and a model.
func watchEngine(store campaign.Store, replies ...llmtest.Reply) *campaign.Engine {
	g, problems := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Store: store, Model: llmtest.NewScripted(replies...)})
	if err := errors.Join(problems.Err(), err); err != nil {
		panic(err)
	}
	return engine
}

func ExampleEngine_Watch() {
	ctx := context.Background()
	store := &campaign.MemoryStore{}
	player := watchEngine(store, llmtest.Text("The mill turns."), llmtest.Text("The wind drops."))
	_, err := player.Create(ctx, mill())
	play := func(text string) {
		if err == nil {
			_, err = player.Turn(ctx, "mill", turn.Submit{Text: text})
		}
	}
	play("I look at the mill.")

	screen := watchEngine(store) // in a second process, which has shown version 1
	for rec, err := range screen.Watch(ctx, "mill", 1) {
		switch {
		case errors.Is(err, campaign.ErrUnavailable):
			continue // Watch continues when the store is back
		case err != nil:
			fmt.Println(err)
			return
		}
		fmt.Println(rec.Version, rec.Kind, rec.Turn.Text)
		if rec.Version == 3 {
			return
		}
		play("I wait.")
	}
	// Output:
	// 2 turn The mill turns.
	// 3 turn The wind drops.
}
