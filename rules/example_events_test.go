package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

// storm is a program with one rule, which has every kind of effect for the host.
func storm() *rules.Program {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "storm", Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: effect.Actions{
			effect.PlayAudio{TrackID: "thunder", Channel: "ambient"},
			effect.RequestAI{Prompt: "Describe the storm."},
		},
	}}})
	return program
}

func ExampleEvaluation_IDs() {
	e := storm().Evaluate(rules.State{}, []event.Event{event.TurnComplete(1)}, rules.Options{})
	fmt.Println(e.IDs())
	// Output: [storm]
}

func ExampleOutcome_Fired() {
	o := storm().Run(rules.State{}, []event.Event{event.TurnComplete(1)}, rules.Options{})
	fmt.Println(o.Fired())
	// Output: [storm]
}

func ExampleOutcome_Audio() {
	o := storm().Run(rules.State{}, []event.Event{event.TurnComplete(1)}, rules.Options{})
	for _, audio := range o.Audio() {
		fmt.Println(audio.Channel, audio.Action, audio.TrackID)
	}
	// Output: ambient play thunder
}

func ExampleOutcome_Requests() {
	o := storm().Run(rules.State{}, []event.Event{event.TurnComplete(1)}, rules.Options{})
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
	state := program.Apply(rules.State{}, effect.By("host", effect.ToggleBook{ID: "cellar"}),
		rules.Options{}).State
	fmt.Println(program.ActiveModules(state))
	// Output:
	// [inn cellar]
	// [inn]
}

// All mistakes are reported at once, and the rest of the content works.
func ExampleCompile_problems() {
	_, problems := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "r", Trigger: &rules.Trigger{Type: "every-trun"}, Actions: effect.Actions{},
	}}})
	for _, p := range problems {
		fmt.Println(p.Severity, p)
	}
	// Output: error rules[0].trigger (r): unknown trigger "every-trun"; the rule is inert; did you mean "every-turn"?
}

func ExampleRule_Handler() {
	rule := rules.Rule{ID: "dusk", Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Actions: effect.Actions{}}
	program, problems := rules.Compile(rules.Content{Handlers: []rules.Handler{rule.Handler()}})
	fmt.Println(program.EvaluateVars(nil, []event.Event{event.TurnComplete(1)})[0].ID,
		len(problems))
	// Output: dusk 0
}
