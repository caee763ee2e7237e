package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

func ExampleCondition_Holds() {
	weak := rules.Condition{VariableID: "hp", Operator: rules.Lt, Value: tree.Int(20)}
	fmt.Println(weak.Holds(rules.VarMap{"hp": 10}), weak.Holds(rules.VarMap{}))
	// Output: true false
}

func ExampleVarMap_Get() {
	vars := rules.VarMap{"bag": map[string]any{"gold": 7}, "bag.gems": 2}
	fmt.Println(vars.Get("bag.gold"))
	fmt.Println(vars.Get("bag.gems")) // a key with a dot wins
	fmt.Println(vars.Get("bag.rope"))
	// Output:
	// 7 true
	// 2 true
	// <nil> false
}

func ExampleParseCondition() {
	v, _ := tree.ParseValue([]byte(`{"variableId": "hasKey", "operator": "eq", "value": true}`))
	c := rules.ParseCondition(v)
	fmt.Println(c.Holds(rules.VarMap{"hasKey": true}))
	// Output: true
}

func ExampleConditionsHold() {
	vars := rules.VarMap{"bag": map[string]any{"gold": 7}, "name": "Ann"}
	fmt.Println(rules.ConditionsHold([]rules.Condition{
		{VariableID: "bag.gold", Operator: rules.Gte, Value: tree.Int(5)},
		{VariableID: "name", Operator: rules.Contains, Value: tree.Text("nn")},
	}, rules.All, vars))
	// Output: true
}
