package llm

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// ErrorCode classes the ways in which a provider fails.
type ErrorCode string

// The codes that adapters report.
const (
	CodeAuth           ErrorCode = "auth"             // key missing, wrong or without rights or credit
	CodeRateLimit      ErrorCode = "rate_limit"       // too many requests; see RetryAfter
	CodeOverloaded     ErrorCode = "overloaded"       // the provider is busy
	CodeContextLength  ErrorCode = "context_length"   // the request is too long for the model
	CodeInvalidRequest ErrorCode = "invalid_request"  // the provider refuses the request
	CodeNotFound       ErrorCode = "not_found"        // no such model or address
	CodeFiltered       ErrorCode = "content_filtered" // the provider objects to the content
	CodeServer         ErrorCode = "server"           // the provider broke
	CodeIncomplete     ErrorCode = "incomplete"       // the reply ended too early
	CodeMalformed      ErrorCode = "malformed"        // the reply cannot be read
	CodeNetwork        ErrorCode = "network"          // the provider was not reached
	CodeTimeout        ErrorCode = "timeout"          // the provider took too long
	CodeTooLarge       ErrorCode = "too_large"        // the reply is larger than our limits
	CodeNoTools        ErrorCode = "no_tools"         // the model or its server knows no tools
	CodeBudget         ErrorCode = "budget"           // what the host allows is used up
	CodeUnknown        ErrorCode = "unknown"          // none of the others
)

// Error is a failure of a model or of the way to it. Find it with
// errors.AsType[*Error]. Adapters never put a key into any of its texts.
//
// Nothing that is sent to a player belongs in Body and in the words of Err; Code
// and Message are enough for that.
//
// An Error is read-only once it has been handed out.
type Error struct {
	Code    ErrorCode
	Status  int    // HTTP status, 0 if there was none
	Message string // the provider's words, or ours
	// Body is what the provider sent in place of a reply, at most 4096 bytes of it,
	// for logs. Empty if it sent nothing that could be kept.
	Body       string
	RetryAfter time.Duration // wait the provider asked for, 0 if it did not
	// Retry says whether the same request may succeed later.
	Retry bool
	Err   error // cause, may be nil
}

// Incomplete is the error of a reply that ended before its end mark: it wraps
// io.ErrUnexpectedEOF and a retry may help. Detail says what was seen instead.
func Incomplete(detail string) *Error {
	return &Error{
		Code:    CodeIncomplete,
		Message: detail,
		Retry:   true,
		Err:     io.ErrUnexpectedEOF,
	}
}

// Error says what failed, with the status where there is one.
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
