package turn

import (
	"fmt"
	"strconv"

	"github.com/talewright/talewright/campaign/state"
)

// chooseGreeting opens the story in another way, before its first turn. What the host has
// changed since the begin stays; what the macros of the old greeting wrote goes with it.
func (m *Machine) chooseGreeting(in Choose) (Stop, error) {
	n, s := *in.Greeting, m.base.State
	card := m.game.Content().Card
	old, err := strconv.Atoi(s.GreetingID)
	switch {
	case s.HeadTurnID != state.StartTurnID:
		return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: "the greeting is chosen before the first turn"}
	case card == nil || n < 0 || n >= len(card.Greetings()):
		return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: fmt.Sprintf("the card has no greeting %d", n)}
	case err != nil && s.Greeting != "":
		return idle, &state.Refusal{Code: state.UnknownAlternative, Detail: "the greeting is the host's own: set greeting_id in the setup for those of the card"}
	case err == nil && n == old:
		return m.endWith(Outcome{Status: Completed, Replayed: true}), nil
	}
	next := m.base.Clone()
	next.CloseUndo()
	before, after := uint64(0), m.opening(n)
	if err == nil {
		before = m.opening(old).Random
	}
	to := &next.State
	to.Greeting, to.GreetingID, to.Macros = after.Greeting, after.GreetingID, after.Macros
	to.Random = to.Random - before + after.Random
	next.RenewStart()
	stage := newTurn(m.game, next, Submit{ActorID: to.Selected.ActorID, At: in.At}, m.values())
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{
		Show: &Shown{Text: stage.scenery().displayed(to.Greeting, stage.scenery().charName())}, Outcome: &Outcome{Status: Completed}}), nil
}

// opening is what a greeting of the card makes of a state that has none.
func (m *Machine) opening(n int) state.State {
	c := m.base.Clone()
	c.State.Greeting, c.State.GreetingID, c.State.Macros, c.State.Random = "", strconv.Itoa(n), state.MacroVariables{}, 0
	greet(&c, m.game, c.CreatedAt, false)
	return c.State
}
