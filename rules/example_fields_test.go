package rules_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules"
)

// door is content of a kind that the library does not know: a host's own.
const door = `{"id": "gate", "weight": 80.5, "turns": 2.5, "locked": false, "tags": ["iron", 7],
  "opens": {"type": "keyword", "keywords": ["sesame"]}, "hears": {"eventType": "door:*"},
  "conditions": [{"variableId": "hasKey", "operator": "eq", "value": true}],
  "actions": [{"type": "notify-player", "message": "Creak."}],
  "loot": {"kind": "dice", "count": 1, "sides": 6}, "color": "red"}`

// fields takes the door apart.
func fields() *rules.Fields {
	f, err := rules.ReadFields([]byte(door))
	if err != nil {
		fmt.Println(err)
	}
	return f
}

func ExampleFields_IsObject() {
	list, _ := rules.ReadFields([]byte(`["not", "an object"]`))
	fmt.Println(fields().IsObject(), list.IsObject())
	// Output: true false
}

func ExampleFields_Text() {
	f := fields()
	fmt.Printf("%q %q %q\n", f.Text("id"), f.Text("missing"), f.Text("weight"))
	// Output: "gate" "" ""
}

func ExampleFields_Number() {
	f := fields()
	fmt.Println(*f.Number("weight"), f.Number("missing") == nil)
	// Output: 80.5 true
}

// Two and a half turns are over after the third.
func ExampleFields_Whole() {
	fmt.Println(*fields().Whole("turns"))
	// Output: 3
}

// A flag that is absent is not one that is false.
func ExampleFields_Flag() {
	f := fields()
	fmt.Println(*f.Flag("locked"), f.Flag("missing") == nil)
	// Output: false true
}

func ExampleFields_True() {
	f := fields()
	fmt.Println(f.True("locked"), f.True("missing"))
	// Output: false false
}

// The 7 is noted as bad, and the list survives with it.
func ExampleFields_Texts() {
	f := fields()
	fmt.Println(f.Texts("tags"), f.Bad(), string(f.Rest()["tags"]))
	// Output: [iron] [tags] ["iron",7]
}

func ExampleFields_List() {
	f := fields()
	fmt.Println(f.List("tags").Len(), f.List("id").Exists())
	// Output: 2 false
}

func ExampleFields_Value() {
	fmt.Println(fields().Value("loot"))
	// Output: {"kind":"dice","count":1,"sides":6}
}

func ExampleFields_Bad() {
	f := fields()
	f.Text("weight")
	f.Flag("color")
	fmt.Println(f.Bad())
	// Output: [weight color]
}

// What nobody asked for, or could not be read, is left to be saved again.
func ExampleFields_Rest() {
	f := fields()
	for _, name := range []string{"id", "weight", "turns", "locked", "tags", "opens", "hears",
		"loot"} {
		f.Value(name)
	}
	f.Conditions("conditions")
	f.Actions("actions")
	fmt.Println(len(f.Rest()), string(f.Rest()["color"]))
	// Output: 1 "red"
}

func ExampleFields_Conditions() {
	conditions := fields().Conditions("conditions")
	fmt.Println(rules.Holds(conditions, rules.All, rules.VarMap{"hasKey": true}))
	// Output: true
}

func ExampleFields_Actions() {
	for _, effect := range fields().Actions("actions") {
		fmt.Println(effect.EffectType())
	}
	// Output: notify-player
}

func ExampleFields_Trigger() {
	fmt.Println(fields().Trigger("opens").Keywords)
	// Output: [sesame]
}

func ExampleFields_Pattern() {
	fmt.Println(fields().Pattern("hears").Matches(rules.NewEvent("door:knock"), 0))
	// Output: true
}

func ExampleFields_Random() {
	fmt.Println(fields().Random("loot").Sides)
	// Output: 6
}

// Lamp is a kind of content of a host's own, which keeps what it does not know.
type Lamp struct {
	ID    string `json:"id"`
	Light *int   `json:"light,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

func ExampleEncodeFields() {
	f, _ := rules.ReadFields([]byte(`{"id": "lamp", "light": "bright", "oil": "whale"}`))
	lamp := Lamp{ID: f.Text("id"), Light: f.Whole("light")}
	lamp.Extra = f.Rest()

	data, _ := rules.EncodeFields(lamp, lamp.Extra)
	fmt.Println(string(data))
	// Output: {"id":"lamp","light":"bright","oil":"whale"}
}

func ExampleMisread() {
	f, _ := rules.ReadFields([]byte(`{"id": "lamp", "light": "bright", "oil": "whale"}`))
	f.Text("id")
	f.Whole("light")
	for _, p := range rules.Misread("lamps[0]", "lamp", f.Rest(), "a number", "light") {
		fmt.Println(p)
	}
	// Output: lamps[0].light (lamp): ignored: "bright" is not a number
}

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
