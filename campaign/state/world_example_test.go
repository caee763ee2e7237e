package state_test

import (
	"fmt"

	"github.com/talewright/talewright/campaign/state"
)

// A cellar that can be entered but not left by the same way.
func ExampleMap_Exits() {
	m := state.Map{
		Areas: []state.MapArea{{ID: "yard", Name: "The yard"}, {ID: "hall", Name: "The hall"}, {ID: "cellar", Name: "The cellar"}},
		Paths: []state.MapPath{
			{ID: "door", From: "yard", To: "hall"},
			{ID: "trapdoor", From: "hall", To: "cellar", Bidirectional: new(false)},
		},
	}
	for _, from := range []string{"hall", "cellar"} {
		for _, exit := range m.Exits(from) {
			fmt.Println(from, "->", exit.Area.Name, "by the", exit.Path.ID)
		}
	}
	fmt.Println(m.Paths[1].Leads("cellar", "hall"))
	// Output:
	// hall -> The yard by the door
	// hall -> The cellar by the trapdoor
	// false
}
