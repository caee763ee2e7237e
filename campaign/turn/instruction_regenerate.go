package turn

import (
	"cmp"
	"slices"
	"time"

	"github.com/talewright/talewright/campaign/game"
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
	line, known := readLineAtHead(m)
	switch {
	case in.ExpectedHead != "" && in.ExpectedHead != m.base.State.HeadTurnID:
		return state.StaleHead
	case in.Speaker != "" && !canSpeak(m.game, in.Speaker):
		return state.UnknownSpeaker
	case !known:
		return state.NoHeadTurn
	case !line.atHand: // the other conditions are checked when the instruction begins
		return ""
	case line.before.Lifecycle.Ended:
		return state.CampaignEnded
	case in.Swipe && in.Speaker == "" && repliersGone(m.game, line.head.Replies):
		return state.UnknownSpeaker
	}
	return refusesActor(m, line.before, line.submission().ActorID, values)
}

// repliersGone reports whether members of the cast gave replies and all of them have left the cast.
func repliersGone(g *game.Game, replies []state.Reply) bool {
	return len(g.Cast()) > 0 && len(replies) > 0 &&
		!slices.ContainsFunc(replies, func(r state.Reply) bool { return canSpeak(g, r.Speaker) })
}

func (in Regenerate) apply(m *Machine) (Stop, error) {
	_, repeated := m.Known(in)
	if line, known := readLineAtHead(m); known && !line.atHand && !repeated {
		return atPast, nil
	}
	return accept(m, in)
}

func (in Regenerate) open(m *Machine, values setting.Values) Stop {
	line, _ := readLineAtHead(m)
	submission := line.submission()
	if submission.Text == "" { // there is nothing else to answer
		in.Instructions = cmp.Or(in.Instructions, line.head.Instructions)
	}
	submission.Generation, submission.ClientTurnID, submission.At, submission.Recall = in.kind(), in.ClientTurnID, in.At, in.Recall
	if !canSpeak(m.game, submission.Speaker) { // the member has left the cast
		submission.Speaker = ""
	}
	submission.Speaker = cmp.Or(in.Speaker, submission.Speaker)
	ask := state.Ask{Instruction: in.inputType(), Swipe: in.Swipe, Instructions: in.Instructions, Speaker: in.Speaker}
	// The new answer is played on the state before the head turn.
	head, next := m.base.State, acceptedCampaign(m, in.ClientTurnID)
	next.State = m.game.KeepSetup(head, line.before)
	// It does not draw the random numbers of an earlier answer again.
	next.State.Random = max(line.before.Random, head.Random, line.answers.Random)
	m.turn = beginTurn(m, in, submission, next, values)
	m.turn.Order.Ask, m.turn.Order.Renewal = &ask, &play.Renewal{HeadState: head, Alternatives: line.answers}
	if values.Bool(settingkey.KeepRolls) {
		m.turn.Stage.Dice.Keep(line.answers.Rolls)
	}
	return atRoute
}

// lineAtHead is the line that the head turn answers.
type lineAtHead struct {
	head    state.Turn
	answers state.Alternatives
	before  state.State // the state before the head turn
	atHand  bool        // the fields before are in memory; otherwise the machine asks for them
}

// readLineAtHead returns the line that the head turn answers. It reports false if there is no such
// line: before the first turn, or if the state before the turn is not known.
func readLineAtHead(m *Machine) (line lineAtHead, known bool) {
	id := m.base.State.HeadTurnID
	if id == state.StartTurnID {
		return line, false
	}
	if line.head, known = turnAt(m, id); !known {
		return line, true
	}
	if line.answers, known = m.base.BeforeHead(line.head); known {
		line.before, line.atHand = stateAt(m, line.answers.BeforeRef)
	}
	return line, known
}

// submission returns the submission that the head turn answers.
func (line lineAtHead) submission() (s state.Submission) {
	if line.answers.Submission != nil {
		s = *line.answers.Submission
	}
	s.ActorID = cmp.Or(s.ActorID, line.head.ActorID)
	s.Text = cmp.Or(s.Text, line.head.UserInput)
	s.Audience = line.head.Audience
	return s
}
