package campaign

import (
	"cmp"
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/turn"
)

// Explain says of a campaign as it stands what a player's line would lead to, see
// [game.Game.Explain].
func (e *Engine) Explain(ctx context.Context, id string, in turn.Submit, reply string) (turn.Explanation, error) {
	c, p, err := e.archive.load(ctx, id, true)
	if err = cmp.Or(err, p.err()); err != nil {
		return turn.Explanation{}, fmt.Errorf("campaign: load %q: %w", id, err)
	}
	if c, err = e.archive.log(ctx, id).Whole(c); err != nil {
		return turn.Explanation{}, lookedBack("explain", id, err)
	}
	in, _ = turn.Stamp(in, e.cfg.Now().UTC()).(turn.Submit)
	return turn.Explain(e.cfg.Game, c, in, reply), nil
}
