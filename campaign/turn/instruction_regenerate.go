package turn

import (
	"cmp"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/internal/settingkey"
	"github.com/talewright/talewright/campaign/setting"
	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/campaign/turn/internal/play"
	"github.com/talewright/talewright/worldbook"
)

// Regenerate asks for a new answer to the line of the head turn. The answer is played on the state
// before that turn, as a separate turn. The head moves to it. The old answer is kept, and [Choose]
// restores it. Checks with the same arguments keep their rolls, unless the setting
// alternatives.keep_rolls is off.
type Regenerate struct {
	// Instructions tell the model what to change. They are data: no macro in them is expanded.
	Instructions string `json:"instructions,omitempty"`
	// Swipe marks the answer as a swipe instead of a regeneration, for lore and prompts that are
	// limited to kinds of answers.
	Swipe bool `json:"swipe,omitempty"`
	// Speaker is the member of the cast that answers instead, muted or not. Empty: the same
	// speakers answer a swipe; the speakers that the line calls answer a regeneration.
	Speaker string `json:"speaker,omitempty"`
	// ClientTurnID makes the instruction repeatable. ExpectedHead refuses it if the head is not the
	// turn that the player saw. See [state.Submission].
	ClientTurnID string    `json:"client_turn_id,omitempty"`
	ExpectedHead string    `json:"expected_head,omitempty"`
	At           time.Time `json:"at,omitzero"`
	// Recall reports whether there is a memory to ask. The engine sets it.
	Recall bool `json:"recall,omitempty"`
}

func (Regenerate) inputType() string { return "regenerate" }

// Remembering returns the instruction as a [ModelInstruction] with Recall set.
func (in Regenerate) Remembering(memory bool) ModelInstruction { in.Recall = memory; return in }

// Ticket returns a ticket for a new answer, with the instructions and the speaker.
func (in Regenerate) Ticket() Ticket {
	return Ticket{ClientTurnID: in.ClientTurnID, What: whatOf(string(in.kind()), in.Instructions, in.Speaker)}
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
		return "" // this is checked when the instruction begins
	}
	line, before, _ := lineAtHead(m)
	switch {
	case before.Lifecycle.Ended:
		return state.CampaignEnded
	case in.Swipe && in.Speaker == "" && repliersGone(m):
		return state.UnknownSpeaker
	}
	return refusesActor(m, before, line.ActorID, values)
}

// repliersGone reports whether members of the cast answered the head turn and all of them have left
// the cast.
func repliersGone(m *Machine) bool {
	head, _ := turnAt(m, m.base.State.HeadTurnID)
	return len(m.game.Cast()) > 0 && len(head.Replies) > 0 &&
		!slices.ContainsFunc(head.Replies, func(r state.Reply) bool { return canSpeak(m.game, r.Speaker) })
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
	if head, _ := turnAt(m, m.base.State.HeadTurnID); line.Text == "" { // there is nothing else to answer
		in.Instructions = cmp.Or(in.Instructions, head.Instructions)
	}
	line.Generation, line.ClientTurnID, line.At, line.Recall = in.kind(), in.ClientTurnID, in.At, in.Recall
	line.Speaker = cmp.Or(in.Speaker, line.Speaker)
	ask := state.Ask{Instruction: in.inputType(), Swipe: in.Swipe, Instructions: in.Instructions, Speaker: in.Speaker}
	m.turn = beginRenewal(m, in, line, ask, values)
	return atRoute
}

// beginRenewal returns the turn for a new answer to the line of the head turn, on the state before
// that turn.
func beginRenewal(m *Machine, asked ModelInstruction, in state.Submission, ask state.Ask, values setting.Values) *play.Turn {
	line, before, _ := beforeHead(m)
	head := m.base.State
	before.Variables = m.game.KeepSetup(head, before)
	// The new answer does not draw the random numbers of an earlier answer again.
	before.Random = max(before.Random, head.Random, line.Random)
	next := acceptedCampaign(m, in.ClientTurnID)
	next.State = before
	t := beginTurn(m, asked, in, next, values)
	t.Order.Ask, t.Order.Renewal = &ask, &play.Renewal{HeadState: head, Alternatives: line}
	if values.Bool(settingkey.KeepRolls) {
		t.Stage.Dice.Keep(line.Rolls)
	}
	return t
}

// beforeHead returns the alternatives to the line of the head turn, and the state before that turn.
// If they are not in memory, known is false and the machine asks for them.
func beforeHead(m *Machine) (line state.Alternatives, before state.State, known bool) {
	head, known := turnAt(m, m.base.State.HeadTurnID)
	if !known {
		return line, before, false
	}
	if line, known = m.base.BeforeHead(head); known {
		before, known = stateAt(m, line.BeforeRef)
	}
	return line, before, known
}

// knowsLine reports whether the state before the head turn exists, in memory or in the log, and
// whether it is in memory.
func knowsLine(m *Machine) (known, atHand bool) {
	if m.base.State.HeadTurnID == state.StartTurnID {
		return false, true
	}
	head, ok := turnAt(m, m.base.State.HeadTurnID)
	if !ok {
		return true, false
	}
	line, known := m.base.BeforeHead(head)
	if !known {
		return false, true
	}
	_, atHand = stateAt(m, line.BeforeRef)
	return true, atHand
}

// lineAtHead returns the submission that the head turn answers, and the state before it. It reports
// false if they are not in memory.
func lineAtHead(m *Machine) (state.Submission, state.State, bool) {
	line, before, ok := beforeHead(m)
	if !ok {
		return state.Submission{}, before, false
	}
	head, _ := turnAt(m, m.base.State.HeadTurnID)
	var in state.Submission
	if line.Submission != nil {
		in = *line.Submission
	}
	in.ActorID = cmp.Or(in.ActorID, head.ActorID)
	in.Text = cmp.Or(in.Text, head.UserInput)
	in.Audience = head.Audience
	return in, before, true
}
