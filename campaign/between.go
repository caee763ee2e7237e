package campaign

import (
	"time"

	"github.com/talewright/talewright/rules"
)

// change commits what an instruction changed between turns.
func (m *Machine) change(by Input, at time.Time, next Campaign) Stop {
	return m.commit(by.inputType(), at, next, nil, Todo{Outcome: &Outcome{Status: Completed}})
}

// betweenTurns sets the stage for what happens while no turn runs: nothing ends there that
// lasts until the next turn ends.
func (m *Machine) betweenTurns(at time.Time) *turn {
	next := m.base.clone()
	values := m.game.settings.Freeze(next.GlobalSettings, next.Settings)
	t := newTurn(m.game, next, Submit{ActorID: next.State.Selected.ActorID, At: at}, values)
	t.past = &m.past
	t.settled.state.Hooks = next.State.Hooks
	t.settled.state.Injections = next.State.Injections
	t.undo()
	m.turn = t
	return t
}

// hear lets rules and reactions hear of events between turns, and commits what they did.
func (m *Machine) hear(by Input, t *turn, events []rules.Event) Stop {
	t.chain(events...)
	return m.commit(by.inputType(), t.in.At, t.stagedCampaign(), nil,
		Todo{Host: t.staged.host, Outcome: &Outcome{Status: Completed}})
}

// stagedCampaign is the campaign with what happened on a stage between turns.
func (t *turn) stagedCampaign() Campaign {
	next := t.next
	next.State = t.staged.state
	next.State.Random = t.cursor
	return next
}

// checkpointLimit reads the setting between turns.
func (m *Machine) checkpointLimit() int {
	return checkpointLimit(m.game.settings.Freeze(m.base.GlobalSettings, m.base.Settings))
}
