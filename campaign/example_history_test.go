package campaign_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
)

// History returns a page of the played turns, newest first, with the answers that were not chosen.
func ExampleEngine_History() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("Rain."), llmtest.Text("Wind."), llmtest.Text("Snow."), llmtest.Text("Sun.")), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I look out."})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I look again."})
	engine.Do(ctx, "mill", turn.Regenerate{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "And now?"})
	for t, err := range engine.History(ctx, "mill", state.HistoryPage{Limit: 2}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %q %s", t.ID, t.UserInput, t.Text)
		for _, other := range t.Others {
			fmt.Printf(" (or: %s)", other.Text)
		}
		fmt.Println()
	}
	// Output:
	// turn_0004 "And now?" Sun.
	// turn_0003 "I look again." Snow. (or: Wind.)
}

// Branches lists the branches of a campaign, the present one first.
func ExampleEngine_Branches() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Wind."), llmtest.Text("Snow.")), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I go in."})
	engine.Do(ctx, "mill", turn.RollBack{To: "turn_0001"})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I stay out."})
	for b, err := range engine.Branches(ctx, "mill", state.HistoryBranches{}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(b.ID, "at", b.HeadTurnID, "present:", b.Present)
	}
	// Output:
	// branch_1 at turn_0003 present: true
	// main at turn_0002 present: false
}

// Compare shows two continuations of the story next to each other.
func ExampleEngine_Compare() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("Rain."),
		llmtest.Text("You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill"),
		llmtest.Text("You stay in the yard.")), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I go in."})
	engine.Do(ctx, "mill", turn.RollBack{To: "turn_0001"})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I stay out."})
	between, err := engine.Compare(ctx, "mill", state.HistorySpan{A: "turn_0002", B: "turn_0003"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("both follow on", between.Ancestor, between.A, between.B)
	for _, change := range between.Changes {
		fmt.Println(change)
	}
	// Output:
	// both follow on turn_0001 [turn_0002] [turn_0003]
	// characters.0.area_id: "mill" -> "yard"
}
