package goal_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/goal"
	"github.com/talewright/talewright/campaign/memstore"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/world"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
)

func ExampleBy() {
	ctx := context.Background()
	g, _ := game.Compile(game.Content{})
	model := llmtest.NewScripted(llmtest.Text(`{"goal": "Light the lamp in the tower.", "area_ids": ["tower"]}`))
	engine, err := campaign.NewEngine(campaign.Config{
		Game: g, Store: &memstore.Store{}, Model: model, Goal: goal.By(model, "", llm.Options{}, false),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := engine.Create(ctx, state.Setup{
		ID: "coast", Map: world.Map{Areas: []world.Area{{ID: "tower", Name: "Lighthouse"}}},
		Characters: []state.Character{{ID: "mara", Name: "Mara", HP: state.HP{Current: 5, Max: 5}}},
	})
	fmt.Println(c.Goal.Text, err)
	// Output: Light the lamp in the tower. <nil>
}

// A host that finds goals by itself holds them to the same rules.
func ExampleProblem() {
	fmt.Println(goal.Problem("Light the lamp.\nThen sleep."))
	// Output: it has more than one line, or characters that nobody sees
}
