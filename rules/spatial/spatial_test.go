package spatial_test

import (
	"fmt"
	"testing"

	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/spatial"
)

func town() []spatial.Scene {
	return []spatial.Scene{
		{
			ID: "town", Name: "Town", Width: 6, Height: 4,
			Zones: []spatial.Zone{{ID: "inn", Name: "Inn", Rect: spatial.Rect{X: 2, Y: 1,
				Width: 2, Height: 2}}},
			Entities: []spatial.Entity{{ID: "bard", Name: "Bard", Type: "npc", X: 3, Y: 1,
				InteractRadius: 1}},
			Exits: []spatial.Exit{{ID: "gate", TargetSceneID: "woods", Direction: "east",
				Rect: spatial.Rect{X: 5, Y: 0, Width: 1, Height: 4}}},
		},
		{ID: "woods", Name: "Woods", Width: 3, Height: 3},
	}
}

func Example() {
	world, _ := spatial.Compile(town())
	place := world.At("town", 0, 1)
	place, events := world.Move(place, 2, 0)
	for _, e := range events {
		fmt.Println(e)
	}
	fmt.Println(place.ZoneID, place.Facing, place.Near)
	fmt.Println(world.Interact(place)[0].Get("entityId"))
	// Output:
	// {"type":"spatial:zone-enter","zoneId":"inn","zoneName":"Inn","fromZoneId":null}
	// {"type":"spatial:proximity-enter","entityId":"bard","entityName":"Bard","entityType":"npc","distance":1}
	// inn east [bard]
	// "bard"
}

func ExampleWorld_Enter() {
	world, _ := spatial.Compile(town())
	place, events := world.Enter(world.At("town", 5, 1), "woods", 1, 1)
	fmt.Println(place.SceneID, events[0])
	// Output: woods {"type":"spatial:scene-change","sceneId":"woods","sceneName":"Woods","fromSceneId":"town"}
}

func ExampleCompile() {
	_, problems := spatial.Compile([]spatial.Scene{
		{ID: "town", Width: 6, Height: 4, Exits: []spatial.Exit{{ID: "gate",
			TargetSceneID: "wods"}}},
		{ID: "woods", Width: 3, Height: 3},
	})
	fmt.Println(problems)
	// Output: [scenes[0].exits[0].targetSceneId: no scene "wods"; compile it too, or correct the id]
}

func ExampleWorld_At() {
	world, _ := spatial.Compile(town())
	fmt.Println(world.At("town", 2, 1).ZoneID)
	// Output: inn
}

func ExampleWorld_Move() {
	world, _ := spatial.Compile(town())
	place, events := world.Move(world.At("town", 2, 2), 2, 0) // out of the inn
	fmt.Println(place.X, place.Y, place.Facing)
	for _, e := range events {
		fmt.Println(e.Type)
	}
	// Output:
	// 4 2 east
	// spatial:zone-leave
	// spatial:proximity-enter
}

func ExampleWorld_Interact() {
	world, _ := spatial.Compile(town())
	for _, e := range world.Interact(world.At("town", 3, 2)) {
		fmt.Println(e.Get("entityName"), e.Get("distance"))
	}
	// Output: "Bard" 1
}

func TestMoveOutOfBoundsDoesNothing(t *testing.T) {
	t.Parallel()
	world, _ := spatial.Compile(town())
	start := world.At("town", 0, 0)
	for _, step := range [][2]float64{{-1, 0}, {0, -1}, {6, 0}, {0, 4}} {
		p, events := world.Move(start, step[0], step[1])
		if len(events) > 0 || p.X != 0 || p.Y != 0 || p.Facing != "" {
			t.Errorf("step %v: %+v %v", step, p, events)
		}
	}
	if p, events := world.Enter(start, "nowhere", 0, 0); p.SceneID != "town" || events != nil {
		t.Errorf("entered %+v %v", p, events)
	}
	if p := world.At("nowhere", 1, 1); p.SceneID != "" {
		t.Errorf("at %+v", p)
	}
	if _, events := world.Move(spatial.Place{}, 1, 1); events != nil ||
		world.Interact(spatial.Place{}) != nil {
		t.Error("someone who is nowhere moved")
	}
}

// Events of one step come in the order leave, enter, near, exit.
func TestOrderOfEvents(t *testing.T) {
	t.Parallel()
	world, _ := spatial.Compile(town())
	place, _ := world.Move(world.At("town", 0, 1), 2, 0)
	_, events := world.Move(place, 3, 2)
	var types []string
	for _, e := range events {
		types = append(types, e.Type)
	}
	want := fmt.Sprint([]string{spatial.TypeZoneLeave, spatial.TypeProximityLeave,
		spatial.TypeExitOverlap})
	if got := fmt.Sprint(types); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCompileProblems(t *testing.T) {
	t.Parallel()
	_, problems := spatial.Compile([]spatial.Scene{{}, {ID: "a"}, {ID: "a"}, {ID: "b",
		Exits: []spatial.Exit{{ID: "x"}}}})
	var codes []rules.Code
	for _, p := range problems {
		codes = append(codes, p.Code)
	}
	want := fmt.Sprint([]rules.Code{rules.MissingID, rules.DuplicateID, rules.UnknownID})
	if got := fmt.Sprint(codes); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
