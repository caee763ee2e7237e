package turn

import (
	"errors"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// Err returns nil if the instruction was carried out, a [*state.Refusal] if it was refused,
// [ErrConflict] if a person has to decide, [ErrApproval] if people have to approve calls, and a
// [*Failure] if it failed or was cancelled. Without an error [Outcome.Turn] of a turn is
// there.
func (o Outcome) Err() error {
	switch o.Status {
	case Refused:
		return &state.Refusal{Code: state.RefusalCode(o.Reason), Detail: o.Detail}
	case Conflict:
		return ErrConflict
	case Waiting:
		return ErrApproval
	case Failed, Cancelled:
		if o.Failure != nil {
			return o.Failure
		}
		return &Failure{Code: FailureCode(o.Reason)}
	}
	return nil
}

// Outcome is how an instruction ended. Ask [Outcome.Err] before using its Turn. It is for operators:
// send players what [Outcome.ForPlayers] returns.
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

	// Audience are those who may see what became of a turn, see [state.Turn]; empty: everybody.
	Audience []string `json:"audience,omitempty"`

	// Approval is what people are asked, as players may see it; awaiting_approval. The turn goes
	// on when they have answered with [Approve].
	Approval *state.ApprovalQuestion `json:"approval,omitempty"`

	// Suggestions are what the model gave for a [Suggest]; there is no turn then.
	Suggestions []string `json:"suggestions,omitempty"`

	// Attempts lists the outputs used, also of a turn that failed.
	Attempts         []state.Attempt    `json:"attempts,omitempty"`
	RetriesUsed      int                `json:"retries_used"`
	DialogType       string             `json:"dialog_type,omitempty"`
	DialogTypeSource state.DialogSource `json:"dialog_type_source,omitempty"`

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
	Host     []effect.Caused `json:"-"`
	Messages []string        `json:"messages,omitempty"`

	// Trace says what rules and hooks did about an instruction between turns, such as [RaiseEvents]
	// and [PassTime], and what was refused of it; nil with everything else: a turn has its own. It is
	// not stored.
	Trace *state.TurnTrace `json:"trace,omitempty"`
}

// OutcomeStatus classes an [Outcome].
type OutcomeStatus string

// The ways in which a submission ends.
const (
	Completed OutcomeStatus = "completed" // committed
	Conflict  OutcomeStatus = "conflict"  // a person has to decide; nothing changed
	Failed    OutcomeStatus = "failed"    // model or store failed; nothing changed
	Cancelled OutcomeStatus = "cancelled"
	Waiting   OutcomeStatus = "awaiting_approval" // people have to approve calls first
	Refused   OutcomeStatus = "refused"           // not accepted; see [state.RefusalCode]
	Discarded OutcomeStatus = "discarded"
)

// The errors of machines, of replays and of outcomes.
var (
	// ErrUnexpectedInput is returned by [Machine.Step] for an answer to something that
	// was not asked. The machine is as it was.
	ErrUnexpectedInput = errors.New("campaign: unexpected input")

	// ErrInvalidInput is returned by [Machine.Step] for an input that cannot be stored,
	// such as one with an infinite number in it. The machine is as it was.
	ErrInvalidInput = errors.New("campaign: invalid input")

	// ErrDiverged is returned when a replay leads elsewhere than the log: the content
	// was changed, or the log was.
	ErrDiverged = errors.New("campaign: replay differs from the log")

	// ErrApproval is [Outcome.Err] of a turn that waits until people have approved calls.
	ErrApproval = errors.New("campaign: people have to approve calls before the turn goes on")

	// ErrConflict is [Outcome.Err] of a turn about which a person has to decide; the
	// report is in the outcome.
	ErrConflict = errors.New("campaign: the model contradicts the state, and a person has to decide")
)

// Explanation says of each entry of the world book and of each rule and reaction why it
// took part in a turn, or what kept it from that.
type Explanation struct {
	Lore  worldbook.Trace `json:"lore,omitempty"`
	Rules []rules.Trace   `json:"rules,omitempty"`
}

// String returns one line for each of them.
func (e Explanation) String() string {
	var b strings.Builder
	for _, l := range e.Lore {
		b.WriteString("lore " + l.String() + "\n")
	}
	for _, r := range e.Rules {
		b.WriteString("rule " + r.String() + "\n")
	}
	return b.String()
}

// completed is the outcome of a committed turn.
func completed(t state.Turn) Outcome {
	return Outcome{
		Status: Completed, Turn: &t, Attempts: t.Attempts,
		RetriesUsed: t.RetriesUsed, DialogType: t.DialogType,
		DialogTypeSource: t.DialogTypeSource, Audience: t.Audience,
	}
}

// replayed is the outcome of a turn that was committed before.
func replayed(t state.Turn) Outcome {
	o := completed(t)
	o.Replayed = true
	return o
}
