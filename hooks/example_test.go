package hooks_test

import (
	"context"
	"fmt"
	"time"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

// A hook makes a tired character quiet at night. Its decisions are returned as effects.
func Example() {
	list, _ := hooks.Parse([]byte(`[{
		"name": "night mode",
		"event": "character.before_turn.finished",
		"conditions": {"time_range": ["22:00", "06:00"], "energy_lte": 60},
		"actions": [{"type": "prompt_inject", "content": "It is late; speak softly."}]
	}]`))
	set, problems := hooks.Compile(list, nil)
	fmt.Println("problems:", len(problems))

	energy := tree.Object(tree.Member{Key: "energy", Value: tree.Int(40)})
	event := act.Event{ID: "evt_1", Type: "character.before_turn.finished"}
	for _, hour := range []int{12, 23} {
		env := hooks.Env{Now: time.Date(2026, 5, 1, hour, 10, 0, 0, time.UTC), Character: energy}
		result := hooks.Run(context.Background(), set, event, hooks.State{}, env)
		fmt.Println(hour, "o'clock:", len(result.Logs), "ran")
		for _, asked := range result.Effects {
			fmt.Println(asked.(effect.InjectPrompt).Content)
		}
	}
	// Output:
	// problems: 0
	// 12 o'clock: 0 ran
	// 23 o'clock: 1 ran
	// It is late; speak softly.
}

// A run on one event returns a log of the hooks that ran, and effects for the host to apply.
func ExampleRun() {
	set, _ := hooks.Compile([]hooks.Hook{{
		ID: "tired", Name: "a long day", Event: hooks.On("character.after_turn.finished"),
		Actions: []act.Action{act.New(act.StateDelta,
			tree.Member{Key: "field", Value: tree.Text("energy")},
			tree.Member{Key: "delta", Value: tree.Int(-10)})},
	}}, nil)
	event := act.Event{ID: "evt_1", Type: "character.after_turn.finished", CharacterID: "mara"}
	env := hooks.Env{Character: tree.Object(
		tree.Member{Key: "energy", Value: tree.Int(60)})}

	result := hooks.Run(context.Background(), set, event, hooks.State{}, env)
	for _, log := range result.Logs {
		fmt.Println(log.HookID, log.Status, log.Results[0].Output)
	}
	for _, asked := range result.Effects {
		change := asked.(effect.ChangeState)
		fmt.Println(change.CharacterID, change.Field, change.Old, "->", change.New)
	}
	fmt.Println("before:", env.Character, "after:", result.Character)
	// Output:
	// tired success {"changes":{"energy":{"old":60,"new":50}}}
	// mara energy 60 -> 50
	// before: {"energy":60} after: {"energy":50}
}

// A milestone: once per conversation, when affection reaches 80, the character gets a memory and
// the world book gets an entry. The hook runs on the change that a different hook made.
func ExampleRun_milestone() {
	list, _ := hooks.Parse([]byte(`[{
		"id": "gift", "name": "a gift", "event": "gift.given",
		"actions": [{"type": "relationship_delta", "field": "affection", "delta": 5}]
	}, {
		"id": "milestone", "name": "close friends", "event": "relationship.changed",
		"conditions": {"affection_gte": 80}, "trigger_mode": "once_per_conversation",
		"actions": [
			{"type": "memory_write", "title": "milestone", "content": "We are close now."},
			{"type": "world_book_add", "book_id": "lore", "content": "They are close.",
			 "keywords": "friend, friendship"}
		]
	}]`))
	set, _ := hooks.Compile(list, nil)

	var state hooks.State
	relationship := tree.Object(tree.Member{Key: "affection", Value: tree.Int(72)})
	for turn := range 3 {
		id := fmt.Sprint("turn-", turn)
		event := act.Event{ID: id, Type: "gift.given", ConversationID: "conv_1"}
		env := hooks.Env{Relationship: relationship}
		result := hooks.Run(context.Background(), set, event, state.BeginTurn(id), env)
		state, relationship = result.State, result.Relationship
		fmt.Println(relationship)
		for _, log := range result.Logs {
			fmt.Println(" ", log.HookID, log.Status)
		}
		for _, log := range result.Skipped {
			fmt.Println(" ", log.HookID, log.Status, log.Reason)
		}
	}
	// Output:
	// {"affection":77}
	//   gift success
	// {"affection":82}
	//   gift success
	//   milestone success
	// {"affection":87}
	//   gift success
	//   milestone skipped already_triggered
}

// Parse reads hooks of other programs, and keeps unknown members.
func ExampleParse() {
	list, problems := hooks.Parse([]byte(`[
		{"id": "h", "name": "h", "event": ["a", "b.*"], "color": "red"},
		{"id": "i", "name": "i", "event": "c", "timeout_ms": "soon"}
	]`))
	fmt.Println(problems)
	data, err := list[0].MarshalJSON()
	fmt.Println(string(data), err)
	// Output:
	// hooks[1].timeout_ms (i): must be a whole number, not "soon"
	// {"id":"h","name":"h","event":["a","b.*"],"color":"red"} <nil>
}

// The compiler reports all mistakes together, each with its place.
func ExampleCompile() {
	list, problems := hooks.Parse([]byte(`[{
		"name": "typo", "event": "e", "priority": "high",
		"conditions": {"affektion": 80, "time_range": ["25:00", "26:00"]},
		"actions": [{"type": "prompt_inject"}]
	}]`))
	_, more := hooks.Compile(list, nil)
	for _, p := range append(problems, more...) {
		fmt.Println(p)
	}
	// Output:
	// hooks[0].priority: must be a whole number, not "high"
	// hooks[0].conditions.affektion (hook_40c973f74452): unknown condition key "affektion": it is never true
	// hooks[0].conditions.time_range (hook_40c973f74452): must be two times of day like ["22:00", "06:00"], not ["25:00","26:00"]
	// hooks[0].actions[0].content (hook_40c973f74452): content is required
}
