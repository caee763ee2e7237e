package event_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

func ExampleNew() {
	fmt.Println(event.New("weather:rain", tree.Member{Key: "mm", Value: tree.Int(3)}))
	fmt.Println(event.ActionFired("pay", tree.Value{}))
	fmt.Println(event.Changed("hp", tree.Int(3), tree.Int(2)))
	fmt.Println(event.TriggerByHand("alarm"))
	// Output:
	// {"type":"weather:rain","mm":3}
	// {"type":"action:fired","actionId":"pay"}
	// {"type":"state:changed","variableId":"hp","oldValue":3,"newValue":2}
	// {"type":"rule:trigger","ruleId":"alarm"}
}

func ExamplePlayerMessage() {
	fmt.Println(event.PlayerMessage("I knock."))
	// Output: {"type":"message:user","content":"I knock."}
}

func ExampleModelMessage() {
	fmt.Println(event.ModelMessage("Nobody answers."))
	// Output: {"type":"message:ai","content":"Nobody answers."}
}

func ExampleTurnComplete() {
	fmt.Println(event.TurnComplete(3))
	// Output: {"type":"turn:complete","turnCount":3}
}

func ExampleSessionStart() {
	fmt.Println(event.SessionStart())
	// Output: {"type":"session:start"}
}

func ExampleChanged() {
	fmt.Println(event.Changed("hp", tree.Int(5), tree.Int(3)))
	// Output: {"type":"state:changed","variableId":"hp","oldValue":5,"newValue":3}
}

// The values of the button are included, for tokens such as {param.price}.
func ExampleActionFired() {
	params := tree.Object(tree.Member{Key: "price", Value: tree.Int(4)})
	fmt.Println(event.ActionFired("buy", params))
	// Output: {"type":"action:fired","actionId":"buy","params":{"price":4}}
}

// A manual rule fires when the host asks for it.
func ExampleTriggerByHand() {
	program, _ := rules.Compile(rules.Content{Rules: []rules.Rule{{
		ID: "epilogue", Trigger: &rules.Trigger{Type: rules.Manual},
		Actions: effect.Actions{effect.Notify{Message: "The end."}},
	}}})
	outcome := program.Run(rules.State{}, []event.Event{event.TriggerByHand("epilogue")},
		rules.Options{})
	fmt.Println(outcome.Notices()[0].Message)
	// Output: The end.
}

func ExampleEvent_Get() {
	e := event.New("weather:rain", tree.Member{Key: "mm", Value: tree.Int(3)})
	fmt.Println(e.Get("mm"), e.Get("type"), e.Get("wind").Exists())
	// Output: 3 "weather:rain" false
}

func ExampleOfTurn() {
	changes := []tree.Change{{Path: tree.Path{"hp"}, Old: tree.Int(5),
		New: tree.Int(4)}}
	for _, e := range event.OfTurn("I jump.", "You fall.", 1, changes) {
		fmt.Println(e.Type)
	}
	// Output:
	// message:user
	// message:ai
	// turn:complete
	// session:start
	// state:changed
}

// The name of a change: a variable at the root has its key, a deeper one has its path.
func ExampleNameOf() {
	fmt.Println(event.NameOf(tree.Path{"a.b"}), event.NameOf(tree.Path{"stat_data", "gold"}))
	// Output: a.b stat_data.gold
}
