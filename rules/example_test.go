package rules_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

const lowHealth = `[{
  "id": "low-health-warning",
  "name": "Low Health Warning",
  "trigger": {"type": "variable-crossed", "variableId": "health", "direction": "drops-below",
	"threshold": 20},
  "conditions": [],
  "conditionLogic": "all",
  "actions": [
    {"type": "notify-player", "style": "warning",
	"message": "Your vision blurs. You're barely standing."},
    {"type": "inject-directive", "directiveId": "critical-health",
     "content": "The player is near death.", "position": "after_char", "persistent": true}
  ],
  "priority": 50,
  "enabled": true,
  "cooldownTurns": null,
  "maxFireCount": null
}]`

// A rule is tested in five lines, without a model.
func Example() {
	list, _ := rules.Parse([]byte(lowHealth))
	hit := event.Changed("health", tree.Int(30), tree.Int(15))
	for _, fired := range rules.Evaluate(list, []event.Event{hit}, rules.VarMap{"health": 15}) {
		fmt.Println(fired.ID, "shows:", fired.Effects[0].(effect.Notify).Message)
	}
	// Output: low-health-warning shows: Your vision blurs. You're barely standing.
}

// A whole turn: the requests of the model are applied, then the rules run.
func ExampleProgram_Run() {
	list, _ := rules.Parse([]byte(lowHealth))
	program, _ := rules.Compile(rules.Content{
		Variables: []rules.Variable{{ID: "health", Type: rules.TypeNumber,
			Default: tree.Int(30)}},
		Rules: list,
	})
	state := rules.State{Turn: 1}
	asked := effect.By("model", effect.SetVariable{
		Path: "health", Operation: effect.Subtract, Value: tree.Int(18),
	})
	applied := program.Apply(state, asked, rules.Options{})
	state = applied.State
	state.Ledger, _ = state.Ledger.Expire(state.Turn)

	events := event.OfTurn("I fight on.", "The blow lands.", state.Turn, applied.Changes)
	outcome := program.Run(state, events, rules.Options{})

	fmt.Println(outcome.State.Variables)
	fmt.Println(outcome.Fired(), outcome.Notices()[0].Style)
	fmt.Println(outcome.State.Ledger.Directives[0].ID, outcome.State.Ledger.Directives[0].Position)
	// Output:
	// {"health":12}
	// [low-health-warning] warning
	// critical-health after_char
}

func ExampleCompile() {
	_, problems := rules.Compile(rules.Content{Rules: []rules.Rule{
		{ID: "moon", Trigger: &rules.Trigger{Type: "every-trun"}, Actions: effect.Actions{}},
		{ID: "quiet", Trigger: &rules.Trigger{Type: rules.Keyword}, Actions: effect.Actions{}},
	}})
	for _, p := range problems {
		fmt.Println(p)
	}
	// Output:
	// rules[0].trigger (moon): unknown trigger "every-trun"; the rule is inert; did you mean "every-turn"?
	// rules[1].trigger.keywords (quiet): no keywords; the rule never fires; add some
}

func ExampleProgram_Evaluate() {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID:      "ambush",
		Trigger: &rules.Trigger{Type: rules.EveryTurn},
		Conditions: []rules.Condition{{VariableID: "hp", Operator: rules.Lt,
			Value: tree.Int(20)}},
		Actions: effect.Actions{effect.Notify{Message: "Ambush!"}},
	}}})
	doc, _ := tree.ParseDocument([]byte(`{"hp": 35}`))
	e := program.Evaluate(rules.State{Variables: doc}, []event.Event{event.TurnComplete(1)},
		rules.Options{Explain: true})
	fmt.Println(e.IDs(), e.Trace[0])
	// Output: [] ambush on turn:complete: condition 1: hp 35 lt 20
}

func ExampleProgram_Apply() {
	var none *rules.Program // no schema: any path of the document
	applied := none.Apply(rules.State{}, effect.By("hook",
		effect.SetVariable{Path: "camp.fire", Operation: effect.Add, Value: tree.Int(2)},
		effect.SetVariable{Path: "camp.fire", Operation: effect.Append, Value: tree.Text("!")},
		effect.Notify{Message: "The fire crackles."},
	), rules.Options{})
	fmt.Println(applied.State.Variables)
	fmt.Println(applied.Refused[0].Path, applied.Refused[0].Text)
	fmt.Println(applied.Host[0].Effect)
	// Output:
	// {"camp":{"fire":2}}
	// camp.fire append works on a text, and this is number
	// {The fire crackles. info   false map[]}
}

