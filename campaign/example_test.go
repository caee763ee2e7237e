package campaign_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
)

// mill is a small campaign: one character, two places and a path.
func mill() state.Setup {
	return state.Setup{
		ID: "mill",
		Map: state.Map{
			Areas: []state.MapArea{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}},
			Paths: []state.MapPath{{ID: "door", From: "yard", To: "mill"}},
		},
		Characters: []state.Character{{
			ID: "ann", Name: "Ann", AreaID: "yard", HP: state.HP{Current: 10, Max: 10},
		}},
	}
}

// An engine plays a turn: the model claims an arrival without a call, is asked again with the
// quote, and calls the tool.
func Example() {
	ctx := context.Background()
	g, problems := game.Compile(game.Content{})
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		fmt.Println(problems, err)
		return
	}
	model := llmtest.NewScripted(
		llmtest.Text("You step into the Mill."),
		llmtest.Text("You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill"),
	)
	engine, err := campaign.New(campaign.Config{
		Game: g, Store: &campaign.MemoryStore{}, Model: model,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Create(ctx, mill()); err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I go into the mill."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Status, "after", outcome.RetriesUsed, "retry:", outcome.Turn.Text)
	fmt.Println("first attempt:", outcome.Attempts[0].Conflicts[0].Kind)
	c, err := engine.Campaign(ctx, "mill")
	fmt.Println("Ann is in the", c.State.Characters[0].AreaID, err)
	// Output:
	// completed after 1 retry: You step into the Mill.
	// first attempt: location_unsettled
	// Ann is in the mill <nil>
}

// newMill returns an engine with the mill, for the examples below.
func newMill(model llm.Model, content game.Content) *campaign.Engine {
	g, problems := game.Compile(content)
	if err := problems.Err(); err != nil {
		panic(err)
	}
	engine, err := campaign.New(campaign.Config{Game: g, Store: &campaign.MemoryStore{}, Model: model})
	if err != nil {
		panic(err)
	}
	if _, err := engine.Create(context.Background(), mill()); err != nil {
		panic(err)
	}
	return engine
}

func ExampleEngine_Stream() {
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("You lose 3 HP."), llmtest.Text("The miller nods. He says nothing.")),
		game.Content{})
	for p, err := range engine.Stream(context.Background(), "mill", turn.Submit{Text: "Hello!"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch p := p.(type) {
		case campaign.AttemptStarted:
			fmt.Printf("attempt %d %q\n", p.Attempt, p.Retry)
		case campaign.Narration:
			fmt.Printf("%q\n", p.Text)
		case campaign.Finished:
			fmt.Println(p.Outcome.Status, p.Outcome.Turn.ID)
		}
	}
	// Output:
	// attempt 1 ""
	// attempt 2 "hp_change_unsettled"
	// "The miller nods."
	// " He says nothing."
	// completed turn_0001
}

// Players read while the model writes. Text that is refused later is retracted.
func ExampleEngine_Stream_live() {
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("You lose 3 HP."), llmtest.Text("The miller nods.")), game.Content{})
	ctx := context.Background()
	if _, err := engine.Do(ctx, "mill", turn.PatchSettings{Patch: setting.Snapshot{
		"conflict.intercept_output": tree.Bool(false)}}); err != nil {
		fmt.Println(err)
		return
	}
	for p, err := range engine.Stream(ctx, "mill", turn.Submit{Text: "Hello!"}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch p := p.(type) {
		case campaign.Provisional:
			fmt.Printf("%q\n", p.Text)
		case campaign.Retracted:
			fmt.Println("retracted: attempt", p.Attempt)
		case campaign.Narration: // for screens that show no provisional text
			fmt.Printf("final %q\n", p.Text)
		}
	}
	// Output:
	// "You lose 3"
	// " HP."
	// retracted: attempt 1
	// "The miller"
	// " nods."
	// final "The miller nods."
}

// A rollback returns to a checkpoint, and a switch goes to a different branch.
func ExampleEngine_Do_rollBack() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Wind."), llmtest.Text("Sun.")),
		game.Content{})
	do := func(in turn.Input) {
		if _, err := engine.Do(ctx, "mill", in); err != nil {
			fmt.Println(err)
		}
	}
	show := func() {
		c, err := engine.Campaign(ctx, "mill")
		if err != nil {
			fmt.Println(err)
			return
		}
		var texts []string
		for _, t := range c.BranchTurns() {
			texts = append(texts, t.Text)
		}
		fmt.Println(c.BranchID, texts)
	}
	do(turn.Submit{Text: "I wait."})
	do(turn.Submit{Text: "I wait."})
	do(turn.RollBack{To: "turn_0001"})
	show()
	do(turn.UndoRollBack{})
	show()
	// A turn after a rollback begins a branch; the old branch stays.
	do(turn.RollBack{To: "turn_0001"})
	do(turn.Submit{Text: "I wait."})
	show()
	do(turn.SwitchBranch{BranchID: "main"})
	show()
	// Output:
	// main [Rain.]
	// main [Rain. Wind.]
	// branch_1 [Rain. Sun.]
	// main [Rain. Wind.]
}

func ExampleEngine_Fork() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Wind."), llmtest.Text("Sun.")),
		game.Content{})
	for range 2 {
		if _, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."}); err != nil {
			fmt.Println(err)
		}
	}
	if _, err := engine.Fork(ctx, "mill", "turn_0001", "mill-2"); err != nil {
		fmt.Println(err)
	}
	outcome, err := engine.Turn(ctx, "mill-2", turn.Submit{Text: "I wait."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Turn.ID, outcome.Turn.Text, err)
	// Output: turn_0002 Sun. <nil>
}

func ExampleEngine_Rebuild() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain.")), game.Content{})
	if _, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."}); err != nil {
		fmt.Println(err)
	}
	rebuilt, err := engine.Rebuild(ctx, "mill") // without a model
	fmt.Println(rebuilt.Version, rebuilt.Turns[0].Text, err)
	// Output: 2 Rain. <nil>
}

// Check reads the stored data of a campaign. Checksums detect changed bytes.
func ExampleEngine_Check() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain.")), game.Content{})
	if _, err := engine.Turn(ctx, "mill", turn.Submit{Text: "I wait."}); err != nil {
		fmt.Println(err)
	}
	err := engine.Check(ctx, "mill")
	if d, ok := errors.AsType[*state.LogDamage](err); ok {
		fmt.Println("call Engine.Repair: record", d.Version, "is damaged")
	}
	fmt.Println(err)
	// Output: <nil>
}

// A change of settings is an instruction like all others that are not turns.
func ExampleEngine_Do() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(), game.Content{})
	_, err := engine.Do(ctx, "mill", turn.PatchSettings{Patch: setting.Snapshot{
		"turn.mode": tree.Text("plan_narrate"), "retry.max_retries": tree.Int(1),
	}})
	fmt.Println(err)
	_, err = engine.Do(ctx, "mill", turn.PatchSettings{Patch: setting.Snapshot{
		"retry.max_retries": tree.Text("many"),
	}})
	fmt.Println(err)
	// Output:
	// <nil>
	// campaign: refused: settings_refused; retry.max_retries: must be a whole number, not "many"
}
