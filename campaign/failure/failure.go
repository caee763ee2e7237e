package failure

import (
	"errors"
	"time"

	"github.com/talewright/talewright/llm"
)

// Failure is the error of a turn that failed or was cancelled: nothing of it was
// kept. Find it with errors.AsType[*Failure], or as [turn.Outcome.Failure].
type Failure struct {
	Kind Kind `json:"kind"`
	Code Code `json:"code"`
	// Retry says whether the same submission may succeed later, and RetryAfter how
	// long to wait, if somebody said so.
	Retry      bool          `json:"retry,omitempty"`
	RetryAfter time.Duration `json:"retry_after,omitempty"` // in nanoseconds
	// Err is the cause, such as an *llm.Error with the provider's words; nil if there
	// is none, and with a [turn.Machine] that runs without an engine.
	Err error `json:"-"`
}

// Kind says what failed.
type Kind string

// The kinds of failures.
const (
	Model     Kind = "model"     // the model, or the way to it
	Prompt    Kind = "prompt"    // the prompt does not fit into the model's window
	Store     Kind = "store"     // another writer was faster, or the store failed
	State     Kind = "state"     // what the turn led to cannot be stored
	Host      Kind = "host"      // a function of the content panicked
	Cancelled Kind = "cancelled" // somebody did not wait for the end
)

// Code is the reason of a [Failure] in one word: one of the codes below, or the
// llm.ErrorCode of a model that said why it failed.
type Code string

// The codes that are no llm.ErrorCode.
const (
	TransportFailed Code = "transport"        // the way to the model
	PromptTooLong   Code = "prompt_too_long"  // for the model's window
	VersionConflict Code = "version_conflict" // another writer was faster
	LeaseLost       Code = "lease_lost"       // another process plays the campaign by now
	StoreFailed     Code = "store_failed"     // the store, in another way
	CallLost        Code = "call_lost"        // with the process that made it; it may have been paid for
	UnstorableState Code = "unstorable_state" // what the turn led to has no JSON form
	PastUnread      Code = "past_unread"      // the log did not say what is needed of it
	Panicked        Code = "panicked"         // the model, or a function of the content; see [Panic]
	TurnCancelled   Code = "cancelled"
	PostDropped     Code = "post_dropped" // a post was taken out of its inbox, see campaign.Engine.DropPost
)

// Of returns why a model failed, by its error: that of an [llm.Error], a [Panic], else the way to the model.
func Of(err error) *Failure {
	if _, is := errors.AsType[*Panic](err); is {
		return &Failure{Kind: Model, Code: Panicked, Err: err}
	}
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return &Failure{Kind: Model, Code: Code(e.Code), Retry: e.Retryable(), RetryAfter: e.RetryAfter, Err: err}
	}
	return &Failure{Kind: Model, Code: TransportFailed, Retry: true, Err: err}
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
