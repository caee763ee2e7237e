package state

import (
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// ConflictReport is what a person gets when the retry budget is gone and the
// model still contradicts the state. Nothing was changed; the rejected texts are
// here and nowhere else.
type ConflictReport struct {
	CampaignID string `json:"campaign_id"`
	ActorID    string `json:"actor_id"`
	UserInput  string `json:"user_input"`
	// Speaker is the member of the cast who was to speak, empty without a cast.
	Speaker string `json:"speaker,omitempty"`
	// ClientTurnID is that of the submission; what a person decides becomes its outcome.
	ClientTurnID string `json:"client_turn_id,omitempty"`
	// Submission is the whole instruction as it came: what a person decides goes on with it.
	Submission Submission `json:"submission"`
	// Ask says what the instruction was if it was none of a player's line, nil else.
	Ask        *Ask `json:"ask,omitempty"`
	Attempts   int  `json:"attempts"`
	MaxRetries int  `json:"max_retries"`
	// Conflicts and FailedCalls are those of the last output.
	Conflicts   []conflict.Conflict `json:"conflicts"`
	FailedCalls []FailedCall        `json:"failed_calls"`
	// Expected shows the authoritative state.
	Expected tree.Value `json:"expected_state_snippet"`
	History  []Attempt  `json:"attempt_history"`
	Options  []Decision `json:"options"`
}

// Ask is an instruction that asks the model for something else than the answer to a new line.
type Ask struct {
	Instruction  string `json:"instruction"` // its name in the log
	Swipe        bool   `json:"swipe,omitempty"`
	Instructions string `json:"instructions,omitempty"` // to the model
	Speaker      string `json:"speaker,omitempty"`      // of the cast, where another answer is to be hers
}

// Decision is what a person does about a conflict.
type Decision string

// The decisions.
const (
	DecideRetry    Decision = "retry"       // the same input with a fresh budget
	DecideOverride Decision = "override"    // a text and calls of the person's own
	DecideAccept   Decision = "accept_text" // deliver the last text, change nothing
	DecideDiscard  Decision = "discard"
)

// Expected shows hit points, place and life state of the party.
func (s State) Expected() tree.Value {
	members := make([]tree.Member, 0, len(s.Selected.Party))
	for _, c := range s.PartyMembers() {
		members = append(members, tree.Member{Key: c.ID, Value: tree.Object(
			tree.Member{Key: "name", Value: tree.Text(c.Name)},
			tree.Member{Key: "hp", Value: tree.Int(int64(c.HP.Current))},
			tree.Member{Key: "max_hp", Value: tree.Int(int64(c.HP.Max))},
			tree.Member{Key: "area_id", Value: tree.Text(c.AreaID)},
			tree.Member{Key: "alive_state", Value: tree.Text(string(c.Status.AliveState))})})
	}
	return tree.Object(members...)
}

// Submission is what a player says, and how. It is the content of the instruction that
// starts a turn.
type Submission struct {
	ActorID string `json:"actor_id,omitempty"` // empty: the active actor
	UserID  string `json:"user_id,omitempty"`  // the person, for hooks
	Text    string `json:"text"`
	// ClientTurnID makes the submission repeatable: the same id with the same
	// actor and text returns the first outcome.
	ClientTurnID string `json:"client_turn_id,omitempty"`
	// Speaker is the member of the cast that answers, muted or not; empty lets the setting
	// cast.order decide.
	Speaker string `json:"speaker,omitempty"`
	// Auto says that this is a round without the player: the cast goes on by itself, and Text is
	// not read. [turn.Proceed] is the instruction for it, and sets it.
	Auto bool `json:"auto,omitempty"`
	// Audience are the ids of those who hear the turn, characters of the campaign or members of
	// its cast; who acts is always one of them. Empty: everybody. The first turn with an audience
	// sets visibility.mode to strict, unless the campaign or the installation has a value for it: later
	// prompts for others do not have the turn. See package audience.
	Audience []string `json:"audience,omitempty"`
	// ExpectedHead guards against answering an old screen: the id of the last
	// turn that the player saw. Empty: no guard.
	ExpectedHead string    `json:"expected_head,omitempty"`
	Channel      string    `json:"channel,omitempty"` // for hooks
	At           time.Time `json:"at,omitzero"`
	// Generation is the kind of reply that is wanted, for lore and prompts that are limited
	// to some kinds; empty is normal. Icon is the player's active icon, for lore with the
	// decorator is_user_icon.
	Generation worldbook.GenerationType `json:"generation,omitempty"`
	Icon       string                   `json:"icon,omitempty"`
	// Elapsed is the time of the host's that passed since the last instruction, for
	// countdowns; see [turn.PassTime].
	Elapsed float64 `json:"elapsed,omitempty"`
	// Events are what the host did for the instruction before the model is asked,
	// such as act.AfterKnowledge: hooks hear of them in this order, after
	// the turn was accepted and before rules, world book and prompt.
	Events []HostEvent `json:"events,omitempty"`
	// Recall says that there is a memory to ask, see [turn.Todo]. The engine sets it: it is
	// true where Config.Memory is.
	Recall bool `json:"recall,omitempty"`
}

// HostEvent is work of the host's that hooks may answer.
type HostEvent struct {
	Event   string     `json:"event"`
	Payload tree.Value `json:"payload,omitzero"` // an object
}
