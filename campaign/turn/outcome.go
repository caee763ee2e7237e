package turn

import (
	"errors"
	"strings"

	"github.com/talewright/talewright/campaign/state"
	"github.com/talewright/talewright/prompt"
	"github.com/talewright/talewright/rules"
	"github.com/talewright/talewright/rules/effect"
	"github.com/talewright/talewright/worldbook"
)

// Err returns nil if the instruction was run, and a [*state.Refusal] if it was refused. It returns
// [ErrConflict] if a person has to decide, and [ErrApproval] if people have to approve calls. It
// returns a [*Failure] if the instruction failed or was cancelled. If Err returns nil for a turn,
// [Outcome.Turn] is set.
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

// Outcome is the result of an instruction. Call [Outcome.Err] before using its Turn. It is for
// operators: send players what [Outcome.ForPlayers] returns.
type Outcome struct {
	Status OutcomeStatus `json:"status"`
	// Reason is the [state.RefusalCode] of a refusal, or the [FailureCode] of a failure.
	Reason   string `json:"reason,omitempty"`
	Detail   string `json:"detail,omitempty"` // of the reason, for logs
	Replayed bool   `json:"replayed,omitempty"`

	// Failure says what failed and whether a retry helps; for failed and cancelled.
	Failure *Failure `json:"failure,omitempty"`

	Turn   *state.Turn           `json:"turn,omitempty"`            // for completed
	Report *state.ConflictReport `json:"conflict_report,omitempty"` // for conflict

	// Audience lists the characters who may see the result of a turn, see [state.Turn]; empty:
	// everybody.
	Audience []string `json:"audience,omitempty"`

	// Approval is the question to people, in the form for players; for awaiting_approval. The turn
	// continues after an answer with [Approve].
	Approval *state.ApprovalQuestion `json:"approval,omitempty"`

	// Suggestions are the model's answers to a [Suggest]. Then Turn is nil.
	Suggestions []string `json:"suggestions,omitempty"`

	// Attempts lists the outputs used, also of a failed turn.
	Attempts         []state.Attempt    `json:"attempts,omitempty"`
	RetriesUsed      int                `json:"retries_used"`
	DialogType       string             `json:"dialog_type,omitempty"`
	DialogTypeSource state.DialogSource `json:"dialog_type_source,omitempty"`

	// Changed lists the settings whose effective value a [PatchSettings] changed, sorted.
	// AutoChanged lists the settings that were changed because of a different setting.
	Changed     []string `json:"changed,omitempty"`
	AutoChanged []string `json:"auto_changed,omitempty"`

	// Version is the version of the campaign when the engine returned the outcome, for
	// [campaign.Engine.Handover]. It is 0 with a [Machine] alone, and if the store failed.
	Version int64 `json:"-"`

	// Host lists the effects that the library cannot apply, and Messages lists the texts that hooks
	// added for the player. [campaign.Engine.Stream] yields the same. They are not stored and are
	// empty in a replayed outcome.
	Host     []effect.Attributed `json:"-"`
	Messages []string            `json:"messages,omitempty"`

	// Trace records the results of rules and hooks, and refusals, for an instruction between turns,
	// such as [RaiseEvents] and [PassTime]. It is nil for all other instructions: a turn has its
	// own trace. It is not stored.
	Trace *state.TurnTrace `json:"trace,omitempty"`
}

// OutcomeStatus is the kind of an [Outcome].
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
	// ErrUnexpectedInput is returned by [Machine.Step] for an answer to a question that was not
	// asked. The machine does not change.
	ErrUnexpectedInput = errors.New("campaign: unexpected input")

	// ErrInvalidInput is returned by [Machine.Step] for an input that cannot be stored, such as one
	// with an infinite number. The machine does not change.
	ErrInvalidInput = errors.New("campaign: invalid input")

	// ErrDiverged is returned when a replay gives a different result than the log: the content was
	// changed, or the log was.
	ErrDiverged = errors.New("campaign: replay differs from the log")

	// ErrApproval is [Outcome.Err] of a turn that waits until people have approved calls.
	ErrApproval = errors.New("campaign: people have to approve calls before the turn continues")

	// ErrConflict is [Outcome.Err] of a turn about which a person has to decide. The report is in
	// the outcome.
	ErrConflict = errors.New("campaign: the model contradicts the state, and a person has to decide")
)

// Explanation says why each entry of the world book and each rule and reaction took part in a turn,
// or what prevented it.
type Explanation struct {
	Lore  worldbook.Trace `json:"lore,omitempty"`
	Rules []rules.Trace   `json:"rules,omitempty"`
	// Talk is the part of the chat in which lore was searched, oldest first. Prompt is the prompt of
	// the first request. It is empty for a line that is not played.
	Talk   []worldbook.Message `json:"talk,omitempty"`
	Prompt prompt.Result       `json:"prompt,omitzero"`
}

// String returns one line for each entry, rule and reaction.
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

// completed returns the outcome of a committed turn.
func completed(t state.Turn) Outcome {
	return Outcome{
		Status: Completed, Turn: &t, Attempts: t.Attempts,
		RetriesUsed: t.RetriesUsed, DialogType: t.DialogType,
		DialogTypeSource: t.DialogTypeSource, Audience: t.Audience,
	}
}

// replayed returns the outcome of a turn that was committed before.
func replayed(t state.Turn) Outcome {
	o := completed(t)
	o.Replayed = true
	return o
}
