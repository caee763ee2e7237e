package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/internal/openjson"
)

// Attempt describes one attempt to send a request.
type Attempt struct {
	Number int // from 1
	// Err is the failure; nil if the reply was complete or the consumer stopped.
	Err error
	// Again says that a new attempt follows after Wait, unless the wait is interrupted.
	Again bool
	Wait  time.Duration
}

// attemptJSON is the JSON form of [Attempt].
type attemptJSON struct {
	Number int    `json:"number"`
	Err    *Error `json:"error,omitempty"`
	Again  bool   `json:"again,omitempty"`
	Wait   string `json:"wait,omitempty"` // in the format of time.Duration
}

// MarshalJSON writes the attempt. An error that is not an [*Error] is written with CodeUnknown.
func (a Attempt) MarshalJSON() ([]byte, error) {
	out := attemptJSON{Number: a.Number, Again: a.Again}
	if a.Wait != 0 {
		out.Wait = a.Wait.String()
	}
	if a.Err != nil {
		failure, ok := errors.AsType[*Error](a.Err)
		if !ok {
			failure = &Error{Code: CodeUnknown, Err: a.Err}
		}
		out.Err = failure
	}
	return openjson.Marshal(out)
}

// UnmarshalJSON reads the form that MarshalJSON writes; Err becomes an [*Error]. On an error the
// receiver does not change.
func (a *Attempt) UnmarshalJSON(data []byte) error {
	var in attemptJSON
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	out := Attempt{Number: in.Number, Again: in.Again}
	if in.Err != nil {
		out.Err = in.Err
	}
	if in.Wait != "" {
		wait, err := time.ParseDuration(in.Wait)
		if err != nil {
			return fmt.Errorf("llm: wait: %w", err)
		}
		out.Wait = wait
	}
	*a = out
	return nil
}
