package campaign_test

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/talewright/talewright/campaign"
	"github.com/talewright/talewright/campaign/memstore"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/llm"
	"github.com/talewright/talewright/llm/llmtest"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// mill is a small campaign: one character, two places and a path.
func mill() campaign.Setup {
	return campaign.Setup{
		ID: "mill",
		Map: campaign.Map{
			Areas: []campaign.Area{{ID: "yard", Name: "Yard"}, {ID: "mill", Name: "Mill"}},
			Paths: []campaign.Path{{ID: "door", From: "yard", To: "mill"}},
		},
		Characters: []campaign.Character{{
			ID: "ann", Name: "Ann", AreaID: "yard", HP: campaign.HP{Current: 10, Max: 10},
		}},
	}
}

// An engine plays a turn: the model claims an arrival that nobody settled, is asked
// again with the quote, and calls the tool.
func Example() {
	ctx := context.Background()
	game, problems := campaign.Compile(campaign.Content{})
	err := problems.Err()
	if err != nil || len(problems) > 0 {
		fmt.Println(problems, err)
		return
	}
	model := llmtest.NewScripted(
		llmtest.Text("You step into the Mill."),
		llmtest.Text("You step into the Mill.").AndCall("move", "actor_id", "ann", "to_area_id", "mill"),
	)
	engine, err := campaign.NewEngine(campaign.Config{
		Game: game, Store: &memstore.Store{}, Model: model,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := engine.Create(ctx, mill()); err != nil {
		fmt.Println(err)
		return
	}
	outcome, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I go into the mill."})
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

// newMill returns an engine with the mill in it, for the examples below.
func newMill(model llm.Model, content campaign.Content) *campaign.Engine {
	game, problems := campaign.Compile(content)
	if err := problems.Err(); err != nil {
		panic(err)
	}
	engine, err := campaign.NewEngine(campaign.Config{Game: game, Store: &memstore.Store{}, Model: model})
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
		campaign.Content{})
	for p, err := range engine.Stream(context.Background(), "mill", campaign.Submit{Text: "Hello!"}) {
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

func ExampleEngine_Rollback() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Wind."), llmtest.Text("Sun.")),
		campaign.Content{})
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
	for range 2 {
		if _, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I wait."}); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Println(engine.Rollback(ctx, "mill", "turn_0001"))
	show()
	fmt.Println(engine.UndoRollback(ctx, "mill"))
	show()
	// Going on after a rollback makes a branch; the old one stays.
	fmt.Println(engine.Rollback(ctx, "mill", "turn_0001"))
	if _, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I wait."}); err != nil {
		fmt.Println(err)
	}
	show()
	_, err := engine.Do(ctx, "mill", campaign.SwitchBranch{BranchID: "main"})
	fmt.Println(err)
	show()
	// Output:
	// <nil>
	// main [Rain.]
	// <nil>
	// main [Rain. Wind.]
	// <nil>
	// branch_1 [Rain. Sun.]
	// <nil>
	// main [Rain. Wind.]
}

func ExampleEngine_Fork() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain."), llmtest.Text("Wind."), llmtest.Text("Sun.")),
		campaign.Content{})
	for range 2 {
		if _, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I wait."}); err != nil {
			fmt.Println(err)
		}
	}
	if _, err := engine.Fork(ctx, "mill", "turn_0001", "mill-2"); err != nil {
		fmt.Println(err)
	}
	outcome, err := engine.Turn(ctx, "mill-2", campaign.Submit{Text: "I wait."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outcome.Turn.ID, outcome.Turn.Text, err)
	// Output: turn_0002 Sun. <nil>
}

func ExampleEngine_Rebuild() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(llmtest.Text("Rain.")), campaign.Content{})
	if _, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I wait."}); err != nil {
		fmt.Println(err)
	}
	rebuilt, err := engine.Rebuild(ctx, "mill") // without a model
	fmt.Println(rebuilt.Version, rebuilt.Turns[0].Text, err)
	// Output: 2 Rain. <nil>
}

// Settings are instructions like everything else that is no turn.
func ExampleEngine_Do() {
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(), campaign.Content{})
	_, err := engine.Do(ctx, "mill", campaign.PatchSettings{Patch: setting.Snapshot{
		setting.TurnMode: tree.Text("plan_narrate"), setting.MaxRetries: tree.Int(1),
	}})
	fmt.Println(err)
	_, err = engine.Do(ctx, "mill", campaign.PatchSettings{Patch: setting.Snapshot{
		setting.MaxRetries: tree.Text("many"),
	}})
	fmt.Println(err)
	// Output:
	// <nil>
	// campaign: refused: settings_refused; setting: retry.max_retries: invalid_value: must be a whole number, not "many"
}

