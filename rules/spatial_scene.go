package rules

import (
	"math"
	"strconv"

	"github.com/talewright/talewright"
)

// A scene is data of the author. Only the player's SpatialPlace changes during play. Distances are
// in the units of the scene. Walls are not supported: a host with walls checks them before it moves
// the player.

// SpatialScene is one map, from 0 to its width and height. The player cannot leave this range.
type SpatialScene struct {
	ID     string  `json:"id"`
	Name   string  `json:"name"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
	// Zones may overlap. Then the first one counts: list the altar before the church.
	Zones    []SpatialZone   `json:"zones"`
	Entities []SpatialEntity `json:"entities"`
	Exits    []SpatialExit   `json:"exits"`
}

// SpatialRect is an area that includes its left and upper edges, but not the others.
type SpatialRect struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// holds reports whether a spot lies within the area.
func (r SpatialRect) holds(x, y float64) bool {
	return x >= r.X && x < r.X+r.Width && y >= r.Y && y < r.Y+r.Height
}

// SpatialZone is a named area of a scene.
type SpatialZone struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	SpatialRect
}

// SpatialEntity is a character or a thing in a scene. It is near within twice its InteractRadius,
// and the player can interact with it within InteractRadius.
type SpatialEntity struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	Type           string  `json:"type"`
	X              float64 `json:"x"`
	Y              float64 `json:"y"`
	InteractRadius float64 `json:"interactRadius"`
}

// SpatialExit is an area that leads to a different scene. The host or a reaction decides whether
// the player goes there: see [SpatialWorld.Enter].
type SpatialExit struct {
	ID            string `json:"id"`
	TargetSceneID string `json:"targetSceneId"`
	Direction     string `json:"direction"`
	SpatialRect
}

// SpatialWorld is a compiled list of scenes. It is immutable and safe for concurrent use.
//
// Movement in it raises these events:
//
//   - spatial:zone-enter: zoneId, zoneName, fromZoneId or null
//   - spatial:zone-leave: zoneId, zoneName, toZoneId or null
//   - spatial:proximity-enter: entityId, entityName, entityType, distance
//   - spatial:proximity-leave: entityId, entityName
//   - spatial:interact: entityId, entityName, entityType, distance
//   - spatial:scene-change: sceneId, sceneName, fromSceneId or null
//   - spatial:exit-overlap: exitId, targetSceneId, targetSceneName, direction
type SpatialWorld struct {
	scenes []SpatialScene
	byID   map[string]int
}

// CompileSpatial builds a world. Scenes without an id, and repeated ids, are reported and left out.
// An exit to a scene that does not exist is reported but kept, because players can still be on it.
// [SpatialWorld.Enter] then changes nothing.
func CompileSpatial(scenes []SpatialScene) (*SpatialWorld, talewright.Problems) {
	w := &SpatialWorld{byID: make(map[string]int)}
	var ps talewright.Problems
	for i, s := range scenes {
		path := "scenes[" + strconv.Itoa(i) + "].id"
		if s.ID == "" {
			ps = append(ps, talewright.Problem{
				Path: path, Code: MissingID,
				Text: "no id; nothing can lead to the scene; add one",
			})
			continue
		}
		if _, twice := w.byID[s.ID]; twice {
			ps = append(ps, talewright.Problem{
				Path: path, ID: s.ID, Code: DuplicateID,
				Text: "the id of an earlier scene, which is used; rename or remove this one",
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
					Path: path, ID: e.ID, Code: UnknownID,
					Text: "no scene " + strconv.Quote(e.TargetSceneID) + "; compile it too, or correct the id",
				})
			}
		}
	}
	return w, ps
}

// scene returns a scene by id, or nil.
func (w *SpatialWorld) scene(id string) *SpatialScene {
	if i, ok := w.byID[id]; ok {
		return &w.scenes[i]
	}
	return nil
}

// distance returns the straight-line distance.
func distance(x, y float64, e SpatialEntity) float64 { return math.Hypot(e.X-x, e.Y-y) }
