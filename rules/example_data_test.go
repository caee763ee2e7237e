package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

func ExampleLoad() {
	list, problems := rules.Load([]byte(`[{"id": "rest", "trigger": {"type": "every-turn"},
		"conditions": [], "actions": [{"type": "notify-player", "message": "You rest."}]}]`))
	fmt.Println(list[0].ID, list[0].Trigger.Type, len(list[0].Actions), len(problems))
	// Output: rest every-turn 1 0
}

func ExampleMarshalEffect() {
	data, err := rules.MarshalEffect(rules.Notify{Message: "You rest."})
	fmt.Println(string(data), err)
	// Output: {"type":"notify-player","message":"You rest."} <nil>
}

func ExampleCondition_Holds() {
	weak := rules.Condition{VariableID: "hp", Operator: rules.Lt, Value: tree.Int(20)}
	fmt.Println(weak.Holds(rules.VarMap{"hp": 10}), weak.Holds(rules.VarMap{}))
	// Output: true false
}

func ExampleBy() {
	asked := rules.By("model", rules.ToggleEntry{ID: "cave", Enabled: true})
	fmt.Println(asked[0].By, asked[0].Effect.EffectType())
	// Output: model toggle-entry
}

func ExampleNewEvent() {
	fmt.Println(rules.NewEvent("weather:rain", tree.Member{Key: "mm", Value: tree.Int(3)}))
	fmt.Println(rules.ActionFired("pay", tree.Value{}))
	fmt.Println(rules.Changed("hp", tree.Int(3), tree.Int(2)))
	fmt.Println(rules.TriggerByHand("alarm"))
	// Output:
	// {"type":"weather:rain","mm":3}
	// {"type":"action:fired","actionId":"pay"}
	// {"type":"state:changed","variableId":"hp","oldValue":3,"newValue":2}
	// {"type":"rule:trigger","ruleId":"alarm"}
}

func ExampleCompile_codes() {
	_, problems := rules.Compile(rules.Content{Rules: []rules.Rule{{ID: "r",
		Actions: rules.Actions{}}}})
	fmt.Println(len(problems.Of(rules.BadTrigger)) > 0, len(problems.Of(rules.DuplicateID)))
	// Output: true 0
}

func ExampleOutcome_Notices() {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "low", Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: rules.Actions{
			rules.Notify{Message: "You are hurt."}, rules.PlayAudio{TrackID: "heart"},
			rules.RequestAI{Prompt: "Describe the wound."},
		},
	}}})
	o := program.Run(rules.State{Turn: 1}, []rules.Event{rules.TurnComplete(1)}, rules.Options{})
	fmt.Println(o.Fired(), o.Notices()[0].Message, o.Audio()[0].TrackID, o.Requests()[0].Prompt)
	// Output: [low] You are hurt. heart Describe the wound.
}

func ExampleLedger_Clone() {
	was := rules.Ledger{Enabled: map[string]bool{"alarm": true}}
	mine := was.Clone()
	mine.Enabled["alarm"] = false
	fmt.Println(was.Enabled, mine.Enabled)
	// Output: map[alarm:true] map[alarm:false]
}

func ExampleProgram_EvaluateVars() {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "low", Trigger: &rules.Trigger{Type: rules.EveryTurn}, Actions: rules.Actions{},
		Conditions: []rules.Condition{{VariableID: "hp", Operator: rules.Lt,
			Value: tree.Int(20)}},
	}}})
	for _, f := range program.EvaluateVars(rules.VarMap{"hp": 10},
		[]rules.Event{rules.TurnComplete(1)}) {
		fmt.Println(f.ID)
	}
	// Output: low
}
