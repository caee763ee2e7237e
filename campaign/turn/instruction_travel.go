package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/turn/internal/draft"
	"github.com/talewright/talewright/rules"
)

// Travel moves the player in the scenes of [game.Rules.Scenes]. Rules and reactions run for
// zones, company and exits; see package spatial. A rule enters a scene with the action enter-scene,
// with the members sceneId, x and y.
type Travel struct {
	Do rules.SpatialAction `json:"do"`
	// SceneID is the scene to enter.
	SceneID string `json:"scene_id,omitempty"`
	// X and Y are the position for entering a scene or for a placement. For a step they are the
	// distance to the east and to the south.
	X  float64   `json:"x,omitempty"`
	Y  float64   `json:"y,omitempty"`
	At time.Time `json:"at,omitzero"`
}

func (Travel) inputType() string { return "travel" }

func (in Travel) apply(m *Machine) (Stop, error) {
	t := betweenTurns(m, in.At)
	events, err := draft.Travel(&t.Stage.Pending.State, m.game.World(), draft.Journey{Do: in.Do, Scene: in.SceneID, X: in.X, Y: in.Y})
	if err != nil {
		return idle, err
	}
	return runBetweenTurns(m, in, events...), nil
}
