package question

import (
	"context"

	"github.com/talewright/talewright/hooks"
	"github.com/talewright/talewright/hooks/act"
)

// Hooks is a ready call of hooks for one event. Run it once.
type Hooks struct {
	Event act.Event
	State hooks.State
	Env   hooks.Env
	Set   *hooks.Set // the hooks of the game
}

// Run runs the hooks. Sinks and Clock of the environment belong to the host: set them before the
// call, or leave them empty to get external effects back as data.
func (h *Hooks) Run(ctx context.Context) hooks.Result {
	return hooks.Run(ctx, h.Set, h.Event, h.State, h.Env)
}
