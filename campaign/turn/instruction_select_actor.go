package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/state"
)

// SelectActor makes a member of the party the active actor. It refuses a character who cannot act,
// for example a dead one (actor_cannot_act).
type SelectActor struct {
	ActorID string    `json:"actor_id"`
	At      time.Time `json:"at,omitzero"`
}

func (SelectActor) inputType() string { return "select_actor" }

func (in SelectActor) apply(m *Machine) (Stop, error) {
	next := m.base.Clone()
	if !next.State.InParty(in.ActorID) {
		return idle, refusal(state.ActorNotInParty)
	}
	if !mayAct(m, next.State, in.ActorID) {
		return idle, refusal(state.ActorCannotAct)
	}
	next.State.Selected.ActorID = in.ActorID
	return m.change(in, in.At, next), nil
}
