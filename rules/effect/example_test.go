package effect_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/effect"
)

func ExampleMarshal() {
	data, err := effect.Marshal(effect.Notify{Message: "You rest."})
	fmt.Println(string(data), err)
	// Output: {"type":"notify-player","message":"You rest."} <nil>
}

func ExampleBy() {
	asked := effect.By("model", effect.ToggleEntry{ID: "cave", Enabled: true})
	fmt.Println(asked[0].By, asked[0].Effect.EffectType())
	// Output: model toggle-entry
}

func ExampleWrite() {
	v, _ := tree.ParseValue([]byte(
		`{"type": "modify-variable", "variableId": "gold", "operation": "add", "value": 5,
			"note": "loot"}`))
	data, _ := effect.Write(effect.Read(v))
	fmt.Println(string(data))
	// Output: {"type":"modify-variable","variableId":"gold","operation":"add","value":5,"note":"loot"}
}

func ExampleReadRandom() {
	v, _ := tree.ParseValue([]byte(`{"kind": "dice", "count": 1, "sides": 6}`))
	fmt.Println(effect.ReadRandom(v).Sides)
	// Output: 6
}

func ExampleUnmarshal() {
	e, _ := effect.Unmarshal([]byte(`{"type": "toggle-entry", "entryId": "secret",
		"enabled": true}`))
	fmt.Printf("%T %+v\n", e, e)
	// Output: effect.ToggleEntry {ID:secret Enabled:true Extra:map[]}
}

func ExampleActions() {
	var actions effect.Actions
	_ = json.Unmarshal([]byte(`[{"type": "modify-variable", "variableId": "gold",
		"operation": "add", "value": 5}, "broken"]`), &actions)
	fmt.Println(actions[0].(effect.SetVariable).Path)
	data, _ := json.Marshal(actions) // what cannot be read survives
	fmt.Println(string(data))
	// Output:
	// gold
	// [{"type":"modify-variable","variableId":"gold","operation":"add","value":5},"broken"]
}

func ExampleEventOf() {
	event, ok := effect.EventOf(effect.Notify{Message: "Careful!"})
	fmt.Println(event, ok)
	// Output: {"type":"ui:notification","message":"Careful!","style":"info"} true
}

func ExampleRead() {
	v, _ := tree.ParseValue([]byte(`{"type": "notify-player"}`)) // no message
	e := effect.Read(v)
	fmt.Printf("%T\n", e)
	// Output: effect.Custom
}
