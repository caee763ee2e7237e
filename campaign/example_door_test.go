package campaign_test

import (
	"cmp"
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/llm/llmtest"
)

// This is a whole game: no content, campaigns in memory, a scripted model.
func ExampleCompile() {
	ctx := context.Background()
	g, problems := campaign.Compile(campaign.Content{})
	engine, err := campaign.New(campaign.Config{Game: g, Model: llmtest.NewScripted(llmtest.Text("The bridge creaks."))})
	if err = cmp.Or(problems.Err(), err); err != nil {
		fmt.Println(err)
		return
	}
	_, err = engine.Create(ctx, campaign.Setup{ID: "demo", Characters: []campaign.Character{
		{ID: "ann", Name: "Ann", HP: campaign.HP{Current: 10, Max: 10}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := engine.Turn(ctx, "demo", campaign.Submit{Text: "I cross the bridge."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Turn.Text)
	// Output: The bridge creaks.
}
