package campaign

import (
	"context"

	"github.com/talewright/talewright/campaign/turn"
)

// Regenerate asks for another answer to the line of the head turn, and moves the head to it.
// The answer that stood there is kept, see [Engine.Choose] and the setting alternatives.max.
// Refusals, conflicts and failures are outcomes, as those of [Engine.Turn].
func (e *Engine) Regenerate(ctx context.Context, id string, in turn.Regenerate) (turn.Outcome, error) {
	return e.Do(ctx, id, in)
}

// Choose moves the head to another answer to the line of the head turn, of those that
// [state.Campaign.Answers] lists. The state is exactly the one in which that answer was left.
// An answer that is not kept any more is a [*state.Refusal].
func (e *Engine) Choose(ctx context.Context, id, turnID string) (turn.Outcome, error) {
	return e.Do(ctx, id, turn.Choose{TurnID: turnID})
}
