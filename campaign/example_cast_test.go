package campaign_test

import (
	"cmp"
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt/card"
)

// The model plays several characters. Named members speak first, then talkative ones. The host may
// ask one of them to speak.
func ExampleEngine_Turn_cast() {
	ctx := context.Background()
	model := llmtest.NewScripted(llmtest.Text("Three coins."), llmtest.Text("Four."), llmtest.Text("Ask Reed."))
	always, never := 1.0, 0.0
	engine := newMill(model, game.Content{People: game.People{Cast: []game.CastMember{
		{CharacterID: "ash", Talkativeness: &always, Card: &card.Card{Name: "Ash", Description: "{{char}} keeps the ferry."}},
		{CharacterID: "reed", Talkativeness: &never, Card: &card.Card{Name: "Bo Reed", Description: "{{char}} owes {{notChar}}."}},
	}}})
	for _, line := range []turn.Submit{
		{Text: "What do you owe, Reed?"},
		{Text: "And who pays the ferry?", Speaker: "ash"},
	} {
		outcome, err := engine.Turn(ctx, "mill", line)
		if err = cmp.Or(err, outcome.Err()); err != nil {
			fmt.Println(err)
			return
		}
		for _, reply := range outcome.Turn.Replies {
			fmt.Println(reply.Speaker+":", reply.Text)
		}
		fmt.Print(outcome.Turn.Trace.Cast)
	}
	// Output:
	// reed: Three coins.
	// ash: Four.
	// reed speaks: named
	// ash speaks: talkative, draw 0.0264
	// reed is passed over: silent, draw 0.971
	// ash: Ask Reed.
	// ash speaks: forced
}
