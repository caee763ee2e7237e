package campaign

import (
	"github.com/talewright/talewright/campaign/conflict"
	"github.com/talewright/talewright/memvars/tree"
)

// ConflictReport is what a person gets when the retry budget is gone and the
// model still contradicts the state. Nothing was changed; the rejected texts are
// here and nowhere else.
type ConflictReport struct {
	CampaignID string `json:"campaign_id"`
	ActorID    string `json:"actor_id"`
	UserInput  string `json:"user_input"`
	// ClientTurnID is that of the submission; what a person decides becomes its outcome.
	ClientTurnID string `json:"client_turn_id,omitempty"`
	// Submission is the whole instruction as it came: what a person decides goes on with it.
	Submission Submit `json:"submission"`
	Attempts   int    `json:"attempts"`
	MaxRetries int    `json:"max_retries"`
	// Conflicts and FailedCalls are those of the last output.
	Conflicts   []conflict.Conflict `json:"conflicts"`
	FailedCalls []FailedCall        `json:"failed_calls"`
	// Expected shows the authoritative state.
	Expected tree.Value `json:"expected_state_snippet"`
	History  []Attempt  `json:"attempt_history"`
	Options  []Decision `json:"options"`
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

// Outcome is how an instruction ended. Ask [Outcome.Err] before using its Turn.
type Outcome struct {
	Status OutcomeStatus `json:"status"`
	// Reason is the [RefusalCode] of a refusal, or the [FailureCode] of a failure.
	Reason   string `json:"reason,omitempty"`
	Detail   string `json:"detail,omitempty"` // of the reason, for logs
	Replayed bool   `json:"replayed,omitempty"`

	// Failure says what failed and whether a retry helps; failed and cancelled.
	Failure *Failure `json:"failure,omitempty"`

	Turn   *Turn           `json:"turn,omitempty"`            // completed
	Report *ConflictReport `json:"conflict_report,omitempty"` // conflict

	// Attempts lists the outputs used, also of a turn that failed.
	Attempts         []Attempt `json:"attempts,omitempty"`
	RetriesUsed      int       `json:"retries_used"`
	DialogType       string    `json:"dialog_type,omitempty"`
	DialogTypeSource string    `json:"dialog_type_source,omitempty"`

	// Changed are the settings whose effective value is another after a
	// [PatchSettings], sorted; AutoChanged are those of them that were switched
	// because of another one.
	Changed     []string `json:"changed,omitempty"`
	AutoChanged []string `json:"auto_changed,omitempty"`

	// Version is that of the campaign when the engine handed the outcome over, for
	// [Engine.Handover]; 0 with a [Machine] alone, and where the store failed.
	Version int64 `json:"-"`

	// Host are the effects that the library cannot carry out, and Messages what hooks
	// added for the player: the same that [Engine.Stream] yields. Nothing of them is
	// stored; an outcome that is replayed has none.
	Host     []HostEffect `json:"-"`
	Messages []string     `json:"messages,omitempty"`
}

// OutcomeStatus classes an [Outcome].
type OutcomeStatus string

// The ways in which a submission ends.
const (
	Completed OutcomeStatus = "completed" // committed
	Conflict  OutcomeStatus = "conflict"  // a person has to decide; nothing changed
	Failed    OutcomeStatus = "failed"    // model or store failed; nothing changed
	Cancelled OutcomeStatus = "cancelled"
	Refused   OutcomeStatus = "refused" // not accepted; see [RefusalCode]
	Discarded OutcomeStatus = "discarded"
)

// reportOptions are offered for every conflict.
func reportOptions() []Decision {
	return []Decision{DecideRetry, DecideOverride, DecideAccept, DecideDiscard}
}

// expectedState shows hit points, place and life state of the party.
func (s State) expectedState() tree.Value {
	members := make([]tree.Member, 0, len(s.Selected.Party))
	for _, c := range s.party() {
		members = append(members, tree.Member{Key: c.ID, Value: tree.Object(
			tree.Member{Key: "name", Value: tree.Text(c.Name)},
			tree.Member{Key: "hp", Value: tree.Int(int64(c.HP.Current))},
			tree.Member{Key: "max_hp", Value: tree.Int(int64(c.HP.Max))},
			tree.Member{Key: "area_id", Value: tree.Text(c.AreaID)},
			tree.Member{Key: "alive_state", Value: tree.Text(string(c.Status.AliveState))})})
	}
	return tree.Object(members...)
}
