package state

import (
	"time"

	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/memvars/tree"
	"github.com/talewright/talewright/worldbook"
)

// ConflictReport goes to a person when the retries are used up and the output of the model still
// contradicts the state. The state did not change. Only the report has the rejected texts.
type ConflictReport struct {
	CampaignID string `json:"campaign_id"`
	ActorID    string `json:"actor_id"`
	UserInput  string `json:"user_input"`
	// Speaker is the member of the cast who should have spoken, empty without a cast.
	Speaker string `json:"speaker,omitempty"`
	// ClientTurnID is the ID of the submission. The result of the person's decision becomes its
	// outcome.
	ClientTurnID string `json:"client_turn_id,omitempty"`
	// Submission is the complete instruction. The person's decision continues it.
	Submission Submission `json:"submission"`
	// Ask describes the instruction if it was not a player's line, else nil.
	Ask        *Ask `json:"ask,omitempty"`
	Attempts   int  `json:"attempts"`
	MaxRetries int  `json:"max_retries"`
	// Conflicts and FailedCalls belong to the last output.
	Conflicts   []conflict.Conflict `json:"conflicts"`
	FailedCalls []FailedCall        `json:"failed_calls"`
	// Expected is the authoritative state.
	Expected tree.Value `json:"expected_state_snippet"`
	History  []Attempt  `json:"attempt_history"`
	Options  []Decision `json:"options"`
}

// Ask is an instruction that asks the model for something other than the answer to a new line.
type Ask struct {
	Instruction  string `json:"instruction"` // its name in the log
	Swipe        bool   `json:"swipe,omitempty"`
	Instructions string `json:"instructions,omitempty"` // to the model
	Speaker      string `json:"speaker,omitempty"`      // of the cast, if a different answer must come from this member
}

// Decision is a person's decision about a conflict.
type Decision string

// The decisions.
const (
	DecideRetry    Decision = "retry"       // the same input with all retries again
	DecideOverride Decision = "override"    // a text and calls from the person
	DecideAccept   Decision = "accept_text" // deliver the last text, change nothing
	DecideDiscard  Decision = "discard"
)

// Expected returns hit points, place and life state of the party.
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

// Submission is the line of a player with its options. It is the content of the instruction that
// starts a turn.
type Submission struct {
	ActorID string `json:"actor_id,omitempty"` // empty: the active actor
	UserID  string `json:"user_id,omitempty"`  // the person, for hooks
	Text    string `json:"text"`
	// ClientTurnID makes the submission repeatable: the same ID with the same actor and text
	// returns the first outcome.
	ClientTurnID string `json:"client_turn_id,omitempty"`
	// Speaker is the member of the cast that answers, muted or not. If it is empty, the setting
	// cast.order decides.
	Speaker string `json:"speaker,omitempty"`
	// Auto says that this is a round without the player: the cast continues by itself, and Text is
	// ignored. [turn.Proceed] is the instruction for such a round and sets it.
	Auto bool `json:"auto,omitempty"`
	// Audience lists the IDs of the characters who hear the turn: characters of the campaign or
	// members of its cast. The actor is always added. Empty means everybody. The first turn with an
	// audience sets visibility.mode to strict, unless the campaign or the installation has a value
	// for it. Later prompts for other characters then leave the turn out. See [AudienceMode].
	// If it names members of the cast, only these answer, or Speaker.
	Audience []string `json:"audience,omitempty"`
	// ExpectedHead protects against an answer to an old screen: it is the ID of the last turn that
	// the player saw. Empty means no check.
	ExpectedHead string    `json:"expected_head,omitempty"`
	Channel      string    `json:"channel,omitempty"` // for hooks
	At           time.Time `json:"at,omitzero"`
	// Generation is the wanted kind of reply, for lore and prompts that are limited to some kinds;
	// empty means normal. Icon is the player's active icon, for lore with the decorator
	// is_user_icon.
	Generation worldbook.GenerationType `json:"generation,omitempty"`
	Icon       string                   `json:"icon,omitempty"`
	// Elapsed is the host's time since the last instruction, for countdowns; see [turn.PassTime].
	Elapsed float64 `json:"elapsed,omitempty"`
	// Events lists the actions of the host for the instruction before the model is asked, such as
	// act.AfterKnowledge. Hooks run for them in this order, after the turn is accepted and before
	// rules, world book and prompt.
	Events []HostEvent `json:"events,omitempty"`
	// Recall says that there is a memory to query, see [turn.Todo]. The engine sets it to true if
	// Services.Memory is set.
	Recall bool `json:"recall,omitempty"`
}

// HostEvent is an event of the host that hooks may handle.
type HostEvent struct {
	Event   string     `json:"event"`
	Payload tree.Value `json:"payload,omitzero"` // an object
}
