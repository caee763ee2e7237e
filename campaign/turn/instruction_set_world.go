package turn

import (
	"fmt"
	"strings"
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/draft"
)

// SetWorld replaces the title, the world or the map. A nil field does not change. The map is
// checked like the map of a setup: IDs, parents, the ends of paths, and a place for each character.
// The refusal lists all problems. The goal cannot be changed.
type SetWorld struct {
	Title *string      `json:"title,omitempty"`
	World *state.World `json:"world,omitempty"`
	Map   *state.Map   `json:"map,omitempty"`
	At    time.Time    `json:"at,omitzero"`
}

func (SetWorld) inputType() string { return "set_world" }

func (in SetWorld) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if in.Title != nil {
		next.Title = *in.Title
	}
	if in.World != nil {
		next.State.World = *in.World
	}
	if in.Map != nil {
		next.State.Map = *in.Map
	}
	var wrong []string
	draft.Map(next.State.Map, next.State.Characters,
		func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) })
	if len(wrong) > 0 && in.Map != nil {
		return idle, &state.Refusal{Code: state.InvalidWorld, Detail: strings.Join(wrong, "; ")}
	}
	return m.change(in, in.At, next), nil
}
