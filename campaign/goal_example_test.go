package campaign_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

func ExampleGoalBy() {
	ctx := context.Background()
	g, _ := game.Compile(game.Content{})
	model := llmtest.NewScripted(llmtest.Text(`{"goal": "Light the lamp in the tower.", "area_ids": ["tower"]}`))
	engine, err := campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{}, Model: model, Services: campaign.Services{Goal: campaign.GoalBy(model, "", llm.Options{}, false)},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := engine.Create(ctx, state.Setup{
		ID: "coast", Map: state.Map{Areas: []state.MapArea{{ID: "tower", Name: "Lighthouse"}}},
		Characters: []state.Character{{ID: "mara", Name: "Mara", HP: state.HP{Current: 5, Max: 5}}},
	})
	fmt.Println(c.Goal.Text, err)
	// Output: Light the lamp in the tower. <nil>
}
