package campaign_test

import (
	"context"
	"fmt"
	"log"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// A host that has lost the answer to an instruction sends the instruction again, with the same ID.
// It runs once.
func Example_once() {
	g, problems := game.Compile(game.Content{})
	if err := problems.Err(); err != nil {
		log.Fatal(err)
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: campaign.NoModel})
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	if _, err := engine.Create(ctx, state.Setup{ID: "inn", Characters: []state.Character{{ID: "ann", Name: "Ann",
		HP: state.HP{Current: 10, Max: 10}}}}); err != nil {
		log.Fatal(err)
	}
	request := []byte(`{"input": "apply_effects", "once": "request 17",
		"effects": [{"type": "hp-delta", "characterId": "ann", "delta": -2}]}`)
	for range 2 {
		in, err := turn.ParseInstruction(request)
		if err != nil {
			log.Fatal(err)
		}
		outcome, err := engine.Do(ctx, "inn", in)
		if err != nil {
			log.Fatal(err)
		}
		c, err := engine.Campaign(ctx, "inn")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(outcome.Status, outcome.Replayed, c.State.Characters[0].HP.Current)
	}
	// Output:
	// completed false 8
	// completed true 8
}
