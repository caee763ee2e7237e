package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/talewright/talewright/internal/openjson"
)

// errorJSON is the JSON form of [Error]. A cause becomes its text. The causes that programs check
// with errors.Is are also written by name.
type errorJSON struct {
	Code       ErrorCode `json:"code"`
	Status     int       `json:"status,omitempty"`
	Message    string    `json:"message,omitempty"`
	Body       string    `json:"body,omitempty"`
	RetryAfter string    `json:"retry_after,omitempty"` // in the format of time.Duration
	Retry      bool      `json:"retry,omitempty"`
	Cause      *string   `json:"cause,omitempty"` // nil: there is none
	CauseIs    string    `json:"cause_is,omitempty"`
}

// namedCause returns the cause that has this name in JSON, nil for an unknown name.
func namedCause(name string) error {
	switch name {
	case "unexpected_eof":
		return io.ErrUnexpectedEOF
	case "canceled":
		return context.Canceled
	case "deadline_exceeded":
		return context.DeadlineExceeded
	}
	return nil
}

// MarshalJSON writes the error with its cause as text. If the cause is or wraps
// io.ErrUnexpectedEOF, context.Canceled or context.DeadlineExceeded, this is written too.
func (e Error) MarshalJSON() ([]byte, error) {
	out := errorJSON{Code: e.Code, Status: e.Status, Message: e.Message, Body: e.Body, Retry: e.Retry}
	if e.RetryAfter != 0 {
		out.RetryAfter = e.RetryAfter.String()
	}
	if e.Err != nil {
		out.Cause = new(e.Err.Error())
		for _, name := range []string{"unexpected_eof", "canceled", "deadline_exceeded"} {
			if errors.Is(e.Err, namedCause(name)) {
				out.CauseIs = name
				break
			}
		}
	}
	return openjson.Marshal(out)
}

// UnmarshalJSON reads the form that MarshalJSON writes. On an error the receiver does not change.
func (e *Error) UnmarshalJSON(data []byte) error {
	var in errorJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	out := Error{Code: in.Code, Status: in.Status, Message: in.Message, Body: in.Body, Retry: in.Retry}
	if in.RetryAfter != "" {
		wait, err := time.ParseDuration(in.RetryAfter)
		if err != nil {
			return fmt.Errorf("llm: retry_after: %w", err)
		}
		out.RetryAfter = wait
	}
	if in.Cause != nil || in.CauseIs != "" {
		text := ""
		if in.Cause != nil {
			text = *in.Cause
		}
		is := namedCause(in.CauseIs)
		if in.CauseIs != "" && is == nil {
			return fmt.Errorf("llm: unknown cause_is %q", in.CauseIs)
		}
		out.Err = savedCause{text: text, is: is}
		if is != nil && is.Error() == text {
			out.Err = is
		}
	}
	*e = out
	return nil
}

// savedCause is a cause that was read from JSON.
type savedCause struct {
	text string
	is   error // nil: only the text is known
}

func (c savedCause) Error() string { return c.text }
func (c savedCause) Unwrap() error { return c.is }
