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
	// speakers answer a swipe, or if nobody spoke, the member who spoke last, or any member; the
	// speakers that the line calls answer a regeneration.
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
	return Ticket{ClientTurnID: in.ClientTurnID, What: requestText(string(in.kind()), in.Instructions, in.Speaker)}
}

func (in Regenerate) kind() worldbook.GenerationType {
	if in.Swipe {
		return worldbook.Swipe
	}
	return worldbook.Regenerate
}

func (in Regenerate) refuses(m *Machine, values setting.Values) state.RefusalCode {
	known, atHand := hasStateBeforeHead(m)
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
	submission, before, _ := submissionAtHead(m)
	switch {
	case before.Lifecycle.Ended:
		return state.CampaignEnded
	case in.Swipe && in.Speaker == "" && repliersGone(m):
		return state.UnknownSpeaker
	}
	return refusesActor(m, before, submission.ActorID, values)
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
	if _, atHand := hasStateBeforeHead(m); !atHand && !repeated {
		return atPast, nil
	}
	return accept(m, in)
}

func (in Regenerate) open(m *Machine, values setting.Values) Stop {
	submission, _, _ := submissionAtHead(m)
	if head, _ := turnAt(m, m.base.State.HeadTurnID); submission.Text == "" { // there is nothing else to answer
		in.Instructions = cmp.Or(in.Instructions, head.Instructions)
	}
	submission.Generation, submission.ClientTurnID, submission.At, submission.Recall = in.kind(), in.ClientTurnID, in.At, in.Recall
	if !canSpeak(m.game, submission.Speaker) { // the member has left the cast
		submission.Speaker = ""
	}
	submission.Speaker = cmp.Or(in.Speaker, submission.Speaker)
	ask := state.Ask{Instruction: in.inputType(), Swipe: in.Swipe, Instructions: in.Instructions, Speaker: in.Speaker}
	m.turn = beginRenewal(m, in, submission, ask, values)
	return atRoute
}

// beginRenewal returns the turn for a new answer to the line of the head turn, on the state before
// that turn.
func beginRenewal(m *Machine, in ModelInstruction, submission state.Submission, ask state.Ask, values setting.Values) *play.Turn {
	answers, before, _ := answersBeforeHead(m)
	head := m.base.State
	before = m.game.KeepSetup(head, before)
	// The new answer does not draw the random numbers of an earlier answer again.
	before.Random = max(before.Random, head.Random, answers.Random)
	next := acceptedCampaign(m, submission.ClientTurnID)
	next.State = before
	t := beginTurn(m, in, submission, next, values)
	t.Order.Ask, t.Order.Renewal = &ask, &play.Renewal{HeadState: head, Alternatives: answers}
	if values.Bool(settingkey.KeepRolls) {
		t.Stage.Dice.Keep(answers.Rolls)
	}
	return t
}

// answersBeforeHead returns the answers to the line of the head turn, and the state before that
// turn. If they are not in memory, known is false and the machine asks for them.
func answersBeforeHead(m *Machine) (answers state.Alternatives, before state.State, known bool) {
	head, known := turnAt(m, m.base.State.HeadTurnID)
	if !known {
		return answers, before, false
	}
	if answers, known = m.base.BeforeHead(head); known {
		before, known = stateAt(m, answers.BeforeRef)
	}
	return answers, before, known
}

// hasStateBeforeHead reports whether the state before the head turn exists, in memory or in the log.
// atHand reports whether it is in memory.
func hasStateBeforeHead(m *Machine) (known, atHand bool) {
	if m.base.State.HeadTurnID == state.StartTurnID {
		return false, true
	}
	head, ok := turnAt(m, m.base.State.HeadTurnID)
	if !ok {
		return true, false
	}
	answers, known := m.base.BeforeHead(head)
	if !known {
		return false, true
	}
	_, atHand = stateAt(m, answers.BeforeRef)
	return true, atHand
}

// submissionAtHead returns the submission that the head turn answers, and the state before that
// turn. It reports false if they are not in memory.
func submissionAtHead(m *Machine) (state.Submission, state.State, bool) {
	answers, before, ok := answersBeforeHead(m)
	if !ok {
		return state.Submission{}, before, false
	}
	head, _ := turnAt(m, m.base.State.HeadTurnID)
	var submission state.Submission
	if answers.Submission != nil {
		submission = *answers.Submission
	}
	submission.ActorID = cmp.Or(submission.ActorID, head.ActorID)
	submission.Text = cmp.Or(submission.Text, head.UserInput)
	submission.Audience = head.Audience
	return submission, before, true
}
