// Bridge is the program from the README: the engine finds a contradiction and repairs it. Run it
// with go run ./examples/bridge.
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/llm/llmtest"
)

func main() {
	ctx := context.Background()
	g, problems := campaign.Compile(campaign.Content{}) // books, rules, hooks, a card go here
	model := llmtest.NewScripted(                       // openai.New(...) in real life
		llmtest.Text("A troll strikes you: you lose 4 hit points."), // no call has done that
		llmtest.Text(`{"text": "A troll strikes you: you lose 4 hit points.", "tool_calls": [{"tool": "hp_delta",
			"args": {"target_character_id": "ann", "delta": -4, "cause": "a troll"}}]}`))
	engine, err := campaign.New(campaign.Config{Game: g, Model: model})
	if err := cmp.Or(problems.Err(), err); err != nil { // all mistakes of the content together
		log.Fatal(err)
	}
	ann := campaign.Character{ID: "ann", Name: "Ann", HP: campaign.HP{Current: 10, Max: 10}}
	if _, err := engine.Create(ctx, campaign.Setup{ID: "demo", Characters: []campaign.Character{ann}}); err != nil {
		log.Fatal(err)
	}
	outcome, err := engine.Turn(ctx, "demo", campaign.Submit{Text: "I cross the bridge."})
	if err := cmp.Or(err, outcome.Err()); err != nil { // refused, failed, or a person has to decide
		log.Fatal(err)
	}
	fmt.Println(outcome.Turn.Text)
	fmt.Println(outcome.Attempts[0].Conflicts[0].Kind, "- repaired after", outcome.RetriesUsed, "retry")
}
