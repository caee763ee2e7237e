package rules

import (
	"math"
	"slices"
	"strconv"

	"github.com/talewright/talewright"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/rules/event"
	"github.com/talewright/talewright/rules/internal/report"
)

// This file has a small world on grids: scenes with rectangular zones, entities that the player can
// approach, and exits. Movement raises events for rules and reactions.
//
// A [SpatialWorld] is compiled once and shared. A [SpatialPlace] is the player's position, a plain
// value that belongs to the game's state.
//
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
	byID map[string]*SpatialScene
}

// CompileSpatial builds a world. Scenes without an id, and repeated ids, are reported and left out.
// An exit to a scene that does not exist is reported but kept, because players can still be on it.
// [SpatialWorld.Enter] then changes nothing.
func CompileSpatial(scenes []SpatialScene) (*SpatialWorld, talewright.Problems) {
	w := &SpatialWorld{byID: make(map[string]*SpatialScene)}
	var ps report.Findings
	for i, s := range scenes {
		path := "scenes[" + strconv.Itoa(i) + "].id"
		switch {
		case s.ID == "":
			ps.Add(path, "", MissingID, "no id; nothing can lead to the scene; add one")
		case w.byID[s.ID] != nil:
			ps.Add(path, s.ID, DuplicateID, "the id of an earlier scene, which is used; rename or remove this one")
		default:
			w.byID[s.ID] = &s
		}
	}
	for i, s := range scenes {
		for k, e := range s.Exits {
			if w.byID[e.TargetSceneID] == nil {
				ps.Add("scenes["+strconv.Itoa(i)+"].exits["+strconv.Itoa(k)+"].targetSceneId", e.ID, UnknownID,
					"no scene %q; compile it too, or correct the id", e.TargetSceneID)
			}
		}
	}
	return w, talewright.Problems(ps)
}

// distance returns the straight-line distance.
func distance(x, y float64, e SpatialEntity) float64 { return math.Hypot(e.X-x, e.Y-y) }

// The events of movement, see [SpatialWorld].
const (
	typeZoneEnter      = "spatial:zone-enter"
	typeZoneLeave      = "spatial:zone-leave"
	typeProximityEnter = "spatial:proximity-enter"
	typeProximityLeave = "spatial:proximity-leave"
	typeInteract       = "spatial:interact"
	typeSceneChange    = "spatial:scene-change"
	typeExitOverlap    = "spatial:exit-overlap"
)

// Movement decides nothing. It reports the results of a step as events. Rules decide about their
// effects: a door opens, a guard speaks, a scene is entered.

// SpatialPlace is the player's position. The zero value is nowhere; see [SpatialWorld.Enter].
type SpatialPlace struct {
	SceneID string `json:"sceneId"`
	// X grows to the east and Y to the south, in the units of the scene.
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Facing string  `json:"facing,omitempty"` // north, south, east, west
	ZoneID string  `json:"zoneId,omitempty"` // empty outside of all zones
	// Near has the ids of the entities within twice their radius, so that each is reported once.
	Near []string `json:"near,omitempty"`
}

// Enter puts the player into a scene. It raises the change of scene and the events of the new
// position. An unknown scene or a spot outside of it changes nothing.
func (w *SpatialWorld) Enter(p SpatialPlace, sceneID string, x, y float64) (SpatialPlace, []event.Event) {
	s := w.byID[sceneID]
	if s == nil || !(SpatialRect{0, 0, s.Width, s.Height}).holds(x, y) {
		return p, nil
	}
	events := []event.Event{event.New(typeSceneChange,
		field("sceneId", s.ID), field("sceneName", s.Name), optional("fromSceneId", p.SceneID))}
	next, entered := w.arrive(SpatialPlace{SceneID: s.ID, Facing: p.Facing}, s, x, y)
	return next, append(events, entered...)
}

// At returns the place at which a game starts. It raises no events; entities nearby are reported
// with the first move. A spot outside becomes the nearest spot within, as in
// [SpatialWorld.SetPosition]. For an unknown scene it returns the zero value.
func (w *SpatialWorld) At(sceneID string, x, y float64) SpatialPlace {
	s := w.byID[sceneID]
	if s == nil || math.IsNaN(x) || math.IsNaN(y) {
		return SpatialPlace{}
	}
	x, y = within(x, s.Width), within(y, s.Height)
	return SpatialPlace{SceneID: s.ID, X: x, Y: y, ZoneID: s.zoneAt(x, y).ID}
}

// SetPosition moves the player to a spot in the scene, as the host decides: a ferry, a fall. A spot
// outside becomes the nearest spot within, from 0 to the size of the scene less 1. It raises the
// events of a [SpatialWorld.Move] and does not turn the player. If the player is in no scene, it
// changes nothing.
func (w *SpatialWorld) SetPosition(p SpatialPlace, x, y float64) (SpatialPlace, []event.Event) {
	s := w.byID[p.SceneID]
	if s == nil || math.IsNaN(x) || math.IsNaN(y) {
		return p, nil
	}
	return w.arrive(p, s, within(x, s.Width), within(y, s.Height))
}

// within limits a coordinate to a scene of the given size.
func within(at, size float64) float64 { return max(0, min(at, size-1)) }

