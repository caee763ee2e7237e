package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func ExampleParse() {
	list, problems := rules.Parse([]byte(`[{"id": "rest", "trigger": {"type": "every-turn"},
		"conditions": [], "actions": [{"type": "notify-player", "message": "You rest."}]}]`))
	fmt.Println(list[0].ID, list[0].Trigger.Type, len(list[0].Actions), len(problems))
	// Output: rest every-turn 1 0
}

func ExampleCompile_codes() {
	_, problems := rules.Compile(rules.Content{Rules: []rules.Rule{{ID: "r",
		Actions: effect.Actions{}}}})
	fmt.Println(len(problems.Of(rules.BadTrigger)) > 0, len(problems.Of(rules.DuplicateID)))
	// Output: true 0
}

func ExampleOutcome_Notices() {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "low", Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: effect.Actions{
			effect.Notify{Message: "You are hurt."}, effect.PlayAudio{TrackID: "heart"},
			effect.RequestAI{Prompt: "Describe the wound."},
		},
	}}})
	o := program.Run(rules.State{Turn: 1}, []event.Event{event.TurnComplete(1)}, rules.Options{})
	fmt.Println(o.Fired(), o.Notices()[0].Message, o.Audio()[0].TrackID, o.Requests()[0].Prompt)
	// Output: [low] You are hurt. heart Describe the wound.
}

func ExampleProgram_EvaluateVars() {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "low", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: effect.Actions{},
		Conditions: []rules.Condition{{VariableID: "hp", Operator: rules.Lt,
			Value: tree.Int(20)}},
	}}})
	for _, f := range program.EvaluateVars(rules.VarMap{"hp": 10},
		[]event.Event{event.TurnComplete(1)}) {
		fmt.Println(f.ID)
	}
	// Output: low
}
