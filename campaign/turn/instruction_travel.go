package turn

import (
	"fmt"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/spatial"
)

// Travel moves the player in the scenes of [game.Content.Scenes]. Rules and reactions hear of
// zones, company and exits; see package spatial. A rule enters a scene with the action
// enter-scene, whose members are sceneId, x and y.
type Travel struct {
	Do spatial.Action `json:"do"`
	// SceneID is the scene to enter.
	SceneID string `json:"scene_id,omitempty"`
	// X and Y are the spot to enter or to be put at; for a step they are how far to go
	// east and south.
	X  float64   `json:"x,omitempty"`
	Y  float64   `json:"y,omitempty"`
	At time.Time `json:"at,omitzero"`
}

func (Travel) inputType() string { return "travel" }

func (in Travel) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in Travel) apply(m *Machine) (Stop, error) {
	t := m.betweenTurns(in.At)
	events, err := travel(&t.staged.state, m.game.World(), in)
	if err != nil {
		return idle, err
	}
	return m.hear(in, t, events), nil
}

// travel moves the player and returns what has come about by it.
func travel(s *state.State, w *spatial.World, in Travel) (events []rules.Event, err error) {
	if in.Do != spatial.Enter && s.Place.SceneID == "" {
		return nil, &state.Refusal{Code: state.UnknownScene, Detail: "the player is in no scene: enter one first"}
	}
	switch in.Do {
	case spatial.Enter:
		if s.Place, events = w.Enter(s.Place, in.SceneID, in.X, in.Y); events == nil {
			return nil, &state.Refusal{Code: state.UnknownScene,
				Detail: fmt.Sprintf("no scene %q, or %v, %v lies outside of it", in.SceneID, in.X, in.Y)}
		}
	case spatial.Step:
		s.Place, events = w.Move(s.Place, in.X, in.Y)
	case spatial.Put:
		s.Place, events = w.SetPosition(s.Place, in.X, in.Y)
	case spatial.Interact:
		events = w.Interact(s.Place)
	default:
		return nil, &state.Refusal{Code: state.UnknownScene, Detail: fmt.Sprintf("do is %q, none of enter, step, put, interact", in.Do)}
	}
	return events, nil
}
