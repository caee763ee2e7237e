package campaign

import (
	"context"

	"github.com/talewright/talewright/campaign/turn"
)

// Explain says of a campaign as it stands what a player's line would lead to, see
// [game.Game.Explain].
func (e *Engine) Explain(ctx context.Context, id string, in turn.Submit, reply string) (turn.Explanation, error) {
	c, err := e.read(ctx, id)
	if err != nil {
		return turn.Explanation{}, err
	}
	in, _ = turn.Stamp(in, e.cfg.Now().UTC()).(turn.Submit)
	return turn.Explain(e.cfg.Game, c, in, reply), nil
}
