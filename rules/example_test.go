package rules_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
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
	list, _ := rules.Load([]byte(lowHealth))
	hit := rules.Changed("health", tree.Int(30), tree.Int(15))
	for _, fired := range rules.Evaluate(list, []rules.Event{hit}, rules.VarMap{"health": 15}) {
		fmt.Println(fired.ID, "shows:", fired.Effects[0].(rules.Notify).Message)
	}
	// Output: low-health-warning shows: Your vision blurs. You're barely standing.
}

// A whole turn: what the model asked for is applied, then the rules have their say.
func ExampleProgram_Run() {
	list, _ := rules.Load([]byte(lowHealth))
	program, _ := rules.Compile(rules.Content{
		Variables: []rules.Variable{{ID: "health", Type: rules.NumberType,
			Default: tree.Int(30)}},
		Rules: list,
	})
	state := rules.State{Turn: 1}
	asked := rules.By("model", rules.SetVariable{
		Path: "health", Operation: rules.Subtract, Value: tree.Int(18),
	})
	applied := program.Apply(state, asked, rules.Options{})
	state = applied.State
	state.Ledger, _ = state.Ledger.Expire(state.Turn)

	events := rules.TurnEvents("I fight on.", "The blow lands.", state.Turn, applied.Changes)
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
		{ID: "moon", Trigger: &rules.Trigger{Type: "every-trun"}, Actions: rules.Actions{}},
		{ID: "quiet", Trigger: &rules.Trigger{Type: rules.Keyword}, Actions: rules.Actions{}},
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
		Actions: rules.Actions{rules.Notify{Message: "Ambush!"}},
	}}})
	doc, _ := tree.Load([]byte(`{"hp": 35}`))
	e := program.Evaluate(rules.State{Variables: doc}, []rules.Event{rules.TurnComplete(1)},
		rules.Options{Explain: true})
	fmt.Println(e.IDs(), e.Trace[0])
	// Output: [] ambush: condition 1: hp 35 lt 20
}

func ExampleProgram_Apply() {
	var none *rules.Program // no schema: any path of the document
	applied := none.Apply(rules.State{}, rules.By("hook",
		rules.SetVariable{Path: "camp.fire", Operation: rules.Add, Value: tree.Int(2)},
		rules.SetVariable{Path: "camp.fire", Operation: rules.Append, Value: tree.Text("!")},
		rules.Notify{Message: "The fire crackles."},
	), rules.Options{})
	fmt.Println(applied.State.Variables)
	fmt.Println(applied.Refused[0].Path, applied.Refused[0].Text)
	fmt.Println(applied.Host[0].Effect)
	// Output:
	// {"camp":{"fire":2}}
	// camp.fire append works on a text, and this is number
	// {The fire crackles. info   false map[]}
}

func ExampleHolds() {
	vars := rules.VarMap{"bag": map[string]any{"gold": 7}, "name": "Ann"}
	fmt.Println(rules.Holds([]rules.Condition{
		{VariableID: "bag.gold", Operator: rules.Gte, Value: tree.Int(5)},
		{VariableID: "name", Operator: rules.Contains, Value: tree.Text("nn")},
	}, rules.All, vars))
	// Output: true
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
	e := rules.NewEvent("spatial:zone-enter", tree.Member{Key: "zoneName",
		Value: tree.Text("forest")})
	fmt.Println(p.Matches(e, 0))
	// Output: true
}

func ExampleLedger_Expire() {
	ledger := rules.Ledger{Directives: []rules.Directive{
		{ID: "storm", Content: "It storms.", Duration: new(2), InjectedAtTurn: 5},
		{ID: "curse", Content: "A curse.", Persistent: true, InjectedAtTurn: 1},
	}}
	ledger, expired := ledger.Expire(7)
	fmt.Println(expired, len(ledger.Directives))
	// Output: [storm] 1
}

func ExampleProgram_Say() {
	program, _ := rules.Compile(rules.Content{Modules: []rules.Module{{
		ID: "cellar", Activation: rules.Activation{
			Mode: rules.ModeKeywords, Keywords: []string{"cellar"}, LeaveKeywords: []string{"upstairs"},
		},
	}}})
	state, on, _ := program.Say(rules.State{}, "Down into the Cellar!")
	fmt.Println(on, program.ActiveModules(state))
	_, _, off := program.Say(state, "Back upstairs.")
	fmt.Println(off)
	// Output:
	// [cellar] [cellar]
	// [cellar]
}

