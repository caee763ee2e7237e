package turn

import (
	"time"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/worldbook"
)

// Continue asks for more of the text of the head turn. The new text and the old text are judged as
// one output, its calls on the state after the turn. The longer turn replaces the old one, with the
// same ID. The player's line is not processed again: its commands and once-per-turn rules do not
// run a second time. If a cast gave no reply, the member who spoke last gives one, or any member.
type Continue struct {
	// Instructions tell the model how to continue. They are data: no macro in them is expanded.
	Instructions string `json:"instructions,omitempty"`
	// ClientTurnID makes the instruction repeatable. ExpectedHead refuses it if the head is not the
	// turn that the player saw. See [state.Submission].
	ClientTurnID string    `json:"client_turn_id,omitempty"`
	ExpectedHead string    `json:"expected_head,omitempty"`
	At           time.Time `json:"at,omitzero"`
	// Recall reports whether there is a memory to ask. The engine sets it.
	Recall bool `json:"recall,omitempty"`
}

func (Continue) inputType() string { return "continue" }

// Remembering returns the instruction as a [ModelInstruction] with Recall set.
func (in Continue) Remembering(memory bool) ModelInstruction { in.Recall = memory; return in }

// Ticket returns a ticket for more text, with the instructions.
func (in Continue) Ticket() Ticket {
	return Ticket{ClientTurnID: in.ClientTurnID, What: requestText(string(worldbook.Continue), in.Instructions)}
}

func (in Continue) refuses(m *Machine, _ setting.Values) state.RefusalCode {
	s := m.base.State
	head, ok := turnAt(m, s.HeadTurnID)
	switch {
	case in.ExpectedHead != "" && in.ExpectedHead != s.HeadTurnID:
		return state.StaleHead
	case s.HeadTurnID == state.StartTurnID:
		return state.NoHeadTurn
	case !ok: // the other conditions are checked when the instruction begins
	case s.Lifecycle.Ended:
		return state.CampaignEnded
	case len(head.Replies) > 0 && !canSpeak(m.game, head.Replies[len(head.Replies)-1].Speaker):
		return state.UnknownSpeaker
	case !s.InParty(head.ActorID):
		return state.ActorNotInParty
	case !mayAct(m, s, head.ActorID):
		return state.ActorCannotAct
	}
	return ""
}

func (in Continue) apply(m *Machine) (Stop, error) {
	if _, repeated := m.Known(in); !repeated && m.base.State.HeadTurnID != state.StartTurnID {
		if _, atHand := turnAt(m, m.base.State.HeadTurnID); !atHand {
			return atPast, nil
		}
	}
	return accept(m, in)
}

func (in Continue) open(m *Machine, values setting.Values) Stop {
	head, _ := turnAt(m, m.base.State.HeadTurnID)
	line := state.Submission{ActorID: head.ActorID, Audience: head.Audience, Generation: worldbook.Continue, At: in.At,
		ClientTurnID: in.ClientTurnID, Recall: in.Recall}
	if a, ok := m.base.BeforeHead(head); ok && a.Submission != nil {
		line.UserID, line.Channel, line.Icon = a.Submission.UserID, a.Submission.Channel, a.Submission.Icon
	}
	t := beginTurn(m, in, line, acceptedCampaign(m, in.ClientTurnID), values)
	t.Order.Ask = &state.Ask{Instruction: in.inputType(), Instructions: in.Instructions}
	play.ContinueTurn(t, head, values)
	m.turn = t
	return atHistory
}
