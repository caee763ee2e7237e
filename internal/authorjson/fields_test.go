package authorjson_test

import (
	"encoding/json"
	"fmt"

	"github.com/talewright/talewright/internal/authorjson"
	"github.com/talewright/talewright/memvars/tree"
)

// door is content of an unknown kind, defined by a host.
const door = `{"id": "gate", "weight": 80.5, "turns": 2.5, "locked": false, "tags": ["iron", 7],
  "opens": {"type": "keyword", "keywords": ["sesame"]}, "hears": {"eventType": "door:*"},
  "conditions": [{"variableId": "hasKey", "operator": "eq", "value": true}],
  "actions": [{"type": "notify-player", "message": "Creak."}],
  "loot": {"kind": "dice", "count": 1, "sides": 6}, "color": "red"}`

// fields reads the door.
func fields() *authorjson.Fields {
	f, err := authorjson.Read([]byte(door))
	if err != nil {
		fmt.Println(err)
	}
	return f
}

// Lamp is a host's own kind of content, which keeps unknown members.
type Lamp struct {
	ID    string `json:"id"`
	Light *int   `json:"light,omitempty"`

	Extra map[string]json.RawMessage `json:"-"`
}

func ExampleFields_IsObject() {
	list, _ := authorjson.Read([]byte(`["not", "an object"]`))
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

// Two and a half turns have passed after the third turn.
func ExampleFields_Whole() {
	fmt.Println(*fields().Whole("turns"))
	// Output: 3
}

// An absent flag is not a false flag.
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

// The 7 is recorded as bad, and the list is kept with it.
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

// Members that were not read, or could not be read, are kept so that they can be saved again.
func ExampleFields_Rest() {
	f := fields()
	for _, name := range []string{"id", "weight", "turns", "locked", "tags", "opens", "hears",
		"loot", "conditions", "actions"} {
		f.Value(name)
	}
	fmt.Println(len(f.Rest()), string(f.Rest()["color"]))
	// Output: 1 "red"
}

func ExampleEncode() {
	f, _ := authorjson.Read([]byte(`{"id": "lamp", "light": "bright", "oil": "whale"}`))
	lamp := Lamp{ID: f.Text("id"), Light: f.Whole("light")}
	lamp.Extra = f.Rest()

	data, _ := authorjson.Encode(lamp, lamp.Extra)
	fmt.Println(string(data))
	// Output: {"id":"lamp","light":"bright","oil":"whale"}
}

func ExampleMisread() {
	f, _ := authorjson.Read([]byte(`{"id": "lamp", "light": "bright", "oil": "whale"}`))
	f.Text("id")
	f.Whole("light")
	for _, p := range authorjson.Misread("lamps[0]", "lamp", f.Rest(), "a number", "light") {
		fmt.Println(p)
	}
	// Output: lamps[0].light (lamp): ignored: "bright" is not a number
}

// Fields reads an object. Any of its members may have the wrong type.
func ExampleOf() {
	v, _ := tree.ParseValue([]byte(`{"id": "hut", "size": "big", "color": "red"}`))
	f := authorjson.Of(v)
	fmt.Println(f.Text("id"), f.Number("size"), f.Bad())
	fmt.Println(len(f.Rest())) // size and color are kept
	// Output:
	// hut <nil> [size]
	// 2
}

func ExampleRead() {
	f, _ := authorjson.Read([]byte(`{"id": "r", "priority": "high", "mood": 1}`))
	fmt.Println(f.Text("id"), f.Number("priority") == nil, f.Bad())
	fmt.Println(len(f.Rest())) // the unread members are kept
	// Output:
	// r true [priority]
	// 2
}
