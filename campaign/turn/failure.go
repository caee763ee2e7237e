package turn

import (
	"errors"
	"time"

	"github.com/talewright/talewright/llm"
)

// The failure part says why a turn failed: which part of the world it was, in one word, and whether
// the same submission may succeed later. A [Failure] is the error of Outcome.Err, and stands in
// Outcome.Failure. Nothing of such a turn was kept.
//
// A failure is a plain value; share it only for reading.

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
	FailureHost      FailureKind = "host"      // a function of the content panicked
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
	LeaseLost       FailureCode = "lease_lost"       // another process plays the campaign by now
	StoreFailed     FailureCode = "store_failed"     // the store, in another way
	CallLost        FailureCode = "call_lost"        // with the process that made it; it may have been paid for
	UnstorableState FailureCode = "unstorable_state" // what the turn led to has no JSON form
	PastUnread      FailureCode = "past_unread"      // the log did not say what is needed of it
	Panicked        FailureCode = "panicked"         // the model, or a function of the content; see [Panic]
	TurnCancelled   FailureCode = "cancelled"
	PostDropped     FailureCode = "post_dropped" // a post was taken out of its inbox, see campaign.Engine.DropPost
)

// FailureOf returns why a model failed, by its error: that of an [llm.Error], a [Panic], else the way to the model.
func FailureOf(err error) *Failure {
	if _, is := errors.AsType[*Panic](err); is {
		return &Failure{Kind: FailureModel, Code: Panicked, Err: err}
	}
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return &Failure{Kind: FailureModel, Code: FailureCode(e.Code), Retry: e.Retryable(), RetryAfter: e.RetryAfter, Err: err}
	}
	return &Failure{Kind: FailureModel, Code: TransportFailed, Retry: true, Err: err}
}

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
