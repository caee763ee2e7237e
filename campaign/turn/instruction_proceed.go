package turn

import (
	"cmp"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
)

// Proceed asks for a turn without a line of the player. Use it when a scene continues without a
// player's line, or when a rule has asked for a turn with the effect path @ai.request. Apart from
// the missing line and its commands the turn is like any other.
//
// If the model plays a cast, the cast continues alone. The speakers are chosen as in a round
// without the player. The setting cast.auto_replies limits how many such rounds may follow each
// other; one more is refused with no_auto_round.
type Proceed struct {
	// ActorID is the character whose turn it is, empty: the active one. UserID and Channel are for
	// hooks.
	ActorID string `json:"actor_id,omitempty"`
	UserID  string `json:"user_id,omitempty"`
	Channel string `json:"channel,omitempty"`
	// Instructions are further instructions to the model. They are data: no macro in them is
	// expanded.
	Instructions string `json:"instructions,omitempty"`
	// Speaker is the member of the cast that speaks, muted or not. Empty: the setting cast.order
	// decides.
	Speaker string `json:"speaker,omitempty"`
	// Audience lists the characters who hear the turn; empty: everybody. [state.Submission] also
	// explains its effect on visibility.mode.
	Audience []string `json:"audience,omitempty"`
	// ClientTurnID makes the instruction repeatable. ExpectedHead refuses it if the player saw an
	// older head. See [state.Submission], also for Elapsed and Events.
	ClientTurnID string            `json:"client_turn_id,omitempty"`
	ExpectedHead string            `json:"expected_head,omitempty"`
	At           time.Time         `json:"at,omitzero"`
	Elapsed      float64           `json:"elapsed,omitempty"`
	Events       []state.HostEvent `json:"events,omitempty"`
	// Recall reports whether there is a memory to ask. The engine sets it.
	Recall bool `json:"recall,omitempty"`
}

func (Proceed) inputType() string { return "proceed" }

// Remembering returns the instruction as a [ModelInstruction] with Recall set.
func (in Proceed) Remembering(memory bool) ModelInstruction { in.Recall = memory; return in }

// Ticket returns a ticket with the instructions, the speaker and the audience.
func (in Proceed) Ticket() Ticket {
	return Ticket{ActorID: in.ActorID, ClientTurnID: in.ClientTurnID,
		What: requestText("proceed", in.Instructions, in.Speaker, requestText("to", in.Audience...))}
}

func (in Proceed) refuses(m *Machine, values setting.Values) state.RefusalCode {
	line := in.submission(m)
	line.ExpectedHead = in.ExpectedHead
	return refusesSubmission(m, line, false, values)
}

// submission returns the instruction in the form of a submission without a line.
func (in Proceed) submission(m *Machine) state.Submission {
	return state.Submission{ActorID: cmp.Or(in.ActorID, m.base.State.Selected.ActorID), Audience: in.Audience, UserID: in.UserID,
		Channel: in.Channel, ClientTurnID: in.ClientTurnID, At: in.At, Elapsed: in.Elapsed, Events: in.Events, Recall: in.Recall,
		Speaker: in.Speaker, Auto: len(m.game.Cast()) > 0}
}

func (in Proceed) apply(m *Machine) (Stop, error) { return accept(m, in) }

func (in Proceed) open(m *Machine, values setting.Values) Stop {
	line := in.submission(m)
	t := beginTurn(m, in, line, acceptedCampaign(m, in.ClientTurnID), values)
	t.Order.In.Audience = state.AudienceOf(line.ActorID, in.Audience)
	t.Order.Ask = &state.Ask{Instruction: in.inputType(), Instructions: in.Instructions}
	m.turn = t
	return atRoute
}
