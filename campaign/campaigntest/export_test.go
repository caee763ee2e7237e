package campaigntest

import (
	"context"

	"github.com/talewright/talewright/campaign/game"
	"github.com/talewright/talewright/campaign/turn"
)

// VerifyRestarting is Verify with a new engine for each step.
func (g *Game) VerifyRestarting(ctx context.Context, s Scenario) (Report, error) {
	p, err := g.begin(s, false)
	if err != nil {
		return Report{}, err
	}
	p.restarts = true
	return p.verifyScenario(ctx, s)
}

// Log plays a scenario. It returns the game and its log.
func (g *Game) Log(ctx context.Context, s Scenario) (*game.Game, []turn.Record, error) {
	p, err := g.begin(s, false)
	if err != nil {
		return nil, nil, err
	}
	if _, err := p.verifyScenario(ctx, s); err != nil {
		return nil, nil, err
	}
	var log []turn.Record
	for entry, err := range p.store.Records(ctx, p.id, 0) {
		if err != nil {
			return nil, nil, err
		}
		rec, err := entry.Record()
		if err != nil {
			return nil, nil, err
		}
		log = append(log, rec)
	}
	return p.game, log, nil
}
