package turn

import (
	"errors"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
)

// ErrConflict is [Outcome.Err] of a turn about which a person has to decide; the
// report is in the outcome.
var ErrConflict = errors.New("campaign: the model contradicts the state, and a person has to decide")

// Err returns nil if the instruction was carried out, a [*state.Refusal] if it was refused,
// [ErrConflict] if a person has to decide, and a [*Failure] if it failed or was
// cancelled. Without an error [Outcome.Turn] of a turn is there.
func (o Outcome) Err() error {
	switch o.Status {
	case Refused:
		return &state.Refusal{Code: state.RefusalCode(o.Reason), Detail: o.Detail}
	case Conflict:
		return ErrConflict
	case Failed, Cancelled:
		if o.Failure != nil {
			return o.Failure
		}
		return &Failure{Code: FailureCode(o.Reason)}
	}
	return nil
}

// Outcome is how an instruction ended. Ask [Outcome.Err] before using its Turn.
type Outcome struct {
	Status OutcomeStatus `json:"status"`
	// Reason is the [state.RefusalCode] of a refusal, or the [FailureCode] of a failure.
	Reason   string `json:"reason,omitempty"`
	Detail   string `json:"detail,omitempty"` // of the reason, for logs
	Replayed bool   `json:"replayed,omitempty"`

	// Failure says what failed and whether a retry helps; failed and cancelled.
	Failure *Failure `json:"failure,omitempty"`

	Turn   *state.Turn           `json:"turn,omitempty"`            // completed
	Report *state.ConflictReport `json:"conflict_report,omitempty"` // conflict

	// Attempts lists the outputs used, also of a turn that failed.
	Attempts         []state.Attempt `json:"attempts,omitempty"`
	RetriesUsed      int             `json:"retries_used"`
	DialogType       string          `json:"dialog_type,omitempty"`
	DialogTypeSource string          `json:"dialog_type_source,omitempty"`

	// Changed are the settings whose effective value is another after a
	// [PatchSettings], sorted; AutoChanged are those of them that were switched
	// because of another one.
	Changed     []string `json:"changed,omitempty"`
	AutoChanged []string `json:"auto_changed,omitempty"`

	// Version is that of the campaign when the engine handed the outcome over, for
	// [campaign.Engine.Handover]; 0 with a [Machine] alone, and where the store failed.
	Version int64 `json:"-"`

	// Host are the effects that the library cannot carry out, and Messages what hooks
	// added for the player: the same that [campaign.Engine.Stream] yields. Nothing of them is
	// stored; an outcome that is replayed has none.
	Host     []rules.Caused `json:"-"`
	Messages []string       `json:"messages,omitempty"`
}

// OutcomeStatus classes an [Outcome].
type OutcomeStatus string

// The ways in which a submission ends.
const (
	Completed OutcomeStatus = "completed" // committed
	Conflict  OutcomeStatus = "conflict"  // a person has to decide; nothing changed
	Failed    OutcomeStatus = "failed"    // model or store failed; nothing changed
	Cancelled OutcomeStatus = "cancelled"
	Refused   OutcomeStatus = "refused" // not accepted; see [state.RefusalCode]
	Discarded OutcomeStatus = "discarded"
)
