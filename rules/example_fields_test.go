package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

func ExampleWriteEffect() {
	v, _ := tree.ParseValue([]byte(
		`{"type": "modify-variable", "variableId": "gold", "operation": "add", "value": 5,
			"note": "loot"}`))
	data, _ := rules.WriteEffect(rules.ReadEffect(v))
	fmt.Println(string(data))
	// Output: {"type":"modify-variable","variableId":"gold","operation":"add","value":5,"note":"loot"}
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

// part parses a part of an author's content.
func part(text string) tree.Value {
	v, _ := tree.ParseValue([]byte(text))
	return v
}

func ExampleReadCondition() {
	c := rules.ReadCondition(part(`{"variableId": "hasKey", "operator": "eq", "value": true}`))
	fmt.Println(c.Holds(rules.VarMap{"hasKey": true}))
	// Output: true
}

func ExampleReadTrigger() {
	fmt.Println(rules.ReadTrigger(part(`{"type": "keyword", "keywords": ["sesame"]}`)).Keywords)
	// Output: [sesame]
}

func ExampleReadPattern() {
	fmt.Println(rules.ReadPattern(part(`{"eventType": "door:*"}`)).Matches(rules.NewEvent("door:knock"), 0))
	// Output: true
}

func ExampleReadRandom() {
	fmt.Println(rules.ReadRandom(part(`{"kind": "dice", "count": 1, "sides": 6}`)).Sides)
	// Output: 6
}
