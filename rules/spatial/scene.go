package spatial

import (
	"math"
	"strconv"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/rules"
)

// A scene is data of the author's; all that changes in play is the player's Place. Distances
// are in the units of the scene, whatever those are, and nothing here knows of walls: a host
// that has some asks them before it moves.

// Scene is one map, from 0 to its width and height. What lies beyond cannot be stepped on.
type Scene struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Zones may overlap, and then the first one counts: list the altar before the church.
	Zones    []Zone   `json:"zones"`
	Entities []Entity `json:"entities"`
	Exits    []Exit   `json:"exits"`
}

// Rect is an area that includes its left and upper edge, and not the others.
type Rect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// holds reports whether a spot lies within.
func (r Rect) holds(x, y float64) bool {
	return x >= r.X && x < r.X+r.Width && y >= r.Y && y < r.Y+r.Height
}

// Zone is a named area of a scene.
type Zone struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Rect
}

// Entity is someone or something in a scene. It is near within twice its
// InteractRadius, and can be interacted with within it.
type Entity struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	Type           string  `json:"type"`
	X              float64 `json:"x"`
	Y              float64 `json:"y"`
	InteractRadius float64 `json:"interactRadius"`
}

// Exit is an area that leads to another scene. Whether the player goes there is for the
// host or a reaction to decide: see [World.Enter].
type Exit struct {
	ID            string `json:"id"`
	TargetSceneID string `json:"targetSceneId"`
	Direction     string `json:"direction"`
	Rect
}

// World is a compiled list of scenes. It is immutable and safe for concurrent use.
type World struct {
	scenes []Scene
	byID   map[string]int
}

// Compile builds a world. Scenes without id, and second ones of an id, are problems and left
// out. An exit to a scene that there is none of is a problem and stays, for players can still
// stand on it: [World.Enter] will not let them through.
func Compile(scenes []Scene) (*World, talewright.Problems) {
	w := &World{byID: make(map[string]int)}
	var ps talewright.Problems
	for i, s := range scenes {
		path := "scenes[" + strconv.Itoa(i) + "].id"
		if s.ID == "" {
			ps = append(ps, talewright.Problem{
				Path: path, Code: rules.MissingID,
				Text: "no id; nothing can lead to the scene; add one",
			})
			continue
		}
		if _, twice := w.byID[s.ID]; twice {
			ps = append(ps, talewright.Problem{
				Path: path, ID: s.ID, Code: rules.DuplicateID,
				Text: "the id of an earlier scene, which counts; rename or remove this one",
			})
			continue
		}
		w.byID[s.ID] = len(w.scenes)
		w.scenes = append(w.scenes, s)
	}
	for i, s := range scenes {
		for k, e := range s.Exits {
			if _, ok := w.byID[e.TargetSceneID]; !ok {
				path := "scenes[" + strconv.Itoa(i) + "].exits[" + strconv.Itoa(k) + "].targetSceneId"
				ps = append(ps, talewright.Problem{
					Path: path, ID: e.ID, Code: rules.UnknownID,
					Text: "no scene " + strconv.Quote(e.TargetSceneID) + "; compile it too, or correct the id",
				})
			}
		}
	}
	return w, ps
}

// scene returns a scene by id, nil for none.
func (w *World) scene(id string) *Scene {
	if i, ok := w.byID[id]; ok {
		return &w.scenes[i]
	}
	return nil
}

// distance is in a straight line.
func distance(x, y float64, e Entity) float64 { return math.Hypot(e.X-x, e.Y-y) }