// A machine is the turn without a model, a store or a goroutine: the host does what
// Todo says and tells the answer.
func ExampleMachine() {
	game, problems := campaign.Compile(campaign.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	start, err := campaign.New(game, mill())
	if err != nil {
		fmt.Println(err)
		return
	}
	m := campaign.NewMachine(game, start)
	tell := func(in campaign.Input) {
		if err := m.Step(in); err != nil {
			fmt.Println(err)
		}
		todo := m.Todo()
		switch {
		case todo.Generate != nil:
			messages := todo.Generate.Request.Messages
			fmt.Println(m.Phase(), messages[len(messages)-1].Kind)
		case todo.Commit != nil:
			fmt.Println(m.Phase(), todo.Commit.Kind, "at version", todo.Commit.Version)
		case todo.Outcome != nil:
			fmt.Println(m.Phase(), todo.Outcome.Status)
		}
	}
	tell(campaign.Submit{Text: "I look around."})
	tell(campaign.Replied{Text: "Flour dust dances in the light."})
	tell(campaign.Committed{})
	fmt.Println(m.Todo().Show.Text)
	// Output:
	// generating player_input
	// committing turn at version 2
	// idle completed
	// Flour dust dances in the light.
}

// A tool judges a call and returns effects as data; it never acts. Registering wants
// everything that the model, people and the detectors have to know about it.
func ExampleTools_With() {
	bell := campaign.Tool{
		Name:        "ring",
		Description: "Ring the mill bell.",
		Manual:      "Counts the strokes in the variable strokes.",
		Params:      map[string]campaign.Param{"times": {Type: campaign.IntegerParam, Required: true}},
		Reasons:     map[campaign.CallCode]string{"too_loud": "not more than three strokes"},
		Affects:     []string{campaign.AffectsNothing},
		Judge: func(call campaign.ToolCall, _ campaign.ToolView) campaign.Judgement {
			if call.Int("times") > 3 {
				return campaign.Judgement{Reason: "too_loud"}
			}
			return campaign.Judgement{
				Result: tree.Object(tree.Member{Key: "rung", Value: call.Args.Get("times")}),
				Effects: rules.Effects{rules.SetVariable{
					Path: "strokes", Operation: rules.Add, Value: call.Args.Get("times")}},
			}
		},
	}
	_, err := campaign.BuiltinTools().With(campaign.Tool{Name: "bow"}, bell)
	fmt.Println(strings.Count(err.Error(), "\n")+1, "things are missing")

	// Content.Tools registers it for a game; the campaign's allow list lets it in.
	ctx := context.Background()
	engine := newMill(llmtest.NewScripted(
		llmtest.Text("The bell rings twice.").AndCall("ring", "times", 2)),
		campaign.Content{Tools: []campaign.Tool{bell}})
	if _, err := engine.Do(ctx, "mill", campaign.SetTools{Allowlist: []string{"ring"}}); err != nil {
		fmt.Println(err)
	}
	outcome, err := engine.Turn(ctx, "mill", campaign.Submit{Text: "I ring the bell."})
	if err = cmp.Or(err, outcome.Err()); err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range outcome.Turn.Applied {
		fmt.Println(a.Tool, a.Result)
	}
	c, err := engine.Campaign(ctx, "mill")
	fmt.Println(c.State.Variables, err)
	// Output:
	// 6 things are missing
	// ring {"rung":2}
	// {"strokes":2} <nil>
}

// Setup mistakes come all at once, each with its place.
func ExampleNew() {
	game, problems := campaign.Compile(campaign.Content{})
	if err := problems.Err(); err != nil {
		fmt.Println(err)
		return
	}
	setup := mill()
	setup.Characters[0].HP.Current = 12
	setup.Selected.ActorID = "bob"
	setup.Map.Paths[0].To = "barn"
	_, err := campaign.New(game, setup)
	fmt.Println(err)
	// Output:
	// campaign: characters[0]: hp must lie between 0 and max, not 12 of 10
	// campaign: selected.active_actor_id: no character "bob"
	// campaign: map.paths[0]: no area "barn"
}