// Move takes steps east (dx) and south (dy). A step out of bounds does nothing and does not turn
// the player. Events are in this order: the zone that is left, the zone that is entered, entities
// that become near, entities that are no longer near, exits.
func (w *SpatialWorld) Move(p SpatialPlace, dx, dy float64) (SpatialPlace, []event.Event) {
	s := w.byID[p.SceneID]
	if s == nil || !(SpatialRect{0, 0, s.Width, s.Height}).holds(p.X+dx, p.Y+dy) {
		return p, nil
	}
	// A diagonal step faces east or west: sprites have four sides.
	switch {
	case dx > 0:
		p.Facing = "east"
	case dx < 0:
		p.Facing = "west"
	case dy > 0:
		p.Facing = "south"
	case dy < 0:
		p.Facing = "north"
	}
	return w.arrive(p, s, p.X+dx, p.Y+dy)
}

// Interact interacts with the nearest entity within its radius, the first listed of equally near
// ones. There may be none, and there is never more than one: a button has one meaning.
func (w *SpatialWorld) Interact(p SpatialPlace) []event.Event {
	s := w.byID[p.SceneID]
	if s == nil {
		return nil
	}
	best := -1
	for i, e := range s.Entities {
		d := distance(p.X, p.Y, e)
		if d <= e.InteractRadius && (best < 0 || d < distance(p.X, p.Y, s.Entities[best])) {
			best = i
		}
	}
	if best < 0 {
		return nil
	}
	return []event.Event{meeting(typeInteract, s.Entities[best], p.X, p.Y)}
}

// arrive updates zone and near entities and returns the events for the differences.
func (w *SpatialWorld) arrive(p SpatialPlace, s *SpatialScene, x, y float64) (SpatialPlace, []event.Event) {
	var events []event.Event
	p.X, p.Y = x, y
	zone := s.zoneAt(x, y)
	// Leaving comes before entering, so that rules can count on being in one zone at most.
	if zone.ID != p.ZoneID {
		if left, ok := s.zone(p.ZoneID); ok {
			events = append(events, event.New(typeZoneLeave,
				field("zoneId", left.ID), field("zoneName", left.Name), optional("toZoneId", zone.ID)))
		}
		if zone.ID != "" {
			events = append(events, event.New(typeZoneEnter,
				field("zoneId", zone.ID), field("zoneName", zone.Name), optional("fromZoneId", p.ZoneID)))
		}
		p.ZoneID = zone.ID
	}
	// Near entities are checked on every move, not only on a change of zone.
	near, approached := s.near(p)
	events = append(events, approached...)
	p.Near = near
	return p, append(events, w.exits(p, s)...)
}

// zoneAt returns the first listed zone at a spot, or the zero zone outside all zones.
func (s *SpatialScene) zoneAt(x, y float64) SpatialZone {
	// A scene has few zones: a list is fast enough, and its order matters.
	for _, z := range s.Zones {
		if z.holds(x, y) {
			return z
		}
	}
	return SpatialZone{}
}

// zone returns a zone by id. A saved place may name a zone that the scene no longer has.
func (s *SpatialScene) zone(id string) (SpatialZone, bool) {
	for _, z := range s.Zones {
		if z.ID == id && id != "" {
			return z, true
		}
	}
	return SpatialZone{}, false
}

// near returns the entities that are near now, and the events for changes. All arrivals are
// reported before all departures, in the order of the scene.
func (s *SpatialScene) near(p SpatialPlace) (near []string, events []event.Event) {
	var left []event.Event
	for _, e := range s.Entities {
		was := slices.Contains(p.Near, e.ID)
		is := distance(p.X, p.Y, e) <= 2*e.InteractRadius
		if is {
			near = append(near, e.ID)
		}
		switch {
		case is && !was:
			events = append(events, meeting(typeProximityEnter, e, p.X, p.Y))
		case was && !is:
			left = append(left, event.New(typeProximityLeave,
				field("entityId", e.ID), field("entityName", e.Name)))
		}
	}
	return near, append(events, left...)
}

// exits reports the exits at the player's position, after every move. A host may ask "go there?",
// get a no, and must be able to ask again.
func (w *SpatialWorld) exits(p SpatialPlace, s *SpatialScene) []event.Event {
	var events []event.Event
	for _, e := range s.Exits {
		if !e.holds(p.X, p.Y) {
			continue
		}
		name := ""
		if target := w.byID[e.TargetSceneID]; target != nil {
			name = target.Name
		}
		events = append(events, event.New(typeExitOverlap,
			field("exitId", e.ID), field("targetSceneId", e.TargetSceneID),
			field("targetSceneName", name), field("direction", e.Direction)))
	}
	return events
}

// meeting returns an event about an entity, with the distance.
func meeting(typ string, e SpatialEntity, x, y float64) event.Event {
	return event.New(typ,
		field("entityId", e.ID), field("entityName", e.Name), field("entityType", e.Type),
		tree.Member{Key: "distance", Value: tree.Float(distance(x, y, e))})
}

// field returns a text member.
func field(key, s string) tree.Member {
	return tree.Member{Key: key, Value: tree.Text(s)}
}

// optional returns a text member that is null if the text is empty.
func optional(key, s string) tree.Member {
	if s == "" {
		return tree.Member{Key: key, Value: tree.Null}
	}
	return field(key, s)
}

// SpatialAction is a way to move.
type SpatialAction string

// The ways.
const (
	SpatialEnter    SpatialAction = "enter"    // a scene, at a spot within it
	SpatialStep     SpatialAction = "step"     // a step that leads out of the scene does nothing
	SpatialPut      SpatialAction = "put"      // the nearest spot within the scene
	SpatialInteract SpatialAction = "interact" // with the nearest entity in reach
)
