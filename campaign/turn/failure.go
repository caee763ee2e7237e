package turn

import (
	"errors"
	"time"

	"github.com/talewright/talewright/llm"
)

// This file has the reason of a failed turn: what failed, in one word, and whether the same
// submission may succeed later. A [Failure] is the error of Outcome.Err and is in Outcome.Failure.
// Nothing of such a turn is stored.
//
// A Failure is a plain value. Share it only for reading.

// Failure is the error of a turn that failed or was cancelled. Nothing of the turn was stored. Find
// it with errors.AsType[*Failure], or as [Outcome.Failure].
type Failure struct {
	Kind FailureKind `json:"kind"`
	Code FailureCode `json:"code"`
	// Retry reports whether the same submission may succeed later. RetryAfter is the time to wait,
	// if it is known.
	Retry      bool          `json:"retry,omitempty"`
	RetryAfter time.Duration `json:"retry_after,omitempty"` // in nanoseconds
	// Err is the cause, such as an *llm.Error with the provider's words. It is nil if there is no
	// cause, and with a [Machine] that runs without an engine.
	Err error `json:"-"`
}

// FailureKind says what failed.
type FailureKind string

// The kinds of failures.
const (
	FailureModel     FailureKind = "model"     // the model, or the way to it
	FailurePrompt    FailureKind = "prompt"    // the prompt does not fit into the model's window
	FailureStore     FailureKind = "store"     // a different writer was faster, or the store failed
	FailureState     FailureKind = "state"     // the result of the turn cannot be stored
	FailureHost      FailureKind = "host"      // a function of the content panicked
	FailureCancelled FailureKind = "cancelled" // the caller did not wait for the end
)

// FailureCode is the reason of a [Failure] in one word: one of the codes below, or the
// llm.ErrorCode that the model returned.
type FailureCode string

// The codes that are not an llm.ErrorCode.
const (
	TransportFailed FailureCode = "transport"        // the way to the model
	promptTooLong   FailureCode = "prompt_too_long"  // for the model's window
	VersionConflict FailureCode = "version_conflict" // a different writer was faster
	LeaseLost       FailureCode = "lease_lost"       // a different process plays the campaign now
	StoreFailed     FailureCode = "store_failed"     // the store failed in a different way
	CallLost        FailureCode = "call_lost"        // the process that made the call is dead; the call may have been paid for
	unstorableState FailureCode = "unstorable_state" // the result of the turn has no JSON form
	PastUnread      FailureCode = "past_unread"      // the log did not return what is needed
	Panicked        FailureCode = "panicked"         // the model, or a function of the content; see [Panic]
	TurnCancelled   FailureCode = "cancelled"
	PostDropped     FailureCode = "post_dropped" // a post was taken out of its inbox, see campaign.Engine.DropPost
)

// FailureOf returns the failure for an error of a model: the code of an [llm.Error], [Panicked] for
// a [Panic], else [TransportFailed].
func FailureOf(err error) *Failure {
	if _, is := errors.AsType[*Panic](err); is {
		return &Failure{Kind: FailureModel, Code: Panicked, Err: err}
	}
	if e, ok := errors.AsType[*llm.Error](err); ok {
		f := &Failure{Kind: FailureModel, Code: FailureCode(e.Code), Retry: e.Retryable(), Err: err}
		if f.Retry { // a server may also send a wait with an error that no wait mends
			f.RetryAfter = e.RetryAfter
		}
		return f
	}
	return &Failure{Kind: FailureModel, Code: TransportFailed, Retry: true, Err: err}
}

// Error says what failed and, if it is known, why.
func (f *Failure) Error() string {
	text := "campaign: the turn failed (" + string(f.Kind) + "): " + string(f.Code)
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Err }
