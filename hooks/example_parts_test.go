package hooks_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/hooks"
)

func ExampleCompile_problems() {
	h := hooks.Hook{Name: "h", Event: hooks.On("e"), Scope: "planet"}
	_, problems := hooks.Compile([]hooks.Hook{h}, nil)
	fmt.Println(problems[0])
	fmt.Println("left out:", problems[0].Code == "rejected")
	// Output:
	// hooks[0].scope (hook_a7548d7fe747): must be global, character, conversation or user, not "planet"
	// left out: true
}

func ExampleOn() {
	fmt.Println(hooks.Hook{Event: hooks.On("model.before_call", "*.changed")}.Event)
	// Output:
	// [model.before_call *.changed]
}

// A hook keeps unknown members, so that they can be written back.
func ExampleHook() {
	var h hooks.Hook
	err := json.Unmarshal([]byte(`{
		"id": "shout", "name": "Shout", "event": "reply.before_send", "priority": 0,
		"permissions": {"channels": "web"},
		"actions": [{"type": "message", "content": "Hey!"}],
		"editor": {"color": "red"}
	}`), &h)
	fmt.Println(err, *h.Priority, h.Permissions.Channels, h.Actions[0].Type())
	data, _ := json.Marshal(h.Extra)
	fmt.Println(string(data))
	// Output:
	// <nil> 0 [web] message
	// {"editor":{"color":"red"}}
}

func ExamplePermissions_IsZero() {
	fmt.Println(hooks.Permissions{}.IsZero())
	fmt.Println(hooks.Permissions{Actions: []string{"message", "log"}}.IsZero())
	// Output:
	// true
	// false
}
