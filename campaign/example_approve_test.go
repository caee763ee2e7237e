package campaign_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// A game master checks every call before it takes effect. He finds the wound too deep, and changes
// it to one hit point.
func ExampleEngine_Pending() {
	ctx := context.Background()
	g, _ := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{},
		Model: llmtest.NewScripted(llmtest.Text(`{"text": "A bat swoops down on you.", "tool_calls": [
			{"tool": "hp_delta", "args": {"target_character_id": "mara", "delta": -4, "cause": "bat"}}]}`)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = engine.Create(ctx, state.Setup{
		ID: "cave", Settings: setting.Snapshot{"tools.approval": tree.Text("all")},
		Characters: []state.Character{{ID: "mara", Name: "Mara", HP: state.HP{Current: 5, Max: 5}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	o, err := engine.Turn(ctx, "cave", turn.Submit{Text: "I enter the cave."})
	fmt.Println(o.Status, err)

	// Later, perhaps in a different process:
	q, err := engine.Pending(ctx, "cave")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(q.Narration)
	for _, c := range q.Calls {
		fmt.Println(c.Tool, c.Args.Get("delta"), "changes", c.Affects)
	}
	decisions := q.All(state.Approve, "")
	decisions[0].Verdict = state.Edit
	decisions[0].Args = q.Calls[0].Args.With("delta", tree.Int(-1))
	o, err = engine.Do(ctx, "cave", turn.Approve{Question: q.ID, Decisions: decisions, By: "Ada"})
	fmt.Println(o.Status, err)
	c, _ := engine.Campaign(ctx, "cave")
	fmt.Println("Mara has", c.State.Characters[0].HP.Current, "hit points.")
	// Output:
	// awaiting_approval <nil>
	// A bat swoops down on you.
	// hp_delta -4 changes [hp alive_state]
	// completed <nil>
	// Mara has 4 hit points.
}