func ExampleProgram_FilterWrites() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.NumberType}, {ID: "fate", Type: rules.NumberType,
			AIAccess: rules.AIRead},
	}})
	kept, dropped := program.FilterWrites(rules.State{}, rules.By("model",
		rules.SetVariable{Path: "hp", Value: tree.Int(3)},
		rules.SetVariable{Path: "fate", Value: tree.Int(9)}))
	fmt.Println(len(kept), dropped[0].Path, dropped[0].Reason)
	// Output: 1 fate read-only
}

func ExampleUnmarshalEffect() {
	e, _ := rules.UnmarshalEffect([]byte(`{"type": "toggle-entry", "entryId": "secret",
		"enabled": true}`))
	fmt.Printf("%T %+v\n", e, e)
	// Output: rules.ToggleEntry {ID:secret Enabled:true Extra:map[]}
}

func ExampleActions() {
	var actions rules.Actions
	_ = json.Unmarshal([]byte(`[{"type": "modify-variable", "variableId": "gold",
		"operation": "add", "value": 5}, "broken"]`), &actions)
	fmt.Println(actions[0].(rules.SetVariable).Path)
	data, _ := json.Marshal(actions) // what cannot be read survives
	fmt.Println(string(data))
	// Output:
	// gold
	// [{"type":"modify-variable","variableId":"gold","operation":"add","value":5},"broken"]
}

func ExampleEvaluate() {
	list := []rules.Rule{{
		ID:      "storm",
		Trigger: &rules.Trigger{Type: rules.Keyword, Keywords: []string{"storm"}},
		Actions: rules.Actions{rules.SetVariable{Path: "weather", Value: tree.Text("stormy")}},
	}}
	fired := rules.Evaluate(list, []rules.Event{rules.PlayerMessage("A STORM is coming")}, nil)
	fmt.Println(fired[0].ID, fired[0].Effects[0].(rules.SetVariable).Path)
	// Output: storm weather
}

func ExampleProgram_Restore() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.NumberType, Default: tree.Int(10)}, {ID: "name",
			Type: rules.StringType},
	}})
	var saved rules.State
	_ = json.Unmarshal([]byte(`{"variables": {"name": "Ann", "gone": 1}, "turnCount": 7}`), &saved)
	fmt.Println(program.Restore(saved).Variables)
	// Output: {"hp":10,"name":"Ann"}
}

func ExampleProgram_Rollback() {
	program, _ := rules.Compile(rules.Content{Variables: []rules.Variable{
		{ID: "hp", Type: rules.NumberType}, {ID: "language", Type: rules.StringType,
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
		{ID: "secret", Type: rules.StringType, AIAccess: rules.AINone},
	}})
	fmt.Printf("%+v\n", program.Access(rules.State{}, "secret"))
	// Output: {Active:true Readable:false Writable:false}
}

func ExampleLedger_TakePending() {
	ledger := rules.Ledger{Pending: []rules.SendContext{{Message: "A door creaks.",
		Role: "system"}}}
	ledger, messages := ledger.TakePending()
	fmt.Println(messages[0].Message, len(ledger.Pending))
	// Output: A door creaks. 0
}

func ExampleEventOf() {
	event, ok := rules.EventOf(rules.Notify{Message: "Careful!"})
	fmt.Println(event, ok)
	// Output: {"type":"ui:notification","message":"Careful!","style":"info"} true
}

func ExampleReadEffect() {
	v, _ := tree.ParseValue([]byte(`{"type": "notify-player"}`)) // no message
	e := rules.ReadEffect(v)
	fmt.Printf("%T\n", e)
	// Output: rules.Custom
}

func ExampleTurnEvents() {
	changes := []tree.Change{{Path: tree.Path{"hp"}, Old: tree.Int(5),
		New: tree.Int(4)}}
	for _, e := range rules.TurnEvents("I jump.", "You fall.", 1, changes) {
		fmt.Println(e.Type)
	}
	// Output:
	// message:user
	// message:ai
	// turn:complete
	// session:start
	// state:changed
}
