package condition_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/condition"
)

func ExampleCondition_Holds() {
	weak := rules.Condition{VariableID: "hp", Operator: condition.Lt, Value: tree.Int(20)}
	fmt.Println(weak.Holds(condition.VarMap{"hp": 10}), weak.Holds(condition.VarMap{}))
	// Output: true false
}

func ExampleVarMap_Get() {
	vars := condition.VarMap{"bag": map[string]any{"gold": 7}, "bag.gems": 2}
	fmt.Println(vars.Get("bag.gold"))
	fmt.Println(vars.Get("bag.gems")) // a key with a dot wins
	fmt.Println(vars.Get("bag.rope"))
	// Output:
	// 7 true
	// 2 true
	// <nil> false
}

func ExampleRead() {
	v, _ := tree.ParseValue([]byte(`{"variableId": "hasKey", "operator": "eq", "value": true}`))
	c := condition.Read(v)
	fmt.Println(c.Holds(condition.VarMap{"hasKey": true}))
	// Output: true
}

func ExampleHolds() {
	vars := condition.VarMap{"bag": map[string]any{"gold": 7}, "name": "Ann"}
	fmt.Println(condition.Holds([]rules.Condition{
		{VariableID: "bag.gold", Operator: condition.Gte, Value: tree.Int(5)},
		{VariableID: "name", Operator: condition.Contains, Value: tree.Text("nn")},
	}, condition.All, vars))
	// Output: true
}

// The value that a condition would compare, absent where there is none.
func ExampleValueOf() {
	vars := condition.VarMap{"bag": map[string]any{"gold": 7}}
	fmt.Println(condition.ValueOf(vars, "bag.gold"), condition.ValueOf(vars, "bag.rope").Exists())
	// Output:
	// 7 false
}
