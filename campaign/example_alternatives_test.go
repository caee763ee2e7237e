package campaign_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// Another answer to the same line is played on the state before it.
func ExampleEngine_Regenerate() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill"),
		llmtest.Text("The door is stuck."),
	), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I go into the mill."})
	outcome, err := engine.Regenerate(ctx, "mill", turn.Regenerate{Instructions: "Make it harder."})
	if err != nil || outcome.Err() != nil {
		fmt.Println(err, outcome.Err())
		return
	}
	fmt.Println(outcome.Turn.ID, "beside", outcome.Turn.AlternativeOf+":", outcome.Turn.Text)
	c, err := engine.Campaign(ctx, "mill")
	fmt.Println("Ann is in the", c.State.Characters[0].AreaID, err)
	// Output:
	// turn_0002 beside turn_0001: The door is stuck.
	// Ann is in the yard <nil>
}

// The state follows the choice.
func ExampleEngine_Choose() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill"),
		llmtest.Text("The door is stuck."),
	), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I go into the mill."})
	engine.Regenerate(ctx, "mill", turn.Regenerate{})
	outcome, err := engine.Choose(ctx, "mill", "turn_0001")
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := engine.Campaign(ctx, "mill")
	fmt.Println(outcome.Turn.Text, "Ann is in the", c.State.Characters[0].AreaID, err)
	fmt.Println("to choose from:", c.Answers())
	// Output:
	// You step into the Mill. Ann is in the mill <nil>
	// to choose from: [turn_0001 turn_0002]
}
