package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
)

// change commits what an instruction changed between turns.
func (m *Machine) change(by Input, at time.Time, next state.Campaign) Stop {
	return m.commit(by.inputType(), at, next, nil, Todo{Outcome: &Outcome{Status: Completed}})
}

// betweenTurns sets the stage for what happens while no turn runs: nothing ends there that
// lasts until the next turn ends.
func (m *Machine) betweenTurns(at time.Time) *run {
	next := m.base.Clone()
	values := m.game.Settings().Freeze(next.GlobalSettings, next.Settings)
	t := newTurn(m.game, next, Submit{ActorID: next.State.Selected.ActorID, At: at}, values)
	t.past = &m.past
	t.settled.state.Hooks = next.State.Hooks
	t.settled.state.Injections = next.State.Injections
	t.undo()
	m.turn = t
	return t
}

// hear lets rules and reactions hear of events between turns, and commits what they did.
func (m *Machine) hear(by Input, t *run, events []rules.Event) Stop {
	t.chain(events...)
	return m.commit(by.inputType(), t.in.At, t.stagedCampaign(), nil,
		Todo{Host: t.staged.host, Outcome: &Outcome{Status: Completed}})
}

// stagedCampaign is the campaign with what happened on a stage between turns.
func (t *run) stagedCampaign() state.Campaign {
	next := t.next
	next.State = t.staged.state
	next.State.Random = t.cursor
	return next
}

// checkpointLimit reads the setting between turns.
func (m *Machine) checkpointLimit() int {
	return checkpointLimit(m.game.Settings().Freeze(m.base.GlobalSettings, m.base.Settings))
}
