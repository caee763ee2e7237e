package campaign_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/memory"
	"github.com/talewright/talewright/campaign/observe"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// A memory recalls what was said before the turns that a prompt shows, when a line mentions it
// again.
func ExampleMemory() {
	ctx := context.Background()
	g, problems := game.Compile(game.Content{})
	engine, err := campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{}, Services: campaign.Services{Memory: &memory.Index{}},
		Model: llmtest.NewScripted(llmtest.Text("Orrin owes you four coins."), llmtest.Text("Rain falls."), llmtest.Text("He pays.")),
		Observe: observe.Verbose(observe.Func(func(_ observe.Place, m observe.Moment) {
			asked, ok := m.(observe.ModelAsked)
			if !ok {
				return
			}
			for _, m := range asked.Generation.Request.Messages {
				if _, text, ok := strings.Cut(m.Message.Text, "# From earlier turns\n"); ok {
					text, _, _ = strings.Cut(text, "\n")
					fmt.Println(text)
				}
			}
		})),
	})
	if err != nil {
		fmt.Println(problems, err)
		return
	}
	_, err = engine.Create(ctx, state.Setup{ID: "mill", Characters: []state.Character{{ID: "mara", Name: "Mara", HP: state.HP{Current: 5, Max: 5}}},
		Settings: setting.Snapshot{"context.full_context_enabled": tree.Bool(false), "context.recent_turns": tree.Int(1)}})
	if err != nil {
		fmt.Println(err)
	}
	for _, line := range []string{"I sell the mule.", "I walk on.", "I ask Orrin for my coins."} {
		o, err := engine.Turn(ctx, "mill", turn.Submit{Text: line})
		if err != nil || o.Err() != nil {
			fmt.Println(err, o.Err())
			continue
		}
		for _, m := range o.Turn.Trace.Memories {
			fmt.Println(m.ID, m.Status)
		}
	}
	// Output:
	// - Turn 1: I sell the mule. Orrin owes you four coins.
	// turn_0001/1 shown
}
