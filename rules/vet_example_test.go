package rules_test

import (
	"fmt"

	"github.com/talewright/talewright/rules"
)

func ExampleVet() {
	list, _ := rules.Parse([]byte(`[
	  {"id": "a", "trigger": {"type": "every-turn"}, "conditions": [
	     {"variableId": "hp", "operator": "lt", "value": 5}, {"variableId": "hp", "operator": "gt",
		"value": 9}],
	   "actions": [{"type": "toggle-rule", "ruleId": "ghost", "enabled": true}]},
	  {"id": "dead", "trigger": {"type": "variable-crossed", "variableId": "hp",
		"direction": "drops-below", "threshold": 0},
	   "conditions": [], "actions": [{"type": "notify-player", "message": "You are dead."}]}]`))
	for _, p := range rules.Vet(rules.Content{
		Variables: []rules.Variable{{ID: "hp", Type: rules.TypeNumber, Min: new(0.0)}},
		Rules:     list,
	}) {
		fmt.Println(p)
	}
	// Output:
	// rules[0].actions[0] (a): toggles "ghost", but no rule or reaction has that id; write the id of one
	// rules[0].conditions[1] (a): excludes a condition before it, or the bounds of hp; the list is never true; change one, or join them with any
	// rules[1].trigger.threshold (dead): the bounds of hp keep it on one side of 0; reaching a threshold is not crossing it; move the threshold inside
}

func ExampleRelations() {
	list, _ := rules.Parse([]byte(lowHealth))
	for _, r := range rules.Relations(rules.Content{Rules: list}) {
		fmt.Println(r.From, r.Verb, r.Object)
	}
	// Output:
	// low-health-warning watches health
	// low-health-warning emits ui:notification
	// low-health-warning injects critical-health
}
