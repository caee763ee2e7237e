package reactions_test

import (
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/reactions"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/rules/event"
)

const forest = `[{
  "id": "zone-enter-forest",
  "name": "Enter Forest",
  "when": {"eventType": "spatial:zone-enter", "zone": "forest"},
  "conditions": [],
  "conditionLogic": "all",
  "then": [
    {"type": "set", "path": "weather", "value": "foggy"},
    {"type": "set", "path": "@audio.ambient", "value": "forest-ambient", "operation": "set"},
    {"type": "emit", "event": {"type": "spatial:ambience-changed"}}
  ]
}]`

// A reaction as an author writes it (RE-01): the fog rolls in, the sound plays, and the
// event that it emits can start others.
func Example() {
	list, _ := reactions.Parse([]byte(forest))
	program, problems := rules.Compile(rules.Content{
		Variables: []rules.Variable{{ID: "weather", Type: rules.TypeString,
			Default: tree.Text("clear")}},
		Handlers: reactions.Handlers(list),
	})
	fmt.Println("problems:", len(problems))

	enter := event.New("spatial:zone-enter",
		tree.Member{Key: "zoneId", Value: tree.Text("forest")})
	outcome := program.Run(rules.State{}, []rules.Event{enter}, rules.Options{})

	fmt.Println("fired:", outcome.Fired())
	fmt.Println("variables:", outcome.State.Variables)
	fmt.Println("audio:", outcome.Audio()[0].Channel, outcome.Audio()[0].TrackID)
	fmt.Println("emitted:", outcome.Emitted)
	// Output:
	// problems: 0
	// fired: [zone-enter-forest]
	// variables: {"weather":"foggy"}
	// audio: ambient forest-ambient
	// emitted: [{"type":"spatial:ambience-changed"}]
}

func ExampleEvaluate() {
	list, _ := reactions.Parse([]byte(forest))
	market := event.New("spatial:zone-enter",
		tree.Member{Key: "zoneId", Value: tree.Text("market")})
	fmt.Println(len(reactions.Evaluate(list, []rules.Event{market}, nil)))
	// Output: 0
}

func ExampleCompile() {
	_, problems := reactions.Compile([]reactions.Reaction{{ID: "lost"}})
	fmt.Println(problems)
	// Output: reactions[0].when (lost): no eventType; the reaction never fires; write one as in "turn:complete"
}

func ExampleFromRule() {
	reaction := reactions.FromRule(rules.Rule{
		ID:      "buy",
		Trigger: &rules.Trigger{Type: rules.OnAction, ActionID: "buy"},
		Actions: effect.Actions{effect.ToggleRule{ID: "haggle", Enabled: true}},
	})
	fmt.Println(reaction.When.Match["actionId"].Value)
	fmt.Println(reaction.Then[0].(effect.SetVariable).Path,
		reaction.Then[0].(effect.SetVariable).Value)
	// Output:
	// "buy"
	// @rules.disabled.haggle false
}

func ExampleParse() {
	list, problems := reactions.Parse([]byte(`{"not": "a list"}`))
	fmt.Println(len(list), problems)
	// Output: 0 reactions: not a JSON list of reactions; write [{"id": …}, …]
}

func ExampleReaction_Handler() {
	list, _ := reactions.Parse([]byte(forest))
	handler := list[0].Handler()
	fmt.Println(handler.ID, handler.When.EventType, len(handler.Then))
	// Output: zone-enter-forest spatial:zone-enter 3
}

func ExampleHandlers() {
	list, _ := reactions.Parse([]byte(forest))
	content := rules.Content{Handlers: reactions.Handlers(list)}
	fmt.Println(content.Handlers[0].ID)
	// Output: zone-enter-forest
}
