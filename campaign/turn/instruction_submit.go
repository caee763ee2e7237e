package turn

import (
	"cmp"
	"strings"

	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
)

// Submit is a player's instruction: it has the fields of a [state.Submission]. If it is accepted,
// it starts a turn.
type Submit state.Submission

func (Submit) inputType() string { return "submit" }

// Ticket returns a ticket with the character and the line.
func (in Submit) Ticket() Ticket {
	what := requestText("submit", in.Text, in.Speaker, requestText("to", in.Audience...))
	if in.Auto {
		what = requestText("auto", in.Speaker, requestText("to", in.Audience...))
	}
	return Ticket{ActorID: in.ActorID, ClientTurnID: in.ClientTurnID, What: what}
}

// Remembering returns the instruction as a [ModelInstruction] with Recall set.
func (in Submit) Remembering(memory bool) ModelInstruction { in.Recall = memory; return in }

func (in Submit) apply(m *Machine) (Stop, error) { return accept(m, in) }

func (in Submit) open(m *Machine, values setting.Values) Stop {
	if in.Auto {
		in.Text = ""
	}
	in.ActorID = cmp.Or(in.ActorID, m.base.State.Selected.ActorID)
	m.turn = beginTurn(m, in, state.Submission(in), acceptedCampaign(m, in.ClientTurnID), values)
	m.turn.Order.In.Audience = state.AudienceOf(in.ActorID, in.Audience)
	return atRoute
}

func (in Submit) refuses(m *Machine, values setting.Values) state.RefusalCode {
	return refusesSubmission(m, state.Submission(in), strings.TrimSpace(in.Text) == "" && !in.Auto, values)
}

// refusesSubmission returns why a submission would be refused now, "" if it would be accepted. isEmpty
// says that it lacks a line.
func refusesSubmission(m *Machine, in state.Submission, isEmpty bool, values setting.Values) state.RefusalCode {
	s := m.base.State
	switch {
	case in.ExpectedHead != "" && in.ExpectedHead != s.HeadTurnID:
		return state.StaleHead
	case s.Lifecycle.Ended:
		return state.CampaignEnded
	case in.Auto && s.AutoRounds >= maxAutoRounds(m.game, values):
		return state.NoAutoRound
	case isEmpty:
		return state.EmptyInput
	case in.Speaker != "" && !canSpeak(m.game, in.Speaker):
		return state.UnknownSpeaker
	case !canHear(m, in.Audience):
		return state.UnknownCharacter
	}
	return refusesActor(m, s, cmp.Or(in.ActorID, s.Selected.ActorID), values)
}
