package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// Choose moves the head to another answer to the line of the head turn, see
// [state.Campaign.Answers]. The state is the one in which that answer was left: characters,
// variables, ledgers, the timers of lore, what hooks remember, the random cursor, the
// milestone. Only variables of scope setup keep what they hold.
type Choose struct {
	TurnID string `json:"turn_id,omitempty"`
	// Greeting, if it is there, is the number of a greeting of the card, as
	// [state.Setup.GreetingID] counts them: before the first turn the story opens with it.
	Greeting *int      `json:"greeting,omitempty"`
	At       time.Time `json:"at,omitzero"`
}

func (Choose) inputType() string { return "choose" }

func (in Choose) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

func (in Choose) apply(m *Machine) (Stop, error) {
	if in.Greeting != nil {
		return m.chooseGreeting(in)
	}
	already := in.TurnID == m.base.State.HeadTurnID && in.TurnID != state.StartTurnID
	ref, err := m.base.ChoiceRef(in.TurnID)
	if err != nil && !already {
		return idle, err
	}
	chosen, ok := m.turnAt(in.TurnID)
	if !ok {
		return atPast, nil
	}
	if already {
		return m.endWith(completed(chosen, true)), nil // it is chosen already
	}
	then, ok := m.stateAt(ref)
	if !ok {
		return atPast, nil
	}
	next := m.base.Clone()
	next.CloseUndo()
	next.Choose(in.TurnID, then)
	next.State.Variables = m.game.KeepSetup(m.base.State, next.State)
	next.AddCheckpoint("", in.At, m.checkpointLimit())
	outcome := completed(chosen, false)
	stage := newTurn(m.game, next, Submit{ActorID: chosen.ActorID, Text: chosen.UserInput, At: in.At}, m.values())
	return m.commit(RecordKind(in.inputType()), in.At, next, nil, Todo{
		Show: stage.scenery().shownTurn(chosen), Outcome: &outcome}), nil
}
