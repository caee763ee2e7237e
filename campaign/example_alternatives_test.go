package campaign_test

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/prompt/card"
)

// A second answer to the same line is played on the state before the line.
func ExampleEngine_Do_regenerate() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill"),
		llmtest.Text("The door is stuck."),
	), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I go into the mill."})
	outcome, err := engine.Do(ctx, "mill", turn.Regenerate{Instructions: "Make it harder."})
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
func ExampleEngine_Do_choose() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill"),
		llmtest.Text("The door is stuck."),
	), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I go into the mill."})
	engine.Do(ctx, "mill", turn.Regenerate{})
	outcome, err := engine.Do(ctx, "mill", turn.Choose{TurnID: "turn_0001"})
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

// Continue makes the newest text longer: the new part belongs to the same turn.
func ExampleEngine_Do_continue() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("The wheel turns."),
		llmtest.Text("Slowly, and with a groan."),
	), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I look at the mill."})
	outcome, err := engine.Do(ctx, "mill", turn.Continue{})
	if err != nil || outcome.Err() != nil {
		fmt.Println(err, outcome.Err())
		return
	}
	fmt.Println(outcome.Turn.ID+":", outcome.Turn.Text)
	// Output:
	// turn_0001: The wheel turns. Slowly, and with a groan.
}

// An edit changes the text that is read, and nothing else.
func ExampleEngine_Do_editText() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("The weel turns.")), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I look at the mill."})
	outcome, err := engine.Do(ctx, "mill", turn.EditText{TurnID: "turn_0001", Text: "The wheel turns."})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q, once %q\n", outcome.Turn.Text, outcome.Turn.Original)
	// Output:
	// "The wheel turns.", once "The weel turns."
}

// The story can open with a different greeting, until its first turn.
func ExampleEngine_Do_chooseGreeting() {
	ctx := context.Background()
	ann := card.Card{Name: "Miller", FirstMes: "Good day, {{user}}.", AlternateGreetings: []string{"Who is there?"}}
	engine := newMill(llmtest.NewScripted(), game.Content{People: game.People{Card: &ann}})
	if _, err := engine.Do(ctx, "mill", turn.Choose{Greeting: new(1)}); err != nil {
		fmt.Println(err)
		return
	}
	c, err := engine.Campaign(ctx, "mill")
	fmt.Println(c.State.Greeting, err)
	// Output:
	// Who is there? <nil>
}

// Proceed continues the scene without a line of the player.
func ExampleEngine_Do_proceed() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("A cat crosses the yard.")), game.Content{})
	outcome, err := engine.Do(ctx, "mill", turn.Proceed{Instructions: "Something small happens."})
	if err != nil || outcome.Err() != nil {
		fmt.Println(err, outcome.Err())
		return
	}
	fmt.Printf("%s, the player said %q: %s\n", outcome.Turn.ID, outcome.Turn.UserInput, outcome.Turn.Text)
	// Output:
	// turn_0001, the player said "": A cat crosses the yard.
}

// Suggest lists what the player could do. It is not part of the story.
func ExampleEngine_Suggest() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text(`["Knock.", "Look through the window."]`)), game.Content{})
	list, err := engine.Suggest(ctx, "mill", turn.Suggest{N: 2, Kind: state.SuggestActions})
	fmt.Printf("%q %v\n", list, err)
	// Output:
	// ["Knock." "Look through the window."] <nil>
}

// Impersonate writes a line in the words of the player, to be changed or sent unchanged.
func ExampleEngine_Impersonate() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Is anybody in?")), game.Content{})
	line, err := engine.Impersonate(ctx, "mill", "Be polite.")
	fmt.Println(line, err)
	// Output:
	// Is anybody in? <nil>
}

// Each button of a chat is one value.
func ExampleEngine_Do_buttons() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Wind."), llmtest.Text("Snow.")), game.Content{})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I look out."})
	engine.Turn(ctx, "mill", turn.Submit{Text: "I look again."})
	for _, button := range []turn.Input{turn.Regenerate{}, turn.PreviousAnswer{}, turn.NextAnswer{}, turn.Undo{}, turn.Redo{}} {
		if _, err := engine.Do(ctx, "mill", button); err != nil {
			fmt.Println(err)
			return
		}
		c, err := engine.Campaign(ctx, "mill")
		head, _ := c.Turn(c.State.HeadTurnID)
		fmt.Printf("%T: %s %v\n", button, head.Text, err)
	}
	// Output:
	// turn.Regenerate: Snow. <nil>
	// turn.PreviousAnswer: Wind. <nil>
	// turn.NextAnswer: Snow. <nil>
	// turn.Undo: Rain. <nil>
	// turn.Redo: Snow. <nil>
}
