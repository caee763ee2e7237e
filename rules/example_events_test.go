package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

func ExamplePlayerMessage() {
	fmt.Println(rules.PlayerMessage("I knock."))
	// Output: {"type":"message:user","content":"I knock."}
}

func ExampleModelMessage() {
	fmt.Println(rules.ModelMessage("Nobody answers."))
	// Output: {"type":"message:ai","content":"Nobody answers."}
}

func ExampleTurnComplete() {
	fmt.Println(rules.TurnComplete(3))
	// Output: {"type":"turn:complete","turnCount":3}
}

func ExampleSessionStart() {
	fmt.Println(rules.SessionStart())
	// Output: {"type":"session:start"}
}

func ExampleChanged() {
	fmt.Println(rules.Changed("hp", tree.Int(5), tree.Int(3)))
	// Output: {"type":"state:changed","variableId":"hp","oldValue":5,"newValue":3}
}

// What stood beside the button goes along, for tokens such as {param.price}.
func ExampleActionFired() {
	params := tree.Object(tree.Member{Key: "price", Value: tree.Int(4)})
	fmt.Println(rules.ActionFired("buy", params))
	// Output: {"type":"action:fired","actionId":"buy","params":{"price":4}}
}

// A manual rule fires when the host asks for it.
func ExampleTriggerByHand() {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "epilogue", Trigger: &rules.Trigger{Type: rules.Manual},
		Actions: rules.Actions{rules.Notify{Message: "The end."}},
	}}})
	outcome := program.Run(rules.State{}, []rules.Event{rules.TriggerByHand("epilogue")},
		rules.Options{})
	fmt.Println(outcome.Notices()[0].Message)
	// Output: The end.
}

func ExampleEvent_Get() {
	e := rules.NewEvent("weather:rain", tree.Member{Key: "mm", Value: tree.Int(3)})
	fmt.Println(e.Get("mm"), e.Get("type"), e.Get("wind").Exists())
	// Output: 3 "weather:rain" false
}

// storm is a program whose one rule has every kind of effect for the host.
func storm() *rules.Program {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "storm", Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: rules.Actions{
			rules.PlayAudio{TrackID: "thunder", Channel: "ambient"},
			rules.RequestAI{Prompt: "Describe the storm."},
		},
	}}})
	return program
}

func ExampleEvaluation_IDs() {
	e := storm().Evaluate(rules.State{}, []rules.Event{rules.TurnComplete(1)}, rules.Options{})
	fmt.Println(e.IDs())
	// Output: [storm]
}

func ExampleOutcome_Fired() {
	o := storm().Run(rules.State{}, []rules.Event{rules.TurnComplete(1)}, rules.Options{})
	fmt.Println(o.Fired())
	// Output: [storm]
}

func ExampleOutcome_Audio() {
	o := storm().Run(rules.State{}, []rules.Event{rules.TurnComplete(1)}, rules.Options{})
	for _, audio := range o.Audio() {
		fmt.Println(audio.Channel, audio.Action, audio.TrackID)
	}
	// Output: ambient play thunder
}

func ExampleOutcome_Requests() {
	o := storm().Run(rules.State{}, []rules.Event{rules.TurnComplete(1)}, rules.Options{})
	for _, request := range o.Requests() {
		fmt.Println(request.Prompt)
	}
	// Output: Describe the storm.
}

func ExampleProgram_ActiveModules() {
	program, _ := rules.Compile(rules.Content{Modules: []rules.Module{
		{ID: "cellar", Order: 2, Activation: rules.Activation{Mode: rules.ModeManual}},
		{ID: "inn", Order: 1},
	}})
	fmt.Println(program.ActiveModules(rules.State{}))
	state := program.Apply(rules.State{}, rules.By("host", rules.ToggleBook{ID: "cellar"}),
		rules.Options{}).State
	fmt.Println(program.ActiveModules(state))
	// Output:
	// [inn cellar]
	// [inn]
}

// What is wrong is reported all at once, and the rest of the content works.
func ExampleCompile_problems() {
	_, problems := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "r", Trigger: &rules.Trigger{Type: "every-trun"}, Actions: rules.Actions{},
	}}})
	for _, p := range problems {
		fmt.Println(p.Severity, p)
	}
	// Output: error rules[0].trigger (r): unknown trigger "every-trun"; the rule is inert; did you mean "every-turn"?
}

func ExampleRule_Handler() {
	rule := rules.Rule{ID: "dusk", Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: rules.Actions{}}
	program, problems := rules.Compile(rules.Content{Handlers: []rules.Handler{rule.Handler()}})
	fmt.Println(program.EvaluateVars(nil, []rules.Event{rules.TurnComplete(1)})[0].ID,
		len(problems))
	// Output: dusk 0
}
