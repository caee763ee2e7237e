package turn

import (
	"cmp"
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/worldbook"
)

// Regenerate asks for another answer to the line of the head turn. It is played on the state
// before that turn, as a turn of its own; the head moves to it, and the answer that stood
// there is kept: [Choose] leads back to it. Checks with the same arguments keep their rolls,
// unless the setting alternatives.keep_rolls is off.
type Regenerate struct {
	// Instructions tell the model what to do otherwise. They are data: no macro in them is
	// expanded.
	Instructions string `json:"instructions,omitempty"`
	// Swipe makes lore and prompts that are limited to kinds of answers count it as a swipe
	// and not as a regeneration.
	Swipe bool `json:"swipe,omitempty"`
	// Speaker is the member of the cast that answers instead, muted or not. Empty: a swipe is
	// answered by those who answered before, and a regeneration by whom the line calls.
	Speaker string `json:"speaker,omitempty"`
	// ClientTurnID makes the instruction repeatable, ExpectedHead guards against renewing
	// another turn than the one that the player saw: see [state.Submission].
	ClientTurnID string    `json:"client_turn_id,omitempty"`
	ExpectedHead string    `json:"expected_head,omitempty"`
	At           time.Time `json:"at,omitzero"`
	// Recall says that there is a memory to ask; the engine sets it.
	Recall bool `json:"recall,omitempty"`
}

func (Regenerate) inputType() string { return "regenerate" }

func (in Regenerate) stamped(now time.Time) Input { in.At = orNow(in.At, now); return in }

// Remembering makes it one of type [Asking].
func (in Regenerate) Remembering(memory bool) Asking { in.Recall = memory; return in }

// Ticket says what is asked for: another answer, by what instructions, and from whom.
func (in Regenerate) Ticket() Ticket {
	return Ticket{ClientTurnID: in.ClientTurnID, What: string(in.kind()) + "\x00" + in.Instructions + called(in.Speaker)}
}

func (in Regenerate) kind() worldbook.GenerationType {
	if in.Swipe {
		return worldbook.Swipe
	}
	return worldbook.Regenerate
}

func (in Regenerate) refuses(m *Machine, values setting.Values) state.RefusalCode {
	known, atHand := knowsLine(m)
	switch {
	case in.ExpectedHead != "" && in.ExpectedHead != m.base.State.HeadTurnID:
		return state.StaleHead
	case in.Speaker != "" && !canSpeak(m.game, in.Speaker):
		return state.UnknownSpeaker
	case !known:
		return state.NoHeadTurn
	case !atHand:
		return "" // it is found out when the instruction begins
	}
	line, before, _ := lineAtHead(m)
	if before.Lifecycle.Ended {
		return state.CampaignEnded
	}
	return refusesAt(m, before, line.ActorID, values)
}

func (in Regenerate) apply(m *Machine) (Stop, error) {
	_, repeated := m.Known(in)
	if _, atHand := knowsLine(m); !atHand && !repeated {
		return atPast, nil
	}
	return accept(m, in)
}

func (in Regenerate) open(m *Machine, values setting.Values) Stop {
	line, _, _ := lineAtHead(m)
	if head, _ := turnAt(m, m.base.State.HeadTurnID); line.Text == "" { // all that there is to answer
		in.Instructions = cmp.Or(in.Instructions, head.Instructions)
	}
	line.Generation, line.ClientTurnID, line.At, line.Recall = in.kind(), in.ClientTurnID, in.At, in.Recall
	line.Speaker = cmp.Or(in.Speaker, line.Speaker)
	m.turn = renew(m, in, line, state.Ask{Instruction: in.inputType(), Swipe: in.Swipe, Instructions: in.Instructions, Speaker: in.Speaker}, values)
	return atRoute
}
