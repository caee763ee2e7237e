package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/talewright/talewright/internal/openjson"
)

// Attempt is how one sending of a request ended.
type Attempt struct {
	Number int // from 1
	// Err is the failure; nil when the reply was complete or the consumer had
	// enough of it.
	Err error
	// Again says that another attempt follows after Wait, unless the wait is
	// broken off.
	Again bool
	Wait  time.Duration
}

// attemptJSON is the JSON form of [Attempt].
type attemptJSON struct {
	Number int    `json:"number"`
	Err    *Error `json:"error,omitempty"`
	Again  bool   `json:"again,omitempty"`
	Wait   string `json:"wait,omitempty"` // as time.Duration prints it
}

// MarshalJSON writes the attempt. An error that is no [*Error] is written as
// one with CodeUnknown.
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

// UnmarshalJSON reads what MarshalJSON wrote; Err becomes an [*Error]. On an
// error the receiver stays as it was.
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
