package llm

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrorCode classifies the failures of a provider.
type ErrorCode string

// The codes that adapters report.
const (
	CodeAuth           ErrorCode = "auth"             // the key is missing or wrong, or has no rights or no credit
	CodeRateLimit      ErrorCode = "rate_limit"       // too many requests; see RetryAfter
	CodeOverloaded     ErrorCode = "overloaded"       // the provider is busy
	CodeContextLength  ErrorCode = "context_length"   // the request is too long for the model
	CodeInvalidRequest ErrorCode = "invalid_request"  // the provider refuses the request
	CodeNotFound       ErrorCode = "not_found"        // the model or the address does not exist
	CodeFiltered       ErrorCode = "content_filtered" // the provider refuses the content
	CodeServer         ErrorCode = "server"           // an internal error of the provider
	CodeIncomplete     ErrorCode = "incomplete"       // the reply ended too early
	CodeMalformed      ErrorCode = "malformed"        // the reply cannot be read
	CodeNetwork        ErrorCode = "network"          // the provider could not be reached
	CodeTimeout        ErrorCode = "timeout"          // the provider took too long
	CodeTooLarge       ErrorCode = "too_large"        // the reply is larger than our limits
	CodeNoTools        ErrorCode = "no_tools"         // the model or its server does not support tools
	CodeBudget         ErrorCode = "budget"           // the budget of the host is used up
	CodeUnknown        ErrorCode = "unknown"          // any other failure
)

// Error is a failure of a model or of the connection to it. Find it with errors.AsType[*Error].
// Adapters never put a key into any of its texts.
//
// Do not show Body or the text of Err to a player; Code and Message are enough for that.
//
// Do not modify an Error after it has been returned.
type Error struct {
	Code    ErrorCode
	Status  int    // HTTP status, 0 if there was none
	Message string // text of the provider or of the adapter
	// Body is the beginning of the provider's response that was not a reply, at most 4096 bytes,
	// for logs. It is empty if there was no such response.
	Body       string
	RetryAfter time.Duration // wait that the provider asked for, 0 if it did not ask
	// Retry says whether the same request may succeed later.
	Retry bool
	Err   error // cause, may be nil
}

// Incomplete returns the error of a reply that ended before its end mark. It wraps
// io.ErrUnexpectedEOF, and Retry is set. Detail describes what happened instead.
func Incomplete(detail string) *Error {
	return &Error{
		Code:    CodeIncomplete,
		Message: detail,
		Retry:   true,
		Err:     io.ErrUnexpectedEOF,
	}
}

// Error returns the code, the status if there is one, and the texts of the error.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "llm: %s", e.Code)
	if e.Status != 0 {
		fmt.Fprintf(&b, " (status %d)", e.Status)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	if e.Retry {
		b.WriteString(" (a retry may help)")
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later.
func (e *Error) Retryable() bool { return e.Retry }
