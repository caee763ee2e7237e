package spatial

import (
	"math"
	"strconv"

	"github.com/talewright/talewright/rules"
)

// Scene is one map.
type Scene struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Width    float64  `json:"width"`
	Height   float64  `json:"height"`
	Zones    []Zone   `json:"zones"` // where they overlap, the first one counts
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

// Compile builds a world. Scenes without id, and second ones of an id, are problems
// and left out.
func Compile(scenes []Scene) (*World, rules.Problems) {
	w := &World{byID: make(map[string]int)}
	var ps rules.Problems
	for i, s := range scenes {
		path := "scenes[" + strconv.Itoa(i) + "].id"
		if s.ID == "" {
			ps = append(ps, rules.Problem{
				Path: path, Code: rules.MissingID, Text: "a scene needs an id",
			})
			continue
		}
		if _, twice := w.byID[s.ID]; twice {
			ps = append(ps, rules.Problem{
				Path: path, ID: s.ID, Code: rules.DuplicateID, Text: "the first scene of the id counts",
			})
			continue
		}
		w.byID[s.ID] = len(w.scenes)
		w.scenes = append(w.scenes, s)
	}
	for _, s := range w.scenes {
		for i, e := range s.Exits {
			if _, ok := w.byID[e.TargetSceneID]; !ok {
				path := "scene " + s.ID + ".exits[" + strconv.Itoa(i) + "].targetSceneId"
				ps = append(ps, rules.Problem{
					Path: path, ID: e.ID, Code: rules.UnknownID,
					Text: "no scene " + strconv.Quote(e.TargetSceneID),
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