func ExampleMatchKeyword() {
	fmt.Println(rules.MatchKeyword("他拔出了剑。", "剑", true))
	fmt.Println(rules.MatchKeyword("two cafés", "café", true))
	fmt.Println(rules.MatchKeyword("He STRIKES first", `/\b(attack|strike)s?\b/`, false))
	// Output:
	// true
	// false
	// true
}

func ExamplePattern_Matches() {
	p := rules.Pattern{EventType: "spatial:*",
		Equal: map[string]tree.Value{"zone": tree.Text("forest")}}
	e := event.New("spatial:zone-enter", tree.Member{Key: "zoneName",
		Value: tree.Text("forest")})
	fmt.Println(p.Matches(e, 0))
	// Output: true
}

func ExampleProgram_ActivateModules() {
	program, _ := rules.Compile(rules.Content{Modules: []rules.Module{{
		ID: "cellar", Activation: rules.Activation{
			Mode: rules.ModeKeywords, Keywords: []string{"cellar"}, LeaveKeywords: []string{"upstairs"},
		},
	}}})
	state, on, _ := program.ActivateModules(rules.State{}, "Down into the Cellar!")
	fmt.Println(on, program.ActiveModules(state))
	_, _, off := program.ActivateModules(state, "Back upstairs.")
	fmt.Println(off)
	// Output:
	// [cellar] [cellar]
	// [cellar]
}

func ExampleProgram_FilterWrites() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.TypeNumber}, {ID: "fate", Type: rules.TypeNumber,
			AIAccess: rules.AIRead},
	}})
	kept, dropped := program.FilterWrites(rules.State{}, effect.By("model",
		effect.SetVariable{Path: "hp", Value: tree.Int(3)},
		effect.SetVariable{Path: "fate", Value: tree.Int(9)}))
	fmt.Println(len(kept), dropped[0].Path, dropped[0].Reason)
	// Output: 1 fate read-only
}

func ExampleEvaluate() {
	list := []rules.Rule{{
		ID:      "storm",
		Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"storm"}},
		Actions: effect.Actions{effect.SetVariable{Path: "weather", Value: tree.Text("stormy")}},
	}}
	fired := rules.Evaluate(list, []event.Event{event.PlayerMessage("A STORM is coming")}, nil)
	fmt.Println(fired[0].ID, fired[0].Effects[0].(effect.SetVariable).Path)
	// Output: storm weather
}

// Game logic in a unit test: the effects of what fires, applied to a few variables.
func ExampleApply() {
	vars := rules.VarMap{"coins": 3, "keeper": map[string]any{"mood": "bored"}}
	next, changes := rules.Apply(vars, effect.List{
		effect.SetVariable{Path: "coins", Operation: effect.Subtract, Value: tree.Int(2)},
		effect.SetVariable{Path: "keeper.mood", Value: tree.Text("pleased")},
	})
	fmt.Println(next["coins"], next["keeper"], vars["coins"])
	fmt.Println(changes[0])
	// Output:
	// 1 {"mood":"pleased"} 3
	// coins: 3 -> 1
}

func ExampleProgram_Restore() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.TypeNumber, Default: tree.Int(10)}, {ID: "name",
			Type: rules.TypeString},
	}})
	var saved rules.State
	_ = json.Unmarshal([]byte(`{"variables": {"name": "Ann", "gone": 1}, "turnCount": 7}`), &saved)
	fmt.Println(program.Restore(saved).Variables)
	// Output: {"hp":10,"name":"Ann"}
}

func ExampleProgram_Rollback() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.TypeNumber}, {ID: "language", Type: rules.TypeString,
			Scope: "setup"},
	}})
	var now, then rules.State
	_ = json.Unmarshal([]byte(`{"variables": {"hp": 1, "language": "zh"}}`), &now)
	_ = json.Unmarshal([]byte(`{"variables": {"hp": 9, "language": "en"}}`), &then)
	fmt.Println(program.Rollback(now, then).Variables)
	// Output: {"hp":9,"language":"zh"}
}

func ExampleProgram_Access() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "secret", Type: rules.TypeString, AIAccess: rules.AINone},
	}})
	fmt.Printf("%+v\n", program.Access(rules.State{}, "secret"))
	// Output: {Active:true Readable:false Writable:false}
}
