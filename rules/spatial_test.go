package rules_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/rules"
)

func town() []rules.SpatialScene {
	return []rules.SpatialScene{
		{
			ID: "town", Name: "Town", Width: 6, Height: 4,
			Zones: []rules.SpatialZone{{ID: "inn", Name: "Inn", SpatialRect: rules.SpatialRect{X: 2, Y: 1,
				Width: 2, Height: 2}}},
			Entities: []rules.SpatialEntity{{ID: "bard", Name: "Bard", Type: "npc", X: 3, Y: 1,
				InteractRadius: 1}},
			Exits: []rules.SpatialExit{{ID: "gate", TargetSceneID: "woods", Direction: "east",
				SpatialRect: rules.SpatialRect{X: 5, Y: 0, Width: 1, Height: 4}}},
		},
		{ID: "woods", Name: "Woods", Width: 3, Height: 3},
	}
}

func Example_spatial() {
	world, _ := rules.CompileSpatial(town())
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

func ExampleSpatialWorld_Enter() {
	world, _ := rules.CompileSpatial(town())
	place, events := world.Enter(world.At("town", 5, 1), "woods", 1, 1)
	fmt.Println(place.SceneID, events[0])
	// Output: woods {"type":"spatial:scene-change","sceneId":"woods","sceneName":"Woods","fromSceneId":"town"}
}

func ExampleCompileSpatial() {
	_, problems := rules.CompileSpatial([]rules.SpatialScene{
		{ID: "town", Width: 6, Height: 4, Exits: []rules.SpatialExit{{ID: "gate",
			TargetSceneID: "wods"}}},
		{ID: "woods", Width: 3, Height: 3},
	})
	fmt.Println(problems)
	// Output: scenes[0].exits[0].targetSceneId (gate): no scene "wods"; compile it too, or correct the id
}

func ExampleSpatialWorld_At() {
	world, _ := rules.CompileSpatial(town())
	fmt.Println(world.At("town", 2, 1).ZoneID)
	// Output: inn
}

func ExampleSpatialWorld_Move() {
	world, _ := rules.CompileSpatial(town())
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

func ExampleSpatialWorld_Interact() {
	world, _ := rules.CompileSpatial(town())
	for _, e := range world.Interact(world.At("town", 3, 2)) {
		fmt.Println(e.Get("entityName"), e.Get("distance"))
	}
	// Output: "Bard" 1
}

func TestMoveOutOfBoundsDoesNothing(t *testing.T) {
	t.Parallel()
	world, _ := rules.CompileSpatial(town())
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
	if _, events := world.Move(rules.SpatialPlace{}, 1, 1); events != nil ||
		world.Interact(rules.SpatialPlace{}) != nil {
		t.Error("someone who is nowhere moved")
	}
}

// Events of one step come in the order leave, enter, near, exit.
func TestOrderOfEvents(t *testing.T) {
	t.Parallel()
	world, _ := rules.CompileSpatial(town())
	place, _ := world.Move(world.At("town", 0, 1), 2, 0)
	_, events := world.Move(place, 3, 2)
	var types []string
	for _, e := range events {
		types = append(types, e.Type)
	}
	want := fmt.Sprint([]string{"spatial:zone-leave", "spatial:proximity-leave",
		"spatial:exit-overlap"})
	if got := fmt.Sprint(types); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCompileProblems(t *testing.T) {
	t.Parallel()
	_, problems := rules.CompileSpatial([]rules.SpatialScene{{}, {ID: "a"}, {ID: "a"}, {ID: "b",
		Exits: []rules.SpatialExit{{ID: "x"}}}})
	var codes []talewright.Code
	for _, p := range problems {
		codes = append(codes, p.Code)
	}
	want := fmt.Sprint([]talewright.Code{rules.MissingID, rules.DuplicateID, rules.UnknownID})
	if got := fmt.Sprint(codes); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A host puts the player at the gate. The events are the same as for a step.
func ExampleSpatialWorld_SetPosition() {
	world, _ := rules.CompileSpatial(town())
	p := world.At("town", 0, 0)
	p, events := world.SetPosition(p, 1e9, 5)
	fmt.Println(p.X, p.Y, events[0].Type)
	// Output: 5 3 spatial:exit-overlap
}

// A host can put the player only inside of the scene.
func TestSetPositionStaysInside(t *testing.T) {
	t.Parallel()
	world, _ := rules.CompileSpatial(town())
	start := world.At("town", 1, 3)
	for _, at := range [][2]float64{{-5, -1}, {1e300, 4}, {math.Inf(1), math.Inf(-1)}, {5, 1}} {
		p, _ := world.SetPosition(start, at[0], at[1])
		if p.X < 0 || p.Y < 0 || p.X > 5 || p.Y > 3 || p.SceneID != "town" {
			t.Errorf("%v becomes %v", at, p)
		}
		if q := world.At("town", at[0], at[1]); q.X != p.X || q.Y != p.Y {
			t.Errorf("a game that starts at %v is at %v", at, q)
		}
	}
	if p, events := world.SetPosition(start, math.NaN(), 1); p.X != start.X || p.Y != start.Y || len(events) > 0 {
		t.Errorf("a place that is none: %v %v", p, events)
	}
	if p, _ := world.SetPosition(rules.SpatialPlace{}, 1, 1); p.X != 0 || p.SceneID != "" {
		t.Errorf("nowhere: %v", p)
	}
	step, moved := world.Move(start, 2, -2)
	set, raised := world.SetPosition(start, 3, 1)
	step.Facing = ""
	if fmt.Sprint(step, moved) != fmt.Sprint(set, raised) {
		t.Errorf("a step gives %v %v\nthe host  %v %v", step, moved, set, raised)
	}
}

// TestZonesAsDescribed: zones and exits include their left and upper edge and not the other edges.
// Of several zones the first listed one counts. Company begins at twice the radius.
func TestZonesAsDescribed(t *testing.T) {
	t.Parallel()
	world, problems := rules.CompileSpatial([]rules.SpatialScene{{
		ID: "s", Name: "S", Width: 10, Height: 10,
		Zones: []rules.SpatialZone{
			{ID: "altar", SpatialRect: rules.SpatialRect{X: 3, Y: 3, Width: 1, Height: 1}},
			{ID: "church", SpatialRect: rules.SpatialRect{X: 2, Y: 2, Width: 3, Height: 3}},
		},
		Entities: []rules.SpatialEntity{{ID: "monk", X: 8, Y: 8, InteractRadius: 1}},
	}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range []struct {
		reason string
		x, y   float64
		zone   string
		near   bool
		within bool
	}{
		{"before the left edge", 1.5, 3, "", false, false},
		{"on the left edge", 2, 2, "church", false, false},
		{"in both: the first listed", 3.5, 3.5, "altar", false, false},
		{"on the right edge of the first: the other", 4, 3, "church", false, false},
		{"on the right edge", 5, 3, "", false, false},
		{"on the lower edge", 3, 5, "", false, false},
		{"beyond twice the radius", 8, 5.9, "", false, false},
		{"at twice the radius", 8, 6, "", true, false},
		{"at the radius", 8, 7, "", true, true},
	} {
		place, _ := world.SetPosition(world.At("s", 0, 0), c.x, c.y)
		if place.ZoneID != c.zone || (len(place.Near) == 1) != c.near || (len(world.Interact(place)) == 1) != c.within {
			t.Errorf("%s: zone %q, near %v, %v", c.reason, place.ZoneID, place.Near, world.Interact(place))
		}
	}
}
