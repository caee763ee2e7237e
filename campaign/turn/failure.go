package turn

import (
	"time"
)

// Failure is the error of a turn that failed or was cancelled: nothing of it was
// kept. Find it with errors.AsType[*Failure], or as [Outcome.Failure].
type Failure struct {
	Kind FailureKind `json:"kind"`
	Code FailureCode `json:"code"`
	// Retry says whether the same submission may succeed later, and RetryAfter how
	// long to wait, if somebody said so.
	Retry      bool          `json:"retry,omitempty"`
	RetryAfter time.Duration `json:"retry_after,omitempty"` // in nanoseconds
	// Err is the cause, such as an *llm.Error with the provider's words; nil if there
	// is none, and with a [Machine] that runs without an engine.
	Err error `json:"-"`
}

// FailureKind says what failed.
type FailureKind string

// The kinds of failures.
const (
	FailureModel     FailureKind = "model"     // the model, or the way to it
	FailurePrompt    FailureKind = "prompt"    // the prompt does not fit into the model's window
	FailureStore     FailureKind = "store"     // another writer was faster, or the store failed
	FailureState     FailureKind = "state"     // what the turn led to cannot be stored
	FailureCancelled FailureKind = "cancelled" // somebody did not wait for the end
)

// FailureCode is the reason of a [Failure] in one word: one of the codes below, or the
// llm.ErrorCode of a model that said why it failed.
type FailureCode string

// The codes that are no llm.ErrorCode.
const (
	TransportFailed FailureCode = "transport"        // the way to the model
	PromptTooLong   FailureCode = "prompt_too_long"  // for the model's window
	VersionConflict FailureCode = "version_conflict" // another writer was faster
	UnstorableState FailureCode = "unstorable_state" // what the turn led to has no JSON form
	TurnCancelled   FailureCode = "cancelled"
)

// Error says what failed and, where it is known, why.
func (f *Failure) Error() string {
	text := "campaign: the turn failed (" + string(f.Kind) + "): " + string(f.Code)
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }
