package campaigntest

import (
	"context"
	"fmt"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn"
)

// always looks at what has to be so after every step of every game.
func (m *moment) always() (faults []string) {
	for _, c := range m.after.State.Characters {
		if c.HP.Current < 0 || c.HP.Current > c.HP.Max {
			faults = append(faults, fmt.Sprintf("%s has %d of %d hit points, which is out of bounds", c.ID, c.HP.Current, c.HP.Max))
		}
	}
	if m.outcome != nil && m.outcome.Status != turn.Completed && m.outcome.Status != turn.Discarded {
		if err := turn.Same(played(m.before), played(m.after)); err != nil {
			faults = append(faults, fmt.Sprintf("it ended as %s, and something changed all the same: %v", m.outcome.Status, err))
		}
	}
	return faults
}

// played is what play changes of a campaign.
func played(c state.Campaign) state.State { return c.State }

// atEnd looks at what has to be so at the end of every game: the log leads to the same
// campaign, and an engine that has never seen it loads the same.
func (p *party) atEnd(ctx context.Context) (faults []string) {
	if err := p.replay(ctx); err != nil {
		faults = append(faults, fmt.Sprintf("a replay of the log leads elsewhere: %v", err))
	}
	fresh, err := p.newEngine()
	if err != nil {
		return append(faults, err.Error())
	}
	loaded, err := fresh.Campaign(ctx, p.id)
	if err == nil {
		err = turn.Same(p.last.after, loaded)
	}
	if err != nil {
		faults = append(faults, fmt.Sprintf("the stored campaign is another one: %v", err))
	}
	return faults
}
